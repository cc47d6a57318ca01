"""Move links to the ports that the intent pins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabricgen.compile.design.wiring.faceplate import ports_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import spans
from fabricgen.intent.model.port_pins import labels
from fabricgen.intent.paths import at
from fabricgen.model.fabric.topology import Link, Port, PortNote, Switch, Topology

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import AnyFabric
    from fabricgen.intent.model.port_pins import PortPin

End = tuple[str, str]
"""A switch and one of its ports, as printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """Link that leaves its port. move_to: its new port, if the intent sets one."""

    port: Port
    number: int
    move_to: str | None
    path: IntentPath


@dataclass(slots=True, kw_only=True)
class Bench:
    """Cables while they are moved.

    kept: ports reserved for growth. notes: by switch and port. odd: pairs of switches with other
    links than by design. claimed: new ports of pinned links. used: number of the link at a port.
    labeled: ports of a switch by label and cage.
    """

    words: AnyFabric
    switches: dict[str, Switch]
    kept: Collection[int]
    links: list[Link | None]
    findings: Findings
    notes: dict[End, PortNote] = field(default_factory=dict)
    odd: dict[tuple[str, str], IntentPath] = field(default_factory=dict)
    claimed: set[End] = field(default_factory=set)
    used: dict[End, int] = field(default_factory=dict)
    labeled: dict[str, tuple[Sequence[Port], dict[str, list[Port]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Record the use of each port."""
        for number, link in enumerate(self.links):
            if link is not None:
                self.used.update(dict.fromkeys(ends(link), number))

    def named(self, said: str) -> str:
        """Return the switch of a name in the intent."""
        return next((name for name, each in self.switches.items() if each.said == said), said)

    def place(self, name: str, *keys: str) -> IntentPath:
        """Return where the intent has a pin of a switch."""
        return at(*self.words.at("switches", self.switches[name].key, *keys))

    def ports(self, name: str, meant: Sequence[str], path: IntentPath) -> Sequence[Port]:
        """Return ports, or all ports of cages; report unknown ones."""
        every, found = self.switches[name].ports, self.meant(name, meant)
        if absent := [label for label in meant if not self.meant(name, (label,))]:
            native = sorted({port.cage for port in every if not port.service})
            what = spans(map(int, absent)) if len(absent) > 1 else absent[0]
            self.findings.spoil(
                Code.NO_SUCH_PORT,
                f"{name}, a {self.switches[name].model}, has no port {what} in its current use",
                path,
                f"its cages are {spans(native)}; a cage that is split has ports such as "
                + next((port.label for port in every if port.subs > 1), "7/1"),
            )
        return found

    def meant(self, name: str, said: Sequence[str]) -> Sequence[Port]:
        """Return the ports of a switch that are meant, in the order of its faceplate."""
        every = self.switches[name].ports
        if len(said) > 1:
            return [port for port in every if _is(port, *said)]
        known = self.labeled.get(name)
        if known is None or known[0] is not every:
            known = self.labeled[name] = every, defaultdict(list)
            for port in every:
                for label in {port.label, str(port.cage)}:
                    known[1][label].append(port)
        return known[1].get(said[0], ())

    def note(self, name: str, pins: dict[str, PortPin]) -> None:
        """Record the notes of ports in the order of the intent."""
        told: dict[str, str] = {}
        for key, pin in pins.items():
            path = self.place(name, "ports", key)
            if pin.state is pin.description is pin.move_to is pin.speed is None:
                continue  # custom config is checked where it is placed
            found = self.ports(name, labels(key), path)
            by = {port.label: told.setdefault(port.label, key) for port in found}
            if twice := next((label for label, other in by.items() if other != key), None):
                self.findings.spoil(
                    Code.PORT_PINNED,
                    f"port {twice} of {name} is also pinned by {by[twice]!r}",
                    path,
                    "pin a cage or its ports, each only once",
                )
            for port in found if pin.state or pin.description else ():
                why = Provenance((path,), f"port {port.label} is {pin.state or 'described'}")
                note = PortNote(pin.state or "", pin.description or pin.state or "", why)
                self.notes.setdefault((name, port.label), note)

    def clear(self, name: str, pins: dict[str, PortPin]) -> None:
        """Move links from pinned ports, and links from their new ports.

        All links are removed before one is plugged in, because cables may change places.
        """
        moves: list[_Move] = []
        for key, pin in pins.items():
            if pin.state is None and pin.move_to is None:
                continue
            path = self.place(name, "ports", key)
            to = None if pin.move_to is None else str(pin.move_to)
            meant = labels(key)
            if to is not None and len(meant) > 1:
                self.one_each(meant, path)
                continue
            found = self.meant(name, meant)
            own = self.lifted(name, found, to, path)
            if pin.state is None and found and not own:
                self.nothing(name, key, path)
            moves += own
        wanted = [(move.move_to, move.path) for move in moves if move.move_to is not None]
        theirs: list[_Move] = []
        for move_to, path in dict(wanted).items():
            found = self.meant(name, (move_to,))
            self.claimed |= {(name, port.label) for port in found}
            theirs += self.lifted(name, found, None, path)
        self.claimed |= {(name, move_to.partition("/")[0]) for move_to, _ in wanted}
        for move in (*theirs, *moves):
            self.move(name, move)

    def lifted(
        self, name: str, ports: Iterable[Port], move_to: str | None, path: IntentPath
    ) -> list[_Move]:
        """Take the links at some ports out."""
        numbers = ((port, self.used.pop((name, port.label), None)) for port in ports)
        return [
            _Move(port=port, number=number, move_to=move_to, path=path)
            for port, number in numbers
            if number is not None
        ]

    def one_each(self, meant: Sequence[str], path: IntentPath) -> None:
        """Report that the cables of several cages do not go to one place."""
        self.findings.spoil(
            Code.PORT_PINNED,
            f"the cables of {len(meant)} cages cannot all go to one port",
            (*path, "move_to"),
            "set it for each cage separately",
        )

    def nothing(self, name: str, label: str, path: IntentPath) -> None:
        """Report that no cable is there that could go elsewhere."""
        self.findings.spoil(
            Code.PORT_PINNED, f"port {label} of {name} has no cable that could move", path
        )

    def move(self, name: str, move: _Move) -> None:
        """Move one link to a spare port of its switch, or say that there is none."""
        port, move_to, path = move.port, move.move_to, move.path
        spares = list(self.spares(name, port, claimed=move_to is not None))
        chosen = spares[:1]
        if move_to is not None:
            chosen = [spare for spare in spares if _is(spare, move_to)]
        if not chosen:
            free = ", ".join(dict.fromkeys(spare.label for spare in spares[:8]))
            what = f"port {move_to}" if move_to else f"no other port of {port.speed}"
            self.findings.spoil(
                Code.PORT_PINNED,
                f"the link at port {port.label} of {name} cannot move: {what} is "
                + ("not free, does not exist, or has another speed" if move_to else "free"),
                (*path, "move_to") if move_to else path,
                f"free: {free}"
                if free
                else "use a model with more cages, or fewer links on this switch",
            )
            return
        self.split(name, chosen[0])
        self.put(name, move, chosen[0])

    def put(self, name: str, move: _Move, to: Port) -> None:
        """Plug a link into another port of the switch."""
        link = self.links[move.number]
        assert link is not None
        rule = f"{link.because.rule}; port {move.port.label} of {name} is pinned"
        why = Provenance((*link.because.paths, move.path), f"{rule}, so it is at {to.label}")
        moved = replace(link, because=why)
        above = link.upper.name == name
        self.links[move.number] = (
            replace(moved, upper_port=to) if above else replace(moved, lower_port=to)
        )
        self.used[name, to.label] = move.number

    def spares(self, name: str, like: Port, *, claimed: bool) -> Iterator[Port]:
        """Yield free ports of the same kind; the middle cages, which growth needs last, come first.

        claimed: also new ports of pinned links, and other ports of a split cage.
        """
        switch = self.switches[name]
        middle = sum(cage.number for cage in switch.model.usable) / len(switch.model.usable)
        cages: dict[int, list[Port]] = {}
        for port in switch.ports:
            cages.setdefault(port.cage, []).append(port)
        law = {number: any(id(port) in self.kept for port in own) for number, own in cages.items()}
        order = sorted(
            cages,
            key=lambda number: (law[number], -number if law[number] else abs(number - middle)),
        )
        for number in order:
            if claimed or not any((name, port.label) in self.claimed for port in cages[number]):
                found = list(self.in_cage(switch, cages[number], like))
                yield from (port for port in found if port.sub == like.sub)
                yield from (port for port in found if port.sub != like.sub and claimed)

    def in_cage(self, switch: Switch, own: list[Port], like: Port) -> Iterator[Port]:
        """Yield the free ports of a cage, which may have to be split as the other's is."""
        if own[0].service:
            return
        form = (like.speed, like.subs, like.lanes)
        free = [port for port in own if not self.taken(switch.name, port)]
        if (own[0].speed, own[0].subs, own[0].lanes) == form:
            yield from free
            return
        cage = next(cage for cage in switch.model.cages if cage.number == own[0].cage)
        mode = cage.mode(like.speed, like.subs)
        if len(free) == len(own) and mode is not None:
            yield from (port for port in ports_of(cage, mode) if port.lanes == like.lanes)

    def taken(self, name: str, port: Port) -> bool:
        """Return whether a port has a cable, or shall have none."""
        note = self.notes.get((name, port.label))
        return (name, port.label) in self.used or (note is not None and bool(note.state))

    def split(self, name: str, port: Port) -> None:
        """Give a switch the other ports of a cage that is split for this one."""
        switch = self.switches[name]
        if port in switch.ports:
            return
        cage = next(cage for cage in switch.model.cages if cage.number == port.cage)
        mode = cage.mode(port.speed, port.subs)
        assert mode is not None
        new = [each if each.sub != port.sub else port for each in ports_of(cage, mode)]
        self.fit(name, port.cage, new)

    def fit(self, name: str, cage: int, ports: Iterable[Port]) -> None:
        """Give a switch other ports in a cage."""
        switch = self.switches[name]
        before = [each for each in switch.ports if each.cage < cage]
        after = [each for each in switch.ports if each.cage > cage]
        self.switches[name] = replace(switch, ports=(*before, *ports, *after))

    def result(self, topology: Topology) -> Topology:
        """Return the fabric with its cables as they are now."""
        links = (self.joined(link) for link in self.links if link is not None)
        return replace(
            topology,
            switches=tuple(self.switches[each.name] for each in topology.switches),
            links=tuple(links),
            notes=self.notes,
            odd=self.odd,
        )

    def joined(self, link: Link) -> Link:
        """Return a link between the switches as they are split now."""
        upper = self.switches[link.upper.name]
        lower = self.switches.get(link.lower.name, link.lower)
        if upper is link.upper and lower is link.lower:
            return link
        return replace(link, lower=lower, upper=upper)


def ends(link: Link) -> Iterator[End]:
    yield link.upper.name, link.upper_port.label
    if isinstance(link.lower, Switch):
        yield link.lower.name, link.lower_port.label


def _is(port: Port, *meant: str) -> bool:
    """Return whether a pin selects a port, by its number or by its cage."""
    return port.label in meant or str(port.cage) in meant
