"""Defines EVPN gateways: the VRFs and VLANs that a leaf stretches to another site."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Port, Switch

GATEWAY_GROUPS = ("UNDERLAY-DCI", "EVPN-DCI")
"""Peer groups of gateways of another site; on EOS a password is kept by its group."""


@record(eq=False, kw_only=True)
class GatewayLink:
    """A cable to a gateway of the other site, and the two sessions with it.

    One of both underlays over the cable, one of EVPN between loopbacks.

    remote: the other end of the cable, at a port of the peer. loopback: of the peer.
    """

    interface: Interface
    remote: Ip
    peer: Switch
    peer_port: Port
    peer_asn: int
    loopback: Ip
    because: Provenance


@record(eq=False, kw_only=True)
class Gateway:
    """A leaf that is a gateway, alone or with the other leaf of its MLAG pair.

    own, far: router IDs and tunnel endpoints of the gateways here and of those there, by address;
    the sites tell each other of nothing else in their underlays. targets: by which VRFs and VLANs
    go to the other site, as route targets. vlans: by id, the target of those that go on there;
    vrfs: the names of those. password: a reference, of every session with the other site. links:
    those of this leaf.
    """

    name: str
    links: tuple[GatewayLink, ...]
    own: tuple[Ip, ...]
    far: tuple[Ip, ...]
    vlans: dict[int, str]
    vrfs: tuple[str, ...]
    targets: tuple[str, ...]
    password: str | None
    because: Provenance

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the peer groups of its sessions with the other site."""
        return GATEWAY_GROUPS

    @property
    def cables(self) -> tuple[Interface, ...]:
        """Return its ports to the other site."""
        return tuple(link.interface for link in self.links)

    @property
    def peers(self) -> tuple[GatewayLink, ...]:
        """Return one link to each gateway of the other site: two cables have one EVPN session."""
        return tuple({link.loopback: link for link in reversed(self.links)}.values())[::-1]
