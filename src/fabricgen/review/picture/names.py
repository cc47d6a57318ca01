"""Folds many names into a short text: `be-leaf[1-8], fe-leaf01`."""

import re
from collections.abc import Iterable

from fabricgen.core.units import natural

_NUMBERED = re.compile(r"(.*?)(\d{1,9})(\D*)", re.DOTALL)
_MOST = 1_000
"""Letters of all names of one box. A picture with 160 boxes then has less than 200 kB."""

SHORT = 24
"""Letters that fit into a box."""


def folded(names: Iterable[str], most: int = _MOST) -> str:
    """Return all names, with ranges of their last number, as far as they fit."""
    series: dict[tuple[str, str, int], list[int]] = {}
    plain: list[str] = []
    for name in natural(names):
        found = _NUMBERED.fullmatch(name)
        if found is None:
            plain.append(name)
            continue
        digits = found[2]
        width = len(digits) if digits.startswith("0") else 0
        head = (found[1], found[3], width)
        series.setdefault(head, []).append(int(digits))
    parts = [(_ranges(*head, numbers), len(numbers)) for head, numbers in series.items()]
    parts += [(name, 1) for name in plain]
    return _fitting(parts, most)


def _ranges(before: str, behind: str, width: int, numbers: list[int]) -> str:
    """Return one series of names: `leaf[1-4,7]`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    spelled = [
        f"{first:0{width}d}" if first == last else f"{first:0{width}d}-{last:0{width}d}"
        for first, last in runs
    ]
    if len(numbers) == 1:
        return f"{before}{spelled[0]}{behind}"
    return f"{before}[{','.join(spelled)}]{behind}"


def _fitting(parts: list[tuple[str, int]], most: int) -> str:
    shown: list[str] = []
    length, left = 0, sum(count for _, count in parts)
    for part, count in parts:
        if length + len(part) > most:
            break
        shown.append(part)
        length += len(part) + 2
        left -= count
    return ", ".join(shown) + (f" and {left:,} more" if left else "")
