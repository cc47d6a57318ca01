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
    """A static route of a VRF. family: ip or ipv6.

    port: what it leaves by, after its next hop; empty where nothing is said.
    """

    family: str
    prefix: str
    by: str
    port: str


@record(kw_only=True)
class VrfVni(Block):
    """One VRF, the L3VNI it is bound to, and its static routes.

    installs: the route map of what OSPF may put into its table, None without OSPF.
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
    """The Ethernet segment of a bundle, and the rank of this leaf in its election."""

    port: str
    identifier: str
    preference: int


@record(eq=False)
class Segments:
    """The bundles of servers that are on another leaf as well."""

    segments: tuple[Segment, ...]


@record(kw_only=True)
class Announced(Block):
    """What the gateway on an interface announces.

    managed: servers ask by DHCPv6, and make no addresses of the prefix.
    """

    interface: str
    prefix: str
    managed: bool


@record(eq=False)
class Announcing:
    """The gateways that announce themselves as IPv6 routers."""

    shared: ClassVar[bool] = True
    gateways: tuple[Announced, ...]


@record(kw_only=True)
class Flooded(Block):
    """OSPF of a VRF: its port and area, and the route map of what it tells."""

    vrf: str
    port: str
    area: str
    router_id: str
    outward: str
    distance: int


@record(eq=False)
class Ospf:
    """The ports and instances of ospfd, by VRF."""

    vrfs: tuple[Flooded, ...]


@record(kw_only=True)
class Underlay(Block):
    """The peer group of a tier on links: its BFD profile, and IPv4 over IPv6 next hops.

    password: the placeholder of that of its sessions.
    """

    name: str
    bfd: str | None
    password: str | None
    extended: bool


@record(kw_only=True)
class Overlay(Block):
    """The peer group of a tier between loopbacks, for EVPN. password: as on links."""

    name: str
    source: str
    password: str | None


@record(kw_only=True)
class Neighbor(Block):
    """One BGP neighbor: `name` is its address or, unnumbered, the interface it is behind.

    asn: its number, or in a transition `external`: any but the own. outward: the map of what it is
    told, where that is not the one of its group.
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
    """EVPN of the underlay instance: the tiers it is spoken with; a leaf advertises its VNIs."""

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
    """What is taken from one VRF: the rank of its rule in the maps, its list, its name."""

    rank: int
    list: str
    vrf: str


@record(kw_only=True)
class Family:
    """An address family of a VRF, and the external peers that are in it.

    statics: it tells static routes. floods: the route map of what it takes of OSPF. takes: the VRFs
    from which it takes routes. taken: the route map of those, None where it takes none; told: that
    of what EVPN is told then.
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
class Bgp(Block):
    """Every BGP instance: groups and neighbors in the order FRR prints them.

    paths: `maximum-paths`, None where it is the default of the build. profile: the BFD profile of
    external peers.
    """

    asn: int
    router_id: str
    paths: int | None
    profile: str
    underlay: tuple[Underlay, ...]
    overlay: tuple[Overlay, ...]
    unnumbered: tuple[Neighbor, ...]
    numbered: tuple[Neighbor, ...]
    evpn: Evpn | None
    vrfs: tuple[VrfBgp, ...]


@record(kw_only=True)
class Taking(Block):
    """The route maps of a VRF that takes routes of others: what is taken, what EVPN is told.

    family: of their prefix lists, `ip` or `ipv6`.
    """

    taken: str
    told: str
    family: str
    sources: tuple[Source, ...]


@record(kw_only=True)
class Withheld(Block):
    """A type of EVPN routes that a drained leaf tells nobody."""

    seq: int
    kind: str


@record(eq=False, kw_only=True)
class Policy(SharedBlock):
    """What may pass. above, below: there are neighbors there. overlay: EVPN ones above.

    withheld: types of EVPN routes, of a drained leaf.

    mark: the community of what came from above. upward, downward: the maps of what neighbors there
    are told. border: what external peers may tell and are told, None without
    any, so that such switches share one policy. lists, lists6, takings: of VRFs that take routes.
    """

    allowed: tuple[PrefixLine, ...]
    above: bool
    below: bool
    overlay: bool
    mark: str
    withheld: tuple[Withheld, ...]
    upward: tuple[Outward, ...]
    downward: tuple[Outward, ...]
    border: BorderPolicy | None
    lists: tuple[PrefixLine, ...]
    lists6: tuple[PrefixLine, ...]
    takings: tuple[Taking, ...]

    @property
    def listed(self) -> bool:
        """Return whether there are prefix lists beside that of the fabric."""
        border = self.border
        return bool(self.lists or self.lists6 or (border and (border.prefixes or border.prefixes6)))


@record(eq=False, kw_only=True)
class BfdProfile(SharedBlock):
    """The BFD profile of the underlay; a timer is None where it is FRR's default."""

    name: str
    multiplier: int | None
    interval: int | None


@record(kw_only=True)
class FrrView:
    """The sections of frr.conf. Without sessions only the first is left."""

    system: System
    vrfs: Vrfs | None = None
    segments: Segments | None = None
    announcing: Announcing | None = None
    bgp: Bgp | None = None
    ospf: Ospf | None = None
    policy: Policy | None = None
    bfd: BfdProfile | None = None
