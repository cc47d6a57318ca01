"""Reads the facts of a JSON database of tables with a grammar that must claim every field.

table.py defines the table of a grammar. A head is a table and the shape of its keys. The rows below
it are fields with the shape of their values:

    INTERFACE <port:cell>|<address:rest>  -> interface <port> address+=<address>
    PORT <port>
       mtu <mtu>                          -> interface <port> mtu=<mtu>
       admin_status down                  -> interface <port> shut=true
    CABLE_LENGTH AZURE
       <port> <length>                    -> interface <port> cable=<length>

A cell is the text between two `|`. One `json.loads` reads each table of the database. A repeated
table, also of another switch, is found by its text.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from fabricgen.core.tree.facts import Attributes, Facts, Key, Reading, Span, Topic, Value, add
from fabricgen.core.tree.table import Fact, Known, Part, Row, Table, standing

_LINE = re.compile(r'^((?: {4}){1,3})"([^"\\]*(?:\\.[^"\\]*)*)": (?:"([^"\\]*)")?', re.MULTILINE)
"""A table, an entry or a field of a printed database: its margin, its name, and a text value."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
"""Any text of JSON, and whether it is a key."""
_TABLE = re.compile('\n    ("[^"]*"):')
"""The name of a table of a printed database; a pattern with constant first words is faster."""
_ENTRY, _END = 8, "\n    },\n"
"""The margin of an entry, and the end of a table."""
_WHOLE = re.compile(r"<[\w-]+(?::own)?>")
NO_DATABASE = "not JSON of tables, entries and fields"
"""Message for a text that is not a database, instead of a line."""
_KEPT = 4096
"""Cached tables and values: switches share many of them."""

NeutralReading = Callable[[Value, Attributes], Value]
"""Returns a value in its neutral unit. It receives all facts of the same object in the file."""
_Fact = tuple["Key", str, "Value"]
_Said = tuple[str, "Key", str, "Value"]
"""The field of the fact, empty for the key of an entry; the object, the attribute, the value."""


class Database:
    """Reads a CONFIG_DB. `about`: topics of its facts."""

    def __init__(self, table: str, readings: Mapping[Topic, NeutralReading] | None = None) -> None:
        """Compile a table.

        Args:
            table: Text of the grammar.
            readings: Returns values in neutral units, by kind and attribute.

        Raises:
            GrammarError: A row is wrong; the message names it.
        """
        self._readings: dict[str, dict[str, NeutralReading]] = {}
        for (kind, name), read_as in (readings or {}).items():
            self._readings.setdefault(kind, {})[name] = read_as
        rows = Table(table)
        self.about: frozenset[Topic] = rows.about
        self.always: Facts = {}
        self._heads: dict[str, list[_Head]] = {}
        for row in rows.top.all():
            self._heads.setdefault(row.shape.partition(" ")[0], []).append(_Head(row))
        self._own = {table for table, heads in self._heads.items() if any(h.owns for h in heads)}
        self._known = lru_cache(maxsize=_KEPT)(self._table)

    def read(self, text: str) -> Reading:
        """Return the facts of a text, and the entries and fields that no row claims."""
        facts: Facts = {}
        unclaimed: list[tuple[int, str]] = []
        try:
            tables = [self._known(block) for block in _blocks(text)]
        except (AttributeError, RecursionError, TypeError, ValueError):
            return Reading(unclaimed=[(1, NO_DATABASE)])
        for rows, strange in tables:
            unclaimed += [(0, line) for line in strange]
            for key, attributes in rows:
                add(facts, key, attributes)
        return Reading(self._neutral(facts), unclaimed)

    def _neutral(self, facts: Facts) -> Facts:
        """Return facts with every value in its neutral unit."""
        for key, own in facts.items():
            readings = self._readings.get(key[0], {})
            neutral = {name: readings[name](own[name], own) for name in readings.keys() & own}
            if neutral:
                facts[key] = own | neutral
        return facts

    def trace(self, text: str) -> Reading:
        """Read again with line numbers, for messages about a fault."""
        reading = self.read(text)
        if not reading.facts:
            return reading
        numbers = numbers_in(text)
        reading.unclaimed = []
        for table, entries in json.loads(text).items():
            for key, fields in entries.items():
                facts, strange = self._entry(table, key, fields)
                reading.unclaimed += [
                    (numbers.get((table, *path), 1), " ".join((table, *path))) for path in strange
                ]
                for field, named, attribute, _ in facts:
                    place = numbers.get((table, key, field), numbers.get((table, key), 1))
                    reading.lines.setdefault((named, attribute), []).append(place)
        return reading

    def spans(self, text: str, values: frozenset[str]) -> Iterator[Span]:
        """Yield the places where a variable of a key or value has one of some values, in order."""
        first = 0
        for block in text.split(_END):
            end = first + len(block)
            table = block.partition(":")[0].strip('{\n "')
            if table in self._own:
                yield from self._spans(table, _LINE.finditer(text, first, end), values)
            first = end + len(_END)

    def _spans(
        self, table: str, lines: Iterator[re.Match[str]], values: frozenset[str]
    ) -> Iterator[Span]:
        """Yield the spans of one table."""
        entry = table
        for match in lines:
            margin, name, value = match.groups()
            if len(margin) == _ENTRY:
                entry = f"{table} {name}"
                if not values.isdisjoint(name.split("|")):
                    head, known = self._headed(entry)
                    if head is not None:
                        yield from head.row.spans(entry, known, values, match.end(2) - len(entry))
            elif value in values:
                head, known = self._headed(entry)
                if head is not None:
                    yield from head.value_spans(name, value, known, match.start(3))

    def _table(self, block: str) -> tuple[tuple[tuple[Key, Attributes], ...], tuple[str, ...]]:
        """Read one table; the result is cached by its text."""
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
            rows, strange = self._entry(table, key, fields)
            unclaimed += [" ".join((table, *path)) for path in strange]
            for _, named, attribute, value in rows:
                add(facts, named, {attribute: value})
        return tuple(facts.items()), tuple(unclaimed)

    def _entry(
        self, table: str, key: str, fields: Mapping[str, Any]
    ) -> tuple[list[_Said], list[tuple[str, ...]]]:
        """Return the facts of one entry by field, and its unclaimed fields."""
        head, known = self._headed(f"{table} {key}")
        return ([], [(key,)]) if head is None else head.read(key, fields, known)

    def _headed(self, line: str) -> tuple["_Head | None", Known]:
        """Return the shape of an entry, and the variables of its key."""
        for head in self._heads.get(line.partition(" ")[0], ()):
            known = head.match(line)
            if known is not None:
                return head, known
        return None, {}


class _Head:
    """The row of an entry, and the shapes of its fields.

    `plain`: fields whose value is one attribute of the entry's object, as most are. `rows`: the
    shapes of every field; under "" those whose field is a variable.
    """

    def __init__(self, row: Row) -> None:
        self.row = row
        self._plain: dict[str, str] = {}
        self.rows: dict[str, list[Row]] = {}
        self._values = lru_cache(maxsize=_KEPT)(self._value)
        rows = row.below.all()
        keys = [fact.key for each in rows for fact in each.said]
        self._object: tuple[Part, ...] = max(keys, key=keys.count, default=())
        for each in rows:
            field, _, value = each.shape.partition(" ")
            self.rows.setdefault("" if field.startswith("<") else field, []).append(each)
            if _WHOLE.fullmatch(value) and self._is_plain(each):
                self._plain[field] = each.said[0].name
        named = [
            fact.naming()
            for each in rows
            for fact in each.said
            if all(name in row.variables for part in fact.key for _, name, _ in part.pieces if name)
        ]
        row.stands = tuple(standing(row.variables, [*row.said, *named]))

    def _is_plain(self, row: Row) -> bool:
        pieces = [fact.value.pieces for fact in row.said]
        mine = [fact.key == self._object and not fact.collects for fact in row.said]
        return mine == [True] and pieces == [(("", row.variables[0], ""),)]

    @property
    def owns(self) -> bool:
        """Return whether a key or value has a variable of type `own`."""
        return any(":own>" in row.shape for row in (self.row, *self.row.below.all()))

    def value_spans(self, field: str, value: str, known: Known, begin: int) -> Iterator[Span]:
        """Yield the meanings of a value that begins at a position."""
        line = f"{field} {value}"
        row, own = self._shaped(field, line)
        if row is not None:
            begin -= len(field) + 1
            yield from row.spans(line, {**known, **own}, frozenset((value,)), begin)

    def match(self, line: str) -> Known | None:
        """Return the variables of an entry with this shape."""
        if self.row.whole and self.row.pattern is None:
            return {}
        return _matched(self.row, line)

    def own(self, line: str, fields: Mapping[str, Any]) -> tuple[Key, Attributes] | None:
        """Read an entry about one object quickly; None if it is about several."""
        known = self.match(line) if self._object and not self.row.said else None
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
        """Return the attributes in a value, if they do not depend on the object."""
        for row in self.rows.get(field, ()):
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
        """Return the facts of an entry, and the fields that no row claims."""
        facts: list[_Said] = [("", *fact) for fact in _filled(self.row.said, known)]
        if self.row.whole:
            return facts, []
        strange: list[tuple[str, ...]] = []
        for field, value in fields.items():
            name = self._plain.get(field)
            if name is not None:
                text = value if type(value) is str else tuple(value)
                facts.append((field, _named(self._object, known), name, text))
                continue
            row, own = self._shaped(field, f"{field} {value}")
            if row is None:
                strange.append((key, field))
            else:
                facts += [(field, *fact) for fact in _filled(row.said, {**known, **own})]
        return facts, strange

    def _shaped(self, field: str, line: str) -> tuple[Row | None, Known]:
        """Return the first row that fits a field and its value, and its variables."""
        for row in (*self.rows.get(field, ()), *self.rows.get("", ())):
            match = _matched(row, line)
            if match is not None:
                return row, match
        return None, {}


def _named(parts: tuple[Part, ...], known: Known) -> Key:
    return tuple([part.text(known) or "" for part in parts])


def _matched(row: Row, line: str) -> Known | None:
    """Return the variables of a line with a row's shape."""
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
    """Split a printed database into its tables; ValueError or AttributeError for other text.

    Any other layout of JSON is printed first.
    """
    if is_printed(text):
        *blocks, last = text[2:-3].split(_END)
        return [*(f"{block}\n    }}" for block in blocks), last]
    return [json.dumps({name: entries})[1:-1] for name, entries in json.loads(text).items()]


def is_printed(text: str) -> bool:
    """Return whether each table of a database begins and ends on separate lines."""
    if not (text.startswith('{\n    "') and text.endswith("\n    }\n}\n")):
        return False
    names = _TABLE.findall(text)
    return len({*names}) == len(names) == text.count(_END) + 1


@lru_cache(maxsize=8)
def printed(text: str) -> str:
    """Return the same database as `render` prints it: `config save` may write any layout.

    An empty table has no effect and is omitted.

    Raises:
        ValueError: The text is not JSON of tables.
    """
    if is_printed(text):
        return text
    tables = json.loads(text)
    if not isinstance(tables, dict) or not all(isinstance(each, dict) for each in tables.values()):
        raise ValueError(NO_DATABASE)
    kept = {name: entries for name, entries in tables.items() if entries}
    return json.dumps(kept, indent=4) + "\n" if kept else "{}\n"


def numbers_in(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of each table, entry and field of a database, in any layout."""
    if text.startswith('{\n    "'):
        return _printed_numbers(text)
    printed = json.dumps(json.loads(text), indent=4)
    here, there = _key_lines(text), _key_lines(printed)
    if len(here) != len(there):  # it has a duplicate key
        return {}
    lines = dict(zip(there, here, strict=True))
    return {path: lines[number] for path, number in _printed_numbers(printed).items()}


def _key_lines(text: str) -> list[int]:
    """Return the line of each key, in their order."""
    lines, number, at = [], 1, 0
    for match in _STRING.finditer(text):
        if match[1]:
            number, at = number + text.count("\n", at, match.start()), match.start()
            lines.append(number)
    return lines


def _printed_numbers(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of each table, entry and field of a printed database."""
    numbers: dict[tuple[str, ...], int] = {}
    path: list[str] = []
    number, at = 1, 0
    for match in _LINE.finditer(text):
        path[len(match[1]) // 4 - 1 :] = [json.loads(f'"{match[2]}"')]
        number, at = number + text.count("\n", at, match.start()), match.start()
        numbers[tuple(path)] = number
    return numbers
