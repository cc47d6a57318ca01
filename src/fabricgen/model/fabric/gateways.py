"""Defines EVPN gateways: the VRFs and VLANs that a leaf stretches to another site."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Port, Switch

GATEWAY_GROUPS = ("UNDERLAY-DCI", "EVPN-DCI")
"""Peer groups of gateways of another site; EOS encrypts a password with the name of its group."""


@record(eq=False, kw_only=True)
class GatewayLink:
    """A cable to a gateway of the other site, and its two sessions.

    One session joins both underlays over the cable, the other carries EVPN between loopbacks.

    `remote`: the remote end of the cable, at a port of the peer. `loopback`: of the peer.
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
    """A gateway leaf, alone or with the other leaf of its MLAG pair.

    `own`, `far`: router IDs and tunnel endpoints of the local and the remote gateways, by address;
    the underlays exchange only these. `targets`: route targets of the VRFs and VLANs between the
    sites. `vlans`: route targets of stretched VLANs, by id. `vrfs`: names of stretched VRFs.
    `password`: a reference, for every session with the other site. `links`: of this leaf.
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
        """Return one link to each gateway of the other site: two cables share one EVPN session."""
        return tuple({link.loopback: link for link in reversed(self.links)}.values())[::-1]
