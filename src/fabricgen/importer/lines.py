"""Reads a configuration file as lines with the sections that contain them, as `diff` does.

Order, comments and ends of sections have no meaning. A secret in clear never leaves this module.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from operator import eq

from fabricgen.core.record import record
from fabricgen.core.tree.database import numbers_in
from fabricgen.core.tree.outline import Item, OutlineSyntax, outline
from fabricgen.core.tree.risk import Dialect
from fabricgen.core.tree.settings import Path, script, tables
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.own_file import OwnFile
from fabricgen.nos.registry import nos
from fabricgen.prove.share import says

Hide = Callable[[str], tuple[str, bool]]
"""A line without its secret, and whether the secret was in clear text."""
HIDDEN = "<<secret>>"
"""Replacement for a secret or a reference. Lines that differ only in a secret are equal."""
_HIDDEN = re.compile(r"<<secret(?::[^<>\s]+)?>>")
_BANNER = re.compile(r"(?m)^banner \S+\n(?:(?!EOF$).*\n)*EOF$")
_SECRET = re.compile(
    r"(?i)(\b\S*(?:passw|secret|key|community|hash|user|psk)\S*[ =:]+|^[\w-]+:)\S.*"
)
"""A possible secret in a file whose platform has no rule for secrets."""


@record(kw_only=True)
class Line:
    """One line of a file.

    Attributes:
        path: Sections of the line and the line, without secrets.
        texts: The path for custom config, with references to secrets.
        value: Value of a field of a table.
        said: The line as custom config.
        numbers: Line numbers.
        clear: Whether the line has a secret in clear text.
        hidden: Original lines with secrets, and their places.
    """

    path: Path
    numbers: tuple[int, ...]
    texts: Path = ()
    value: str = ""
    said: str = ""
    clear: bool = False
    hidden: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def __str__(self) -> str:
        """Return the line with its sections as text."""
        return " > ".join(self.path) + (f" {self.value}" if self.value else "")


def own_file(platform: str, path: str) -> tuple[str, OwnFile] | None:
    """Return the key of `custom_config` for a file of a platform, and its form."""
    files = ((kind, late.load()) for kind, late in nos(platform).own.items())
    return next((each for each in files if each[1].path == path), None)


def count(platform: str, path: str, text: str) -> int:
    """Return the number of significant lines of a file, or of entries and fields of a database."""
    own = own_file(platform, path)
    if own is not None and own[1].manner is None:
        return len(tables(text))
    return sum(says(row) for row in text.split("\n"))


class Text:
    """One file of a switch. lines: by path."""

    def __init__(self, platform: str, path: str, text: str, *, numbered: bool = True) -> None:
        """Parse the file. numbered: also find the line numbers of a database."""
        self.platform, self.path = platform, path
        self.dialect = _dialect(platform, path)
        own = own_file(platform, path)
        self.lines: dict[Path, Line] = {}
        if own is None:
            rows = _plain(self.dialect, text)
        elif own[1].manner is None:
            rows = _fields(partial(_hidden, platform, path), text, numbered=numbered)
        else:
            rows = _lines(partial(_hidden, platform, path), own[1].manner, text)
        for line in rows:
            known = self.lines.get(line.path)
            self.lines[line.path] = line if known is None else _again(known, line)

    @cached_property
    def settings(self) -> frozenset[tuple[Path, str]]:
        """Return all settings, with lists split into items."""
        return frozenset(row for line in self.lines.values() for row in self.of(line))

    def of(self, line: Line) -> tuple[tuple[Path, str], ...]:
        """Return the settings of one line, with its sections."""
        if line.value or not line.texts:
            return ((line.path, line.value),)
        return _said(self.platform, self.path, line.path)

    def less(self, other: "Text") -> list[Line]:
        """Return the lines that another file lacks."""
        mine = (line for line in self.lines.values() if not _same(line, other))
        off = [line for line in mine if not other.settings.issuperset(self.of(line))]
        both = ((line, other.lines.get(line.path)) for line in self.lines.values() if line.hidden)
        return [*off, *(more for line, twin in both if twin for more in _more(line, twin))]

    def lost(self, other: "Text", mine: list[Line], theirs: list[Line]) -> list[Line]:
        """Return lines that a comparison lost: neither reported nor covered by the other file.

        There are none. This method proves it by a different method than the comparison.
        """
        told = {line.path for line in mine}
        gone = {row for line in theirs for row in other.own(line)}
        rest = (line for line in self.lines.values() if line.path not in told)
        kept = other.settings - gone
        return [line for line in rest if not kept.issuperset(self.of(line))]

    def own(self, line: Line) -> Iterator[tuple[Path, str]]:
        """Yield the settings of a line without its sections."""
        rows = self.of(line)
        head = self.lines.get(line.path[:-1])
        above = {path[:length] for path, _ in rows for length in range(len(path))}
        above |= {path for path, _ in (self.of(head) if head is not None else ())}
        return (row for row in rows if row[0] not in above)


def _again(known: Line, line: Line) -> Line:
    return replace(
        known,
        numbers=known.numbers + line.numbers,
        clear=known.clear or line.clear,
        hidden=known.hidden + line.hidden,
    )


def _more(line: Line, twin: Line) -> Iterator[Line]:
    """Yield repeated or different secrets of a line, compared with the equal line."""
    theirs = [text for text, _ in twin.hidden]
    rest = list(line.hidden)
    for alike in (eq, _alike):
        for each in list(rest):
            known = next((text for text in theirs if alike(each[0], text)), None)
            if known is not None:
                theirs.remove(known)
                rest.remove(each)
    if rest:
        numbers = tuple(number for _, own in rest for number in own)
        yield replace(line, numbers=numbers, hidden=tuple(rest))


def _alike(one: str, other: str) -> bool:
    """Check whether two lines differ only in secrets of one word each."""
    return any(
        re.fullmatch(r"\S+".join(map(re.escape, _HIDDEN.split(mine))), its)
        for mine, its in ((one, other), (other, one))
    )


def _same(line: Line, other: Text) -> bool:
    twin = other.lines.get(line.path)
    return twin is not None and twin.value == line.value


@lru_cache(maxsize=512)
def _dialect(platform: str, path: str) -> Dialect:
    every = nos(platform).dialects.load()
    return next(each for each in every if each.file.fullmatch(path))


@lru_cache(maxsize=65536)
def _said(platform: str, file: str, path: Path) -> tuple[tuple[Path, str], ...]:
    chain = "\n".join(" " * depth + text for depth, text in enumerate(path))
    dialect = _dialect(platform, file)
    return tuple(dialect.read(chain + "\nEOF" * ("\n" in path[-1])).items())


def _lines(hide: Hide, manner: OutlineSyntax, text: str) -> Iterator[Line]:
    """Yield the lines of a text with sections."""
    banners = {text.count("\n", 0, each.start()) + 1: each[0] for each in _BANNER.finditer(text)}
    root = outline(_BANNER.sub(partial(_first_line, manner), text), manner)
    for item in root.below:
        yield from _section(hide, manner, item, _TOP, banners.get(item.number, ""))


_TOP: Line = Line(path=(), numbers=())


def _section(
    hide: Hide, manner: OutlineSyntax, item: Item, above: Line, block: str = ""
) -> Iterator[Line]:
    """Yield a line in its section, the line above, and the lines below it.

    The argument `block` is the banner that begins with the line.
    """
    word, clear = hide(item.text)
    more = block.count("\n") or _inner(item, manner)
    own = _below(above, word, tuple(range(item.number, item.number + more + 1)), clear=clear)
    if block:
        first, *_ = rows = block.split("\n")
        word = "\n".join((first.strip(), *rows[1:-1]))
        yield _below(above, word, own.numbers, clear=False)
    else:
        yield own
    for each in item.below:
        yield from _section(hide, manner, each, own)


def _below(above: Line, word: str, numbers: tuple[int, ...], *, clear: bool) -> Line:
    path = (*above.path, PLACEHOLDER.sub(HIDDEN, word) if "<<" in word else word)
    return Line(
        path=path,
        numbers=numbers,
        texts=(*above.texts, word),
        clear=above.clear or clear,
        hidden=((word, numbers),) if HIDDEN in path[-1] else (),
    )


def _first_line(manner: OutlineSyntax, block: re.Match[str]) -> str:
    """Return the first line of a banner with its empty lines, and its end mark."""
    first = block[0].partition("\n")[0]
    return first + "\n" * block[0].count("\n") + "EOF" * (first in manner.texts)


def _inner(item: Item, manner: OutlineSyntax) -> int:
    """Return the number of lines below a line in another text."""
    ends = [at for at, each in enumerate(item.tail, 1) if each.strip() == "EOF"]
    return max(ends, default=0) if item.text in manner.texts else 0


@lru_cache(maxsize=65536)
def _hidden(platform: str, path: str, text: str) -> tuple[str, bool]:
    """Return a line without its secret, and whether the secret was in clear text."""
    own, clear = own_file(platform, path), False
    for pattern in own[1].secrets if own is not None else ():
        match = pattern.search(text)
        if match is not None and not PLACEHOLDER.fullmatch(match[2]):
            text, clear = text[: match.start(2)] + HIDDEN + text[match.end(2) :], True
    return text, clear


def _fields(hide: Hide, text: str, *, numbered: bool) -> Iterator[Line]:
    """Yield the tables, keys and fields of a database."""
    try:
        numbers = numbers_in(text) if numbered else {}
    except (AttributeError, RecursionError, TypeError, ValueError):
        numbers = {}
    for path, value in tables(text).items():
        _, clear = hide(f"{' > '.join(path)} {value}")
        clear = clear or path == ("unreadable",)
        near = (numbers[each] for each in (path, path[:2], path[:1]) if each in numbers)
        yield Line(
            path=path,
            numbers=(next(near, 1),),
            texts=path,
            value=HIDDEN if clear or PLACEHOLDER.fullmatch(value) else value,
            said="" if clear else value,
            clear=clear,
        )


def _plain(dialect: Dialect, text: str) -> Iterator[Line]:
    """Yield the settings of a file without custom config, or each line of a script."""
    rows = [each.strip() for each in text.split("\n")]
    places: dict[str, list[int]] = {}
    for number, row in enumerate(rows, 1):
        places.setdefault(row, []).append(number)
    for path in _settings(dialect, text):
        found = places.get(path[-1], [1])
        at = tuple(found if dialect.read is script else found[:1])
        shown = tuple(_SECRET.sub(rf"\1{HIDDEN}", each) for each in path)
        hidden = ((" > ".join(path), at),) if shown != path else ()
        yield Line(path=shown, numbers=at, hidden=hidden)


def _settings(dialect: Dialect, text: str) -> Iterator[Path]:
    """Yield settings by path. A setting of several lines, such as a script, yields each line."""
    for path, value in dialect.read(text).items():
        inner = dict.fromkeys(map(str.strip, value.split("\n"))) if value else {}
        head = path if dialect.read is not script else ()
        yield from ((*head, row) for row in inner if row)
        if not inner:
            yield path


def paths(lines: Iterable[Line]) -> set[Path]:
    """Return the paths of lines and of their sections."""
    return {part for line in lines for part in accumulate((each,) for each in line.path)}
