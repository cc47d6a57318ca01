"""A site whose switches answer as the model says, and what faults make of the answers.

The answers are simulated: the expected facts, edited. Routes after a failure come from the engine
of the deadlock check, which shares nothing with the grouping. A stand-in reader has the topics of
EOS and SONiC that the Linux reader lacks.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.deadlock.network import Network as Ways
from fabricgen.compile.checks.deadlock.network import Way, network
from fabricgen.compile.checks.deadlock.routes import Destination, hops
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex
from fabricgen.compile.compiler import compile_site, slices
from fabricgen.core.tree.facts import GLOBAL, Attributes, Facts, Key, disagreements, spelled
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.lowering import heard_in, spell
from fabricgen.nos.questions import Answers
from fabricgen.nos.registry import nos_of
from fabricgen.nos.show import ENABLED, Observed, Part, Reader
from fabricgen.prove.catalogue.model import Finding, Outcome, Severity
from fabricgen.prove.differences import compare
from fabricgen.prove.incidents.impact import Impacts
from fabricgen.prove.incidents.model import Found, Seen
from fabricgen.prove.runs import Expected, expected
from fabricgen.prove.underlay import underlay

ROOT = Path(__file__).resolve().parents[4]
End = tuple[str, str]
_TOPICS = {
    Part.INTERFACES: {"interface": "link mtu address vrf speed fec errdisabled"},
    Part.BRIDGE: {"interface": "vlans untagged"},
    Part.VRFS: {"vrf": "exists"},
    Part.VLANS: {"vlan": "name"},
    Part.VNIS: {"vni": "source vlan layer vrf"},
    Part.EVPN: {"vni": "rd import export", "evpn": "imet"},
    Part.FLOOD: {"flood": "vteps"},
    Part.BGP: {"session": "asn families state"},
    Part.BFD: {"bfd": "timers state"},
    Part.LLDP: {"cable": "far"},
    Part.ROUTES: {"route": "ports"},
    Part.QOS: {"qos": "trust dscp pause"},
    Part.BUFFERS: {"headroom": "bytes"},
    Part.DAEMONS: {"daemon": "state"},
    Part.TIME: {"clock": "synchronized"},
}


def _running(switch_slice: SwitchSlice) -> Iterator[tuple[Key, Attributes, None]]:
    """Yield facts that only a running switch has, as a reader of a platform does."""
    for name in ("bgpd", "bfdd", "zebra", "lldpd"):
        yield ("daemon", name), {"state": "running"}, None
    yield ("clock",), {"synchronized": "true"}, None
    for item in switch_slice.interfaces:
        if not item.closed:
            name = spell(switch_slice.switch, item.port)
            yield ("qos", name), {"trust": "dscp", "dscp 26": "3", "pause": ("3",)}, None
            yield ("headroom", name, "3"), {"bytes": "120000"}, None


def stand_in(switch_slice: SwitchSlice) -> Reader:
    """Return a stand-in for the reader of a platform, which only simulated answers use."""
    names = nos_of(switch_slice.switch).names
    assert names is not None
    return Reader(
        names=names,
        about={
            (kind, name): part
            for part, kinds in _TOPICS.items()
            for kind, words in kinds.items()
            for name in words.split()
        },
        questions=lambda _: (),
        encode=lambda _: "",
        decode=lambda _: {},
        parse=_nothing,
        expects=_running,
    )


def _nothing(_: Answers) -> Observed:
    return Observed()


class Simulated:
    """A site with the expected state of every switch, and the ways of each fabric."""

    def __init__(self, site: Site) -> None:
        self.site, self.expected = site, dict[str, Expected]()
        self.ways: dict[str, Ways] = {}
        self.slices: dict[str, SwitchSlice] = {}
        self._ports: dict[str, dict[int, str]] = {}
        by_fabric: dict[str, list[SwitchSlice]] = {}
        for fabric, switch_slice in slices(site):
            by_fabric.setdefault(fabric.name, []).append(switch_slice)
            self.slices[switch_slice.switch.name] = switch_slice
        heard = heard_in(site)
        for name, pieces in by_fabric.items():
            index = RoutingIndex()
            for piece in pieces:
                index.add(piece)
            self.ways[name] = network(index)
            ways = underlay(pieces)
            for piece in pieces:
                wanted = expected(piece, ways, stand_in(piece), heard=heard)
                self.expected[piece.switch.name] = wanted
        self._flood()

    def _flood(self) -> None:
        """Add the flood list of each VNI: the tunnel addresses of the other switches with it."""
        sources: dict[str, set[str]] = {}
        for each in self.expected.values():
            for key, own in each.of("vni").items():
                sources.setdefault(key[1], set()).add(str(own.get("source")))
        for each in self.expected.values():
            for key, own in each.of("vni").items():
                others = tuple(sorted(sources[key[1]] - {str(own.get("source"))}))
                if own.get("layer") == "2" and others:
                    each.facts["flood", str(own["vlan"])] = {"vteps": others}

    @cached_property
    def impacts(self) -> Impacts:
        """Return the failure analysis of the site."""
        return Impacts(self.site)

    @cached_property
    def cables(self) -> list[tuple[End, End]]:
        """Return the cables between switches, as the switches name their ports."""
        return [
            (
                (link.lower.name, spell(link.lower, link.lower_port)),
                (link.upper.name, spell(link.upper, link.upper_port)),
            )
            for fabric in self.site.fabrics
            for link in fabric.topology.links
            if not link.to_server and link.standing is None
        ]

    def far(self, end: End) -> End:
        """Return the other end of a cable."""
        return self._far[end]

    @cached_property
    def _far(self) -> dict[End, End]:
        return dict((*self.cables, *((b, a) for a, b in self.cables)))

    def port(self, name: str, number: int) -> str:
        """Return the port of a switch with the number of the deadlock check."""
        if name not in self._ports:
            switch = self.slices[name].switch
            self._ports[name] = {ends.key(it): spell(switch, it) for it in switch.ports}
        return self._ports[name][number]


class Broken:
    """What the switches answer with some faults."""

    def __init__(self, network: Simulated) -> None:
        self.network = network
        self.facts = {
            name: {key: dict(own) for key, own in each.facts.items()}
            for name, each in network.expected.items()
        }
        self.unread: dict[str, dict[Part, str]] = {name: {} for name in network.expected}
        self.silent: dict[str, str] = {}
        self.dark: set[frozenset[End]] = set()
        self.mute: set[str] = set()  # switches whose BGP is away
        self.quiet: set[frozenset[End]] = set()  # cables whose sessions alone are away

    def cable(self, end: End) -> "Broken":
        """Cut a cable: no link at both ends."""
        ends_of = frozenset((end, self.network.far(end)))
        self.dark.add(ends_of)
        for switch, port in ends_of:
            self.facts[switch]["interface", port]["link"] = ENABLED
            self.facts[switch].pop(("cable", port), None)
        return self

    def switch(self, name: str) -> "Broken":
        """Power a switch off."""
        self.silent[name] = "no route to host"
        for pair in self.network.cables:
            for end in pair:
                if end[0] == name:
                    self.cable(end)
        self.mute.add(name)
        return self

    def daemon(self, name: str, daemon: str) -> "Broken":
        """Stop a daemon; the switch reports it."""
        self.facts[name]["daemon", daemon]["state"] = "exited"
        parts = {"bgpd": (Part.BGP, Part.EVPN), "bfdd": (Part.BFD,), "lldpd": (Part.LLDP,)}
        for part in parts[daemon]:
            self.unread[name][part] = f"{daemon} is not running"
        if daemon == "bgpd":
            self.mute.add(name)
        for pair in self.network.cables:
            for end in pair:
                if end[0] == name and daemon == "lldpd":
                    far = self.network.far(end)
                    self.facts[far[0]].pop(("cable", far[1]), None)
        if daemon == "bfdd":
            for other, each in self.network.expected.items():
                for key in each.of("bfd"):
                    if each.role(key) == name and key in self.facts[other]:
                        self.facts[other][key]["state"] = "down"
        return self

    def sessions(self, end: End) -> "Broken":
        """Take the sessions of a cable away; the link stays up."""
        self.quiet.add(frozenset((end, self.network.far(end))))
        return self

    def seen(self) -> dict[str, Seen]:
        """Return the looks, with the findings of the comparison."""
        self._protocols()
        found = {}
        for name, each in self.network.expected.items():
            if name not in self.silent:
                observed = Observed(facts=self._read(name), unread=self.unread[name])
                findings: list[Found] = [*compare(_of_linux(each), observed)]
                findings += _checked(each, observed)
                found[name] = Seen(expected=each, observed=observed, findings=findings)
        return found

    def _read(self, name: str) -> Facts:
        about, unread = self.network.expected[name].about, self.unread[name]
        kept: Facts = {}
        for key, own in self.facts[name].items():
            left = {n: v for n, v in own.items() if about.get((key[0], n.split()[0])) not in unread}
            if left or not own:
                kept[key] = left
        return kept

    def _protocols(self) -> None:
        """Compute routes, sessions, BFD and flood lists with the dark cables and mute switches."""
        away = self.dark | self.quiet
        reach: dict[str, set[str]] = {}
        for net in self.network.ways.values():
            reach |= self._routes(net, away)
        for name, each in self.network.expected.items():
            for key in each.of("session"):
                peer, port = each.role(key), each.ports.get(key)
                if "state" in each.facts[key] and peer in self.facts:
                    on = frozenset((end := (name, port), self.network.far(end))) if port else None
                    up = on not in away and not {name, peer} & self.mute
                    up &= bool(port) or (peer in reach[name] and name in reach[peer])
                    self._session(name, key, up=up)
            sources = {str(each.facts[key].get("source")): None for key in each.of("vni")}
            self._flooded(name, reach[name], sources)

    def _session(self, name: str, key: Key, *, up: bool) -> None:
        own = self.facts[name].get(key)
        if own is not None and not up:
            own["state"] = "Active"
            watched: Key = ("bfd", *key[1:])
            if watched in self.facts[name]:
                self.facts[name][watched]["state"] = "down"

    def _flooded(self, name: str, reach: set[str], own: Mapping[str, None]) -> None:
        lost = {
            str(other.facts[key].get("source"))
            for far, other in self.network.expected.items()
            if far not in reach or far in self.mute
            for key in other.of("vni")
        } - set(own)
        for key, each in self.facts[name].items():
            if key[0] == "flood":
                each["vteps"] = tuple(it for it in each["vteps"] if it not in lost)

    def _routes(self, net: Ways, away: Iterable[frozenset[End]]) -> dict[str, set[str]]:
        """Set the routes of a fabric, and return the switches that each switch reaches."""
        names, dark = net.told.names, set(away)
        left = {way.number: self._left(names, way, dark) for way in net.ways}
        gone = frozenset(number for number, ports in left.items() if not ports)
        reach: dict[str, set[str]] = {names[number]: {names[number]} for number in net.told.places}
        for origin in net.told.places:
            found = hops(net, Destination(origin), gone)
            for here in net.told.places:
                ports = sorted({it for way in found.get(here, ()) for it in left[way]})
                if ports:
                    reach[names[here]].add(names[origin])
                self._route(names[here], names[origin], tuple(ports))
        return reach

    def _left(self, names: list[str], way: Way, dark: set[frozenset[End]]) -> list[str]:
        here, there = names[way.here], names[way.there]
        if {here, there} & self.mute:
            return []
        found = []
        for own, far in way.ports:
            mine, other = self.network.port(here, own), self.network.port(there, far)
            if frozenset(((here, mine), (there, other))) not in dark:
                found.append(mine)
        return found

    def _route(self, here: str, origin: str, ports: tuple[str, ...]) -> None:
        each = self.network.expected[here]
        for key in each.of("route"):
            if key[1] == GLOBAL and each.role(key) == origin and key in self.facts[here]:
                if ports:
                    self.facts[here][key]["ports"] = ports
                else:
                    del self.facts[here][key]


_MORE = frozenset(("flood", "evpn", "qos", "headroom", "daemon", "clock", "vlan"))
"""Kinds that the comparison with a Linux switch has no sentences for: checks find them."""


def _of_linux(each: Expected) -> Expected:
    facts = {key: own for key, own in each.facts.items() if key[0] not in _MORE}
    return replace(
        each, facts=facts, about={k: v for k, v in each.about.items() if k[0] not in _MORE}
    )


def _checked(each: Expected, observed: Observed) -> Iterator[Finding]:
    """Yield the differences of the other kinds as findings of a check."""
    wanted = {key: own for key, own in each.facts.items() if key[0] in _MORE}
    shown = {key: own for key, own in observed.facts.items() if key[0] in _MORE}
    for it in disagreements(wanted, shown):
        yield finding(
            each.switch, it.key, it.attribute, spelled(it.designed), spelled(it.witnessed)
        )


def finding(
    switch: str, key: Key, attribute: str = "", wanted: str = "", shown: str = ""
) -> Finding:
    """Return a finding of a check."""
    return Finding(
        switch=switch,
        check="Any",
        outcome=Outcome.FAILED,
        severity=Severity.ERROR,
        sentence=f"{switch}: {' '.join(key)} has {attribute} {shown}, but the model has {wanted}",
        key=key,
        attribute=attribute,
        expected=wanted,
        actual=shown,
    )


_TIERS = """
site:
  name: tiers
  management: {subnet: 10.0.0.0/22}
frontend:
  design: superspine
  leafs_per_pod: 2
  superspine: {model: 7060DX5-64S, platform: eos, count: 2}
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
  links: {speed: 100G}
  oversubscription: 4
  leaf_groups:
    rack: {leafs: 1-4, servers: {per_leaf: 4, speed: 25G}}
tenants:
  one:
    vrfs: {one: {id: 1, vlans: {web: {id: 100, subnet: 172.20.0.0/24}}}}
    attachments: [{group: rack, servers: 1-4, access: web}]
"""


@cache
def three_tiers() -> Simulated:
    """Return a small fabric of leafs, spines and superspines."""
    made = compile_site(load_texts({"site.yaml": _TIERS}))
    assert made.site is not None, made.findings
    return Simulated(made.site)


@cache
def simulated(site: str) -> Simulated:
    """Return an example site."""
    made = compile_site(load_site(ROOT / "intent" / site))
    assert made.site is not None, made.findings
    return Simulated(made.site)


def with_findings(seen: Mapping[str, Seen], name: str, *more: Found) -> dict[str, Seen]:
    """Return looks with more findings of a switch."""
    each = seen[name]
    return {**seen, name: replace(each, findings=(*each.findings, *more))}
