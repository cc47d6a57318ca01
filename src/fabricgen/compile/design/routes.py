"""Design the static routes of tenants and report routes that drop packets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, NoReturn

from netaddr import IPAddress

from fabricgen.compile.design.addressing import prefix_of
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.routes import Route
from fabricgen.intent.model.tenants import Tenant, Vrf
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer, PrefixRule
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.topology import Topology
from fabricgen.model.fabric.vrfs import FIRST, VrfRoute

_WHOLE = {4: 32, 6: 128}
_RULE = "the next hop is in a subnet of these leafs; other leafs learn the route by EVPN"


def with_routes(
    overlay: Overlay, tenants: Mapping[str, Tenant], topology: Topology, findings: Findings
) -> Overlay:
    """Return the overlay with the static routes of its VRFs."""
    made = list(_outward(overlay, findings))
    numbers = {server.name: server.number for server in topology.servers}
    for tenant_name, tenant in tenants.items():
        for name, vrf in (tenant.unless_refused("vrfs") or {}).items():
            if name in overlay.vrfs and vrf.unless_refused("routes"):
                path = at(*tenant.place(tenant_name, "vrfs", name, "routes"))
                design = _Design(name=name, overlay=overlay, numbers=numbers, findings=findings)
                made += design.routes(vrf, path)
    return _told(replace(overlay, routes=tuple(sorted(made, key=_order)))) if made else overlay


def _outward(overlay: Overlay, findings: Findings) -> Iterator[VrfRoute]:
    """Yield the static routes through external routers that have no session."""
    for peer in overlay.peers:
        for rule in peer.accept if not peer.speaks else ():
            _judge_beside(peer, rule, overlay, findings)
            if peer.floods:
                continue
            yield VrfRoute(
                vrf=peer.vrf,
                number=0,
                prefix=rule.prefix,
                by=peer.remote._replace(length=_WHOLE[peer.version]),
                near=peer.local.subnet,
                announce=False,
                because=peer.because,
                port=peer.interface,
            )


def _judge_beside(
    peer: ExternalPeer, rule: PrefixRule, overlay: Overlay, findings: Findings
) -> None:
    """Refuse a static exit for a prefix that others may advertise: leafs would differ."""
    by = "routes of OSPF" if peer.floods else "the static route"
    for other in overlay.peers:
        able = other.speaks or (other.floods and not peer.floods)
        if not able or other.vrf != peer.vrf or other.joins:
            continue
        if any(_meet(rule, each) for each in other.accept):
            findings.error(
                Code.STATIC_ROUTE,
                f"{other.name} may also advertise {rule.prefix.prefix}: leafs with {by} through "
                f"{peer.name} would never use {other.name}",
                peer.because.main,
                "let only one of the two lead there, or both with the same protocol",
            )


def _meet(one: PrefixRule, other: PrefixRule) -> bool:
    """Return whether one prefix may pass by both rules."""
    near = one.prefix.holds(other.prefix) or other.prefix.holds(one.prefix)
    least = max(
        one.allowed.shortest, other.allowed.shortest, one.prefix.length, other.prefix.length
    )
    return near and least <= min(one.allowed.longest, other.allowed.longest)


def _order(route: VrfRoute) -> tuple[str, int, int, int, int]:
    """FRR prints them so; IPv4 comes first."""
    prefix = route.prefix
    return route.vrf, prefix.version, prefix.value, prefix.length, route.by.value


def _told(overlay: Overlay) -> Overlay:
    """Return the overlay with static routes advertised to external routers like subnets."""
    told: dict[str, list[PrefixRule]] = {}
    for route in overlay.routes:
        if route.announce:
            told.setdefault(route.vrf, []).append(PrefixRule(route.number, route.prefix))
    external = {
        leaf: tuple(_with(peer, told.get(peer.vrf, [])) for peer in peers)
        for leaf, peers in overlay.external.items()
    }
    return replace(overlay, external=external) if told else overlay


def _with(peer: ExternalPeer, told: list[PrefixRule]) -> ExternalPeer:
    """Return an external router with more advertised prefixes, each once, per IP version.

    Another site gets only the subnets, and a router without a session gets nothing.
    """
    if peer.joins or not peer.tells:
        return peer
    known = {rule.prefix for rule in peer.announce}
    more = {rule.prefix: rule for rule in told if rule.prefix.version == peer.version}
    new = [rule for prefix, rule in more.items() if prefix not in known]
    return replace(peer, announce=(*peer.announce, *new))


class Near(NamedTuple):
    """A subnet of a VRF and its devices.

    own: the switches' address. outside: it has an external router.
    """

    subnet: Ip
    own: Ip
    what: str
    outside: bool = False


@dataclass(kw_only=True)
class _Design:
    """Check of the routes of one VRF.

    numbers: numbers of servers. made: previous routes, with next hops.
    """

    name: str
    overlay: Overlay
    numbers: Mapping[str, int]
    findings: Findings
    made: set[tuple[Ip, Ip]] = field(default_factory=set)

    def routes(self, vrf: Vrf, path: IntentPath) -> Iterator[VrfRoute]:
        """Yield the routes that a packet gets on by."""
        near = [*self.near()]
        for place, words in enumerate(vrf.routes):
            here = (*path, place)
            with self.findings.going_on():
                yield self.route(place, words, near, here)

    def near(self) -> Iterator[Near]:
        """Yield the subnets of the VRF: of VLANs, of ports to servers, of links to the outside."""
        for vlan in self.overlay.vlans.values():
            for own in vlan.gateways if vlan.vrf == self.name else ():
                yield Near(own.subnet, own, f"VLAN {vlan.name}")
        for (server, _), ports in self.overlay.routed.items():
            for port in range(1, ports.ports + 1) if ports.vrf == self.name else ():
                own, _ = ports.link(self.numbers[server], port)
                yield Near(own.subnet, own, f"the port of {server}")
        for peer in self.overlay.peers:
            if peer.vrf == self.name:
                what = f"the link to {peer.name}"
                yield Near(peer.local.subnet, peer.local, what, outside=True)

    def route(self, place: int, words: Route, near: list[Near], path: IntentPath) -> VrfRoute:
        """Return one route, or stop after reporting its fault."""
        prefix, by = prefix_of(words.to), _host(words.by)
        beside = self.beside(prefix, by, near, path)
        self.judge_hidden(prefix, by, near, path)
        if words.announce and beside.outside:
            self.wrong(
                f"{by.host} is an external router that would receive a route to {prefix.prefix}: "
                "packets to it would loop",
                (*path, "announce"),
                "remove `announce`",
            )
        self.made.add((prefix, by))
        return VrfRoute(
            vrf=self.name,
            number=FIRST + place,
            prefix=prefix,
            by=by,
            near=beside.subnet,
            announce=words.announce,
            because=Provenance((path,), _RULE),
        )

    def beside(self, prefix: Ip, by: Ip, near: list[Near], path: IntentPath) -> Near:
        """Return the subnet of a next hop, which must be a host other than a switch."""
        if by.version != prefix.version:
            self.wrong(f"{prefix.prefix} is IPv{prefix.version}, but {by.host} is not", path)
        found = next((each for each in near if each.subnet.holds(by)), None)
        if found is None:
            have = ", ".join(dict.fromkeys(each.subnet.prefix for each in near))
            hint = f"it has {have}" if have else "it has none"
            self.wrong(f"{by.host} is not in a subnet of VRF {self.name}", (*path, "by"), hint)
        first, last = found.subnet.network
        ends = {first, last} if by.version == 4 and found.subnet.length < 31 else set[int]()
        if by.value == found.own.value:
            self.wrong(
                f"{by.host} is the address of the switches in the subnet of {found.what}: the "
                "route would lead back to the switches",
                (*path, "by"),
            )
        if by.value in ends:
            self.wrong(f"{by.host} is not a host address of {found.subnet.prefix}", (*path, "by"))
        return found

    def judge_hidden(self, prefix: Ip, by: Ip, near: list[Near], path: IntentPath) -> None:
        """Refuse a route that another route hides, or that hides a subnet of the VRF."""
        inside = next((each for each in near if each.subnet.holds(prefix)), None)
        if inside is not None:
            self.wrong(
                f"{prefix.prefix} is inside {inside.subnet.prefix} of {inside.what}, which the "
                "VRF has itself",
                (*path, "to"),
            )
        if (prefix, by) in self.made:
            self.wrong(f"{prefix.prefix} by {by.host} is already in the list", path, "leave it out")
        hidden = next((name for name, rule in self.heard() if _admits(rule, prefix)), None)
        if hidden is not None:
            self.wrong(
                f"{hidden} may also advertise {prefix.prefix}: leafs with this route would use "
                f"{by.host}, and never {hidden}",
                (*path, "to"),
                f"let only one of the two lead there: change `accept` of {hidden}, or use a "
                "longer prefix",
            )

    def heard(self) -> Iterator[tuple[str, PrefixRule]]:
        """Yield prefixes that external routers and servers may advertise to the VRF."""
        for peer in self.overlay.peers:
            for rule in peer.accept if peer.vrf == self.name else ():
                yield peer.name, rule
        for (server, _), ports in self.overlay.routed.items():
            for rule in ports.bgp.accept if ports.vrf == self.name and ports.bgp else ():
                yield server, rule

    def wrong(self, message: str, path: IntentPath, hint: str = "") -> NoReturn:
        """Stop, because the route forwards no packet."""
        raise self.findings.stop(Code.STATIC_ROUTE, message, path, hint)


def _admits(rule: PrefixRule, prefix: Ip) -> bool:
    """Return whether a rule lets just this prefix in."""
    lengths = range(rule.allowed.shortest, rule.allowed.longest + 1)
    return rule.prefix.holds(prefix) and prefix.length in lengths


def _host(address: IPAddress) -> Ip:
    return Ip(int(address), 32 if address.version == 4 else 128, int(address.version))
