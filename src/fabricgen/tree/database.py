"""A database of tables as JSON in, its facts out, by a grammar that claims every field.

The table of a grammar is that of table.py; a head is a table and the shape of its keys, below it
stand fields with the shape of their values:

    INTERFACE <port:cell>|<address:rest>  -> interface <port> address+=<address>
    PORT <port>
       mtu <mtu>                          -> interface <port> mtu=<mtu>
       admin_status down                  -> interface <port> shut=true
    CABLE_LENGTH AZURE
       <port> <length>                    -> interface <port> cable=<length>

A cell is what stands between two `|`. Each table of the database is read by one `json.loads`, and
one that came before, from whichever switch, is known by its text.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fabricgen.tree.facts import NAME, Reading, add
from fabricgen.tree.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.tree.facts import Attributes, Facts, Key, Topic, Value
    from fabricgen.tree.grammar import Span
    from fabricgen.tree.table import Fact, Known, Part, Row

_LINE = re.compile(r'( +)"((?:[^"\\]|\\.)*)"')
_WHOLE = re.compile(r"<[\w-]+(?::own)?>")
_WHOLE_OWN = re.compile(r" <[\w-]+:own>$")
_KEPT = 4096
"""Tables and values that are remembered: those that switches share come again."""

_Fact = tuple["Key", str, "Value"]
_Said = tuple[str, "Key", str, "Value"]
"""The field that says it, empty for the key of an entry; the object, the attribute, the value."""


class Database:
    """Reads a CONFIG_DB. `about`: what it can speak of."""

    def __init__(self, table: str) -> None:
        """Compile a table. GrammarError names the row that is wrong."""
        rows = Table(table)
        self.about: frozenset[Topic] = rows.about
        self.always: Facts = {}
        self._heads: dict[str, list[_Head]] = {}
        for row in rows.top.all():
            self._heads.setdefault(row.shape.partition(" ")[0], []).append(_Head(row))
        masks = ((table, _mask(heads)) for table, heads in self._heads.items())
        self._own = {table: mask for table, mask in masks if mask is not None}
        self._known = lru_cache(maxsize=_KEPT)(self._table)

    def read(self, text: str) -> Reading:
        """Return the facts of a text, and the entries and fields that no row claims."""
        facts: Facts = {}
        unclaimed: list[tuple[int, str]] = []
        try:
            tables = [self._known(block) for block in _blocks(text)]
        except (ValueError, AttributeError):
            return Reading(unclaimed=[(1, "no JSON of tables, entries and fields")])
        for said, strange in tables:
            unclaimed += [(0, line) for line in strange]
            for key, attributes in said:
                add(facts, key, attributes)
        return Reading(facts, unclaimed)

    def trace(self, text: str) -> Reading:
        """Read again with the number of each line: for those who tell of a fault."""
        reading = self.read(text)
        if not reading.facts:
            return reading
        numbers = _numbers(text)
        reading.unclaimed = []
        for table, entries in json.loads(text).items():
            for key, fields in entries.items():
                said, strange = self._entry(table, key, fields)
                reading.unclaimed += [
                    (numbers.get((table, *path), 1), " ".join((table, *path))) for path in strange
                ]
                for field, named, attribute, _ in said:
                    place = numbers.get((table, key, field), numbers.get((table, key), 1))
                    reading.lines.setdefault((named, attribute), []).append(place)
        return reading

    def mask(self, text: str) -> tuple[str, list[str]]:
        """Part a text into what many have in common, and the lines with values of their own."""
        common, own = [], []
        for block in text.split("\n    },\n"):
            name = block.removeprefix("{\n").partition('": {')[0].strip().removeprefix('"')
            pattern = self._own.get(name)
            if pattern is None:
                common.append(block)
                continue
            parts = pattern.split(block)
            common += parts[::2]
            own += parts[1::2]
        return "\0".join(common), own

    def own(self, text: str) -> list[tuple[str, list[Span]]]:
        """Return each line that `mask` takes out, and where its variables stand for what."""
        places = {number: path for path, number in _numbers(text).items()}
        lines, at = text.split("\n"), 0
        found: list[tuple[str, list[Span]]] = []
        for line in self.mask(text)[1]:
            at = lines.index(line, at) + 1
            table, key, *field = places[at]
            head = next(
                (one for one in self._heads[table] if one.match(f"{table} {key}") is not None), None
            )
            if head is None:
                found.append((line, []))
            elif field:
                found.append((line, head.field_spans(f"{table} {key}", field[0], line)))
            else:
                found.append((line, head.key_spans(f"{table} {key}", line.index('"') + 1)))
        return found

    def _table(self, block: str) -> tuple[tuple[tuple[Key, Attributes], ...], tuple[str, ...]]:
        """Read one table; it is the same for every switch that has the same text."""
        ((table, entries),) = json.loads(f"{{{block}}}").items()
        facts: Facts = {}
        unclaimed = []
        heads = self._heads.get(table, ())
        alone = heads[0] if len(heads) == 1 else None
        for key, fields in entries.items():
            about = alone.own(f"{table} {key}", fields) if alone is not None else None
            if about is not None and about[0] not in facts:
                facts[about[0]] = about[1]
                continue
            said, strange = self._entry(table, key, fields)
            unclaimed += [" ".join((table, *path)) for path in strange]
            for _, named, attribute, value in said:
                add(facts, named, {attribute: value})
        return tuple(facts.items()), tuple(unclaimed)

    def _entry(
        self, table: str, key: str, fields: Mapping[str, Any]
    ) -> tuple[list[_Said], list[tuple[str, ...]]]:
        """Return what one entry says, by its fields; and what of it nobody claims."""
        line = f"{table} {key}"
        for head in self._heads.get(table, ()):
            known = head.match(line)
            if known is not None:
                return head.read(key, fields, known)
        return [], [(key,)]


class _Head:
    """The row of an entry, and the shapes of its fields.

    plain: fields whose value is one attribute of the object that the entry is about, as most are.
    rows: the shapes of every field; under "" those whose field is a variable.
    """

    def __init__(self, row: Row) -> None:
        self._row = row
        self._plain: dict[str, str] = {}
        self._rows: dict[str, list[Row]] = {}
        self._values = lru_cache(maxsize=_KEPT)(self._value)
        rows = row.below.all()
        keys = [fact.key for each in rows for fact in each.said]
        self._object: tuple[Part, ...] = max(keys, key=keys.count, default=())
        for each in rows:
            field, _, value = each.shape.partition(" ")
            self._rows.setdefault("" if field.startswith("<") else field, []).append(each)
            if _WHOLE.fullmatch(value) and self._is_plain(each):
                self._plain[field] = each.said[0].name

    def _is_plain(self, row: Row) -> bool:
        pieces = [fact.value.pieces for fact in row.said]
        mine = [fact.key == self._object and not fact.collects for fact in row.said]
        return mine == [True] and pieces == [(("", row.variables[0], ""),)]

    @property
    def own_key(self) -> bool:
        """Tell whether the key of an entry has a value of its own."""
        return ":own>" in self._row.shape

    @property
    def own_fields(self) -> list[str]:
        """Return the fields that have values of their own."""
        rows = (each for rows in self._rows.values() for each in rows if ":own>" in each.shape)
        return [each.shape.partition(" ")[0] for each in rows]

    def key_spans(self, line: str, margin: int) -> list[Span]:
        """Return where the variables of a key stand, and for what. margin: where the key begins."""
        pattern, known = self._row.pattern, self.match(line)
        match = pattern.fullmatch(line) if pattern is not None else None
        if match is None or known is None:
            return []
        facts = [*self._row.said, *(fact for row in self._row.below.all() for fact in row.said)]
        shift = margin - line.index(" ") - 1
        return [
            (match.start(name) + shift, match.end(name) + shift, _stands(facts, name, known))
            for name in self._row.variables
        ]

    def field_spans(self, line: str, field: str, raw: str) -> list[Span]:
        """Return where the value of a field stands in its line, and for what."""
        known, start = self.match(line), raw.index('": "') + 4
        value = raw[start : raw.rindex('"')]
        for row in self._rows.get(field, ()):
            match = _matched(row, f"{field} {value}")
            if match is not None and known is not None and _WHOLE_OWN.search(row.shape):
                name = row.variables[-1]
                facts = _stands(row.said, name, {**known, **match})
                return [(start, start + len(value), facts)]
        return []

    def match(self, line: str) -> Known | None:
        """Return the variables of an entry that is of this shape."""
        if self._row.whole and self._row.pattern is None:
            return {}
        return _matched(self._row, line)

    def own(self, line: str, fields: Mapping[str, Any]) -> tuple[Key, Attributes] | None:
        """Read an entry that speaks of one object only, quickly; None when it is not such a one."""
        known = self.match(line) if self._object and not self._row.said else None
        if known is None:
            return None
        attributes: Attributes = {}
        for field, value in fields.items():
            name = self._plain.get(field)
            if name is not None:
                attributes[name] = value if type(value) is str else tuple(value)
                continue
            facts = self._values(field, value) if type(value) is str else None
            if facts is None:
                return None
            attributes.update(facts)
        return (_named(self._object, known), attributes) if attributes else None

    def _value(self, field: str, value: str) -> Attributes | None:
        """Return what a value says of the object, if it says so of whichever object."""
        for row in self._rows.get(field, ()):
            match = _matched(row, f"{field} {value}")
            if match is not None:
                mine = all(fact.key == self._object and not fact.collects for fact in row.said)
                uses = {name for fact in row.said for _, name, _ in fact.value.pieces if name}
                if not mine or not uses <= match.keys():
                    return None
                return {fact.name: fact.value.text(match) or "" for fact in row.said}
        return None

    def read(
        self, key: str, fields: Mapping[str, Any], known: Known
    ) -> tuple[list[_Said], list[tuple[str, ...]]]:
        """Return what an entry says; and the fields that no row claims."""
        said: list[_Said] = [("", *fact) for fact in _filled(self._row.said, known)]
        if self._row.whole:
            return said, []
        strange: list[tuple[str, ...]] = []
        for field, value in fields.items():
            name = self._plain.get(field)
            if name is not None:
                text = value if type(value) is str else tuple(value)
                said.append((field, _named(self._object, known), name, text))
                continue
            facts = self._facts(f"{field} {value}", field, known)
            if facts is None:
                strange.append((key, field))
            else:
                said += [(field, *fact) for fact in facts]
        return said, strange

    def _facts(self, line: str, field: str, known: Known) -> Iterator[_Fact] | None:
        """Return what a value says by the first row that fits it; None when none does."""
        for row in (*self._rows.get(field, ()), *self._rows.get("", ())):
            match = _matched(row, line)
            if match is not None:
                return _filled(row.said, {**known, **match})
        return None


def _mask(heads: list[_Head]) -> re.Pattern[str] | None:
    """Return what finds the lines of a table with values of their own, if it has any."""
    fields = sorted({field for head in heads for field in head.own_fields})
    keys = any(head.own_key for head in heads)
    shapes = [rf" {{12}}\"(?:{'|'.join(map(re.escape, fields))})\": \""] if fields else []
    shapes += [r" {8}\""] if keys else []
    return re.compile(rf"\n((?:{'|'.join(shapes)})[^\n]+)") if shapes else None


def _stands(facts: Iterable[Fact], name: str, known: Known) -> list[tuple[Key, str]]:
    """Return for which attributes, or names of objects, a variable stands."""
    places: list[tuple[Key, str]] = []
    for fact in facts:
        uses = {word for part in (*fact.key, fact.value) for _, word, _ in part.pieces if word}
        filled = fact.fill(known) if uses <= known.keys() else None
        if filled is None and uses - known.keys() and fact.key[-1].pieces == (("", name, ""),):
            places.append((_named(fact.key, known), NAME))
            continue
        for place, part in ((fact.name, fact.value), (NAME, fact.key[-1])):
            if filled is not None and part.pieces == (("", name, ""),):
                places.append((filled[0], place))
    return places


def _named(parts: tuple[Part, ...], known: Known) -> Key:
    return tuple([part.text(known) or "" for part in parts])


def _matched(row: Row, line: str) -> Known | None:
    """Return the variables of a line that is of a row's shape."""
    if row.pattern is None:
        return {} if line == row.shape else None
    match = row.pattern.fullmatch(line)
    return match.groupdict() if match else None


def _filled(facts: tuple[Fact, ...], known: Known) -> Iterator[_Fact]:
    for fact in facts:
        filled = fact.fill(known)
        if filled is not None:
            key, value = filled
            yield key, fact.name, value


def _blocks(text: str) -> list[str]:
    """Cut a printed database into its tables; ValueError for a text that is none.

    Any other spelling of JSON is printed first.
    """
    if text.startswith('{\n    "') and text.endswith("\n    }\n}\n"):
        *blocks, last = text[2:-3].split("\n    },\n")
        names = {block.partition(":")[0] for block in (*blocks, last)}
        if len(names) == len(blocks) + 1:
            return [*(f"{block}\n    }}" for block in blocks), last]
    database = json.loads(text)
    if not isinstance(database, dict):
        raise ValueError("no tables")  # noqa: TRY004 - as json.loads says it
    return [json.dumps({name: entries})[1:-1] for name, entries in database.items()]


def _numbers(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of each table, entry and field of a printed database."""
    numbers: dict[tuple[str, ...], int] = {}
    path: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.match(line)
        if match is None or len(match[1]) % 4 or len(match[1]) > 12:
            continue
        path[len(match[1]) // 4 - 1 :] = [json.loads(f'"{match[2]}"')]
        numbers[tuple(path)] = number
    return numbers
