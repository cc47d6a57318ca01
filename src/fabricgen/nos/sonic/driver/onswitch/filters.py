"""Compute the commands that change the route filters of FRR.

At no moment does an active route map permit what neither its old nor its new state permits. Lists
and entries are replaced in place, with additions before removals. A permitting entry is a denial
until it is complete. Where that is not enough, a denial before its first entry closes the map. A
route that arrives at that moment is denied until FRR filters all routes again, 5 s after the change
(bgpd/bgpd.h: RMAP_DEFAULT_UPDATE_TIMER).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.nos.sonic.driver.onswitch.routing import Place

_LIST = re.compile(
    r"(?P<list>(?:ip|ipv6) prefix-list \S+|bgp community-list standard \S+) seq (?P<seq>\d+) "
    r"(?P<rule>.+)"
)
_MAP = re.compile(r"route-map (?P<name>\S+) (?P<action>permit|deny) (?P<seq>\d+)")
_CLAUSE = re.compile(
    r"(match (?:ip address prefix-list|community)|set (?:(?:ext)?community|as-path prepend)) .*"
)
_DETOUR = "set as-path prepend"
"""FRR 8.4 removes it with one ASN after it, or none (bgpd/bgp_routemap.c)."""
_FIRST = 1
"""The number of the entry that closes a map; rendered ones are above it (routing.py)."""


def closes(place: Place) -> bool:
    """Return whether a line closes a route map."""
    match = _MAP.fullmatch(place[0])
    return match is not None and int(match["seq"]) == _FIRST


class Rule(NamedTuple):
    """An entry of a route map: permit or deny, and its clauses."""

    action: str
    clauses: tuple[str, ...]

    def refers(self, name: str) -> bool:
        """Return whether a clause matches by a list."""
        word = name.rpartition(" ")[2]
        return any(each.startswith("match") and each.split()[-1] == word for each in self.clauses)


class Filters(NamedTuple):
    """Lists and route maps by name, their entries by number."""

    lists: dict[str, dict[int, str]]
    maps: dict[str, dict[int, Rule]]

    @classmethod
    def of(cls, places: Iterable[Place]) -> Filters:
        filters = cls({}, {})
        for place in places:
            if row := _LIST.fullmatch(place[0]):
                filters.lists.setdefault(row["list"], {})[int(row["seq"])] = row["rule"]
            elif row := _MAP.fullmatch(place[0]):
                entries, seq = filters.maps.setdefault(row["name"], {}), int(row["seq"])
                clauses = entries[seq].clauses if seq in entries else ()
                entries[seq] = Rule(row["action"], (*clauses, *place[1:]))
        return filters


class Change(NamedTuple):
    """Filters in three states: running in FRR, managed by the old file (`ours`), and wanted."""

    running: Filters
    ours: Filters
    wanted: Filters

    def made(self) -> Iterator[str]:
        """Yield the commands for the wanted filters; unreferenced filters remain until `gone`."""
        closed = [name for name in self.wanted.maps if self._needs_closing(name)]
        for name in closed:
            yield from (f"route-map {name} deny {_FIRST}", "exit")
        for name in self.wanted.lists:
            yield from self._listed(name)
        for name in self.wanted.maps:
            yield from self._mapped(name)
        yield from (f"no route-map {name} deny {_FIRST}" for name in closed)

    def gone(self) -> Iterator[str]:
        """Yield the commands that remove lists and maps without an entry in the wanted file."""
        for name in self.ours.maps:
            if name not in self.wanted.maps:
                yield from self._unmapped(name)
        for name, rules in self.ours.lists.items():
            if name not in self.wanted.lists:
                yield from _unlisted(name, rules, self.running.lists.get(name, {}))

    def _needs_closing(self, name: str) -> bool:
        """Return whether only several steps together decide about a route, in a map in use."""
        before, after = self.running.maps.get(name, {}), self.wanted.maps[name]
        changed = [seq for seq in after if not _equal(before.get(seq), after[seq])]
        rules = before.values()
        touched = [each for each in self._touched() if any(rule.refers(each) for rule in rules)]
        denied = any(
            rule.refers(each) and (rule.action == "deny" or self._denies(each))
            for rule in rules
            for each in touched
        )
        steps = len(changed) + len(self._surplus(name)) + len(touched)
        return bool(before) and (steps > 1 or denied)

    def _touched(self) -> list[str]:
        """Return the lists that differ from the wanted ones."""
        have, ours = self.running.lists, self.ours.lists
        return [
            name
            for name, rules in self.wanted.lists.items()
            if rules.items() - have.get(name, {}).items() or {*ours.get(name, {})} - {*rules}
        ]

    def _denies(self, name: str) -> bool:
        """Return whether a list has, or gets, a denying entry."""
        both = (self.running.lists.get(name, {}), self.wanted.lists[name])
        return any(rule.startswith("deny") for rules in both for rule in rules.values())

    def _listed(self, name: str) -> Iterator[str]:
        """Yield the commands for a list.

        FRR keeps no rule twice (lib/filter_cli.c: plist_is_dup). So a moved rule waits until
        another rule has its old place. It is removed first if that would never happen.
        """
        wanted, have = self.wanted.lists[name], dict(self.running.lists.get(name, {}))
        todo = {seq: rule for seq, rule in wanted.items() if have.get(seq) != rule}
        while todo:
            free = (seq for seq, rule in todo.items() if rule not in have.values())
            seq = next(free, None)
            if seq is None:
                rule = next(iter(todo.values()))
                held = next(number for number, other in have.items() if other == rule)
                yield f"no {name} seq {held} {have.pop(held)}"
            else:
                have[seq] = todo.pop(seq)
                yield f"{name} seq {seq} {have[seq]}"
        ours = self.ours.lists.get(name, {})
        yield from _unlisted(name, {seq: ours[seq] for seq in ours if seq not in wanted}, have)

    def _mapped(self, name: str) -> Iterator[str]:
        """Yield the commands for a route map."""
        before = self.running.maps.get(name, {})
        ours = self.ours.maps.get(name, {})
        for seq, rule in self.wanted.maps[name].items():
            if not _equal(before.get(seq), rule):
                mine = ours[seq].clauses if seq in ours else ()
                yield from _entry(f"{name} {{}} {seq}", before.get(seq), mine, rule)
        yield from self._unmapped(name)

    def _unmapped(self, name: str) -> Iterator[str]:
        """Yield the commands that remove unwanted entries of a map."""
        for seq in self._surplus(name):
            yield f"no route-map {name} {self.running.maps[name][seq].action} {seq}"

    def _surplus(self, name: str) -> list[int]:
        """Return the running, managed entries of a map that are not wanted."""
        runs, wanted = self.running.maps.get(name, {}), self.wanted.maps.get(name, {})
        return [seq for seq in self.ours.maps.get(name, {}) if seq in runs and seq not in wanted]


def _unlisted(name: str, rules: dict[int, str], have: dict[int, str]) -> Iterator[str]:
    yield from (f"no {name} seq {seq} {rule}" for seq, rule in rules.items() if seq in have)


def _equal(before: Rule | None, after: Rule) -> bool:
    return before is not None and (
        (before.action, {*before.clauses}) == (after.action, {*after.clauses})
    )


def _entry(place: str, before: Rule | None, ours: Iterable[str], after: Rule) -> Iterator[str]:
    """Yield commands for one entry. `place`: name and number. `ours`: clauses of the old file."""
    have = before.clauses if before is not None else ()
    kinds = {_kind(clause) for clause in after.clauses}
    comes = [clause for clause in after.clauses if clause not in have]
    goes = [each for each in have if each in ours and _kind(each) not in kinds]
    matches = [clause for clause in (*comes, *goes) if clause.startswith("match")]
    kept = before is not None and before.action == "permit" and len(matches) < 2
    opens = after.action == "permit" and not kept
    yield f"route-map {place.format('deny' if opens else after.action)}"
    yield from comes
    yield from (f"no {_DETOUR if clause.startswith(_DETOUR) else clause}" for clause in goes)
    yield "exit"
    if opens:
        yield from (f"route-map {place.format('permit')}", "exit")


def _kind(clause: str) -> str:
    """Return the kind of a clause. Another clause of the same kind replaces it."""
    match = _CLAUSE.fullmatch(clause)
    return match[1] if match else clause
