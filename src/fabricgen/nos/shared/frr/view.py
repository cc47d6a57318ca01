"""What the frr.conf templates may see: one class per section, every name and order decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The lines before every block."""

    hostname: str
    version: str
    preamble: tuple[str, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class VrfVni:
    """One VRF and the L3VNI it is bound to."""

    name: str
    vni: int
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Vrfs:
    """The `vrf` blocks; the same on every leaf that has the same VRFs."""

    shared: ClassVar[bool] = True
    vrfs: tuple[VrfVni, ...]


@dataclass(frozen=True, slots=True)
class GroupSetting:
    """One setting of one peer group; the first of each group is `peer-group` itself."""

    group: str
    setting: str
    because: Because


@dataclass(frozen=True, slots=True)
class NeighborSetting:
    """One setting of one neighbour in a VRF, whole lines in the order FRR prints them."""

    name: str
    setting: str
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbor:
    """One BGP neighbour: `name` is its address or, unnumbered, the interface it is behind."""

    name: str
    asn: int
    group: str
    description: str
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class Bgp:
    """The instance of the underlay: groups and neighbours, each in the order FRR prints them."""

    asn: int
    router_id: str
    groups: tuple[GroupSetting, ...]
    unnumbered: tuple[Neighbor, ...]
    numbered: tuple[Neighbor, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Policy:
    """The route maps of one peer group."""

    group: str
    inward: str
    outward: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ipv4:
    """IPv4 unicast of the underlay; `paths` is None where it is the default of the build."""

    shared: ClassVar[bool] = True
    connected: str
    policies: tuple[Policy, ...]
    paths: int | None
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class Vni:
    """One L2VNI with its route distinguisher and route target."""

    vni: int
    rd: str
    target: str
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class Evpn:
    """EVPN of the underlay instance; only a leaf has VNIs and advertises them."""

    groups: tuple[GroupSetting, ...]
    advertise: bool
    vnis: tuple[Vni, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """One line of an address family."""

    says: str
    because: Because


@dataclass(frozen=True, slots=True)
class VrfFamily:
    """One address family of a VRF."""

    name: str
    lines: tuple[FamilyLine, ...]
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class VrfBgp:
    """The BGP instance of one VRF: its external peers, and the families its subnets need."""

    asn: int
    router_id: str
    vrf: str
    neighbors: tuple[NeighborSetting, ...]
    families: tuple[VrfFamily, ...]
    rd: str
    target: str
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixRule:
    """One line of a prefix list; `lengths` is empty or the text after the prefix."""

    name: str
    seq: int
    prefix: str
    lengths: str
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Prefixes:
    """The prefix list of everything that may be announced in a fabric."""

    shared: ClassVar[bool] = True
    rules: tuple[PrefixRule, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExternalPrefixes:
    """The prefix lists of a switch's external peers."""

    rules: tuple[PrefixRule, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Communities:
    """The community list that recognises routes from above."""

    shared: ClassVar[bool] = True
    name: str
    community: str
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteMapRule:
    """One entry of a route map; `lines` are its matches, then what it sets."""

    name: str
    action: str
    seq: int
    lines: tuple[str, ...]
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class RouteMaps:
    """Every route map of a switch, in FRR's order."""

    shared: ClassVar[bool] = True
    rules: tuple[RouteMapRule, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BfdProfile:
    """The BFD profile of the underlay; `lines` are the timers that are not FRR's defaults."""

    shared: ClassVar[bool] = True
    name: str
    lines: tuple[str, ...]
    because: Because


@dataclass(frozen=True, slots=True, kw_only=True)
class FrrView:
    """The sections of frr.conf. Without sessions only the header is left."""

    header: Header
    vrfs: Vrfs | None
    bgp: Bgp | None
    ipv4: Ipv4 | None
    evpn: Evpn | None
    vrf_bgp: tuple[VrfBgp, ...]
    prefixes: Prefixes | None
    external_prefixes: ExternalPrefixes | None
    communities: Communities | None
    route_maps: RouteMaps | None
    bfd: BfdProfile | None
