"""Define the views of the frr.conf templates: one class per section, with every name decided."""

from typing import ClassVar

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.nos.shared.border import BorderPolicy, Outward, PrefixLine


@record(kw_only=True)
class System(Block):
    """The lines before every block."""

    hostname: str
    version: str
    preamble: tuple[str, ...]
    nexthop_objects: bool
    group_keep: int | None


@record(kw_only=True)
class Static(Block):
    """A static route of a VRF. `family`: ip or ipv6.

    `port`: its exit, after the next hop, or empty.
    """

    family: str
    prefix: str
    by: str
    port: str


@record(kw_only=True)
class VrfVni(Block):
    """One VRF, its L3VNI, and its static routes.

    `installs`: the route map of OSPF routes for the kernel table, None without OSPF.
    """

    name: str
    vni: int
    installs: str | None
    routes: tuple[Static, ...]


@record(eq=False)
class Vrfs:
    """The `vrf` blocks; the same on every leaf that has the same VRFs."""

    shared: ClassVar[bool] = True
    vrfs: tuple[VrfVni, ...]


@record(kw_only=True)
class Segment(Block):
    """The Ethernet segment of a LAG, and the rank of this leaf in its election."""

    port: str
    identifier: str
    preference: int


@record(eq=False)
class Segments:
    """LAGs of servers that are connected to other leafs, too.

    `moves`: whether zebra itself moves the MACs of a LAG that is down, because the kernel does not.
    """

    segments: tuple[Segment, ...]
    moves: bool


@record(kw_only=True)
class Announced(Block):
    """Router advertisement of the gateway on an interface.

    `managed`: servers use DHCPv6, and make no addresses of the prefix.
    """

    interface: str
    prefix: str
    managed: bool


@record(eq=False)
class Announcing:
    shared: ClassVar[bool] = True
    gateways: tuple[Announced, ...]


@record(kw_only=True)
class Flooded(Block):
    """OSPF of a VRF: its port and area, and its export route map."""

    vrf: str
    port: str
    area: str
    router_id: str
    outward: str
    distance: int


@record(kw_only=True)
class Link(Block):
    """OSPF of a port to another switch: its cost."""

    port: str
    cost: int


@record(kw_only=True)
class Inside(Block):
    """OSPF between the switches of the fabric.

    `loopback`: the port of the advertised addresses. `bfd`: the profile of all links. `paths`: the
    number of ECMP paths, if it is not FRR's default. `avoided`: the switch lets others pass it by.
    """

    loopback: str
    area: str
    router_id: str
    bfd: str | None
    paths: int | None
    avoided: bool
    links: tuple[Link, ...]


@record(eq=False)
class Ospf:
    """The ports and instances of ospfd: between switches, and by VRF."""

    inside: Inside | None
    vrfs: tuple[Flooded, ...]


@record(kw_only=True)
class Underlay(Block):
    """The peer group of a tier on links: its BFD profile, and IPv4 over IPv6 next hops.

    `password`: the placeholder of its sessions' password.
    """

    name: str
    bfd: str | None
    password: str | None
    extended: bool


@record(kw_only=True)
class Overlay(Block):
    """The peer group of a tier between loopbacks, for EVPN. `password`: as on links."""

    name: str
    source: str
    password: str | None


@record(kw_only=True)
class Neighbor(Block):
    """One BGP neighbor: `name` is its address or, unnumbered, its interface.

    `asn`: its number, or in a transition `external`, which excludes only the local ASN. `outward`:
    its export map, if it differs from the map of its group.
    """

    name: str
    asn: str
    group: str
    description: str
    outward: Outward | None


@record(kw_only=True)
class Vni(Block):
    """One L2VNI with its route distinguisher and route targets."""

    vni: int
    rd: str
    imports: tuple[str, ...]
    exports: tuple[str, ...]


@record(kw_only=True)
class Evpn(Block):
    """EVPN of the underlay instance and its tiers. A leaf advertises its VNIs."""

    above: bool
    below: bool
    advertise: bool
    vnis: tuple[Vni, ...]


@record(kw_only=True)
class Peer(Block):
    """An external peer and the description of its session."""

    external: ExternalPeer
    description: str


@record(kw_only=True)
class Source(Block):
    """Imports from one VRF: the rank of its rule in the maps, its list, its name."""

    rank: int
    list: str
    vrf: str


@record(kw_only=True)
class Family:
    """An address family of a VRF, with its external peers.

    Attributes:
        statics: Whether it advertises static routes.
        `floods`: Route map of routes from OSPF.
        takes: VRFs whose routes it imports.
        taken: Route map of the imports. None without any.
        `told`: Route map of the exports to EVPN in that case.
    """

    name: str
    peers: tuple[Peer, ...]
    statics: bool = False
    floods: str | None = None
    takes: tuple[Source, ...] = ()
    taken: str | None = None
    told: str | None = None


@record(kw_only=True)
class VrfBgp(Block):
    """The BGP instance of one VRF: its external peers, and the families its subnets need."""

    name: str
    peers: tuple[Peer, ...]
    families: tuple[Family, ...]
    rd: str
    imports: tuple[str, ...]
    exports: tuple[str, ...]


@record(kw_only=True)
class Partner(Block):
    """The other leaf of an MLAG pair: iBGP over the peer link, with its routes used last."""

    address: str
    asn: int
    description: str
    password: str | None


@record(kw_only=True)
class Bgp(Block):
    """Every BGP instance: groups and neighbors in the order FRR prints them.

    `paths`: `maximum-paths`, or None for the default of the build. `profile`: the BFD profile of
    external peers. `connected`: whether its own prefixes are advertised without EVPN.
    """

    asn: int
    router_id: str
    paths: int | None
    profile: str
    connected: bool
    underlay: tuple[Underlay, ...]
    overlay: tuple[Overlay, ...]
    unnumbered: tuple[Neighbor, ...]
    numbered: tuple[Neighbor, ...]
    partner: Partner | None
    evpn: Evpn | None
    vrfs: tuple[VrfBgp, ...]


@record(kw_only=True)
class Taking(Block):
    """The route maps of a VRF that imports routes: for the imports, and for exports to EVPN.

    `family`: of their prefix lists, `ip` or `ipv6`.
    """

    taken: str
    told: str
    family: str
    sources: tuple[Source, ...]


@record(kw_only=True)
class Withheld(Block):
    """A type of EVPN routes that a drained leaf does not advertise."""

    seq: int
    kind: str


@record(eq=False, kw_only=True)
class Policy(SharedBlock):
    """Route maps and lists of the fabric and of external peers.

    Attributes:
        above, below, overlay: Whether there are neighbors above, below, and EVPN ones above.
        partner: Whether the other leaf of an MLAG pair is a neighbor.
        withheld: Types of EVPN routes, of a drained leaf.
        mark: Community of routes from above.
        upward, downward: Export maps towards these neighbors.
        border: Policy of external peers. None without any, so that such switches share one policy.
        lists, lists6, takings: Of VRFs that import routes.
    """

    allowed: tuple[PrefixLine, ...]
    above: bool
    below: bool
    overlay: bool
    partner: bool
    mark: str
    withheld: tuple[Withheld, ...]
    upward: tuple[Outward, ...]
    downward: tuple[Outward, ...]
    border: BorderPolicy | None
    lists: tuple[PrefixLine, ...]
    lists6: tuple[PrefixLine, ...]
    takings: tuple[Taking, ...]

    @property
    def marked(self) -> bool:
        """Return whether routes from above have the community."""
        return self.above or self.overlay

    @property
    def listed(self) -> bool:
        """Return whether there are prefix lists in addition to the fabric's."""
        border = self.border
        return bool(self.lists or self.lists6 or (border and (border.prefixes or border.prefixes6)))


@record(eq=False, kw_only=True)
class BfdProfile(SharedBlock):
    """The BFD profile of the underlay; a timer is None for FRR's default."""

    name: str
    multiplier: int | None
    interval: int | None


@record(kw_only=True)
class FrrView:
    """The sections of frr.conf. Without sessions only the first one exists."""

    system: System
    vrfs: Vrfs | None = None
    segments: Segments | None = None
    announcing: Announcing | None = None
    bgp: Bgp | None = None
    ospf: Ospf | None = None
    policy: Policy | None = None
    bfd: BfdProfile | None = None
