"""Reads batch sizes such as `1,10%,50%`."""

import re
from dataclasses import dataclass


class Refused(Exception):  # noqa: N818 - said to the operator: what was asked for and is not done
    """Batches cannot be made of what was asked for; the message is for people."""


_WORD = re.compile(r"([1-9][0-9]{0,5})(%?)")


@dataclass(frozen=True, slots=True)
class Size:
    """A number of switches, or a percentage of those of the tier that change."""

    number: int
    percent: bool = False

    def of(self, changing: int) -> int:
        """Return the most switches of a batch; at least one."""
        return max(1, changing * self.number // 100) if self.percent else self.number

    def __str__(self) -> str:
        """Spell it as it was written."""
        return f"{self.number} %" if self.percent else str(self.number)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes in turn; the last one repeats. The first batch is one switch in any case."""

    each: tuple[Size, ...]

    def __str__(self) -> str:
        """Spell them as `sizes` reads them."""
        return ",".join(str(size).replace(" ", "") for size in self.each)

    def at(self, batch: int) -> Size:
        """Return the size of a batch, counted from 0."""
        return self.each[min(batch, len(self.each) - 1)]


def sizes(words: str) -> Sizes:
    """Read `1,10%,50%`; Refused when a word is neither a number nor a percentage up to 100."""
    each = []
    for word in words.split(","):
        match = _WORD.fullmatch(word.strip())
        if match is None or (match[2] and int(match[1]) > 100):
            raise Refused(f"{word.strip()!r} is no size of a batch: write 1, 10% or 1,10%,50%")
        each.append(Size(int(match[1]), bool(match[2])))
    canary = Size(1)
    return Sizes(tuple(each) if each[0] == canary else (canary, *each))
