"""The text of a file of nftables in; its facts, and the lines that nobody claims, out.

A pass over the text is each file's own; what is not exactly a line that the platform writes is
claimed by nobody.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field

from fabricgen.core.tree.facts import TRUE, Attributes, Facts, Key, Reading, Span, Topic, add
from fabricgen.core.tree.table import ALWAYS


@dataclass(slots=True, kw_only=True)
class Pass(ABC):
    """One pass over a text."""

    reading: Reading = field(default_factory=Reading)

    @abstractmethod
    def takes(self, number: int, line: str) -> bool:
        """Take a line; False where no such line is written there."""

    def says(self, number: int, key: Key, attributes: Attributes) -> bool:
        """Keep what a line says."""
        add(self.reading.facts, key, attributes)
        for word in attributes:
            self.reading.lines.setdefault((key, word), []).append(number)
        return True

    def stands(self, number: int, line: str) -> bool:
        """Keep that a line stands which there must be."""
        return self.says(number, (ALWAYS, line), {"stands": TRUE})


class NftablesFile:
    """Reads a file line by line.

    about: what it can speak of. head: lines that there must be. begin: a new pass over a text.
    """

    def __init__(self, about: Iterable[Topic], head: Iterable[str], begin: type[Pass]) -> None:
        """Say what it can speak of, and which lines there must be."""
        self.about: frozenset[Topic] = frozenset(about)
        self.always: Facts = {(ALWAYS, line): {"stands": TRUE} for line in head}
        self._begin = begin

    def read(self, text: str) -> Reading:
        """Return the facts of a text, and the lines that nobody claims."""
        pass_ = self._begin()
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.strip()
            if line and not line.startswith("#") and not pass_.takes(number, line):
                pass_.reading.unclaimed.append((number, raw))
        if text.count("{") != text.count("}"):  # nft(8) refuses the whole file
            pass_.reading.unclaimed.append((len(text.splitlines()), "braces that do not match"))
        return pass_.reading

    trace = read

    def spans(self, text: str, values: frozenset[str]) -> Iterable[Span]:
        """Return nothing: its text is the same on all switches with the same ports."""
        del text, values
        return ()
