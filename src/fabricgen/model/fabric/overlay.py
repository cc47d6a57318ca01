"""Defines the overlay of a fabric: VRFs, EVPN rules and the tenants on its leafs."""

from collections.abc import Collection, Mapping
from dataclasses import field

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.external import EdgeLink, ExternalPeer
from fabricgen.model.fabric.gateways import Gateway
from fabricgen.model.fabric.host_ports import HostPorts
from fabricgen.model.fabric.leaks import Taken
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned, Targeted
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.model.fabric.vrfs import Diagnostics, Firewall, VrfRoute
from fabricgen.model.fabric.zones import NO_ZONES, Zones

INTERNAL_VLANS = range(3500, 4094)
"""VLANs of the switch itself: EOS takes one for each routed port and each VRF with a VNI. Tenants
and transit VLANs stay below; EOS's own choice, from 1006 up, would cut through them."""


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
    because: Provenance
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


@record()
class Member:
    """The VRF that every NIC of a server is in, on rails; one object for an attachment."""

    vrf: str
    because: Provenance


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
