"""Reads files without a line grammar: one fact for the whole text, or lines for other checks."""

import re
from collections.abc import Iterable
from typing import Protocol

from fabricgen.core.tree.facts import Facts, Reading, Span, Topic


class FactReader(Protocol):
    """Reads the facts of one file. `about`: topics of its facts. `always`: required facts."""

    @property
    def about(self) -> frozenset[Topic]:
        """Topics of its facts."""

    @property
    def always(self) -> Facts:
        """Facts that every such file must contain."""

    def read(self, text: str) -> Reading:
        """Return the facts of a text, and its unclaimed lines."""

    def trace(self, text: str) -> Reading:
        """Read again with line numbers, for messages about a fault."""

    def spans(self, text: str, values: frozenset[str]) -> Iterable[Span]:
        """Return the places where a variable has one of some values, in order."""


class Whole:
    """A file whose text is one attribute of one object."""

    def __init__(self, *words: str) -> None:
        """Set the key of the object, with the attribute last."""
        *key, self._name = words
        self._key = tuple(key)
        self.about: frozenset[Topic] = frozenset({(key[0], self._name)})
        self.always: Facts = {}

    def read(self, text: str) -> Reading:
        """Return the one fact."""
        return Reading({self._key: {self._name: text.removesuffix("\n")}})

    def trace(self, text: str) -> Reading:
        """Return the one fact, from its first line."""
        reading = self.read(text)
        reading.lines[self._key, self._name] = [1]
        return reading

    def spans(self, text: str, values: frozenset[str]) -> Iterable[Span]:
        """Return the place of the one fact if it has one of some values."""
        end = len(text.removesuffix("\n"))
        return [(0, end, self._key, self._name)] if text[:end] in values else []


class Judged:
    """A file that another reader checks; its lines are claimed by their beginnings."""

    about: frozenset[Topic] = frozenset()

    def __init__(self, *starts: str) -> None:
        """Set the beginnings of its lines."""
        self._starts = starts
        words = "|".join(map(re.escape, starts))
        self._strange = re.compile(rf"^(?!(?:{words})).+$", re.MULTILINE)
        self.always: Facts = {}

    def read(self, text: str) -> Reading:
        """Return the lines with other beginnings; mostly none, which is found quickly."""
        lines = "\n" + text.removesuffix("\n")
        if sum(lines.count(f"\n{start}") for start in self._starts) >= lines.count("\n"):
            return Reading()
        return Reading(
            unclaimed=[
                (text.count("\n", 0, match.start()) + 1, match[0])
                for match in self._strange.finditer(text)
            ]
        )

    trace = read

    def spans(self, text: str, values: frozenset[str]) -> Iterable[Span]:
        """Return no places: its text is equal on all switches of a type."""
        del text, values
        return ()
