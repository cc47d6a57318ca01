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
from fabricgen.model.fabric.vips import Vip
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.model.fabric.vrfs import Diagnostics, Firewall, VrfRoute
from fabricgen.model.fabric.zones import NO_ZONES, Zones

INTERNAL_VLANS = range(3500, 4094)
"""VLANs for internal use of the switch: EOS uses one for each routed port and each VRF with a VNI.
Tenants and transit VLANs stay below. EOS's default range, from 1006 up, would overlap with them.
"""


@record(eq=False, kw_only=True)
class Vrf:
    """One tenant VRF with its L3VNI; `transit_vlan` carries the L3VNI on a leaf.

    `local`: each leaf has a separate VRF without either; no route joins it with another leaf.
    `description`: of the tenant, if given. `takes`: routes of other VRFs. `diagnostics`: addresses
    from which its leafs probe servers.
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
    """On rails, the VRF of every NIC of a server; one object for an attachment."""

    vrf: str
    because: Provenance


@record(kw_only=True)
class EvpnRules:
    """EVPN rules of all VTEPs of a fabric; `path` is their place in the intent.

    `anycast_mac`: of gateways, which rails do not have. `asked`: place of the VLANs in the intent.
    `imports`, `exports`: of a transition; the design sets neither.
    """

    anycast_mac: str | None
    route_target_asn: int
    path: IntentPath
    asked: IntentPath = ("tenants",)
    imports: tuple[int, ...] = ()
    exports: tuple[int, ...] = ()

    def imported(self, of: Targeted) -> tuple[str, ...]:
        """Return the import route targets: several in a transition, or the overridden ones."""
        return of.pinned.imports or _targets({self.route_target_asn, *self.imports}, of.vni)

    def targets(self, of: Targeted) -> dict[str, tuple[str, ...]]:
        """Return both by their keyword in a configuration, `import` and `export`."""
        return {"import": self.imported(of), "export": self.exported(of)}

    def exported(self, of: Targeted) -> tuple[str, ...]:
        """Return the export route targets: several in a transition, or the overridden ones."""
        return of.pinned.exports or _targets(self.exports or (self.route_target_asn,), of.vni)

    def given(self, of: Targeted) -> tuple[str, ...]:
        """Return the route targets by which others import its routes."""
        return of.pinned.exports or _targets({self.route_target_asn, *self.imports}, of.vni)

    def known(self, of: Targeted) -> tuple[str, ...]:
        """Return the route targets of its own routes: every such route has one of them."""
        return tuple(sorted({*self.imported(of), *self.given(of)}))


def _targets(asns: Collection[int], vni: int | None) -> tuple[str, ...]:
    """Format route targets in the order in which a switch shows them: sorted as text."""
    return tuple(sorted(f"{asn}:{vni}" for asn in asns))


@record(kw_only=True)
class Overlay:
    """The tenants of a fabric. `ports`: leaf name, then server number in its rack, to VLANs.

    `rules`: None if every VRF is local. `external`: leaf name to its external peers, in the order
    of their cages. `edge`: external cables that VRFs share. `members`: on rails, server name to its
    VRF. `routed`: elsewhere, name of a server and of a set of its ports to their routing.
    `firewalls`: external pairs, by name. `routes`: static routes of VRFs. `gateways`: leaf name to
    its VRFs and VLANs that are stretched to another site.
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

    @property
    def speaking(self) -> tuple[HostPorts, ...]:
        """Return the routed server ports with BGP, each attachment once."""
        return tuple(dict.fromkeys(each for each in self.routed.values() if each.bgp is not None))

    @property
    def vips(self) -> tuple[Vip, ...]:
        """Return the service addresses of all balancers."""
        told = dict.fromkeys(each.bgp for each in self.speaking)
        return tuple(vip for bgp in told if bgp is not None for vip in bgp.vips)

    def ending(self, link: str) -> tuple[ExternalPeer, ...]:
        """Return the external peers with a tag on one link of the edge."""
        edge = self.edge[link]
        every = self.external.get(edge.leaf, ())
        return tuple(peer for peer in every if peer.interface.port in edge.cages)
