"""Compiles the text of a grammar to rows: the allowed lines and the facts of each.

Each row is a line shape, with the indentation of the configuration:

    interface <port>
       description <text:own>        -> interface <port> description=<text>
       switchport trunk allowed vlan <vlans:ranges> -> interface <port> vlans+=<vlans>
       shutdown                      -> interface <port> shut=true
    service routing protocols model multi-agent    -> always

`<name>` is a word, `<name:type>` one of TYPES; ` [ … ]`, behind a space, is optional. Facts follow
`->`, joined by `;`: kind, name, attribute=value. `+=` collects the values of several lines, sorted.
`always`: the line must be in every file. A row without `->` is claimed and states no fact. The row
`...` claims everything below the row above it. `own` is the rest of a line that is rarely repeated.
Rows that begin with `@` concern the whole text:

    @inherit session group       `group` names a sibling, marked `template`: its facts hold here too
    @members bundle vlan import  `members` of a bundle lists vlans, which have its `import`
    @inline session in clause    the value names objects of that kind: their facts take its place
    @end exit, exit-vrf, !       lines that only end a section
    @comment # !                 lines that begin with one of these say nothing
    @text banner login, EOF, switch banner   the text between two lines is one fact, unchanged

A group or policy without a reference stays an object of its own, so the proof reports it. A
repeated shape at the same place is the same row, and the rows below it are added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.tree.facts import NAME, TRUE, Attributes, Key, Span, Topic, Value
from fabricgen.core.tree.ranges import between
from fabricgen.core.units import BitsPerSecond

Known = Mapping[str, Any]
"""The variables of a line: text, or None if omitted."""
Owned = tuple[str, bool, str]
"""An attribute, whether it collects, and its value; empty for the value in the line."""
Standing = tuple[str, "Fact", str]
"""A variable, its fact, and its meaning there: an attribute or NAME."""

ALWAYS, TEMPLATE, MEMBERS = "always", "template", "members"
TYPES = {
    "word": r"\S+",
    "rest": r".+",
    "own": r".+",
    "int": r"\d+",
    "ranges": r"[\d,-]+",
    "words": r"\S+(?: \S+)*",
    "numbers": r"\S+(?: \S+)*",
    "prefix": r"\S+/\d+",
    "cell": r"[^|\s]+",
    "name": r"[\w.-]+",
    "net": r"any|host \S+|\S+/\d+",
    "letters": r"[a-z-]+",
}
"""Patterns of the types of a variable. `ranges` are numbers as 4,10-12, `numbers` also as 4 10-12.
`words` are several; a `cell` is between two `|`, a `name` ends at any other sign; a `net` is one
end of a rule.
"""

_VARIABLE = re.compile(r"<(\w+)(?::(\w+))?>")
_USE = re.compile(r"<(\w+)(?:\.(\w+))?>")


def _ranges(text: str) -> tuple[str, ...]:
    """Return the numbers; the text itself if they are more than any design has."""
    numbers: set[int] = set()
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            numbers.update(between(int(first), int(last or first)))
    except ValueError:
        return (text,)
    return tuple(sorted(map(str, numbers)))


_MANY: dict[str, Callable[[str], tuple[str, ...]]] = {
    "ranges": _ranges,
    "words": lambda text: tuple(sorted(text.split())),
    "numbers": lambda text: _ranges(",".join(text.replace(",", " ").split())),
}
_DERIVED: dict[str, Callable[[str], str]] = {
    "length": lambda text: text.rpartition("/")[2],
    "net": lambda text: f"{text[5:]}/{128 if ':' in text else 32}" if text[:5] == "host " else text,
    "rate": lambda text: text.partition("-")[0].upper(),
    "megabits": lru_cache(maxsize=64)(lambda text: str(BitsPerSecond(int(text) * 10**6))),
}
"""Values derived from a variable: of a prefix <p.length>; of a net <n.net>, host A as a prefix; of
a speed <s.rate> (100g-4 as 100G), <s.megabits> (100000 as 100G).
"""


class GrammarError(ValueError):
    """A row that violates the form of the table."""


@record()
class Part:
    """One word of a fact: joined constants and variables. `many`: the type that splits it."""

    pieces: tuple[tuple[str, str, str], ...]  # (constant, variable, derivation)
    many: str = ""

    def text(self, known: Known) -> str | None:
        """Return it filled in; None if the line omits a needed variable."""
        text = ""
        for constant, variable, derived in self.pieces:
            if not variable:
                text += constant
                continue
            value = known[variable]
            if value is None:
                return None
            text += _DERIVED[derived](value) if derived else value
        return text


class Pattern:
    """Pattern of a line, compiled at its first comparison, which most rows never have."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def fullmatch(self) -> Callable[[str], re.Match[str] | None]:
        """Match a whole line."""
        return re.compile(self._text).fullmatch


_NOTHING = Part((("", "", ""),))


@record(kw_only=True)
class Fact:
    """Fact of a line about one object. `collects`: other lines may add values.

    `fill`: returns the object and the value for the variables of a line; None if one is omitted.
    """

    key: tuple[Part, ...]
    name: str
    value: Part
    collects: bool
    fill: Callable[[Known], tuple[Key, Value] | None]

    def naming(self) -> Fact:
        """Return a fact that names the object without an attribute."""
        return replace(self, value=_NOTHING, fill=_fill(self.key, _NOTHING, collects=False))


def _fill(
    key: tuple[Part, ...], value: Part, *, collects: bool
) -> Callable[[Known], tuple[Key, Value] | None]:
    """Make the fill of a fact: quick for a name of constants and one variable, as most are."""
    pieces = [piece for part in key for piece in part.pieces]
    variables = [piece for piece in pieces if piece[1]]
    plain = all(len(part.pieces) == 1 for part in key) and not any(p[2] for p in variables)
    last = len(variables) == 1 and pieces[-1][1]
    constants = tuple(piece[0] for piece in pieces if not piece[1])
    single = len(value.pieces) == 1 and not value.pieces[0][2] and not value.many
    if plain and single and not collects and (last or not variables):
        text, known_as, _ = value.pieces[0]
        if last and known_as:
            return lambda known: ((*constants, known[last]), known[known_as])
        if last:
            return lambda known: ((*constants, known[last]), text)
        if known_as:
            return lambda known: (constants, known[known_as])
        return lambda _: (constants, text)
    return partial(_filled, key, value, collects)


def _filled(
    key: tuple[Part, ...],
    value: Part,
    collects: bool,  # noqa: FBT001 - bound by partial
    known: Known,
) -> tuple[Key, Value] | None:
    text = value.text(known)
    words = [part.text(known) for part in key]
    if text is None or None in words:
        return None
    named = tuple(word or "" for word in words)
    if value.many:
        return named, _MANY[value.many](text)
    return named, (text,) if collects else text


@dataclass(slots=True, eq=False)
class Level:
    """The possible rows at one place.

    `plain`: rows without variables, by their text. `shapes`: by their first word, then by the word
    at the most distinctive place; under "" rows with a variable there.
    """

    plain: dict[str, Row] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    shapes: dict[str, tuple[int, dict[str, list[Row]]]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether any row exists here."""
        return bool(self.plain or self.rows)

    def all(self) -> list[Row]:
        """Return every row."""
        return [*self.plain.values(), *(row for rows in self.rows.values() for row in rows)]

    def add(self, row: Row) -> Row:
        """Add a row and return the row of its shape; the first of two that fit a line reads it."""
        if row.pattern is None:
            return self.plain.setdefault(row.shape, row)
        word = row.shape.partition(" ")[0]
        alike = self.rows.setdefault("" if set(word) & set("<[") else word, [])
        known = next((each for each in alike if each.shape == row.shape), None)
        if known is None:
            alike.append(row)
        return known or row

    def match(self, line: str) -> tuple[Row, Known] | None:
        """Return the row of a line, and its variables."""
        row = self.plain.get(line)
        if row is not None:
            return row, {}
        word = line.partition(" ")[0]
        for first in (word, ""):
            if first not in self.rows:
                continue
            place, rows = self.shapes.get(first) or self._sorted(first)
            words = line.split(" ", place + 1)
            at = words[place] if place < len(words) else ""
            for candidate in rows.get(at) or rows[""]:
                assert candidate.pattern is not None
                if match := candidate.pattern.fullmatch(line):
                    return candidate, match.groupdict()
        return None

    def _sorted(self, first: str) -> tuple[int, dict[str, list[Row]]]:
        """Sort the rows of one first word, when a line first needs them."""
        rows = self.rows[first]
        shapes = [row.shape.split(" ") for row in rows]

        def word(shape: list[str], place: int) -> str:
            given = shape[: place + 1]
            clear = len(given) > place and not any(set(part) & set("[]") for part in given)
            return given[place] if clear and "<" not in given[place] else ""

        longest = max(map(len, shapes))
        place = max(range(longest), key=lambda at: len({word(shape, at) for shape in shapes}))
        table: dict[str, list[Row]] = {"": []}
        for shape in shapes:
            table.setdefault(word(shape, place), [])
        for row, shape in zip(rows, shapes, strict=True):
            mine = word(shape, place)
            for other, group in table.items():
                if mine in ("", other):
                    group.append(row)
        self.shapes[first] = place, table
        return self.shapes[first]


@dataclass(slots=True, kw_only=True, eq=False)
class Row:
    """One shape. `pattern`: None without variables. `whole`: it claims everything below it.

    `own`: finds the rarely repeated lines below, if all of them concern one `object`. `owned`:
    facts of these lines, by their words. `stands`: the meaning of its variables.
    """

    shape: str
    pattern: Pattern | None
    variables: tuple[str, ...]
    said: tuple[Fact, ...] = ()
    always: bool = False
    whole: bool = False
    indent: int = 0
    below: Level = field(default_factory=Level)
    own: re.Pattern[str] | None = None
    owned: dict[str, list[Owned]] = field(default_factory=dict)
    object: tuple[Part, ...] = ()
    stands: tuple[Standing, ...] = ()

    @property
    def says(self) -> bool:
        """Return whether its lines state a fact."""
        return bool(self.said) or self.always

    def facts(self, known: Known) -> list[tuple[Key, Attributes]]:
        """Return the facts of a line."""
        if self.always:
            return [((ALWAYS, self.shape), {"stands": TRUE})]
        filled = ((fact.name, fact.fill(known)) for fact in self.said)
        return [(each[0], {name: each[1]}) for name, each in filled if each is not None]

    def key(self, known: Known) -> Key:
        """Return the object of all lines below."""
        return tuple(part.text(known) or "" for part in self.object)

    def attributes(self, known: Known) -> Attributes:
        """Return the attributes in the head."""
        return {name: value for _, each in self.facts(known) for name, value in each.items()}

    def spans(self, line: str, known: Known, values: frozenset[str], begin: int) -> Iterator[Span]:
        """Yield the places where a variable has one of some values. `begin`: start of the line."""
        mine = [each for each in self.stands if known[each[0]] in values]
        match = self.pattern.fullmatch(line) if mine and self.pattern is not None else None
        for name, fact, place in mine if match is not None else ():
            filled = fact.fill(known)
            if match is not None and filled is not None:
                yield begin + match.start(name), begin + match.end(name), filled[0], place


def standing(variables: Iterable[str], facts: Iterable[Fact]) -> Iterator[Standing]:
    """Yield the facts of each variable, as a value or as the name of an object."""
    for name in variables:
        whole = (("", name, ""),)
        for fact in facts:
            if fact.value.pieces == whole:
                yield name, fact, fact.name
            if fact.key[-1].pieces == whole:
                yield name, fact, NAME


class Table:
    """A compiled table. `inherit`, `inline`, `ends`, `texts`, `members`: its directives."""

    def __init__(self, text: str) -> None:
        """Compile it. Raises GrammarError, which names the wrong row."""
        self.top = Level()
        self.inherit: list[tuple[str, str]] = []
        self.inline: list[tuple[str, str, str]] = []
        self.members: list[tuple[str, str, frozenset[str]]] = []
        self.ends: frozenset[str] = frozenset()
        self.comment: tuple[str, ...] = ("\0",)
        self.texts: list[tuple[str, re.Pattern[str], Key, str]] = []
        self.always: set[str] = set()
        self._topics: set[Topic] = set()
        self._compile(text)
        for row in self.top.all():
            _find_own(row)
        self.about = self._about()

    def _about(self) -> frozenset[Topic]:
        """Return the topics of the table, without objects that are only inherited or named."""
        named = {kind for *_, kind in self.inline}
        inner = set(self.inherit) | {(kind, TEMPLATE) for kind, _ in self.inherit}
        given = {(kind, name): each for kind, each, names in self.members for name in names}
        topics = {(given.get((kind, name), kind), name) for kind, name in self._topics - inner}
        return frozenset(topic for topic in topics if topic[0] not in named)

    def _compile(self, text: str) -> None:
        open_: list[tuple[int, Row | None, Level]] = [(-1, None, self.top)]
        for raw in text.splitlines():
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("@"):
                self._directive(line)
                continue
            indent = len(raw) - len(raw.lstrip())
            while open_[-1][0] >= indent:
                open_.pop()
            _, parent, level = open_[-1]
            if line == "...":
                if parent is None:
                    raise GrammarError("`...` has no row above it")
                parent.whole = True
                continue
            row = self._row(line)
            row.indent = indent
            row = level.add(row)
            open_.append((indent, row, row.below))

    def _directive(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        words = rest.split()
        if word == "@inherit" and len(words) == 2:
            self.inherit.append((words[0], words[1]))
        elif word == "@members" and len(words) > 2:
            self.members.append((words[0], words[1], frozenset(words[2:])))
        elif word == "@inline" and len(words) == 3:
            self.inline.append((words[0], words[1], words[2]))
        elif word == "@comment":
            self.comment = tuple(words)
        elif word == "@end":
            self.ends = frozenset(part.strip() for part in rest.split(","))
        elif word == "@text" and rest.count(",") == 2:
            first, last, fact = (part.strip() for part in rest.split(","))
            between = rf"^{re.escape(first)}\n(.*?)\n{re.escape(last)}$"
            *key, name = fact.split()
            pattern = re.compile(between, re.DOTALL | re.MULTILINE)
            self.texts.append((first, pattern, tuple(key), name))
            self._topics.add((key[0], name))
        else:
            raise GrammarError(f"unknown directive: {line}")

    def _row(self, line: str) -> Row:
        shape, _, right = (part.strip() for part in line.partition("->"))
        names = tuple(name for name, _ in _VARIABLE.findall(shape))
        pattern = _pattern(shape) if names or " [" in shape else None
        row = Row(shape=shape, pattern=pattern, variables=names)
        if right == ALWAYS:
            row.always = True
            self.always.add(shape)
            self._topics.add((ALWAYS, "stands"))
        elif right:
            row.said = tuple(_fact(text, line) for text in right.split(";"))
            row.stands = tuple(standing(names, row.said))
            self._topics |= {(fact.key[0].pieces[0][0], fact.name) for fact in row.said}
        return row


def _find_own(row: Row) -> None:
    """Check whether all lines below a head concern one object that only the head names."""
    rows = row.below.all()
    facts = [fact for each in rows for fact in each.said]
    keys = {fact.key for fact in (*row.said, *facts)}
    head = {name for part in next(iter(keys), ()) for _, name, _ in part.pieces if name}
    simple = not any(each.below or each.whole or each.always for each in rows)
    if row.whole or len(keys) != 1 or not simple or not head <= set(row.variables):
        return
    prefixes = {
        each.shape[: each.shape.index("<")]: each for each in rows if each.shape.endswith(":own>")
    }
    if not prefixes:
        return
    words = "|".join(map(re.escape, sorted(prefixes, key=len, reverse=True)))
    row.own = re.compile(rf"(?m)^ {{{rows[0].indent}}}({words})(.+)$\n?")
    row.owned = {prefix: [_owned(fact) for fact in each.said] for prefix, each in prefixes.items()}
    (row.object,) = keys


def _owned(fact: Fact) -> Owned:
    ((constant, variable, derived),) = fact.value.pieces
    if derived:
        raise GrammarError(f"no value can be derived from an `own` variable: {fact.name}")
    return fact.name, fact.collects, "" if variable else constant


def _pattern(shape: str) -> Pattern:
    parts, at = [], 0
    for match in _VARIABLE.finditer(shape):
        parts.append(re.escape(shape[at : match.start()]))
        parts.append(f"(?P<{match[1]}>{TYPES[match[2] or 'word']})")
        at = match.end()
    text = "".join([*parts, re.escape(shape[at:])])
    return Pattern(re.sub(r"(\\ )\\\[(.*?)\\\]", r"(?:\1\2)?", text))


def _fact(text: str, line: str) -> Fact:
    left, sign, right = text.strip().partition("=")
    collects = left.endswith("+")
    words = left.removesuffix("+").split()
    if not sign or len(words) < 2:
        raise GrammarError(f"a fact must be `kind name attribute=value`: {line}")
    types = dict(_VARIABLE.findall(line.partition("->")[0]))
    key, value = tuple(_part(word, types, line) for word in words[:-1]), _part(right, types, line)
    optional = " [" in line.partition("->")[0]
    fill = (
        partial(_filled, key, value, collects) if optional else _fill(key, value, collects=collects)
    )
    return Fact(key=key, name=words[-1], value=value, collects=collects, fill=fill)


def _part(word: str, types: Mapping[str, str], line: str) -> Part:
    pieces, at = [], 0
    for use in _USE.finditer(word):
        if use[2] and use[2] not in _DERIVED:
            raise GrammarError(f"unknown derivation .{use[2]}: {line}")
        pieces.append((word[at : use.start()], "", ""))
        pieces.append(("", use[1], use[2] or ""))
        at = use.end()
    pieces.append((word[at:], "", ""))
    kept = tuple(piece for piece in pieces if any(piece)) or (("", "", ""),)
    kind = types.get(_USE.sub(r"\1", word), "") if len(kept) == 1 else ""
    return Part(kept, kind if kind in _MANY else "")
