"""What the templates of BGP, BFD and route policy may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because
    from fabricgen.nos.eos.view.entries import Entry


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Policy:
    """What may be announced: the community for routes from above, the prefix list."""

    shared: ClassVar[bool] = True
    because: Because
    community: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Detection:
    """BFD timers in milliseconds."""

    shared: ClassVar[bool] = True
    because: Because
    interval: int
    multiplier: int


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class PeerGroup:
    """A BGP peer group; its route maps end in the same word. transit: it carries EVPN further."""

    shared: ClassVar[bool] = True
    because: Because
    side: str
    bfd: bool
    transit: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Family:
    """One address family of BGP and what it says about the peer groups."""

    shared: ClassVar[bool] = True
    because: Because
    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Sides:
    """What switches with the same kinds of neighbours share; None where there are no such."""

    policy: Policy | None
    tagged: Policy | None
    above: Policy | None
    below: Policy | None
    evpn_above: Policy | None
    bfd: Detection | None
    group_above: PeerGroup | None
    group_below: PeerGroup | None
    evpn_group_above: PeerGroup | None
    evpn_group_below: PeerGroup | None
    evpn_family: Family | None
    ipv4_family: Family | None


NO_SIDES = Sides(
    policy=None,
    tagged=None,
    above=None,
    below=None,
    evpn_above=None,
    bfd=None,
    group_above=None,
    group_below=None,
    evpn_group_above=None,
    evpn_group_below=None,
    evpn_family=None,
    ipv4_family=None,
)


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Speaker:
    """The head of `router bgp`."""

    because: Because
    asn: int
    router_id: str
    paths: int


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Neighbor:
    """A BGP neighbour with an address."""

    because: Because
    address: str
    group: str
    asn: int
    description: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class LinkNeighbor:
    """A BGP neighbour found on an interface."""

    because: Because
    interface: str
    group: str
    asn: int


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Routing:
    """BGP of the switch; no speaker, no BGP."""

    sides: Sides
    speaker: Speaker | None
    neighbors: tuple[Neighbor, ...]
    links: tuple[LinkNeighbor, ...]
