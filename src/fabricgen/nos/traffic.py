"""Defines the traffic state of a switch: VLANs and VRFs over the overlay, routes, LAGs and PFC.

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
"""Host routes of the underlay that are looked at: those of VTEPs and loopbacks, drawn by name."""
SUBNETS = 256
"""Subnets of a VRF that are looked at, a switch."""
HOSTS = 32
"""Servers of a VRF behind other leafs that are known by address, a switch."""
SERVERS = 8
"""Servers of a VLAN that are known by address, a switch."""


class Kind(Enum):
    """What a packet is sent through: a VLAN, a VRF, the underlay, or the port of a server."""

    VLAN = "VLAN"
    VRF = "VRF"
    VTEP = "VTEP"
    SERVER = "server"
    ROUTED = "routed"
    APART = "apart"


class Station(NamedTuple):
    """A server that a push pings.

    Attributes:
        name: Its name in the design; empty where its port is not known.
        address: Its IPv4 address.
        vlan: The VLAN that the address is in.
        vrf: The VRF of the VLAN.
        leaf: The switch that has the server at a port.
        port: The name of that port on the switch; empty where it is not known.

    """

    name: str
    address: str
    vlan: int
    vrf: str
    leaf: str
    port: str

    @property
    def text(self) -> str:
        """Return how people read it."""
        where = f"VLAN {self.vlan}, VRF {self.vrf}, at {self.leaf}"
        if self.name:
            return f"server {self.name} ({self.address}, {where})"
        return f"server {self.address} ({where})"


class End(NamedTuple):
    """Whom a switch sends a packet to that comes back. of: VLAN or VRF; empty for a VTEP.

    far: the address of a VTEP, or of a server. station: a server that is pinged through the VRF
    `of` (ROUTED), or that must not answer there (APART); source: the address that it is pinged
    from.
    """

    kind: Kind
    of: str
    far: str
    station: Station | None = None
    source: str = ""


@record(kw_only=True)
class Bridged:
    """A VLAN in the overlay. far: VTEPs that it floods to, by address; macs: None when unread.

    routes: EVPN routes of its VNI that were taken, by type; its own are among them. gateway: its
    IPv4 address and MAC here, in two words; empty where it has none, or it is not read. servers:
    MACs by address of a few servers at ports of this switch. ports: the port of each of them, by
    address, as far as it is known.
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
    """A VRF in the overlay. up: whether its VNI routes; None where the switch does not say.

    hops: the router MAC of each VTEP that it routes to, empty when it has none. subnets: those of
    BGP that packets follow. hosts: how many routes to single hosts; servers: a few of them, with
    the VTEP that they lead to. prefixes: how many EVPN routes
    of type 5 were taken, by the VTEP that they lead to; its own are among them.
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
    """One look. vtep: the switch's own, empty without an overlay.

    vlans: by their number, whichever VNI they have. fib: host routes of the underlay and how many
    next hops packets have. bundles: `bundle port`, and whether LACP uses it. trunks: VLANs by
    port. paused: priorities that PFC protects, by port. reached: who answered a packet.
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
    """Return at most SAMPLE routes, the same ones of the same prefixes at each look."""
    return {prefix: routes[prefix] for prefix in drawn(routes, SAMPLE)}


def drawn(names: Iterable[str], most: int, of: str = "") -> list[str]:
    """Return at most so many names, by lot, but always the same ones of the same names.

    of: who draws, so that each draws others.
    """
    return sorted(names, key=lambda name: (zlib.crc32(f"{of}{name}".encode()), name))[:most]
