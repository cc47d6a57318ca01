"""The facts that a running switch can be asked for: the same words for what must be and what is.

A field that is None, where the model gives facts, is not said by the model and never compared.
"""

from __future__ import annotations

from enum import StrEnum

from fabricgen.record import record

DEFAULT = "default"
"""The VRF that is none: the underlay's routing table."""


class Link(StrEnum):
    """How far a port is up."""

    UP = "up"  # not shut, and the other end answers
    ENABLED = "enabled"  # not shut
    SHUT = "shut"


@record(kw_only=True)
class Interface:
    """One interface. role: what it is for, in words; an observed one has none.

    member_of: its VRF, bridge or bundle. untagged, tagged: its VLANs in the bridge. mac: of a
    gateway that every leaf has. link: of an expected one the least that it must be, but SHUT is
    exact.
    """

    name: str
    link: Link
    mtu: int | None
    addresses: tuple[str, ...]
    member_of: str | None = None
    untagged: int | None = None
    tagged: tuple[int, ...] = ()
    mac: str | None = None
    role: str = ""


@record()
class Timers:
    """BFD timers: milliseconds between packets, and how many may be lost."""

    interval: int
    multiplier: int


@record(kw_only=True)
class Session:
    """One BGP session; `peer` is an address, or the interface of an unnumbered one.

    families: address families, as `ipv4 unicast`. bfd: None where no BFD watches it. label: who
    the peer is, `interface` the port that its packets take; both are known to the model only.
    outside: True where the peer is not among what runs: the session is there but cannot be up.
    """

    vrf: str
    peer: str
    asn: int
    families: tuple[str, ...]
    bfd: Timers | None
    interface: str | None = None
    label: str = ""
    outside: bool | None = None


@record()
class Vrf:
    """One VRF and the number of its routing table."""

    name: str
    table: int


@record()
class Device:
    """The VXLAN device of one VNI: its VLAN in the bridge, and where its tunnels start."""

    name: str
    vlan: int | None
    local: str | None


@record()
class Routed:
    """A VNI as the routing daemon has it. layer: 2, or 3 for the one of a VRF."""

    layer: int
    vrf: str | None


@record()
class Announced:
    """A VNI as BGP announces it: route distinguisher and route targets, sorted."""

    rd: str
    imports: tuple[str, ...]
    exports: tuple[str, ...]


@record(kw_only=True)
class Vni:
    """One VNI in the three places it has to be; None where it is not."""

    vni: int
    device: Device | None
    routed: Routed | None
    announced: Announced | None


@record(kw_only=True)
class Neighbour:
    """Who is at the other end of a cable; `ports` are the names it gives its port.

    name: empty where a neighbour does not give it. required: it has to speak LLDP.
    """

    port: str
    name: str
    ports: tuple[str, ...]
    required: bool = True

    def is_met_by(self, heard: Neighbour) -> bool:
        """Tell whether the one heard is this one; a NIC whose firmware talks gives no name."""
        if not heard.name and not self.required:
            return True
        return heard.name == self.name and bool(set(heard.ports) & set(self.ports))


@record()
class Route:
    """One prefix of the underlay, and the interfaces its packets leave by. origin: whose it is."""

    prefix: str
    interfaces: tuple[str, ...]
    origin: str = ""


@record(kw_only=True)
class Marks:
    """ECN marking of a queue: bytes where it begins and ends, the probability there."""

    minimum: int
    maximum: int
    probability: float
    nodrop: bool


@record(kw_only=True)
class Queue:
    """One queue. weight: what it shares by, in the units of its scheduler; None when strict."""

    handle: str
    strict: bool
    weight: int | None
    marks: Marks | None


@record(kw_only=True)
class PortQueues:
    """The queues of a port. dscps: (IP version, DSCP, handle); `default` takes all the rest.

    bands: the band of each packet priority, from 0, where the scheduler chooses by it.
    """

    scheduler: str
    queues: tuple[Queue, ...]
    dscps: tuple[tuple[int, int, str], ...]
    default: str | None
    bands: tuple[int, ...] = ()
