"""Reads the facts of a configuration with a grammar that must claim every line.

table.py compiles the table of a grammar. The design is for speed, because every render reads all
files back. A repeated block is found by its text. A section whose lines all concern one object (a
port) is found by its text without its own values. A line is compared only with the shapes that can
match it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from fabricgen.core.tree.facts import (
    GLOBAL,
    TRUE,
    Attributes,
    Facts,
    Key,
    Reading,
    Span,
    Topic,
    Value,
    add,
    merged,
)
from fabricgen.core.tree.table import ALWAYS, MEMBERS, TEMPLATE, Known, Level, Row, Table

_BLOCK = re.compile(r"\n(?=\S)")
_KEPT = 8192
"""Cached blocks: switches share many, and they repeat before they are evicted."""


class Grammar:
    """Reads a text with indented sections. `about`: topics of its facts."""

    def __init__(self, table: str) -> None:
        """Compile a table. Raises GrammarError, which names the wrong row."""
        self._table = Table(table)
        self.about: frozenset[Topic] = self._table.about
        self.always: Facts = {(ALWAYS, shape): {"stands": TRUE} for shape in self._table.always}
        self._block = lru_cache(maxsize=_KEPT)(self._read_block)
        self._head = lru_cache(maxsize=_KEPT)(self._read_head)
        self._body = lru_cache(maxsize=_KEPT)(self._read_body)

    def read(self, text: str) -> Reading:
        """Return the facts of a text, and the lines that no row claims."""
        facts: Facts = {}
        unclaimed: list[tuple[int, str]] = []
        texts, text = self._cut(text)
        for block in _BLOCK.split(text):
            if block in self._table.ends:
                continue
            own, strange = self._section(block) or self._block(block)
            unclaimed += strange
            for key, attributes in own:
                add(facts, key, attributes)
        for key, attributes in texts.items():
            add(facts, key, attributes)
        return Reading(self._joined(facts, {}), unclaimed)

    def spans(self, text: str, values: frozenset[str]) -> Iterator[Span]:
        """Yield the places where a variable of a line has one of some values, in order.

        `values`: for values with spaces also the first word.
        """
        starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        first = 0
        for block in _BLOCK.split(self._cut(text)[1]):
            for offset, line, row, known in self._walk(_thinned(block, values)):
                if row is not None:
                    shape = line.strip()
                    begin = starts[first + offset] + line.index(shape)
                    yield from row.spans(shape, known, values, begin)
            first += block.count("\n") + 1

    def trace(self, text: str) -> Reading:
        """Read again, slowly, with line numbers, for messages about a fault."""
        facts: Facts = {}
        unclaimed: list[tuple[int, str]] = []
        lines: dict[tuple[Key, str], list[int]] = {}
        texts, text = self._cut(text)
        first = 1
        for block in _BLOCK.split(text):
            for offset, line, row, known in self._walk(block):
                if row is None:
                    unclaimed.append((first + offset, line))
                    continue
                for key, attributes in row.facts(known):
                    add(facts, key, attributes)
                    for name in attributes:
                        lines.setdefault((key, name), []).append(first + offset)
            first += block.count("\n") + 1
        for key, attributes in texts.items():
            add(facts, key, attributes)
        return Reading(self._joined(facts, lines), unclaimed, lines)

    def _cut(self, text: str) -> tuple[Facts, str]:
        """Remove texts between delimiters and leave blank lines, so that line numbers stay."""
        facts: Facts = {}
        for first, between, key, name in self._table.texts:
            if first in text and (match := between.search(text)):
                facts[key] = {name: match[1]}
                gap = "\n" * match[0].count("\n")
                text = text[: match.start()] + gap + text[match.end() :]
        return facts, text

    def _section(
        self, block: str
    ) -> tuple[list[tuple[Key, Attributes]], tuple[tuple[int, str], ...]] | None:
        """Read a section about one object; None if it is about several."""
        head, _, body = block.partition("\n")
        match = self._head(head)
        if match is None:
            return None
        row, key, of_head = match
        assert row.own is not None
        own = row.own.findall(body)
        attributes, strange = self._body(row, row.own.sub("", body) if own else body)
        attributes = {**attributes, **of_head}
        for prefix, value in own:
            for name, collects, constant in row.owned[prefix]:
                one: Value = (constant or value,) if collects else constant or value
                if name in attributes:
                    attributes = merged(attributes, {name: one})
                else:
                    attributes[name] = one
        return [(key, attributes)], strange

    def _read_head(self, head: str) -> tuple[Row, Key, Attributes] | None:
        """Return the object of a section; None if it is about several."""
        match = self._table.top.match(head)
        if match is None or match[0].own is None:
            return None
        row, known = match
        return row, row.key(known), row.attributes(known)

    def _read_body(self, row: Row, body: str) -> tuple[Attributes, tuple[tuple[int, str], ...]]:
        """Read the lines below a head without values of the object, which many objects share."""
        known = dict.fromkeys(row.variables, "")
        attributes: Attributes = {}
        strange = []
        for offset, line, inner, values in self._walk(body, row.below, known):
            if inner is None:
                strange.append((offset, line))
            else:
                for _, more in inner.facts(values):
                    attributes = merged(attributes, more)
        return attributes, tuple(strange)

    def _read_block(
        self, block: str
    ) -> tuple[tuple[tuple[Key, Attributes], ...], tuple[tuple[int, str], ...]]:
        facts: Facts = {}
        strange = []
        for offset, line, row, known in self._walk(block):
            if row is None:
                strange.append((offset, line))
                continue
            if row.always:
                facts[ALWAYS, row.shape] = {"stands": TRUE}
            for fact in row.said:
                filled = fact.fill(known)
                if filled is None:
                    continue
                key, value = filled
                attributes = facts.get(key)
                if attributes is None:
                    facts[key] = {fact.name: value}
                elif fact.name in attributes:
                    facts[key] = merged(attributes, {fact.name: value})
                else:
                    attributes[fact.name] = value
        return tuple(facts.items()), tuple(strange)

    def _walk(
        self,
        block: str,
        level: Level | None = None,
        known: Known | None = None,
    ) -> Iterator[tuple[int, str, Row | None, Known]]:
        """Yield each line with a fact, and each line that no row claims."""
        top = (level or self._table.top, known or {})
        ends, comment = self._table.ends, self._table.comment
        open_: list[tuple[int, Level | None, Known]] = []
        for offset, raw in enumerate(block.split("\n")):
            line = raw.strip()
            if not line or line in ends or line.startswith(comment):
                continue
            indent = len(raw) - len(raw.lstrip())
            while open_ and open_[-1][0] >= indent:
                open_.pop()
            place, values = open_[-1][1:] if open_ else top
            if place is None:  # below a row that claims everything
                continue
            match = place.match(line)
            if match is None:
                yield offset, raw, None, values
                open_.append((indent, None, values))
                continue
            row, own = match
            if own:
                values = {**values, **own} if values else own
            if row.whole or row.below:
                open_.append((indent, None if row.whole else row.below, values))
            if row.says:
                yield offset, raw, row, values

    def _joined(self, facts: Facts, lines: dict[tuple[Key, str], list[int]]) -> Facts:
        """Return facts with their groups and names resolved."""
        kinds: dict[str, list[Key]] = {}
        for key in facts:
            kinds.setdefault(key[0], []).append(key)
        used: set[Key] = set()
        for kind, name, named in self._table.inline:  # before groups: their members then have it
            if named in kinds:
                used |= _inline(facts, kinds.get(kind, ()), name, kinds[named], lines)
        for key in used:
            del facts[key]
        for kind, by in self._table.inherit:
            _inherit(facts, kinds.get(kind, ()), by, lines)
        for kind, each, names in self._table.members:
            _spread(facts, kinds.get(kind, ()), each, names, lines)
        return facts


def _thinned(block: str, values: frozenset[str]) -> str:
    """Blank the lines that have no such value and are not the head of one."""
    if values.isdisjoint(block.split()):
        return ""
    lines, below = block.split("\n"), 0
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        margin = len(line) - len(line.lstrip())
        if margin < below or not values.isdisjoint(line.split()):
            below = margin
        else:
            lines[at] = ""
    return "\n".join(lines)


def _inherit(
    facts: Facts, keys: list[Key] | tuple[()], by: str, lines: dict[tuple[Key, str], list[int]]
) -> None:
    """Give each member the facts of its group; a referenced group is not an object."""
    used: set[Key] = set()
    for key in keys:
        own = facts[key]
        name = str(own.get(by, ""))
        homes = (
            (*key[:-1], name),
            (*key[:-2], GLOBAL, name),
        )  # members of a VRF have groups of all VRFs
        group = next((each for each in homes if TEMPLATE in facts.get(each, {})), None)
        if group is None:
            continue  # it names no group, or a missing one
        inherited = facts[group]
        facts[key] = {**inherited, **own}
        del facts[key][by], facts[key][TEMPLATE]
        used.add(group)
        if lines:
            for name in inherited:
                lines.setdefault((key, name), []).extend(lines.get((group, name), ()))
    for key in used:
        del facts[key]


def _spread(
    facts: Facts,
    keys: list[Key] | tuple[()],
    kind: str,
    names: frozenset[str],
    lines: dict[tuple[Key, str], list[int]],
) -> None:
    """Give the objects that an object lists its facts about them."""
    for key in keys:
        every = facts[key]
        said = {name: value for name, value in every.items() if name in names}
        facts[key] = {name: value for name, value in every.items() if name not in names}
        for member in every.get(MEMBERS, ()):
            own = (kind, str(member))
            add(facts, own, said)
            for name in said if lines else ():
                lines.setdefault((own, name), []).extend(lines.get((key, name), ()))


def _inline(
    facts: Facts,
    keys: list[Key] | tuple[()],
    name: str,
    named: list[Key],
    lines: dict[tuple[Key, str], list[int]],
) -> set[Key]:
    """Replace names by the objects that they name, and return the keys of these."""
    places: dict[str, list[Key]] = {}
    for key in named:
        places.setdefault(key[1], []).append(key)
    meanings: dict[str, Value] = {}
    used: set[Key] = set()
    for key in keys:
        value = facts[key].get(name)
        if value is None or value not in places:
            continue  # no name, or the name of a missing object
        if value not in meanings:
            meanings[value] = _meaning(facts, places[value])
            used.update(places[value])
        facts[key] = {**facts[key], name: meanings[value]}
        if lines:
            more = [n for item in places[value] for word in facts[item] for n in lines[item, word]]
            lines.setdefault((key, name), []).extend(more)
    return used


def _meaning(facts: Facts, keys: list[Key]) -> Value:
    """Return the facts of several objects; numbered ones in order and without their numbers."""
    ordered = sorted(keys, key=lambda key: [(len(part), part) for part in key[2:]])
    return tuple(tuple(sorted(facts[key].items())) for key in ordered)
