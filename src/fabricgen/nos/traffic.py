"""Define the traffic state of a switch: VLANs and VRFs over the overlay, routes, LAGs and PFC.

Its size does not grow with the servers of a fabric. MACs and host routes are counted, with a few
named ones for each VLAN.
"""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import Enum
from typing import NamedTuple

from fabricgen.core.record import record

SAMPLE = 512
"""Number of underlay host routes (VTEPs and loopbacks) in the sample, drawn by name."""
SUBNETS = 256
"""Number of sampled subnets of a VRF on a switch."""
HOSTS = 32
"""Number of servers of a VRF behind other leafs whose addresses a switch reports."""
SERVERS = 8
"""Number of servers of a VLAN whose addresses a switch reports."""


class Kind(Enum):
    """The path of a packet: a VLAN, a VRF, the underlay, or the port of a server."""

    VLAN = "VLAN"
    VRF = "VRF"
    VTEP = "VTEP"
    SERVER = "server"
    ROUTED = "routed"
    APART = "apart"


class Probe(NamedTuple):
    """Method by which a switch tests ends of one kind; `lacks` is the reason without a method."""

    how: str = ""
    lacks: str = ""


class Station(NamedTuple):
    """A server that a push pings.

    Attributes:
        name: Its name in the design. Empty where its port is not known.
        address: Its IPv4 address.
        vlan: The VLAN that the address is in.
        vrf: The VRF of the VLAN.
        leaf: The switch that has the server at a port.
        port: The name of that port on the switch. Empty where it is not known.
    """

    name: str
    address: str
    vlan: int
    vrf: str
    leaf: str
    port: str

    @property
    def text(self) -> str:
        where = f"VLAN {self.vlan}, VRF {self.vrf}, at {self.leaf}"
        if self.name:
            return f"server {self.name} ({self.address}, {where})"
        return f"server {self.address} ({where})"


class End(NamedTuple):
    """A destination that returns packets of a switch.

    Attributes:
        of: VLAN or VRF. Empty for a VTEP.
        far: Address of a VTEP or of a server.
        station: A server that is pinged through the VRF `of` (ROUTED), or that must not answer
            there (APART).
        source: Source address of the ping.
    """

    kind: Kind
    of: str
    far: str
    station: Station | None = None
    source: str = ""


@record(kw_only=True)
class Bridged:
    """A VLAN in the overlay.

    Attributes:
        far: Addresses of the VTEPs in its flood list.
        macs: Number of MACs. None if unread.
        routes: Accepted EVPN routes of its VNI by type, including local routes.
        gateway: Local IPv4 address and MAC, with a blank between. Empty if absent or unread.
        servers: MACs by address of a few servers at ports of this switch.
        ports: Known ports of these servers, by address.
    """

    vni: int
    far: frozenset[str] = frozenset()
    macs: int | None = None
    routes: Mapping[int, int] = field(default_factory=dict)
    gateway: str = ""
    servers: Mapping[str, str] = field(default_factory=dict)
    ports: Mapping[str, str] = field(default_factory=dict)


@record(kw_only=True)
class Routed:
    """A VRF in the overlay.

    Attributes:
        up: Whether its VNI routes. None if the switch does not report it.
        hops: Router MAC of each remote VTEP. Empty if unknown.
        subnets: BGP subnets that packets follow.
        hosts: Number of host routes.
        servers: A few host routes, with the VTEP of each.
        prefixes: Number of accepted EVPN routes of type 5, by VTEP, including local routes.
    """

    vni: int
    up: bool | None = None
    hops: Mapping[str, str] = field(default_factory=dict)
    subnets: frozenset[str] = frozenset()
    hosts: int = 0
    servers: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, int] = field(default_factory=dict)


@record(kw_only=True)
class Traffic:
    """One traffic snapshot.

    Attributes:
        vtep: Address of the local VTEP. Empty without an overlay.
        vlans: VLANs by number, with any VNI.
        fib: Host routes of the underlay, with the number of next hops in the forwarding table.
        bundles: `bundle port`, and whether LACP uses the port.
        trunks: VLANs by port.
        paused: Priorities that PFC protects, by port.
        reached: Whether each end answered.
    """

    vtep: str = ""
    vlans: Mapping[int, Bridged] = field(default_factory=dict)
    vrfs: Mapping[str, Routed] = field(default_factory=dict)
    fib: Mapping[str, int] = field(default_factory=dict)
    bundles: Mapping[str, bool] = field(default_factory=dict)
    trunks: Mapping[str, frozenset[int]] = field(default_factory=dict)
    paused: Mapping[str, frozenset[int]] = field(default_factory=dict)
    reached: Mapping[End, bool] = field(default_factory=dict)


def sampled(routes: Mapping[str, int]) -> dict[str, int]:
    """Return at most SAMPLE routes; equal prefixes give equal samples."""
    return {prefix: routes[prefix] for prefix in drawn(routes, SAMPLE)}


def drawn(names: Iterable[str], most: int, of: str = "") -> list[str]:
    """Return at most `most` names, drawn at random but equally for equal names.

    `of`: the drawing party, so that different parties draw different names.
    """
    return sorted(names, key=lambda name: (zlib.crc32(f"{of}{name}".encode()), name))[:most]
