"""Describes servers that a failure hits by their position, so that an equal failure can use it.

A symmetry of the graph maps a switch, and all servers with it. It retains the class of a server,
and whether the server is below the switch, in its rack, in its pod, or elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.prove.failures.swaps import Symmetry

Home = tuple[int, ...]
"""Nodes of a server's endpoints; servers of one home are interchangeable."""
Pattern = frozenset[tuple[Home, int]]
"""Classes of homes, each with a level: 0 below the switch, 1 its rack, 2 its pod, 3 elsewhere."""
_ELSEWHERE = 3
NOBODY: frozenset[str] = frozenset()


@dataclass(eq=False, kw_only=True)
class Forms:
    """Positions of the servers of one group."""

    symmetry: Symmetry
    _levels: dict[int, list[frozenset[Home]]] = field(default_factory=dict)
    _below: dict[int, frozenset[Home]] = field(default_factory=dict)
    _unions: dict[frozenset[int], frozenset[Home]] = field(default_factory=dict)
    _named: dict[tuple[Pattern, tuple[int, ...]], frozenset[str]] = field(default_factory=dict)

    @cached_property
    def every(self) -> frozenset[str]:
        """Return all servers."""
        return frozenset(self.symmetry.net.ends)

    @cached_property
    def _class(self) -> dict[Home, Home]:
        """Return the class of each home: the colors of its nodes."""
        of = self.symmetry.colors.of
        homes = self.symmetry.net.homes()
        return {home: tuple(sorted(of[node] for node in home)) for home in homes}

    @cached_property
    def _members(self) -> dict[Home, list[Home]]:
        found: dict[Home, list[Home]] = {}
        for home, kind in self._class.items():
            found.setdefault(kind, []).append(home)
        return found

    def pattern(self, names: frozenset[str], switch: str) -> Pattern | None:
        """Return the position of servers; None if a position contains other servers, too."""
        homes = self.symmetry.net.homes()
        inside = {home for home, servers in homes.items() if servers[0] in names}
        levels = self._levels_of(switch)
        near = {home: level for level, mine in enumerate(levels) for home in mine}
        chosen, others = set[tuple[Home, int]](), set[tuple[Home, int]]()
        for home in homes:
            atom = self._class[home], near.get(home, _ELSEWHERE)
            (chosen if home in inside else others).add(atom)
        return frozenset(chosen) if chosen.isdisjoint(others) else None

    def names(self, pattern: Pattern, switch: str) -> frozenset[str]:
        """Return the servers in a position."""
        if not pattern:
            return NOBODY
        levels = self._levels_of(switch)
        key = pattern, tuple(map(id, levels))
        if key not in self._named:
            homes = self.symmetry.net.homes()
            found = (name for home in self._homes(pattern, levels) for name in homes[home])
            self._named[key] = frozenset(found)
        return self._named[key]

    def _homes(self, pattern: Pattern, levels: list[frozenset[Home]]) -> Iterator[Home]:
        for level, mine in enumerate(levels):
            yield from (home for home in mine if (self._class[home], level) in pattern)
        for kind, level in pattern:
            if level == _ELSEWHERE:
                yield from (it for it in self._members[kind] if not any(it in at for at in levels))

    def _levels_of(self, switch: str) -> list[frozenset[Home]]:
        """Return the homes below a switch, others in its rack, and others in its pod."""
        node = self.symmetry.net.node[switch]
        if node not in self._levels:
            below = self._below_of(node)
            rack = self._racks.get(self.symmetry.rack[node], frozenset())
            pod = self._pods.get(self.symmetry.pod[node], frozenset())
            levels = [below, rack - below, pod - below - rack]
            self._levels[node] = [self._shared.setdefault(it, it) for it in levels]
        return self._levels[node]

    @cached_property
    def _shared(self) -> dict[frozenset[Home], frozenset[Home]]:
        return {}

    def _below_of(self, node: int) -> frozenset[Home]:
        """Return the homes whose paths up lead over a node."""
        if node not in self._below:
            net = self.symmetry.net
            top = net.height[node]
            near = [it for it in net.near[node] if net.height[it] < top]
            lower = frozenset(it for it in near if net.height[it] and top > _ELSEWHERE)
            if lower not in self._unions:
                self._unions[lower] = frozenset[Home]().union(*map(self._below_of, lower))
            found = self._unions[lower]
            mine = [it for it in near if not net.height[it]]
            if mine:
                found = found.union(*(self.symmetry.homes_of.get(it, ()) for it in mine))
            self._below[node] = found
        return self._below[node]

    @cached_property
    def _racks(self) -> dict[int, frozenset[Home]]:
        return self._by_part(self.symmetry.rack)

    @cached_property
    def _pods(self) -> dict[int, frozenset[Home]]:
        return self._by_part(self.symmetry.pod)

    def _by_part(self, parts: list[int]) -> dict[int, frozenset[Home]]:
        found: dict[int, set[Home]] = {}
        for home in self.symmetry.net.homes():
            for node in home:
                found.setdefault(parts[node], set()).add(home)
        return {part: frozenset(homes) for part, homes in found.items()}
