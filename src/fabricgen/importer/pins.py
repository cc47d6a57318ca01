"""Guesses pinned values and states from differences of rendered and read files."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL, TRUE, Attributes
from fabricgen.core.units import spans
from fabricgen.importer.cables import End, ends_of
from fabricgen.importer.distance import Drawn
from fabricgen.importer.draft import SHORT
from fabricgen.importer.places import own_place
from fabricgen.importer.tree import Tree, at, below, merged
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.redundancy import traffic_without_path
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Link, Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.nos.spelling import Names
from fabricgen.prove.designed import peer_of
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text


@record(kw_only=True)
class Guess:
    """A possible override.

    Attributes:
        kind: What is overridden. Guesses of a kind are tried together.
        near: Switches whose files the guess can change. Empty means all files.
    """

    kind: str
    path: IntentPath
    value: Any
    near: tuple[str, ...] = ()

    @property
    def fragment(self) -> Tree:
        """Return the guess as a part of a tree."""
        return dict(below(self.path, self.value))


def with_pins(tree: Tree, guesses: Iterable[Guess]) -> Tree:
    """Return a tree with some guesses."""
    return merged(tree, *(guess.fragment for guess in guesses))


def of_cables(tree: Tree) -> Iterator[Guess]:
    """Yield the keys of a tree for ports and links of single switches."""
    named = [("fabrics", name) for name in tree.get("fabrics", {})]
    for place in (*((name,) for name in SHORT), *named):
        for name, own in (at(tree, *place, "switches") or {}).items():
            for kind in ("port", "link"):
                for label, words in own.get(f"{kind}s", {}).items():
                    path = (*place, "switches", name, f"{kind}s", label)
                    yield Guess(kind=kind, path=path, value=words)


def guesses(drawn: Drawn, name: str, there: Judged) -> Iterator[Guess]:
    """Yield differences of a switch from its design: numbers, missing links, descriptions."""
    here = drawn.judged(name)
    switch_slice = drawn.slice(name)
    names = nos(there.platform).names
    assert names is not None
    place = (*switch_slice.place, "switches", switch_slice.switch.key)
    for key, value in _numbers(switch_slice, there, names):
        yield Guess(kind=key, path=(*place, key), value=value)
    spell = nos(there.platform).port_name
    absent, up = [], [item for item in switch_slice.interfaces if item.use is Use.FABRIC]
    for item in switch_slice.interfaces:
        port = ("interface", spell(switch_slice.switch.model, item.port))
        said, own = text(there.own(port).get("description")), here.own(port)
        if item in up and _routed(own) and not _routed(there.own(port)):
            path = (*place, "links", item.port.label)
            peer = (item.peer.name,) if item.peer is not None else ()
            absent.append(Guess(kind="link", path=path, value="absent", near=(name, *peer)))
        elif said and said != text(own.get("description")):
            path = (*place, "ports", item.port.label, "description")
            yield Guess(kind="description", path=path, value=said, near=(name,))
    if len(absent) < len(up):  # the cables of a switch without any link lead elsewhere
        yield from absent


def _routed(own: Attributes) -> bool:
    return bool(own.get("address") or own.get("link-local"))


def _numbers(switch_slice: SwitchSlice, there: Judged, names: Names) -> Iterator[tuple[str, Any]]:
    if there.name != switch_slice.switch.name:
        yield "hostname", there.name
    if there.asn is not None and there.asn != switch_slice.asn:
        yield "asn", there.asn
    vtep = text(there.own(("vtep",)).get("address")).partition("/")[0]
    if switch_slice.vtep is not None and vtep not in ("", switch_slice.vtep.host):
        yield "vtep", vtep
    for key, port, known in (
        ("loopback", names.loopback, switch_slice.loopback.host),
        ("management", names.management, switch_slice.management.host),
    ):
        held = there.tables.ports.get(port)
        hosts = [str(each.ip) for each in held.addresses if each.version == 4] if held else []
        others = [each for each in hosts if each != vtep]
        if others and known not in hosts:
            yield key, others[0]
    router = text(there.own(("bgp", "default")).get("router-id"))
    loopbacks = there.tables.ports.get(names.loopback)
    own = {str(each.ip) for each in loopbacks.addresses} if loopbacks else set()
    if router and router != switch_slice.router_id.host and router not in own:
        yield "router_id", router


# No file shows the state `dead`. A link that is shut at both ends is `planned`, which `cabled`
# finds. A port that is shut at one end waits for a future switch or server.


def states(drawn: Drawn, there: Mapping[str, Judged]) -> list[Guess]:
    """Return the states that switches have or show of others. there: switches by name."""
    shut, longer = set[tuple[str, str]](), set[tuple[str, str]]()
    for name, read in there.items():
        switch_slice = drawn.slice(name)
        shut |= {(name, label) for label in _shut(switch_slice, read)}
        longer |= {(name, label) for label in _longer(switch_slice, read)}
    if drawn.site is None or not shut | longer:
        return []
    fabrics = drawn.site.fabrics
    switches = [each for fabric in fabrics for each in _Shown(drawn, fabric, shut, longer).states()]
    return [*switches, *_servers([link for each in fabrics for link in each.topology.links], shut)]


def _shut(switch_slice: SwitchSlice, read: Judged) -> Iterator[str]:
    for port in switch_slice.interfaces:
        if read.own(("interface", spell(switch_slice.switch, port.port))).get("shut") == TRUE:
            yield port.port.label


def _longer(switch_slice: SwitchSlice, read: Judged) -> Iterator[str]:
    """Yield the ports where a switch recognizes paths with prepended ASNs."""
    for session in switch_slice.sessions:
        out = read.own(("session", GLOBAL, peer_of(switch_slice, session))).get("out")
        if session.interface is None or not isinstance(out, tuple):
            continue
        if any("prepend" in dict(each) for each in out):
            yield session.interface.port.label


class _Shown:
    """One fabric.

    Attributes:
        shut: Ports that are shut.
        longer: Ports that receive prepended paths.
        both: Ends of the links of each switch, its own end first.
    """

    def __init__(self, drawn: Drawn, fabric: Fabric, shut: set[End], longer: set[End]) -> None:
        self.drawn, self.fabric, self.shut, self.longer = drawn, fabric, shut, longer
        self.links = [
            link
            for link in fabric.topology.links
            if isinstance(link.lower, Switch) and not link.of_pair
        ]
        self.both: dict[str, list[tuple[End, End]]] = defaultdict(list)
        for link in self.links:
            low, up = ends_of(link)
            self.both[low[0]].append((low, up))
            if up[0] != low[0]:
                self.both[up[0]].append((up, low))

    def states(self) -> Iterator[Guess]:
        """Yield the states of switches, then of links."""
        every = {each.name: self.both.get(each.name, []) for each in self.fabric.topology.switches}
        planned = {name for name, own in every.items() if own and self.comes(own)}
        drained = {name for name, own in every.items() if own and self.leaves(own)}
        for name in sorted(planned):
            yield self.of_switch(name, {"state": "planned"})
        for name in sorted(drained):
            switch = self.drawn.switches[name]
            lost = traffic_without_path(self.fabric, switch, self.fabric.idle | planned | drained)
            loss = {"accept_loss": True} if lost else {}
            yield self.of_switch(name, {"state": "drained", **loss})
        for link in self.links:
            if self.longer.issuperset(ends_of(link)):
                (name, label), (peer, _) = ends_of(link)
                path = (*own_place(self.drawn, name), "links", label, "state")
                yield Guess(kind="state", path=path, value="drained", near=(name, peer))

    def of_switch(self, name: str, words: dict[str, Any]) -> Guess:
        near = {name, *(end[0] for pair in self.both.get(name, ()) for end in pair)}
        place = own_place(self.drawn, name)
        return Guess(kind="state", path=place, value=words, near=tuple(sorted(near)))

    def comes(self, ends: list[tuple[End, End]]) -> bool:
        """Check whether all neighbors wait for a switch, while it does not wait for them."""
        return all(far in self.shut and near not in self.shut for near, far in ends)

    def leaves(self, ends: list[tuple[End, End]]) -> bool:
        """Check whether a switch prepends all its routes, and not a neighbor."""
        mine = all(near in self.longer for near, _ in ends)
        return mine and not all(far in self.longer for _, far in ends)


def _servers(links: list[Link], shut: set[End]) -> Iterator[Guess]:
    """Yield the servers of each kind whose switch ports all wait."""
    ports: dict[Server, list[End]] = {}
    for link in links:
        if isinstance(link.lower, Server) and link.lower.kind:
            ports.setdefault(link.lower, []).append(ends_of(link)[1])
    kinds: dict[str, list[int]] = {}
    for server, own in ports.items():
        if shut.issuperset(own):
            kinds.setdefault(server.kind, []).append(server.number)
    for kind, numbers in kinds.items():
        said = dict.fromkeys(spans(numbers).split(","), "planned")
        yield Guess(kind="state", path=("servers", kind, "states"), value=said)
