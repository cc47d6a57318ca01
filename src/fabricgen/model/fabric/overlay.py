"""The overlay: VRFs, VLANs with their VNIs, and what each server port carries."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from enum import IntEnum, StrEnum

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.classes import Mark
from fabricgen.model.fabric.diagnostics import Diagnostics
from fabricgen.model.fabric.external import EdgeLink, ExternalPeer
from fabricgen.model.fabric.firewalls import Firewall
from fabricgen.model.fabric.gateways import Gateway
from fabricgen.model.fabric.host_ports import HostPorts
from fabricgen.model.fabric.leaks import Taken
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned, Targeted
from fabricgen.model.fabric.port_profile import PortProfile
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.routes import VrfRoute
from fabricgen.model.fabric.zones import NO_ZONES, Zones

INTERNAL_VLANS = range(3500, 4094)
"""VLANs of the switch itself: EOS takes one for each routed port and each VRF with a VNI. Tenants
and transit VLANs stay below; EOS's own choice, from 1006 up, would cut through them."""


class Announce(StrEnum):
    """What gateways tell of an IPv6 subnet: servers make addresses of it, or ask by DHCPv6."""

    SLAAC = "slaac"
    DHCP = "dhcp"


class Multicast(StrEnum):
    """Where packets to a group of IPv4 go: to those that joined in the VLAN, or in all VLANs."""

    SNOOPED = "snooped"
    ROUTED = "routed"


BUNDLE_BASE = 10_000
"""Above every VLAN id: the distinguisher of a bundle is that of no VLAN and no VRF."""


@record(eq=False, kw_only=True)
class Bundle:
    """The VLANs of a VRF as one EVPN instance, told apart by their Ethernet tag (RFC 7432, 6.3).

    number: the second half of its route distinguisher. vni: the VRF's, whose route target it has.
    """

    name: str
    number: int
    vni: int
    because: Because
    pinned: Pinned = AS_COMPUTED


@record(eq=False, kw_only=True)
class Vlan:
    """One VLAN. Without `vni` it is local to the leaf; without `gateways` it is bridged only.

    gateways: at most one of each family, IPv4 first. description: what people wrote, if they did.
    relays: those of its VRF, where requests of its servers are relayed. announce: how its gateway
    announces itself as an IPv6 router, None where it does not. bundle: where it is no EVPN
    instance by itself. multicast: None where its groups are flooded.
    """

    id: int
    name: str
    tenant: str
    vni: int | None
    vrf: str | None
    gateways: tuple[Ip, ...]
    because: Because
    description: str | None = None
    relays: tuple[Relay, ...] = ()
    announce: Announce | None = None
    bundle: Bundle | None = None
    multicast: Multicast | None = None
    pinned: Pinned = AS_COMPUTED

    @property
    def number(self) -> int:
        """The second half of its route distinguisher."""
        return self.id

    @property
    def text(self) -> str:
        """What describes it: the words of its people, or its name."""
        return self.description or self.name

    def gateway(self, version: int) -> Ip | None:
        """Return the gateway of a family, 4 or 6; None where the VLAN has no subnet of it."""
        return next((each for each in self.gateways if each.version == version), None)

    @property
    def subnet6(self) -> Ip:
        """Return its IPv6 gateway, where it has one, as of each that announces itself."""
        gateway = self.gateway(6)
        assert gateway is not None
        return gateway


@record(eq=False, kw_only=True)
class Vrf:
    """One tenant routing table with its L3VNI; `transit_vlan` carries the L3VNI on a leaf.

    local: each leaf has it for itself, without either; nothing joins it with that of another leaf.
    description: that of the tenant, if people wrote one. takes: routes of other VRFs. diagnostics:
    addresses from which its leafs probe servers.
    """

    name: str
    tenant: str
    id: int
    vni: int
    transit_vlan: int
    because: Because
    description: str | None = None
    local: bool = False
    takes: tuple[Taken, ...] = ()
    relays: tuple[Relay, ...] = ()
    diagnostics: Diagnostics | None = None
    pinned: Pinned = AS_COMPUTED

    @property
    def number(self) -> int:
        """The second half of its route distinguisher."""
        return self.transit_vlan


def bundles_of(vlans: Iterable[Vlan]) -> dict[Bundle, list[Vlan]]:
    """Return the EVPN instances of several VLANs, by name, each with its VLANs here."""
    found: dict[Bundle, list[Vlan]] = {}
    for vlan in vlans:
        if vlan.bundle is not None and vlan.vni is not None:
            found.setdefault(vlan.bundle, []).append(vlan)
    return dict(sorted(found.items(), key=lambda each: each[0].name))


class Addressing(StrEnum):
    """Where a server has its address in a VLAN from; announced: of IPv6, as routers there tell."""

    DHCP = "dhcp"
    STATIC = "static"
    ANNOUNCED = "announced"
    NONE = "none"


class WayOut(IntEnum):
    """Whether a server's default route goes by a VLAN; the larger one decides."""

    NO = 0
    USUAL = 1  # untagged, or the first of the trunk
    SAID = 2


@record(kw_only=True)
class OnHost:
    """How a server has one VLAN, IPv4 and IPv6 (six); path: the attachment that says it.

    first: with static, the place of server 1 in the subnet.
    """

    addressing: Addressing
    six: Addressing
    way_out: WayOut
    path: IntentPath
    first: int = 0

    def of(self, version: int) -> Addressing:
        """Return where it has its address of a family from, 4 or 6."""
        return self.six if version == 6 else self.addressing


@record(eq=False, kw_only=True)
class Carries:
    """What a server port carries: one untagged VLAN, tagged VLANs, or both.

    on_host: by VLAN, what the server makes of it; nothing of that is told a switch. profile: of
    the port, where it has one. marks: by VLAN, what is written into packets of its server; none
    where the fabric has no classes, or takes what they have.
    """

    untagged: Vlan | None
    tagged: tuple[Vlan, ...]
    because: Because
    on_host: Mapping[int, OnHost] = field(default_factory=dict)
    profile: PortProfile | None = None
    marks: Mapping[int, Mark] = field(default_factory=dict)

    @property
    def vlans(self) -> tuple[Vlan, ...]:
        """Return all of them, the untagged one first."""
        return (self.untagged, *self.tagged) if self.untagged else self.tagged

    def joined(self, more: "Carries") -> "Carries":
        """Let several attachments share a trunk."""
        vlans = {vlan.id: vlan for vlan in (*self.tagged, *more.tagged)}
        return Carries(
            untagged=self.untagged or more.untagged,
            tagged=tuple(vlans[number] for number in sorted(vlans)),
            because=Because((*self.because.paths, *more.because.paths), more.because.rule),
            on_host={**self.on_host, **more.on_host},
            profile=self.profile or more.profile,
            marks={**self.marks, **more.marks},
        )

    @property
    def numbered(self) -> bool:
        """Tell whether servers have static addresses in one of them, each its own."""
        return any(
            Addressing.STATIC in (told.addressing, told.six) for told in self.on_host.values()
        )


@record()
class Member:
    """The VRF that every NIC of a server is in, on rails; one object for an attachment."""

    vrf: str
    because: Because


@record(kw_only=True)
class EvpnRules:
    """What every VTEP of a fabric agrees on; `path` is where the intent says it.

    anycast_mac: of gateways, which rails do not have. asked: where the intent asks for VLANs.
    imports, exports: of a transition; the design sets neither.
    """

    anycast_mac: str | None
    route_target_asn: int
    path: IntentPath
    asked: IntentPath = ("tenants",)
    imports: tuple[int, ...] = ()
    exports: tuple[int, ...] = ()

    def imported(self, of: Targeted) -> tuple[str, ...]:
        """Return the route targets that are taken: several in a transition, or as pinned."""
        return of.pinned.imports or _targets({self.route_target_asn, *self.imports}, of.vni)

    def targets(self, of: Targeted) -> dict[str, tuple[str, ...]]:
        """Return both under the words of a configuration, `import` and `export`."""
        return {"import": self.imported(of), "export": self.exported(of)}

    def exported(self, of: Targeted) -> tuple[str, ...]:
        """Return the route targets that are sent: several in a transition, or as pinned."""
        return of.pinned.exports or _targets(self.exports or (self.route_target_asn,), of.vni)

    def given(self, of: Targeted) -> tuple[str, ...]:
        """Return the route targets by which others take its routes."""
        return of.pinned.exports or _targets({self.route_target_asn, *self.imports}, of.vni)

    def known(self, of: Targeted) -> tuple[str, ...]:
        """Return the route targets of what it has itself: one of them is on every such route."""
        return tuple(sorted({*self.imported(of), *self.given(of)}))


def _targets(asns: Collection[int], vni: int | None) -> tuple[str, ...]:
    """Spell them in the order in which a switch shows them: as text."""
    return tuple(sorted(f"{asn}:{vni}" for asn in asns))


@record(kw_only=True)
class Overlay:
    """The tenants of a fabric. `ports`: leaf name, then server number in its rack, to VLANs.

    rules: None where every VRF is local. external: leaf name to the external peers on it, in order
    of their cages. edge: cables to the outside that VRFs share. members: on rails, server name to
    its VRF. routed: elsewhere, name of a server and of a set of its ports to how they are routed.
    firewalls: pairs of them outside, by name. routes: what VRFs are told by hand.
    gateways: leaf name to what goes on from there in another site.
    """

    vrfs: Mapping[str, Vrf]
    vlans: Mapping[int, Vlan]
    ports: Mapping[str, Mapping[int, Carries]]
    rules: EvpnRules | None
    external: Mapping[str, tuple[ExternalPeer, ...]] = field(default_factory=dict)
    edge: Mapping[str, EdgeLink] = field(default_factory=dict)
    members: Mapping[str, Member] = field(default_factory=dict)
    routed: Mapping[tuple[str, str], HostPorts] = field(default_factory=dict)
    firewalls: Mapping[str, Firewall] = field(default_factory=dict)
    routes: tuple[VrfRoute, ...] = ()
    zones: Zones = NO_ZONES
    gateways: Mapping[str, Gateway] = field(default_factory=dict)

    @property
    def peers(self) -> tuple[ExternalPeer, ...]:
        """Return the external peers of all leafs."""
        return tuple(peer for peers in self.external.values() for peer in peers)

    def ending(self, link: str) -> tuple[ExternalPeer, ...]:
        """Return the external peers by a tag on one link of the edge."""
        edge = self.edge[link]
        every = self.external.get(edge.leaf, ())
        return tuple(peer for peer in every if peer.interface.port in edge.cages)
