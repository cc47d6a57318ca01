"""Splits a configuration into the lines that keep patterns match and the rest.

A pattern is a line. `*` in a word matches any characters of that word, `~` at the end matches one
word or more. A single pattern keeps the lines that match, with all lines below them. With patterns
below it, it keeps of such a section only their matches. A switch runs this module as well: see
nos/shared/agent_script.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.core.tree.outline import Item, Misplaced, OutlineSyntax, lines, outline, put, written

MOST, LONGEST, DEEPEST = 200, 300, 6
"""Lines of patterns, characters of one, and levels of indentation."""
REST = "~"
_PLAIN = re.compile(r"[ -~]*")
_WRITTEN = OutlineSyntax(step=1, comment="#", separator="")


class Contradiction(Exception):  # noqa: N818 - said of the two lines
    """What is kept and what is rendered do not go together."""


def patterns(text: str) -> Item:
    """Return patterns as an outline. Misplaced, with the line, for what is none."""
    if text.count("\n") > MOST:
        raise Misplaced(MOST + 1, f"{MOST} lines are the most")
    for number, line in enumerate(text.splitlines(), 1):
        if why := _wrong(line):
            raise Misplaced(number, why)
    root = written(text, _WRITTEN, None)
    for item, above in root.walk():
        if len(above) >= DEEPEST:
            raise Misplaced(item.number, f"{DEEPEST} levels are the most")
        if item.below and REST in item.text.split():
            raise Misplaced(item.number, "`~` and lines below: it is the lines below that count")
    return root


def _wrong(line: str) -> str:
    """Say what is wrong with one pattern; empty when nothing is."""
    words = line.split()
    if not _PLAIN.fullmatch(line) or len(line) > LONGEST:
        return f"{LONGEST} letters, digits, signs and blanks of ASCII are the most"
    if line.strip().startswith("#"):
        return "a remark: it belongs into the YAML"
    if REST in words[:-1]:
        return "`~` stands for the rest of a line, so nothing can follow it"
    if any(word.count("*") > 1 for word in words):
        return "one `*` in a word is the most"
    return ""


def fits(pattern: str, line: str, between: str | None = None) -> bool:
    """Tell whether a line is one that a pattern speaks of. between: what parts words; blanks."""
    words, said = pattern.split(between), line.split(between)
    if words[-1] == REST:
        words.pop()
        if len(said) <= len(words):
            return False
        said = said[: len(words)]
    return len(words) == len(said) and all(map(_fits, words, said))


def _fits(pattern: str, word: str) -> bool:
    head, star, tail = pattern.partition("*")
    if not star:
        return word == pattern
    enough = len(word) >= len(head) + len(tail)
    return enough and word.startswith(head) and word.endswith(tail)


def cut(root: Item, keep: Item) -> Item:
    """Take out of an outline what patterns keep; return that, in the sections it stands in.

    A section of which nothing else is left goes with it.
    """
    kept, left = Item(text=""), []
    for item in root.below:
        fitting = [each for each in keep.below if fits(each.text, item.text)]
        some = Item(text="", below=[below for each in fitting for below in each.below])
        if any(not each.below for each in fitting):
            kept.below.append(item)
        elif some.below and (inside := cut(item, some)).below:
            kept.below.append(_only(item, inside))
            left += [item] if item.below else []
        else:
            left.append(item)
    root.below[:] = left
    return kept


def shown(keep: Mapping[str, str], kept: Mapping[str, str]) -> Iterator[str]:
    """Yield what people may see of what is kept: heads, without what `~` stood for.

    keep, kept: patterns and lines by kind. What another tool writes may hold secrets in any word.
    """
    for kind, text in kept.items():
        if kind in _NAMES:
            yield from (f"{kind}: {line}" for line in text.splitlines())
            continue
        root = written(text, _WRITTEN, None)
        yield from (f"{kind}: {each}" for each in _heads(root, patterns(keep[kind]), ()))


_NAMES = ("files", "config_db")


def _heads(root: Item, keep: Item, above: tuple[str, ...]) -> Iterator[str]:
    for item in root.below:
        fitting = [each for each in keep.below if fits(each.text, item.text)]
        alone = next((each for each in fitting if not each.below), None)
        if alone is None:
            inside = Item(text="", below=[below for each in fitting for below in each.below])
            yield from _heads(item, inside, (*above, item.text))
            continue
        words = alone.text.split()
        known = item.text.split()[: len(words) - 1] if words[-1] == REST else [item.text]
        known += ["…"] if words[-1] == REST else []
        more = sum(1 for _ in item.walk())
        below = f" and what is below, {more} line{'s' * (more > 1)}" if more else ""
        yield " > ".join((*above, " ".join(known))) + below


def _only(item: Item, inside: Item) -> Item:
    """Return a section with some of its lines."""
    return Item(text=item.text, number=item.number, raw=item.raw, below=inside.below)


class Keep(NamedTuple):
    """What is kept of one file. patterns: as `patterns` reads them."""

    patterns: Item
    manner: OutlineSyntax

    @classmethod
    def of(cls, text: str, manner: OutlineSyntax) -> Keep:
        """Read patterns; Misplaced for what is none."""
        return cls(patterns(text), manner)

    def split(self, text: str) -> tuple[Item, Item]:
        """Return the outline of the rest, and that of what is kept."""
        root = outline(text, self.manner)
        return root, cut(root, self.patterns)

    def without(self, text: str) -> str:
        """Return a configuration without what is kept.

        Nor with separators: whose they are cannot be told, and equal configurations give equal
        texts.
        """
        if not self.patterns.below:
            return text
        rest = _printed(self.split(text)[0]).splitlines()
        empty = ("", self.manner.comment)
        return "".join(f"{line}\n" for line in rest if line.strip() not in empty)

    def kept(self, text: str) -> str:
        """Return the lines that are kept of a configuration, below the sections they stand in."""
        bare = Item(text="")
        list(put(self.split(text)[1], bare, self.manner))
        return "".join(f"{line}\n" for line, item in lines(bare) if item is not None)

    def moved(self, before: str, now: str) -> bool:
        """Tell whether what is kept is not as it was."""
        return _printed(self.split(before)[1]) != _printed(self.split(now)[1])

    def into(self, text: str, running: str) -> str:
        """Put what is kept of `running` into a rendered text; Contradiction where it does not fit.

        No line that is rendered may be one that is kept: it would not be clear whose it is.
        """
        root = outline(text, self.manner)
        for item, _ in cut(outline(text, self.manner), self.patterns).walk():
            if not item.below:
                raise Contradiction(f"line {item.number} `{item.text}` is rendered, and to be kept")
        return self._put(root, running, text)

    def again(self, text: str, running: str) -> str:
        """Put what is kept of `running` in the place of what an older text has of it."""
        return self._put(self.split(text)[0], running, "")

    def _put(self, root: Item, running: str, plain: str) -> str:
        kept = self.split(running)[1]
        if plain and not kept.below:
            return plain
        for clash in put(kept, root, self.manner):
            if clash.certain and clash.why != "repeats":
                other = f"line {clash.other.number} `{clash.other.text}`"
                raise Contradiction(f"`{clash.own.text}`, which is kept, {clash.why} {other}")
        return _printed(root)

    def same(self, one: str, other: str) -> bool:
        """Tell whether two texts say the same beside what is kept."""
        return _said(self.split(one)[0]) == _said(self.split(other)[0])


def _said(root: Item) -> list[tuple[str, ...]]:
    return [(*(each.text for each in above), item.text) for item, above in root.walk()]


def _printed(root: Item) -> str:
    return "".join(f"{line}\n" for line, _ in lines(root))
