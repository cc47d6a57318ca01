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

    vrf: the table by which its packets go to `remote`, by a way out on the same port. local: the
    address of that way out. below: the tag of that way out on the port, None without one.
    """

    vrf: str
    local: Ip
    remote: Ip
    below: int | None


NO_CABLE = Meters(0)


class Use(StrEnum):
    """What an interface is for."""

    FABRIC = "fabric"  # routed, to another switch
    NIC = "nic"  # routed, to one NIC
    EDGE = "edge"  # bridged, to a server
    PEER = "peer"  # bridged, to the other leaf of an MLAG pair
    EXTERNAL = "external"  # routed in a VRF, to a router outside the site
    UNUSED = "unused"


@record(eq=False, kw_only=True)
class Interface:
    """One interface of the switch, used or not; the unused ones are shut.

    peer, peer_port: the other end of the cable. address: on routed interfaces with numbered links.
    link_local: IPv6 link-local only. carries: VLANs of an edge port. lag: number of its bundle.
    vrf: the tenant's table it routes in. outside: name of the external peer behind it, or of the
    link that peers share; there is no cable of the site, so no `peer`. address6: of a peer that
    has both. tag: it is a share of its port or bundle, for frames with this VLAN. spare: the NIC
    has a port in another plane as well. marks: what is written into what its server sends; None
    where what that has is taken, or the fabric has no classes. tunnel: it is one through what is
    behind its port, and the tag is its key. rate: what it may send at most, where the way behind
    it carries less than its speed. shut: it is cabled and waits, for a switch that is to come or
    until its own is drained no more. dark: its link is dead. note: what people say of its port.
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
        """Tell whether nothing goes over it: it is not used, or waits."""
        return self.shut or self.use is Use.UNUSED

    @property
    def silent(self) -> bool:
        """Tell whether nothing comes by its cable: it waits, or the link is dead."""
        return self.shut or self.dark

    @property
    def sends(self) -> BitsPerSecond:
        """Return the most that it sends."""
        return self.rate if self.rate is not None else self.port.speed

    @property
    def addresses(self) -> tuple[Ip, ...]:
        """Return its addresses, IPv4 first."""
        return tuple(each for each in (self.address, self.address6) if each is not None)

    @property
    def time(self) -> str:
        """Tell who is behind a port of precise time: a switch, client, grandmaster, or nobody."""
        if self.use is Use.FABRIC:
            return "switch"
        return getattr(self.peer_port, "ptp", "")

    @property
    def settings(self) -> PortSet:
        """Return the settings of the server's ports behind it."""
        return getattr(self.peer_port, "settings", NO_SETTINGS)

    @property
    def fallback(self) -> LacpFallback | None:
        """Return how a port of a bundle works while its server says no LACP, if it does."""
        return self.settings.lacp_fallback


def between_sites(port: Interface) -> bool:
    """Tell whether a port is that of a link to another site of the same intent."""
    return port.because.main[:1] == ("dci",)
