"""Selects the switches that a lab of a change boots: the changed ones and their neighbors."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from fabricgen.core.record import record
from fabricgen.core.units import counted, natural
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.registry import nos_of

MOST = 12
"""Largest number of switches in one lab."""
_PATHS = 2
"""Neighbors of each tier above that make a working network with redundant paths."""


@record(kw_only=True)
class LabPart:
    """The affected part of a network.

    Attributes:
        switches: Names of the switches to boot, in natural order.
        notes: Sentences about switches that another one represents or that are not booted.
        uncovered: Sentences about changed switches without a representative in the lab.
    """

    switches: tuple[str, ...]
    notes: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()


def affected_part(
    before: Site,
    after: Site,
    changed: Collection[str],
    shapes: Mapping[str, str] | None = None,
    most: int = MOST,
) -> LabPart:
    """Select the affected part of two sites.

    Args:
        before: Side A.
        after: Side B.
        changed: Names or folders of changed switches and servers.
        shapes: Name of the shape of each changed switch. By default the fabric, role and group.
        most: Largest number of switches.
    """
    network = _Network(before, after)
    names = natural({name.rpartition("/")[2] for name in changed})
    hit = [name for name in names if name in network.switches]
    hit += natural({leaf for name in names for leaf in network.leafs.get(name, ())} - {*hit})
    foreign = [name for name in hit if not network.boots(name)]
    groups: dict[str, list[str]] = defaultdict(list)
    for name in hit:
        if name not in foreign:
            groups[(shapes or {}).get(name) or network.shape(name)].append(name)
    picked = _Picks(network, frozenset(hit), most)
    rows = [*zip_longest(*groups.values())]
    for name in filter(None, rows[0] if rows else ()):
        picked.take(name)
    picked.add_witnesses()
    for name in (name for row in rows[1:] for name in row if name):
        picked.take(name)
    away = picked.add_neighbors(hit)
    notes = [*_represented(groups.values(), picked.names), *_absent(away)]
    return LabPart(
        switches=tuple(natural(picked.names)),
        notes=tuple(notes),
        uncovered=(*_uncovered(groups.values(), picked.names), *_foreign(foreign)),
    )


def _represented(groups: Iterable[Sequence[str]], booted: Collection[str]) -> Iterator[str]:
    for group in groups:
        out = [name for name in group if name not in booted]
        one = next((name for name in group if name in booted), None)
        if one and out:
            yield f"{one} represents {counted(len(out), 'switch')} of its shape: {', '.join(out)}"


def _absent(away: Sequence[str]) -> Iterator[str]:
    if away:
        what = counted(len(away), "unchanged neighbor")
        yield f"{what} of changed switches not booted: {', '.join(away)}"


def _uncovered(groups: Iterable[Sequence[str]], booted: Collection[str]) -> Iterator[str]:
    out = [name for group in groups if not any(n in booted for n in group) for name in group]
    if out:
        yield (
            f"{counted(len(out), 'changed switch')} without a representative in the lab: "
            f"{', '.join(out)}"
        )


def _foreign(names: Sequence[str]) -> Iterator[str]:
    if names:
        yield (
            f"{counted(len(names), 'changed switch')} of models that cannot boot as FRR: "
            f"{', '.join(names)}"
        )


class _Network:
    """Switches and cables of both sites."""

    def __init__(self, before: Site, after: Site) -> None:
        self.switches: dict[str, Switch] = {}
        self.leafs: dict[str, set[str]] = defaultdict(set)
        self._sides: dict[str, str] = defaultdict(str)
        self._next: dict[str, set[str]] = defaultdict(set)
        for side, site in (("old", before), ("new", after)):
            for fabric in site.fabrics:
                for switch in fabric.present:
                    self.switches[switch.name] = switch
                    self._sides[switch.name] += side
            for fabric in site.fabrics:
                for link in fabric.topology.links:
                    if link.upper.name not in self.switches:
                        continue
                    if link.to_server:
                        self.leafs[link.lower.name].add(link.upper.name)
                    elif link.lower.name in self.switches:
                        self._next[link.lower.name].add(link.upper.name)
                        self._next[link.upper.name].add(link.lower.name)

    def boots(self, name: str) -> bool:
        """Return whether a lab can boot the switch."""
        return nos_of(self.switches[name]).boots_here

    def shape(self, name: str) -> str:
        """Return the fabric, role, group and sides of a switch."""
        switch = self.switches[name]
        return " ".join((switch.fabric, switch.role, switch.group, self._sides[name]))

    def tier(self, name: str) -> int:
        """Return the height above the servers."""
        return self.switches[name].role.tier

    def neighbors(self, name: str) -> list[str]:
        """Return the bootable switches with a cable to a switch, in natural order."""
        return [each for each in natural(self._next[name]) if self.boots(each)]


class _Picks:
    """Selected switches; each one is taken with its paths upward, or not at all."""

    def __init__(self, network: _Network, hit: Collection[str], most: int) -> None:
        self._network, self._hit, self._most = network, hit, most
        self.names: list[str] = []

    def take(self, name: str) -> bool:
        """Take a switch and what it needs; return False if that exceeds the limit."""
        needed = [each for each in self._needed(name) if each not in self.names]
        if len(self.names) + len(needed) > self._most:
            return False
        self.names += needed
        return True

    def _needed(self, name: str) -> list[str]:
        """Return a switch with the other one of its pair and with its paths upward.

        A switch of the top tier needs leafs: without one it has no neighbor.
        """
        found, tier = [name], self._network.tier(name)
        near = self._network.neighbors(name)
        found += [each for each in near if self._network.tier(each) == tier]
        above = [each for each in near if self._network.tier(each) > tier]
        for each in self._first(above):
            found += [other for other in self._above(each) if other not in found]
        if not above:
            found += self._first(each for each in near if self._network.tier(each) < tier)
        return list(dict.fromkeys(found))

    def _above(self, name: str) -> Iterator[str]:
        yield name
        tier = self._network.tier(name)
        near = self._network.neighbors(name)
        for each in self._first(other for other in near if self._network.tier(other) > tier):
            yield from self._above(each)

    def _first(self, names: Iterable[str]) -> list[str]:
        """Return two switches: taken ones first, then changed ones."""
        ordered = sorted(names, key=lambda each: (each not in self.names, each not in self._hit))
        return ordered[:_PATHS]

    def add_witnesses(self) -> None:
        """Take an unchanged switch of the lowest tier where only one would be there."""
        for fabric in {self._network.switches[name].fabric: None for name in self.names}:
            inside = [n for n in self.names if self._network.switches[n].fabric == fabric]
            lowest = min(map(self._network.tier, inside))
            low = [name for name in inside if self._network.tier(name) == lowest]
            others = [
                each
                for name in inside
                if self._network.tier(name) > lowest
                for each in self._network.neighbors(name)
                if each not in self.names and self._network.tier(each) == lowest
            ]
            if len(low) == 1 and others:
                self.take(next((each for each in others if each not in self._hit), others[0]))

    def add_neighbors(self, hit: Iterable[str]) -> list[str]:
        """Take the other neighbors of changed switches; return those that do not fit."""
        near = {
            each: None
            for name in hit
            if name in self.names
            for each in self._network.neighbors(name)
            if each not in self.names and each not in self._hit
        }
        return [each for each in near if not self.take(each)]
