"""Define the views of the templates of prefix lists, route maps, BFD and BGP."""

from collections.abc import Mapping

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.fabric.external import PLAIN, Border
from fabricgen.nos.eos.view.system import Entry, Reason
from fabricgen.nos.shared.border import BorderPolicy, Outward


@record(eq=False, kw_only=True)
class Bfd(SharedBlock):
    """BFD timers in milliseconds. `loopbacks`: sessions between loopbacks use BFD, too."""

    interval: int
    multiplier: int
    loopbacks: bool


@record()
class GatewayMap(Block):
    """A route map towards another site: permitted routes, without the fabric's community."""

    name: str
    match: str


@record(eq=False, kw_only=True)
class Gateway(Block):
    """The policy towards another site: of EVPN, and of the underlay, in each direction."""

    heard: GatewayMap
    told: GatewayMap
    inward: GatewayMap
    outward: GatewayMap


@record(eq=False, kw_only=True)
class Sides(SharedBlock):
    """Policy and peer groups, equal on switches with the same kinds of neighbors.

    Attributes:
        underlay, evpn: Sides with such neighbors, ABOVE and BELOW.
        above, below, evpn_above, evpn_below: The same as booleans.
        watched: Sides whose EVPN sessions use BFD.
        transit: Whether EVPN routes are forwarded with their next hop.
        over_ipv6: Sides whose IPv4 routes have IPv6 next hops.
        upward, downward: Export maps towards the sides.
        inside: Side PEER of an MLAG pair, also in `underlay`.
        passwords: By peer group, the placeholder of its password in EOS's form.
        far: Prefix list of gateways of another site, the side DCI. None without any.
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
    """A BGP neighbor with an address. `outward`: the map of a drained link, before its group's."""

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
    """A route target of a VLAN. `way`: `both`, or one direction in a transition or to a site."""

    way: str
    target: str


@record(eq=False, kw_only=True)
class MacVrf(Block):
    """A VLAN in BGP. `remote`: it continues in another site, with a separate target there.

    `rd`: the complete route distinguisher, if set. Otherwise `number` is its half after the
    loopback. `joins`: leafs exchange the groups that have members.
    """

    vlan: int
    rd: str | None
    number: int
    targets: tuple[Target, ...]
    remote: bool
    joins: bool


@record(eq=False, kw_only=True)
class Bundle(Block):
    """VLANs in BGP as one instance. `number`: the second half of its route distinguisher."""

    name: str
    number: int
    vlans: str
    targets: tuple[Target, ...]
    joins: bool


@record(eq=False, kw_only=True)
class ExternalNeighbor(Block):
    """A BGP neighbor in a VRF; `inward` and `outward` name its route maps.

    `default`: it receives the default route. `password`: the placeholder in EOS's form. `group`:
    the peer group of the other leaf of an MLAG pair, with the remaining settings.
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
    """An address family of a VRF, and its active neighbors."""

    name: str
    addresses: tuple[str, ...]


@record(kw_only=True)
class Flooded(Block):
    """OSPF of a VRF, numbered by the VLAN of its L3VNI, and its route maps."""

    number: int
    vrf: str
    router_id: str
    inward: str
    outward: str


@record(kw_only=True)
class Inside(Block):
    """OSPF between the switches of the fabric. `avoided`: the switch lets others pass it by."""

    number: int
    router_id: str
    paths: int
    avoided: bool


@record()
class Ospf:
    """The instances of OSPF: between switches, and by VRF."""

    inside: Inside | None
    vrfs: tuple[Flooded, ...]


@record(kw_only=True)
class IpVrf(Block):
    """A VRF in BGP, with its neighbors; rd and number as in a VLAN.

    `taken`: route map of all imports, if it imports routes of other VRFs. `statics`: it advertises
    static routes. `floods`: route map of imports from OSPF, empty without OSPF. `which`: words
    after `redistribute connected`, on a leaf of an MLAG pair.
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
    """The prefix list of one direction of an external session, or of a VRF's imports."""

    name: str
    entries: tuple[Entry, ...]


@record()
class ListedTarget(Block):
    """A line of an extended community list: a route target of a VRF."""

    list: str
    target: str


@record(kw_only=True)
class TakenClause(Block):
    """A rule of such a route map: routes with a target and, if set, in a prefix list.

    `family`: of that list, `ip` or `ipv6`.
    """

    map: str
    sequence: int
    prefixes: str | None
    targets: str
    family: str = "ip"


@record(eq=False, kw_only=True)
class Routing(Block):
    """BGP of a switch.

    Attributes:
        loopback: First half of route distinguishers.
        border: Policy of external peers.
        gateway: Policy towards another site.
        lists, lists6: Prefix lists in addition to the fabric's, by name.
        targets, clauses: Imports of VRFs from one another.
        joined: Whether the leafs of an MLAG pair exchange routes of VRFs.
        ospf: Between switches, and towards external routers.
        connected: Whether its own prefixes are advertised without EVPN.
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
    ospf: Ospf | None
    connected: bool
