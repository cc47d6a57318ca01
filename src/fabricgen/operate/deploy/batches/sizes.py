"""Parse batch sizes such as `1,10%,50%`."""

import re
from dataclasses import dataclass


class Refused(Exception):  # noqa: N818 - shown to the operator
    """The requested batches are impossible; the message is for the user."""


_WORD = re.compile(r"([1-9][0-9]{0,5})(%?)")


@dataclass(frozen=True, slots=True)
class Size:
    """A number of switches, or a percentage of the changing switches of a tier."""

    number: int
    percent: bool = False

    def of(self, changing: int) -> int:
        """Return the limit of switches per batch; at least one."""
        return max(1, changing * self.number // 100) if self.percent else self.number

    def __str__(self) -> str:
        """Format the size for messages."""
        return f"{self.number} %" if self.percent else str(self.number)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes in sequence; the last one repeats. The first batch is always one switch."""

    each: tuple[Size, ...]

    def __str__(self) -> str:
        """Format the sizes as input of `sizes`."""
        return ",".join(str(size).replace(" ", "") for size in self.each)

    def at(self, batch: int) -> Size:
        """Return the size of a batch, counted from 0."""
        return self.each[min(batch, len(self.each) - 1)]


def sizes(words: str) -> Sizes:
    """Parse sizes such as `1,10%,50%`.

    Raises:
        Refused: A part is not a number or a percentage up to 100.
    """
    each = []
    for word in words.split(","):
        match = _WORD.fullmatch(word.strip())
        if match is None or (match[2] and int(match[1]) > 100):
            raise Refused(f"--batch: {word.strip()!r} is not a batch size: use 1, 10% or 1,10%,50%")
        each.append(Size(int(match[1]), bool(match[2])))
    canary = Size(1)
    return Sizes(tuple(each) if each[0] == canary else (canary, *each))
