"""Summarize measures by the hour: count, minimum, maximum, sum and last value.

The summary of a counter is about its growth from look to look. The summary of a level is about its
values.
"""

import json
import math
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import NamedTuple

from fabricgen.nos.measures import BY_NAME, Measure
from fabricgen.operate.state.timeline.packing import inflate

HOUR = 3600
_STEPS, _ZERO = 64, 16_000
"""Steps of a stored number for each factor of two, and the code of 1.

A summary ranks ports and shows a trend. Telemetry has exact values.
"""
_COLUMNS = 6  # reading, count, minimum, maximum, sum, last
_NONE = math.nan


class Summary(NamedTuple):
    """Summary of one measure in one hour. `looks`: number of values."""

    looks: int
    low: float
    high: float
    total: float
    last: float


class Working:
    """The last reading of each measure of a switch, and the summary of the running hour."""

    def __init__(
        self, names: Sequence[Measure], numbers: "array[float]", hour: int, at: float
    ) -> None:
        """Store the columns and the time of the last reading; callers use `empty` or `load`."""
        self.names, self.numbers, self.hour, self.at = names, numbers, hour, at

    @classmethod
    def empty(cls, names: Sequence[Measure], hour: int, at: float = 0) -> "Working":
        """Return columns without a reading."""
        return cls(names, array("d", [_NONE] * (len(names) * _COLUMNS)), hour, at)

    @classmethod
    def load(cls, names: Sequence[Measure], blob: bytes) -> "Working":
        """Decompress the columns of the named metrics."""
        numbers = array("d", inflate(blob))
        if len(numbers) != len(names) * _COLUMNS + 2:
            raise ValueError("the numbers do not match their names")
        at, hour = numbers.pop(), numbers.pop()
        return cls(names, numbers, int(hour), at)

    def blob(self) -> bytes:
        """Compress the columns."""
        return zlib.compress((self.numbers + array("d", [self.hour, self.at])).tobytes(), 1)

    def moved(self, names: Sequence[Measure], *, restarted: bool) -> "Working":
        """Return the columns for other names. After a restart, counters have no reading."""
        if names == self.names and not restarted:
            return self
        other = Working.empty(names, self.hour, self.at)
        places = {name: place for place, name in enumerate(self.names)}
        for place, name in enumerate(names):
            old = places.get(name)
            if old is not None:
                row = self.numbers[old * _COLUMNS : (old + 1) * _COLUMNS]
                if restarted and BY_NAME[name[0]].counter:
                    row[0] = _NONE
                other.numbers[place * _COLUMNS : (place + 1) * _COLUMNS] = row
        return other

    def add(self, numbers: Mapping[Measure, float]) -> None:
        """Add the readings of one look. A counter that fell has restarted at zero."""
        own = self.numbers
        for place, name in enumerate(self.names):
            if name not in numbers:
                continue
            value, at = float(numbers[name]), place * _COLUMNS
            before, own[at] = own[at], value
            if BY_NAME[name[0]].counter:
                if math.isnan(before):
                    continue
                value = value - before if value >= before else value
            if math.isnan(own[at + 1]):
                own[at + 1 : at + _COLUMNS] = array("d", (1, value, value, value, value))
            else:
                own[at + 1] += 1
                own[at + 2] = min(own[at + 2], value)
                own[at + 3] = max(own[at + 3], value)
                own[at + 4] += value
                own[at + 5] = value

    def read(self) -> set[Measure]:
        """Return the measures that were read in this hour."""
        counts = self.numbers[1::_COLUMNS]
        return {
            name for name, count in zip(self.names, counts, strict=True) if not math.isnan(count)
        }

    def close(self, hour: int, names: int) -> bytes:
        """Return the summary of the hour as bytes, and begin another hour.

        Counters that did not grow have a count and no numbers.

        Args:
            hour: The next hour.
            names: Number of the list of names.
        """
        rows = list(self._rows())
        counts = [count for count, _ in rows]
        moved = [(place, row) for place, (_, row) in enumerate(rows) if row is not None]
        places = [place for place, _ in moved]
        steps = [place - before for place, before in zip(places, [0, *places], strict=False)]
        head = [self.hour, names, _runs(counts), steps]
        content = json.dumps(head, separators=(",", ":")).encode() + b"\n"
        content += _columns_blob([row for _, row in moved])
        for place in range(len(self.names)):
            start = place * _COLUMNS
            self.numbers[start + 1 : start + _COLUMNS] = array("d", [_NONE] * (_COLUMNS - 1))
        self.hour = hour
        return zlib.compress(content, 9)

    def _rows(self) -> Iterator[tuple[int, tuple[float, ...] | None]]:
        """Yield for each measure the count, and its summary unless a counter did not grow."""
        for place, name in enumerate(self.names):
            start = place * _COLUMNS
            count, low, high, total, last = self.numbers[start + 1 : start + _COLUMNS]
            if math.isnan(count):
                yield 0, None
            elif BY_NAME[name[0]].counter and not high:
                yield int(count), None
            else:
                yield int(count), (low, high, total / count, last)


def _columns_blob(rows: Sequence[tuple[float, ...]]) -> bytes:
    """Return rows as columns of codes: the minimum, and the distances of the others from it.

    The high bytes come apart from the low ones, because most are zero. Hours with one look have
    only one column.
    """
    codes = [[_code(value) for value in row] for row in rows]
    one = all(len(set(row)) == 1 for row in codes)
    columns = [[low for low, *_ in codes]]
    if not one:
        columns += [[row[column] - row[0] for row in codes] for column in (1, 2, 3)]
    whole = array("h", [value for column in columns for value in column]).tobytes()
    return whole[::2] + whole[1::2]


def _columns_from(blob: bytes, length: int) -> list[tuple[float, ...]]:
    """Return the rows of columns with a length."""
    if not length:
        return []
    half = len(blob) // 2
    mixed = bytes(byte for pair in zip(blob[:half], blob[half:], strict=True) for byte in pair)
    codes = array("h", mixed)
    columns = [codes[start : start + length] for start in range(0, len(codes), length)]
    lows, *others = columns
    rows = zip(*others, strict=True) if others else [(0, 0, 0)] * length
    return [
        (_value(low), *(_value(low + distance) for distance in row))
        for low, row in zip(lows, rows, strict=True)
    ]


def _code(value: float) -> int:
    """Return a number as a logarithm: steps of 1.1 % from 1e-75 to 1e75."""
    if not value or not math.isfinite(value):
        return 0
    code = _ZERO + round(math.log2(abs(value)) * _STEPS)
    code = min(max(code, 1), 2 * _ZERO)
    return code if value > 0 else -code


def _value(code: int) -> float:
    if not code:
        return 0
    value: float = 2 ** ((abs(code) - _ZERO) / _STEPS)
    return value if code > 0 else -value


def _runs(counts: Sequence[int]) -> list[int]:
    """Return equal neighbors as pairs of a number and a length."""
    runs: list[int] = []
    for count in counts:
        if runs and runs[-2] == count:
            runs[-1] += 1
        else:
            runs += [count, 1]
    return runs


def summaries(
    blob: bytes, names: Mapping[int, Sequence[Measure]]
) -> Iterator[tuple[int, Measure, Summary]]:
    """Yield the hour, the measure and the summary of each measure that was read."""
    head, _, columns = inflate(blob).partition(b"\n")
    hour, number, runs, steps = json.loads(head)
    known = names[number]
    counts = [
        count
        for count, length in zip(runs[::2], runs[1::2], strict=True)
        for _ in range(min(length, len(known)))
    ]
    values = _columns_from(columns, len(steps))
    rows = dict(zip(accumulate(steps), values, strict=True))
    for place, (name, count) in enumerate(zip(known, counts, strict=True)):
        if count:
            low, high, mean, last = rows.get(place, (0, 0, 0, 0))
            yield hour, name, Summary(count, low, high, mean * count, last)


def names_blob(names: Sequence[Measure]) -> tuple[str, bytes]:
    """Return the digest of a list of names, and the list as bytes."""
    text = json.dumps(names, separators=(",", ":")).encode()
    return blake2b(text, digest_size=20).hexdigest(), zlib.compress(text)


def names_from(blob: bytes) -> list[Measure]:
    """Return the list of names."""
    return [tuple(each) for each in json.loads(inflate(blob))]
