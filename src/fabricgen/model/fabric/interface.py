"""Defines an interface of a switch and its tunnel."""

from enum import StrEnum

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.classes import Marks
from fabricgen.model.fabric.topology import Nic, Port, PortNote, Server, Switch
from fabricgen.model.fabric.vlans import Carries
from fabricgen.model.settings.ports import NO_SETTINGS, LacpFallback, PortSet

GRE_OVERHEAD = 20 + 4 + 4
"""Bytes: an IPv4 header (RFC 791), GRE (RFC 2784) and its key (RFC 2890)."""


@record(kw_only=True)
class Tunnel:
    """One end of a tunnel, on an interface whose tag is the key of both ends.

    `vrf`: the VRF that routes its packets to `remote`, through an external peer on the same port.
    `local`: the local address towards that peer. `below`: the peer's tag on the port; None without
    tag.
    """

    vrf: str
    local: Ip
    remote: Ip
    below: int | None


NO_CABLE = Meters(0)


class Use(StrEnum):
    """Purpose of an interface."""

    FABRIC = "fabric"  # routed, to another switch
    NIC = "nic"  # routed, to one NIC
    EDGE = "edge"  # bridged, to a server
    PEER = "peer"  # bridged, to the other leaf of an MLAG pair
    EXTERNAL = "external"  # routed in a VRF, to an external router
    UNUSED = "unused"


@record(eq=False, kw_only=True)
class Interface:
    """One interface of the switch; unused interfaces are shut.

    `peer`, `peer_port`: the remote end of the cable. `address`: on routed interfaces with numbered
    links. `link_local`: only IPv6 link-local. `carries`: VLANs of an edge port. `lag`: number of
    its port-channel. `vrf`: the tenant's VRF. `outside`: name of the external peer behind it, or of
    the link that peers share; such a port has no `peer`. `address6`: of a peer with both families.
    `tag`: the interface is a share of its port or port-channel, for frames with this VLAN. `spare`:
    the NIC has a port in another plane as well. `marks`: DSCPs that are written into packets of its
    server; None if its DSCPs are trusted, or the fabric has no classes. `tunnel`: the interface is
    a tunnel behind its port, with the tag as key. `rate`: maximum rate if the path behind it is
    slower than the port. `shut`: it is cabled and waits for a planned switch, or until its drained
    switch returns. `dark`: its link is dead. `note`: description of its port in the intent.
    """

    port: Port
    use: Use
    mtu: int
    because: Provenance
    peer: Switch | Server | None = None
    peer_port: Port | Nic | None = None
    address: Ip | None = None
    link_local: bool = False
    carries: Carries | None = None
    lag: int | None = None
    length: Meters = NO_CABLE
    vrf: str | None = None
    outside: str = ""
    address6: Ip | None = None
    tag: int | None = None
    spare: bool = False
    marks: Marks | None = None
    tunnel: Tunnel | None = None
    rate: BitsPerSecond | None = None
    shut: bool = False
    dark: bool = False
    note: PortNote | None = None

    @property
    def closed(self) -> bool:
        """Return whether it carries no traffic: it is unused, or waits."""
        return self.shut or self.use is Use.UNUSED

    @property
    def silent(self) -> bool:
        """Return whether nothing arrives on its cable: it waits, or the link is dead."""
        return self.shut or self.dark

    @property
    def sends(self) -> BitsPerSecond:
        """Return its maximum rate."""
        return self.rate if self.rate is not None else self.port.speed

    @property
    def addresses(self) -> tuple[Ip, ...]:
        """Return its addresses, IPv4 first."""
        return tuple(each for each in (self.address, self.address6) if each is not None)

    @property
    def time(self) -> str:
        """Return the PTP neighbor of a port: a switch, client, grandmaster, or none."""
        if self.use is Use.FABRIC:
            return "switch"
        return getattr(self.peer_port, "ptp", "")

    @property
    def settings(self) -> PortSet:
        """Return the settings of its server ports."""
        return getattr(self.peer_port, "settings", NO_SETTINGS)

    @property
    def fallback(self) -> LacpFallback | None:
        """Return the LACP fallback of a port-channel member, if any."""
        return self.settings.lacp_fallback


def between_sites(port: Interface) -> bool:
    """Return whether a port belongs to a link to another site of the same intent."""
    return port.because.main[:1] == ("dci",)
