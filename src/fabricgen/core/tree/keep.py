"""Splits a configuration into the lines that keep patterns match and the rest.

A pattern is a line. `*` in a word matches any characters of that word, `~` at the end matches one
word or more. A single pattern keeps the lines that match, with all lines below them. With patterns
below it, it keeps only their matches in such a section. A switch runs this module as well: see
nos/shared/agent_script.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.core.tree.outline import Item, Misplaced, OutlineSyntax, lines, outline, put, written

MOST, LONGEST, DEEPEST = 200, 300, 6
"""Maximum lines of patterns, characters of one pattern, and levels of indentation."""
REST = "~"
_PLAIN = re.compile(r"[ -~]*")
_WRITTEN = OutlineSyntax(step=1, comment="#", separator="")


class Contradiction(Exception):  # noqa: N818 - said of the two lines
    """Unmanaged lines and rendered lines contradict each other."""


def patterns(text: str) -> Item:
    """Return patterns as an outline. Raises Misplaced, with the line, for an invalid one."""
    if text.count("\n") > MOST:
        raise Misplaced(MOST + 1, f"more than {MOST} lines")
    for number, line in enumerate(text.splitlines(), 1):
        if why := _wrong(line):
            raise Misplaced(number, why)
    root = written(text, _WRITTEN, None)
    for item, above in root.walk():
        if len(above) >= DEEPEST:
            raise Misplaced(item.number, f"more than {DEEPEST} levels")
        if item.below and REST in item.text.split():
            raise Misplaced(
                item.number,
                "a pattern with lines below it cannot contain `~`; remove `~` or these lines",
            )
    return root


def _wrong(line: str) -> str:
    """Return the error of one pattern; empty if it is valid."""
    words = line.split()
    if not _PLAIN.fullmatch(line) or len(line) > LONGEST:
        return f"a pattern has at most {LONGEST} ASCII letters, digits, signs and blanks"
    if line.strip().startswith("#"):
        return "this is a remark; write it as a YAML comment"
    if REST in words[:-1]:
        return "`~` matches the rest of a line, so it must be last"
    if any(word.count("*") > 1 for word in words):
        return "a word can have only one `*`"
    return ""


def fits(pattern: str, line: str, between: str | None = None) -> bool:
    """Return whether a pattern matches a line. `between`: separators of words; blanks."""
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
    """Remove the lines that patterns match from an outline; return them in their sections.

    A section without other lines is removed as well.
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
    """Yield the printable part of unmanaged lines: heads, without the text that `~` matches.

    `keep`, `kept`: patterns and lines by kind. Lines of another tool may hold secrets in any word.
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
        below = f" and {more} line{'s' * (more > 1)} below" if more else ""
        yield " > ".join((*above, " ".join(known))) + below


def _only(item: Item, inside: Item) -> Item:
    """Return a section with some of its lines."""
    return Item(text=item.text, number=item.number, raw=item.raw, below=inside.below)


class Keep(NamedTuple):
    """Unmanaged parts of one file. `patterns`: as `patterns` reads them."""

    patterns: Item
    manner: OutlineSyntax

    @classmethod
    def of(cls, text: str, manner: OutlineSyntax) -> Keep:
        """Read patterns. Raises Misplaced for an invalid one."""
        return cls(patterns(text), manner)

    def split(self, text: str) -> tuple[Item, Item]:
        """Return the outline of the rest, and that of unmanaged lines."""
        root = outline(text, self.manner)
        return root, cut(root, self.patterns)

    def without(self, text: str) -> str:
        """Return a configuration without its unmanaged lines.

        Separators are removed as well: they have no known owner, and equal configurations then give
        equal texts.
        """
        if not self.patterns.below:
            return text
        rest = _printed(self.split(text)[0]).splitlines()
        empty = ("", self.manner.comment)
        return "".join(f"{line}\n" for line in rest if line.strip() not in empty)

    def kept(self, text: str) -> str:
        """Return the unmanaged lines of a configuration, below their sections."""
        bare = Item(text="")
        list(put(self.split(text)[1], bare, self.manner))
        return "".join(f"{line}\n" for line, item in lines(bare) if item is not None)

    def moved(self, before: str, now: str) -> bool:
        """Return whether the unmanaged lines changed."""
        return _printed(self.split(before)[1]) != _printed(self.split(now)[1])

    def into(self, text: str, running: str) -> str:
        """Insert the unmanaged lines of `running` into a rendered text. Raises Contradiction.

        A rendered line must not be unmanaged as well: its owner would be ambiguous.
        """
        root = outline(text, self.manner)
        for item, _ in cut(outline(text, self.manner), self.patterns).walk():
            if not item.below:
                raise Contradiction(
                    f"line {item.number} `{item.text}` is both rendered and unmanaged"
                )
        return self._put(root, running, text)

    def again(self, text: str, running: str) -> str:
        """Replace the unmanaged lines of an older text by those of `running`."""
        return self._put(self.split(text)[0], running, "")

    def _put(self, root: Item, running: str, plain: str) -> str:
        kept = self.split(running)[1]
        if plain and not kept.below:
            return plain
        for clash in put(kept, root, self.manner):
            if clash.certain and clash.why != "repeats":
                other = f"line {clash.other.number} `{clash.other.text}`"
                raise Contradiction(f"the unmanaged line `{clash.own.text}` {clash.why} {other}")
        return _printed(root)

    def same(self, one: str, other: str) -> bool:
        """Return whether two texts are equal except for unmanaged lines."""
        return _said(self.split(one)[0]) == _said(self.split(other)[0])


def _said(root: Item) -> list[tuple[str, ...]]:
    return [(*(each.text for each in above), item.text) for item, above in root.walk()]


def _printed(root: Item) -> str:
    return "".join(f"{line}\n" for line, _ in lines(root))
