"""Reduces the changed lines of a device to templates and the values that fill them.

A section is a line with the deeper lines below it, and an entry of a JSON table. The changed lines
of one section are a unit. Two units have one template if they differ only in tokens with a digit or
in names of devices. Equal values of a unit have one placeholder, so a template states which values
are equal.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from fabricgen.core.record import record
from fabricgen.review.model import Shape

Place = tuple[str, ...]
_TOP = re.compile(r"\n(?=\S)")
_SEPARATORS = frozenset(("!", "#", "exit", "end", "exit-vrf", "exit-address-family", "EOF"))
_BRACKETS = frozenset("{}[]")
_VALUE = r"[^\s\"',\[\]{}()=|;<>]*\d[^\s\"',\[\]{}()=|;<>]*"
_WORD = re.compile(rf"\d+(?:[ ,]+\d+)+(?![\w.:/-])|{_VALUE}")
_ENTRY = '\n        "'
"""Beginning of an entry of a table."""
_ORDER = "only the order of lines, comments or blanks differ"
_JSON_FIELD = re.compile(r'"((?:[^"\\]|\\.)*)": ?(.*)')
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


@record(kw_only=True)
class Template:
    """Identity of a shape: where lines change and what they look like without their values."""

    file: str
    place: Place
    removed: Place
    added: Place
    whole: bool


@record()
class Unit:
    """One filled template. `rises`: comparison of each removed number with the added one."""

    template: Template
    values: Place
    rises: tuple[int, ...]


Parts = tuple[tuple[str, ...], tuple[str, ...], bool]
"""Different parts of both texts, and whether they are JSON."""
Unfilled = tuple[Place, Place, Place, bool]
"""Place, removed lines, added lines, and whether the complete section comes or goes."""


class Shaper:
    """Makes the units of changed files. `names`: device names, which count as values."""

    def __init__(self, names: Collection[str]) -> None:
        bare = sorted((name for name in names if not any(map(str.isdigit, name))), key=len)
        words = "|".join(map(re.escape, reversed(bare)))
        named = rf"(?<![\w.-])(?:{words})(?![\w.-])|" if words else ""
        self._word = re.compile(named + _WORD.pattern)
        self._filled = lru_cache(maxsize=65536)(self._fill)
        self._known = lru_cache(maxsize=4096)(lambda file, parts: (*self._units(file, parts),))

    def units(self, file: str, old: str, new: str) -> tuple[Unit, ...]:
        """Return the units of a file with two different texts. Many switches share them."""
        return self._known(file, _different_parts(old, new))

    def _units(self, file: str, parts: Parts) -> Iterator[Unit]:
        found = False
        for change in _sections(parts):
            found = True
            template, values, rises = self._filled(*change[:3])
            yield Unit(
                Template(
                    file=file,
                    place=template[0],
                    removed=template[1],
                    added=template[2],
                    whole=change[3],
                ),
                values,
                rises,
            )
        if not found:
            whole = Template(file=file, place=(), removed=(), added=(_ORDER,), whole=False)
            yield Unit(whole, (), ())

    def _fill(
        self, place: Place, removed: Place, added: Place
    ) -> tuple[tuple[Place, Place, Place], Place, tuple[int, ...]]:
        numbers: dict[str, int] = {}

        def number(match: re.Match[str]) -> str:
            return f"{{{numbers.setdefault(match[0], len(numbers) + 1)}}}"

        parts = tuple(
            tuple(self._word.sub(number, line.replace("{", "(").replace("}", ")")) for line in part)
            for part in (place, removed, added)
        )
        return (parts[0], parts[1], parts[2]), (*numbers,), tuple(_rises(removed, added))


def _rises(removed: Place, added: Place) -> Iterator[int]:
    """Yield -1, 0 or 1 for each number of the removed lines against the added ones, in order."""
    ones, others = (re.findall(r"\d+", " ".join(lines)) for lines in (removed, added))
    if len(ones) == len(others):
        for one, other in zip(ones, others, strict=True):
            yield (int(other) > int(one)) - (int(other) < int(one))


def changed_sections(old: str, new: str) -> Iterator[Unfilled]:
    """Yield the changed lines of two texts by section; the sections are compared by content."""
    return _sections(_different_parts(old, new))


def _different_parts(old: str, new: str) -> Parts:
    """Return the parts of both texts that differ, and whether they are JSON."""
    top = "\n    " if _is_database(old or new) else None
    before, after = (_parts(text, top) for text in _windows(old, new, top))
    same = before.keys() & after.keys()
    left = [[part for part in parts if part not in same] for parts in (before, after)]
    if top is not None:
        left = [_entries(*left), _entries(*reversed(left))]
    return (*left[0],), (*left[1],), top is not None


def _sections(parts: Parts) -> Iterator[Unfilled]:
    """Yield the changed lines of the different parts of two texts by section."""
    is_json = parts[2]
    ones, others = (_lines(each, is_json=is_json) for each in parts[:2])
    gone = {line: None for line in ones if line not in others}
    come = {line: None for line in others if line not in ones}
    by_place: dict[tuple[Place, str, bool], tuple[list[str], list[str]]] = {}
    for side, lines in enumerate((gone, come)):
        heads = {path[:-1] for path in lines}
        stems = Counter((path[:-1], _stem(path[-1])[0]) for path in lines)
        for path in lines:
            length = _whole(path, lines, heads, is_json=is_json)
            if length is None:
                words, value = _stem(path[-1])
                stem = f"{words} {value}" if words and stems[path[:-1], words] > 1 else ""
                key = (path[:-1], "" if is_json else stem, False)
                by_place.setdefault(key, ([], []))[side].append(path[-1])
                continue
            own = by_place.setdefault((path[:length], "", True), ([], []))[side]
            own.append(f"{' ' * (len(path) - length - 1)}{path[-1]}" if len(path) > length else "")
    for (place, _, whole), (removed, added) in by_place.items():
        yield place, _shown(removed), _shown(added), whole


def _entries(mine: Iterable[str], theirs: Iterable[str]) -> list[str]:
    """Return tables without the entries and fields that the other side has in the same place.

    An entry with a list over several lines stays complete.
    """
    known: dict[str, dict[str, str]] = {}
    for table in theirs:
        name, *entries = table.split(_ENTRY)
        known.setdefault(name, {}).update((each.partition('"')[0], each) for each in entries)
    rest = []
    for table in mine:
        name, *entries = table.split(_ENTRY)
        others = known.get(name, {})
        pairs = ((each, others.get(each.partition('"')[0], "")) for each in entries)
        different = (_fields(each, other) for each, other in pairs if each != other)
        rest.append(_ENTRY.join((name, *different)))
    return rest


def _fields(entry: str, other: str) -> str:
    """Return an entry without the fields that the same entry of the other side has."""
    if not other or "[\n" in entry or "[\n" in other:
        return entry
    head, *lines = entry.split("\n")
    equal = {line.rstrip(",") for line in other.split("\n")}
    return "\n".join((head, *(line for line in lines if line.rstrip(",") not in equal)))


def _windows(old: str, new: str, top: str | None) -> tuple[str, str]:
    """Cut the sections of the highest level that both texts begin and end with."""
    start = _common(old, new)
    least = min(len(old), len(new)) - start
    end = min(_common(old[:-65_537:-1], new[:-65_537:-1]), least) if least else 0
    head = '\n    "' if top is not None else "\n"
    first = old.rfind(head, 0, start)
    while (
        top is None and first >= 0 and not (old[first + 1 : start].strip() and old[first + 1] > " ")
    ):
        first = old.rfind(head, 0, first)
    tail = old.find(head, len(old) - end) if end else -1
    while top is None and tail >= 0 and old[tail + 1 : tail + 2].isspace():
        tail = old.find(head, tail + 1)
    cut = len(old) - tail if tail >= 0 else 0
    first = max(first, 0)
    return old[first : len(old) - cut], new[first : len(new) - cut]


def _common(one: str, other: str) -> int:
    """Return the number of equal characters at the beginning of two texts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shown(lines: list[str]) -> Place:
    """Return the lines; an empty one marks a section without lines of its own."""
    return tuple(lines[1:] if len(lines) > 1 and not lines[0] else lines)


def _is_database(text: str) -> bool:
    return text.startswith("{\n")


def _parts(text: str, top: str | None) -> dict[str, None]:
    """Return the sections of the highest level, each once."""
    if top is None:
        return dict.fromkeys(_TOP.split(text))
    return dict.fromkeys(part.rstrip(",\n}") for part in text.split('\n    "'))


def _lines(parts: Iterable[str], *, is_json: bool) -> dict[Place, None]:
    """Return each line with its sections, outermost first."""
    lines: dict[Place, None] = {}
    for part in parts:
        text = f'    "{part}' if is_json and not part.startswith("{") else part
        open_: list[tuple[int, Place]] = []
        for raw in text.split("\n"):
            line = raw.strip()
            if not line or line in _SEPARATORS or _BRACKETS.issuperset(line.rstrip(",")):
                continue
            indent = len(raw) - len(raw.lstrip())
            while open_ and open_[-1][0] >= indent:
                open_.pop()
            above = open_[-1][1] if open_ else ()
            path = (*above, _plain(line) if is_json else line)
            lines[path] = None
            open_.append((indent, path))
    return lines


def _plain(line: str) -> str:
    """Return a line of JSON as people read it: `mtu: 9100`, and the bare key of an entry."""
    match = _JSON_FIELD.match(line)
    if match is None:
        return line.rstrip(",").strip('"')
    value = match[2].rstrip(",").strip('"')
    value = "" if _BRACKETS.issuperset(value) else value
    return f"{match[1]}: {value}" if value else match[1]


def _whole(
    path: Place, lines: Mapping[Place, None], heads: Collection[Place], *, is_json: bool
) -> int | None:
    """Return the length of the path of the new or removed section around a line, or None.

    A table of JSON is never one section, because its entries vary from switch to switch.
    """
    for length in range(2 if is_json else 1, len(path)):
        if path[:length] in lines:
            return length
    return len(path) if path in heads or (is_json and len(path) == 2) else None


def _stem(line: str) -> tuple[str, str]:
    """Return the words of a line before its first value, and this value.

    Several lines of one section with the same first words are about one object for each value.
    """
    match = _WORD.search(line)
    return (line[: match.start()].strip(), match[0]) if match is not None else ("", "")


def merged(template: Template, rows: Iterable[tuple[str, Place]]) -> Shape:
    """Return a shape of equal templates; a value that all rows share becomes text again."""
    every = [*rows]
    columns = list(zip(*(values for _, values in every), strict=True))
    kept: dict[tuple[str, ...], int] = {}
    words: dict[int, str] = {}
    for number, column in enumerate(columns, 1):
        if len(set(column)) == 1:
            words[number] = column[0]
        else:
            words[number] = f"{{{kept.setdefault(column, len(kept) + 1)}}}"

    def fill(lines: Place) -> Place:
        return tuple(_PLACEHOLDER.sub(lambda it: words[int(it[1])], line) for line in lines)

    shown = zip((name for name, _ in every), *kept, strict=True)
    return Shape(
        file=template.file,
        place=fill(template.place),
        removed=fill(template.removed),
        added=fill(template.added),
        rows=tuple(shown),
        whole=template.whole,
    )


def places_of(text: str) -> dict[int, Place]:
    """Return the sections around each line of a text and the line itself, by line number."""
    is_json = _is_database(text)
    places: dict[int, Place] = {}
    open_: list[tuple[int, Place]] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line in _SEPARATORS or _BRACKETS.issuperset(line.rstrip(",")):
            continue
        indent = len(raw) - len(raw.lstrip())
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        places[number] = (*(open_[-1][1] if open_ else ()), _plain(line) if is_json else line)
        open_.append((indent, places[number]))
    return places
