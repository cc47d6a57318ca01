"""Define the views of the templates of prefix lists, route maps, BFD and BGP."""

from collections.abc import Mapping

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.fabric.external import PLAIN, Border
from fabricgen.nos.eos.view.system import Entry, Reason
from fabricgen.nos.shared.border import BorderPolicy, Outward


@record(eq=False, kw_only=True)
class Bfd(SharedBlock):
    """BFD timers in milliseconds. loopbacks: sessions between loopbacks are watched, too."""

    interval: int
    multiplier: int
    loopbacks: bool


@record()
class GatewayMap(Block):
    """A route map towards another site: what it lets pass, without the fabric's own mark."""

    name: str
    match: str


@record(eq=False, kw_only=True)
class Gateway(Block):
    """The policy towards another site: of EVPN, and of the underlay, each way."""

    heard: GatewayMap
    told: GatewayMap
    inward: GatewayMap
    outward: GatewayMap


@record(eq=False, kw_only=True)
class Sides(SharedBlock):
    """Policy and peer groups, alike on switches with the same kinds of neighbors.

    underlay, evpn: the sides, ABOVE and BELOW, with such neighbors; above, below, evpn_above and
    evpn_below say so one by one. watched: the sides whose EVPN sessions BFD watches. transit: EVPN
    routes are carried further, with their next hop. over_ipv6: where IPv4 routes have IPv6 next
    hops.
    upward, downward: the maps of what neighbors there are told. inside: the side
    PEER, where the other leaf of an MLAG pair is; `underlay` has it too. passwords: by peer group
    the placeholder of its password, as EOS keeps it. far: the list of gateways of another site,
    which are the side DCI; None where there are none.
    """

    community: str
    upward: tuple[Outward, ...]
    downward: tuple[Outward, ...]
    entries: tuple[Entry, ...]
    underlay: tuple[str, ...]
    inside: tuple[str, ...]
    evpn: tuple[str, ...]
    watched: tuple[str, ...]
    above: bool
    below: bool
    evpn_above: bool
    evpn_below: bool
    transit: bool
    far: str | None
    over_ipv6: tuple[str, ...]
    passwords: Mapping[str, str]
    bfd: Bfd | None


@record(eq=False, kw_only=True)
class Neighbor(Block):
    """A BGP neighbor with an address. outward: the map of a drained link, before its group's."""

    address: str
    group: str
    asn: int
    description: str
    outward: Outward | None = None


@record(eq=False, kw_only=True)
class LinkNeighbor(Block):
    """A BGP neighbor that is discovered on an interface."""

    interface: str
    group: str
    asn: int


@record()
class Target(Block):
    """A route target of a VLAN. way: `both`; in a transition one, to another site what it says."""

    way: str
    target: str


@record(eq=False, kw_only=True)
class MacVrf(Block):
    """A VLAN in BGP. remote: it goes on in another site, and has a target of its own there.

    rd: its route distinguisher where that is whole; else number is the half beside the loopback.
    joins: leafs tell each other which groups have members behind them.
    """

    vlan: int
    rd: str | None
    number: int
    targets: tuple[Target, ...]
    remote: bool
    joins: bool


@record(eq=False, kw_only=True)
class Bundle(Block):
    """VLANs in BGP as one instance. number: the second half of its route distinguisher."""

    name: str
    number: int
    vlans: str
    targets: tuple[Target, ...]
    joins: bool


@record(eq=False, kw_only=True)
class ExternalNeighbor(Block):
    """A BGP neighbor in a VRF; `inward` and `outward` name its route maps.

    default: it is told the default route. password: the placeholder of one, as EOS keeps it.
    group: the peer group of the other leaf of an MLAG pair, which says the rest of it.
    """

    address: str
    version: int
    asn: int
    description: str
    group: str | None = None
    inward: str
    outward: str
    bfd: bool = False
    default: bool = False
    password: str | None = None
    border: Border = PLAIN


@record()
class Family:
    """An address family of a VRF, and the neighbors that are active in it."""

    name: str
    addresses: tuple[str, ...]


@record(kw_only=True)
class Ospf(Block):
    """OSPF of a VRF, numbered by the VLAN of its L3VNI, and its route maps."""

    number: int
    vrf: str
    router_id: str
    inward: str
    outward: str


@record(kw_only=True)
class IpVrf(Block):
    """A VRF in BGP, with its neighbors; rd and number as those of a VLAN.

    taken: where it takes routes of other VRFs, the route map of all that it imports. statics: it
    tells static routes. floods: the route map of what it takes of OSPF, empty without. which: what
    follows `redistribute connected`, on a leaf of an MLAG pair.
    """

    name: str
    rd: str | None
    number: int
    imports: tuple[str, ...]
    exports: tuple[str, ...]
    taken: str | None
    statics: bool
    which: str
    floods: str
    external: tuple[ExternalNeighbor, ...]
    families: tuple[Family, ...]


@record(eq=False)
class PrefixList(Block):
    """The prefix list of one direction of an external session, or of what a VRF takes."""

    name: str
    entries: tuple[Entry, ...]


@record()
class ListedTarget(Block):
    """A line of an extended community list: a route target of a VRF."""

    list: str
    target: str


@record(kw_only=True)
class TakenClause(Block):
    """A rule of such a route map: routes with a target, and of a prefix list where it has one.

    family: of that list, `ip` or `ipv6`.
    """

    map: str
    sequence: int
    prefixes: str | None
    targets: str
    family: str = "ip"


@record(eq=False, kw_only=True)
class Routing(Block):
    """BGP of a switch. loopback: first half of route distinguishers. border: of external peers.

    gateway: what passes to another site. lists, lists6: prefix lists beside that of the fabric, by
    name. targets, clauses: what VRFs take of one another. joined: the leafs of an MLAG pair tell
    each other of VRFs. ospf: towards routers outside.
    """

    asn: int
    router_id: str
    loopback: str
    paths: int
    sides: Sides
    neighbors: tuple[Neighbor, ...]
    links: tuple[LinkNeighbor, ...]
    vlans: tuple[MacVrf, ...]
    bundles: tuple[Bundle, ...]
    vrfs: tuple[IpVrf, ...]
    lists: tuple[PrefixList, ...]
    lists6: tuple[PrefixList, ...]
    border: BorderPolicy
    targets: tuple[ListedTarget, ...]
    gateway: Gateway | None
    clauses: tuple[TakenClause, ...]
    joined: Reason | None
    ospf: tuple[Ospf, ...]
