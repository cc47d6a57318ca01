"""Parses indented configuration text to an outline and inserts lines into it.

No text is lost: separators, remarks and the ends of sections keep their places. Lines are inserted
where the device reads them in the right mode. Plain lines go after the last plain line of their
section, before a line that opens a mode of its own. New sections go at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple


class OutlineSyntax(NamedTuple):
    """Section syntax of a type of text.

    `step`: blanks of one level. `comment`: prefix of separators and remarks. `ends`: lines that end
    a section. `last`: the one that ends the text. `closes`: the line that ends a section with that
    head, or nothing. `separator`: the line before a section. `shuts`: lines that end the effect of
    a section. `texts`: lines that begin a text, and how many `EOF` lines end it. `remark`: prefix
    of a comment that the device keeps like any other line. `heads`: first words of lines next to
    their sections, as `auto NAME` before its `iface NAME`.
    """

    step: int
    comment: str
    separator: str
    ends: frozenset[str] = frozenset()
    last: str = ""
    shuts: frozenset[str] = frozenset()
    closes: Callable[[str], str] = lambda _: ""
    texts: Mapping[str, int] = {}
    remark: str = "\0"
    heads: frozenset[str] = frozenset()


class Item:
    """One line with its sub-lines. `origin`: its author; None for lines of the text itself.

    `raw`: as in the text, like lead and tail, the lines around it. `number`: its line number.
    """

    __slots__ = ("below", "lead", "number", "origin", "raw", "tail", "text")

    def __init__(
        self,
        *,
        text: str,
        origin: object = None,
        number: int = 0,
        raw: str = "",
        lead: Iterable[str] = (),
        below: Iterable[Item] = (),
        tail: Iterable[str] = (),
    ) -> None:
        """Make a line; a switch runs this as well, with Python 3.9 or newer."""
        self.text, self.origin, self.number, self.raw = text, origin, number, raw
        self.lead, self.below, self.tail = [*lead], [*below], [*tail]

    @property
    def at(self) -> str:
        """Return its place in custom config: by its line, or without lines by its text."""
        return f"line {self.number}" if self.number else f"`{self.text}`"

    @property
    def indent(self) -> int:
        """Return the number of blanks before it."""
        return len(self.raw) - len(self.raw.lstrip())

    def walk(self, above: tuple[Item, ...] = ()) -> Iterator[tuple[Item, tuple[Item, ...]]]:
        """Yield every item below with its parents."""
        for item in self.below:
            yield item, above
            yield from item.walk((*above, item))


class Misplaced(Exception):  # noqa: N818 - said of the line, not of the program
    """A line with an invalid indentation. `number`: of the line, from 1."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(sentence)
        self.number = number


def outline(text: str, manner: OutlineSyntax) -> Item:
    """Return the outline of a rendered text."""
    root = Item(text="")
    open_: list[tuple[int, Item]] = [(-1, root)]
    waiting: list[str] = []
    rows = enumerate(text.splitlines(), 1)
    for number, raw in rows:
        line = raw.strip()
        if not line or (line.startswith(manner.comment) and not line.startswith(manner.remark)):
            waiting.append(raw)
            continue
        item = Item(text=line, number=number, raw=raw, lead=waiting)
        if line in manner.texts:
            item.tail += _body(rows, manner.texts[line])
        indent = item.indent
        while open_[-1][0] >= indent:
            open_.pop()
        parent = open_[-1][1]
        if line in manner.ends:
            whose = root if line == manner.last or not parent.below else parent.below[-1]
            whose.tail += [*waiting, raw]
        else:
            parent.below.append(item)
            open_.append((indent, item))
        waiting = []
    root.tail += waiting
    return root


def _body(rows: Iterator[tuple[int, str]], ends: int) -> Iterator[str]:
    """Yield the lines of a text up to this many `EOF` lines."""
    while ends:
        raw = next(rows, (0, "EOF"))[1]
        ends -= raw.strip() == "EOF"
        yield raw


def written(text: str, manner: OutlineSyntax, origin: object) -> Item:
    """Return the outline of custom config. Raises Misplaced for an invalid indentation.

    Ends of sections and empty separators have no content: they are written again at their places.
    """
    root = Item(text="")
    open_: list[tuple[int, Item]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line == manner.comment or line in manner.ends:
            continue
        indent = len(raw) - len(raw.lstrip())
        while open_ and open_[-1][0] >= indent:
            last = open_.pop()[0]
            if last > indent and (open_[-1][0] if open_ else -1) < indent:
                raise Misplaced(number, f"the indentation of {indent} blanks matches no line above")
        if not open_ and indent:
            raise Misplaced(number, "the line is indented, but no line is above it")
        item = Item(text=line, origin=origin, number=number)
        (open_[-1][1] if open_ else root).below.append(item)
        open_.append((indent, item))
    return root


class Clash(NamedTuple):
    """A custom line, and the other line that it repeats or contradicts."""

    own: Item
    other: Item
    why: str
    certain: bool = True


def put(own: Item, into: Item, manner: OutlineSyntax, depth: int = 0) -> Iterator[Clash]:
    """Insert custom lines into an outline; yield clashes. Certain clashes are not inserted."""
    known = Known(into.below)
    for item in own.below:
        twin = known.twin(item.text)
        if twin is not None and item.below:
            yield from put(item, twin, manner, depth + 1)
        elif twin is not None:
            yield Clash(own=item, other=twin, why="repeats")
        elif item.text in manner.shuts and into.raw and into.origin is None:
            yield Clash(own=item, other=into, why="shuts")
        else:
            clash = known.clash(item)
            if clash is not None:
                yield clash
            if clash is None or not clash.certain:
                known.add(_insert(item, into.below, manner, depth))


def _number(word: str) -> str:
    return word.lstrip("0") if word.isdecimal() else word


def _insert(item: Item, among: list[Item], manner: OutlineSyntax, depth: int) -> Item:
    placed = _indented(item, manner, depth)
    words = item.text.split()
    if item.below or words[0] in manner.heads:
        joined = bool(among) and among[-1].text.split() == ["auto", *words[1:2]]
        placed.lead = [] if joined else [" " * (manner.step * depth) + manner.separator]
        among.append(placed)
    else:
        among.insert(_after_plain(among), placed)
    return placed


def _after_plain(among: Sequence[Item]) -> int:
    """Return the place of a plain line: an empty section only looks like a plain line.

    A similar section with content identifies it.
    """
    heads = {each.text.split()[0] for each in among if each.below}
    plain = [at for at, each in enumerate(among, 1) if not each.below]
    sure = [at for at in plain if among[at - 1].text.split()[0] not in heads]
    return max(sure or plain, default=0)


def _indented(item: Item, manner: OutlineSyntax, depth: int) -> Item:
    """Return a copy of a custom line with its sub-lines, plain lines first, at a depth."""
    below = sorted(item.below, key=lambda each: bool(each.below))
    blanks = " " * (manner.step * depth)
    end = manner.closes(item.text) if item.below else ""
    return Item(
        text=item.text,
        origin=item.origin,
        number=item.number,
        raw=blanks + item.text,
        below=[_indented(each, manner, depth + 1) for each in below],
        tail=[blanks + end] if end else item.tail,
    )


Stem = tuple[str, ...]

_NEGATES = re.compile(r"(?:no|default) (.+)")
_NUMBER = re.compile(r"([^A-Za-z-].*)")


class Known:
    """The lines of one section by their words, to find clashes of a new line quickly."""

    def __init__(self, among: list[Item]) -> None:
        """Index lines by their significant words. `among`: grows while lines are added."""
        self._among = among
        self._twins: dict[tuple[str, ...], Item] = {}
        self._firsts: dict[Stem, list[Item]] = {}
        self._negating: dict[Stem, list[Item]] = {}
        self._stems: dict[tuple[Stem, ...], list[Item]] = {}
        self._heads: dict[tuple[str, ...], list[Item]] = {}
        for each in among:
            self.add(each)

    def add(self, item: Item) -> None:
        """Add one more line."""
        words = item.text.split()
        stems = (*map(_stem, words),)
        self._twins.setdefault(_spelled(item.text), item)
        self._firsts.setdefault(stems[0], []).append(item)
        self._stems.setdefault(stems, []).append(item)
        self._heads.setdefault((*words[:-1],), []).append(item)
        if _NEGATES.fullmatch(item.text):
            self._negating.setdefault(stems[1], []).append(item)

    def twin(self, text: str) -> Item | None:
        """Return the line that equals a text, except for blanks and leading zeros."""
        return self._twins.get(_spelled(text))

    def clash(self, item: Item) -> Clash | None:
        """Return the first line that a new one contradicts; a certain clash comes first."""
        text, words = item.text, item.text.split()
        stems = (*map(_stem, words),)
        taken = [each for each in self._negating.get(stems[0], ()) if _takes_away(each.text, text)]
        if _NEGATES.fullmatch(text):
            others = self._firsts.get(stems[1], ())
            taken += [each for each in others if _takes_away(text, each.text)]
        if taken:
            return Clash(own=item, other=self._first(taken), why="contradicts")
        short = [each for each in self._stems.get(stems, ()) if _abbreviates(text, each.text)]
        near = [
            each
            for each in (() if item.below else self._heads.get((*words[:-1],), ()))
            if not each.below and _same_but_last(text, each.text)
        ]
        if not short and not near:
            return None
        other = self._first([*short, *near])
        why = "abbreviates" if other in short else "contradicts"
        return Clash(own=item, other=other, why=why, certain=False)

    def _first(self, items: list[Item]) -> Item:
        """Return the first item in the text."""
        one = len(items) == 1
        return items[0] if one else next(each for each in self._among if each in items)


def _spelled(text: str) -> tuple[str, ...]:
    """Return the words of a line without leading zeros of numbers, and its beginning."""
    return (text[0], *map(_number, text.split()))


@lru_cache(maxsize=65536)
def _stem(word: str) -> Stem:
    """Return the common part of a word and its abbreviations: its first letter, its end."""
    letters, *end = _NUMBER.split(word.lower(), maxsplit=1)
    return letters[:1], *end


def _takes_away(line: str, other: str) -> bool:
    match = _NEGATES.fullmatch(line)
    return match is not None and _begins(other, match[1])


def _begins(line: str, words: str) -> bool:
    """Return whether a line begins with some words, possibly abbreviated."""
    own, first = line.split(), words.split()
    return len(own) >= len(first) and all(map(_shortens, first, own))


def _abbreviates(own: str, other: str) -> bool:
    one, two = own.split(), other.split()
    return own != other and len(one) == len(two) and all(map(_shortens, one, two))


def _shortens(word: str, whole: str) -> bool:
    """Return whether a word abbreviates another: Et1/1 of Ethernet1/1."""
    one, two = (_NUMBER.split(each.lower(), maxsplit=1) for each in (word, whole))
    return word == whole or (one[1:] == two[1:] and bool(one[0]) and two[0].startswith(one[0]))


def _same_but_last(own: str, other: str) -> bool:
    one, two = own.split(), other.split()
    return len(one) == len(two) > 1 and one[:-1] == two[:-1] and one[0] != "no"


def lines(root: Item) -> Iterator[tuple[str, Item | None]]:
    """Yield the lines of an outline, each with its item; separators and ends have none."""
    for item in root.below:
        yield from ((line, None) for line in item.lead)
        yield item.raw, item
        yield from lines(item)
    yield from ((line, None) for line in root.tail)
