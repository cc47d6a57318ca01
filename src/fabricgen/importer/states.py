"""Switches of a tree beside those that are there in; the states that files show, out: guesses.

What is `dead` shows in no file. A port that is shut at both ends is a `planned` link, which
`cabled` finds; at one end, it waits for a switch or a server that is to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.core.tree.facts import GLOBAL, TRUE
from fabricgen.core.units import spans
from fabricgen.importer.cables import ends_of
from fabricgen.importer.pins import Guess
from fabricgen.importer.places import own_place
from fabricgen.model.fabric.standing import missed
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.prove.designed import peer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.importer.cables import End
    from fabricgen.importer.distance import Drawn
    from fabricgen.model.fabric.switch import Fabric, SwitchSlice
    from fabricgen.model.fabric.topology import Link
    from fabricgen.prove.foreign.switch import Judged


def states(drawn: Drawn, there: Mapping[str, Judged]) -> list[Guess]:
    """Return the states that switches show of themselves and of others. there: by their names."""
    shut, longer = set[tuple[str, str]](), set[tuple[str, str]]()
    for name, read in there.items():
        piece = drawn.slice(name)
        shut |= {(name, label) for label in _shut(piece, read)}
        longer |= {(name, label) for label in _longer(piece, read)}
    if drawn.site is None or not shut | longer:
        return []
    fabrics = drawn.site.fabrics
    switches = [each for fabric in fabrics for each in _Shown(drawn, fabric, shut, longer).states()]
    return [*switches, *_servers([link for each in fabrics for link in each.topology.links], shut)]


def _shut(piece: SwitchSlice, read: Judged) -> Iterator[str]:
    for port in piece.interfaces:
        if read.own(("interface", spell(piece.switch, port.port))).get("shut") == TRUE:
            yield port.port.label


def _longer(piece: SwitchSlice, read: Judged) -> Iterator[str]:
    """Yield the ports by which a switch tells ways with more ASNs before them."""
    for session in piece.sessions:
        out = read.own(("session", GLOBAL, peer_of(piece, session))).get("out")
        if session.interface is None or not isinstance(out, tuple):
            continue
        if any("prepend" in dict(each) for each in out):
            yield session.interface.port.label


class _Shown:
    """One fabric. shut: ports that are; longer: those whose ways are told as longer."""

    def __init__(self, drawn: Drawn, fabric: Fabric, shut: set[End], longer: set[End]) -> None:
        self.drawn, self.fabric, self.shut, self.longer = drawn, fabric, shut, longer
        self.links = [
            link
            for link in fabric.topology.links
            if isinstance(link.lower, Switch) and not link.of_pair
        ]

    def states(self) -> Iterator[Guess]:
        """Yield those of switches, then those of links."""
        every = {each.name: self.ends(each) for each in self.fabric.topology.switches}
        planned = {name for name, own in every.items() if own and self.comes(own)}
        drained = {name for name, own in every.items() if own and self.leaves(own)}
        for name in sorted(planned):
            yield self.of_switch(name, {"state": "planned"})
        for name in sorted(drained):
            switch = self.drawn.switches[name]
            lost = missed(self.fabric, switch, self.fabric.idle | planned | drained)
            loss = {"accept_loss": True} if lost else {}
            yield self.of_switch(name, {"state": "drained", **loss})
        for link in self.links:
            if self.longer.issuperset(ends_of(link)):
                (name, label), (peer, _) = ends_of(link)
                path = (*own_place(self.drawn, name), "links", label, "state")
                yield Guess(kind="state", path=path, value="drained", near=(name, peer))

    def of_switch(self, name: str, words: dict[str, Any]) -> Guess:
        ends = self.ends(self.drawn.switches[name])
        near = {name, *(end[0] for pair in ends for end in pair)}
        place = own_place(self.drawn, name)
        return Guess(kind="state", path=place, value=words, near=tuple(sorted(near)))

    def ends(self, switch: Switch) -> list[tuple[End, End]]:
        """Return both ends of its links, its own first."""
        both = [ends_of(link) for link in self.links if switch in (link.lower, link.upper)]
        return [(low, up) if low[0] == switch.name else (up, low) for low, up in both]

    def comes(self, ends: list[tuple[End, End]]) -> bool:
        """Tell whether all others wait for a switch, and not the other way round."""
        return all(far in self.shut and near not in self.shut for near, far in ends)

    def leaves(self, ends: list[tuple[End, End]]) -> bool:
        """Tell whether all that a switch tells is longer, and not by what all others tell it."""
        mine = all(near in self.longer for near, _ in ends)
        return mine and not all(far in self.longer for _, far in ends)


def _servers(links: list[Link], shut: set[End]) -> Iterator[Guess]:
    """Yield, of each kind, the servers for which all their ports on switches wait."""
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
