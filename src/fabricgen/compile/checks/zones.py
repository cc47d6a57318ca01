"""Check zones: every entry has a list, every flow has an effect, and no path avoids a firewall.

A gateway without a list in a VRF with zones permits everything. A flow has no effect if an earlier
rule permits its packets, or if no VRF has a route for it. A zone behind a firewall is reached from
outside by the firewall's own routers alone. The servers of a VIP are reached by its balancers
alone.
"""

from collections.abc import Iterator
from typing import Any

from fabricgen.compile.checks.tally import Tally
from fabricgen.core.diagnostics import Code, Examined, IntentPath, dotted
from fabricgen.core.late import Late
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.zones import AccessList, Asked, FirewallRequirement, Guard, Rule, Zones

_BYPASSES: Late[Any] = Late("fabricgen.compile.checks.balancers:bypasses")


class ZonesHold:
    """Check of every list, and of the entry points of every switch."""

    name = "zones"

    def __init__(self, site: Site) -> None:
        """Check the lists and the firewall requirements of each fabric."""
        noun = "switches and rules"
        self.tally = Tally(check=self.name, code=Code.ZONE_NOT_ENFORCED, noun=noun)
        self.idle = Tally(check=self.name, code=Code.RULE_WITHOUT_EFFECT, noun=noun)
        self.routes = Tally(check=self.name, code=Code.ROUTE_PAST_FIREWALL, noun=noun)
        self.bypass = Tally(check=self.name, code=Code.ZONE_BYPASSED, noun=noun)
        self.balancers = Tally(check=self.name, code=Code.VIP_BYPASSED, noun=noun)
        every = [it.overlay for it in site.fabrics if it.overlay is not None]
        told: set[tuple[IntentPath, ...]] = set()
        for overlay in every:
            zones = overlay.zones
            for guard in (*zones.vlans.values(), *zones.peers.values()):
                for each in guard.lists:
                    self.rules(each)
                    told |= {rule.because.paths for rule in each.rules if not rule.answers}
            for promise in zones.behind:
                self.promised(overlay, promise)
            for past in _BYPASSES(overlay) if overlay.vips else ():
                self.balancers.add("paths around a balancer", *past)
        for asked in dict.fromkeys(asked for overlay in every for asked in overlay.zones.asked):
            if asked not in told:
                self.unheard(asked)

    def unheard(self, asked: Asked) -> None:
        """Report a flow without a rule."""
        client, server = asked.client[-1], asked.server[-1]
        why = f"all traffic inside {client} is permitted" if client == server else "no VRF has both"
        text = f"the flow from {client} to {server} creates no rule: {why}"
        self.idle.add("flows without a rule", text, asked.path)

    def rules(self, each: AccessList) -> None:
        """Report rules without effect; those for answers and operators may have none."""
        self.tally.objects += len(each.rules)
        for place, rule in enumerate(each.rules):
            if rule.answers or not rule.permit or rule.because.main[-1:] == ("operators",):
                continue
            other = next((one for one in each.rules[:place] if one.covers(rule)), None)
            if other is not None:
                self.idle.add(
                    "rules without effect",
                    f"{rule.because.rule}: {_decided(other)} already",
                    rule.because,
                    "remove one of the rules",
                )

    def promised(self, overlay: Overlay, promise: FirewallRequirement) -> None:
        """Report external routers that reach a zone without its firewall."""
        zones = overlay.zones
        peers = [peer for peer in overlay.peers if peer.label in zones.peers]
        ways = [(peer.vrf, zones.peers[peer.label]) for peer in peers]
        ways = [(vrf, guard) for vrf, guard in ways if guard.zone]
        gates = [vlan for vlan in overlay.vlans.values() if vlan.id in zones.vlans]
        homes = {vlan.vrf for vlan in gates if zones.vlans[vlan.id].zone == promise.zone}
        for vrf in [vrf for vrf in zones.members if _prefixes(zones, vrf, promise.zone)]:
            mine = [guard for home, guard in ways if home == vrf]
            if vrf in homes and not any(guard.zone == promise.through for guard in mine):
                self.bypass.add(
                    "zones without their firewall",
                    f"VRF {vrf} has no external router in zone {promise.through}, through which "
                    f"zone {promise.zone} must be reached",
                    promise.path,
                )
            for guard in mine:
                if guard.zone != promise.through:
                    self.round(guard, _prefixes(zones, vrf, promise.zone), promise)
                    self.returned(guard, _prefixes(zones, vrf, promise.zone), promise)

    def returned(self, guard: Guard, prefixes: list[Ip], promise: FirewallRequirement) -> None:
        """Report flows whose answers would need an advertisement past the firewall."""
        for rule in _permits(guard, prefixes, answers=True):
            inside = any(prefix.holds(rule.target) for prefix in prefixes)
            if inside and ("zones", guard.zone) in rule.because.paths:
                self.routes.add(
                    "flows without a return path",
                    f"{guard.peer} does not receive {rule.target.prefix}, which is reached "
                    f"through zone {promise.through}: {rule.because.rule} have no return path",
                    rule.because.main,
                    f"permit the flow to zone {promise.through}",
                )

    def round(self, guard: Guard, prefixes: list[Ip], promise: FirewallRequirement) -> None:
        """Report the rule by which an external router reaches a zone past the firewall."""
        for rule in _permits(guard, prefixes, answers=False):
            self.bypass.add(
                "paths around a firewall",
                f"{guard.peer} reaches zone {promise.zone} without zone {promise.through}: "
                f"{rule.because.rule}",
                _place(rule, promise),
                f"permit the flow from zone {promise.through}",
            )

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Report entry points of a switch into a VRF with zones that have no list."""
        self.tally.objects += 1
        zones = fabric.overlay.zones if fabric.overlay is not None else None
        if zones is None or not zones.members:
            return
        zoned = [guard for guard in switch_slice.guards if guard.zone]
        labels = {id(peer.interface): peer.label for peer in switch_slice.speakers}
        judged = {guard.vlan for guard in zoned} | {guard.peer for guard in zoned}
        ways = [
            *((v.vrf, v.id, f"VLAN {v.name}", v.because) for v in switch_slice.vlans if v.gateways),
            *(
                (p.vrf, p.label, f"external router {p.label}", p.because)
                for p in switch_slice.external
            ),
            *(
                (p.vrf, labels.get(id(p), "?"), f"port {p.port.label}", p.because)
                for p in switch_slice.interfaces
                if _routed(p)
            ),
        ]
        takers = {
            vrf.name for vrf in switch_slice.vrfs for it in vrf.takes if it.source in zones.members
        }
        for vrf, way, text, because in ways:
            if vrf in zones.members.keys() | takers and way not in judged:
                self.tally.add(
                    "traffic without a zone",
                    f"the {text} of VRF {vrf} is in no zone, but has routes to zones: no list "
                    "filters its traffic",
                    because,
                    "assign it to a zone; a routed port without BGP needs a VRF without zones",
                )

    @property
    def others(self) -> tuple[Tally, ...]:
        """Return the tallies of the other codes."""
        return self.idle, self.bypass, self.routes, self.balancers

    def result(self) -> Examined:
        found = [each.result().findings for each in self.others]
        own = self.tally.result()
        findings = (*own.findings, *(finding for some in found for finding in some))
        return Examined(check=self.name, objects=own.objects, noun=own.noun, findings=findings)


def _routed(port: Interface) -> bool:
    """Return whether a server's port is routed in a VRF."""
    return port.use is Use.NIC and port.vrf is not None


def _prefixes(zones: Zones, vrf: str, zone: str) -> list[Ip]:
    return [each.prefix for each in zones.members.get(vrf, ()) if each.zone == zone]


def _permits(guard: Guard, prefixes: list[Ip], *, answers: bool) -> Iterator[Rule]:
    """Yield the rules that permit traffic, or answers, to one of some prefixes."""
    for each in guard.lists:
        for rule in each.rules:
            meets = any(rule.target.meets(it) for it in prefixes)
            if rule.permit and meets and rule.answers is answers:
                yield rule


def _decided(rule: Rule) -> str:
    place = rule.because.main
    return f"`{rule.because.rule}`, of {dotted(place)}, decides"


def _place(rule: Rule, promise: FirewallRequirement) -> IntentPath:
    return rule.because.main or promise.path
