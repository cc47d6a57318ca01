"""Defines numbers with units: bits per second, bytes, meters, milliseconds and percent."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

_SPEED = re.compile(r"([1-9][0-9]{0,3}(?:\.[0-9])?)([MGT])\Z")
_SCALE = {"M": 10**6, "G": 10**9, "T": 10**12}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 switch`, `2 batches`."""
    plural = "es" if noun.endswith(("ch", "x", "ss")) else "s"
    return f"{number:,} {noun}{plural if number != 1 else ''}"


def shortened(names: Sequence[str], most: int = 1) -> str:
    """Return the first names and the number of others: `a, b and 3 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


class BitsPerSecond(int):
    """A line rate in bit/s; prints as engineers write it: 400G, 1.6T."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "BitsPerSecond":
        """Read `400G`, `1.6T` or `100M`. Raises ValueError for other text."""
        match = _SPEED.match(text)
        if not match:
            msg = f"{text!r} is not a speed such as 100G, 400G or 1.6T"
            raise ValueError(msg)
        return cls(round(float(match[1]) * _SCALE[match[2]]))

    @property
    def megabits(self) -> int:
        """The rate in Mbit/s, as SONiC and sysfs count."""
        return int(self) // 10**6

    @property
    def gigabits(self) -> int:
        """The rate in whole Gbit/s."""
        return int(self) // 10**9

    @property
    def written(self) -> str:
        """Return text that `parse` reads as the same rate: 1.6T, but 1250G, which has no 1.25T."""
        forms = (f"{int(self) / scale:g}{letter}" for letter, scale in reversed(_SCALE.items()))
        exact = (form for form in forms if _SPEED.match(form) and self.parse(form) == self)
        return next(exact, str(self))

    def __str__(self) -> str:
        """Return the engineers' notation: 800G stays 800G, 1600G becomes 1.6T."""
        for letter in "TGM":
            value = int(self) / _SCALE[letter]
            if value >= 1:
                return f"{value:g}{letter}"
        return f"{int(self)}"


class Percent(float):
    """A share in percent; prints without a trailing zero: 1, 0.5."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the number as switches and users write it."""
        return f"{self:g}"


class Bytes(int):
    """A count of bytes."""

    __slots__ = ()


class Meters(int):
    """A length in whole meters."""

    __slots__ = ()


class Milliseconds(int):
    """A time in whole milliseconds."""

    __slots__ = ()


def spans(numbers: Iterable[int]) -> str:
    """Join numbers, each once and in order: 5-28,30."""
    parts = []
    for _, group in groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if run[0] == run[-1] else f"{run[0]}-{run[-1]}")
    return ",".join(parts)


def natural(names: Iterable[str]) -> list[str]:
    """Sort names in natural order: leaf2 before leaf10."""
    return sorted(
        names,
        key=lambda name: [
            int(part) if part.isdigit() else part for part in re.split("([0-9]+)", name)
        ],
    )
