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
    series: dict[tuple[str, str], list[str]] = {}
    plain: list[str] = []
    for name in natural(names):
        found = _NUMBERED.fullmatch(name)
        if found is None:
            plain.append(name)
        else:
            series.setdefault((found[1], found[3]), []).append(found[2])
    parts = [
        (_ranges(*ends, some), len(some))
        for ends, numbers in series.items()
        for some in _by_width(numbers)
    ]
    return _fitting([*parts, *((name, 1) for name in plain)], most)


def _by_width(numbers: list[str]) -> list[list[str]]:
    """Split numbers so that each list has one width, or grows beyond it: 098, 099, 100, 1000."""
    least = min(map(len, numbers))
    alike = [each for each in numbers if len(each) == least or not each.startswith("0")]
    rest = [each for each in numbers if len(each) != least and each.startswith("0")]
    return [alike, *(_by_width(rest) if rest else [])]


def _ranges(before: str, behind: str, numbers: list[str]) -> str:
    """Return one series of names: `leaf[1-4,7]`."""
    width = min(map(len, numbers))
    runs: list[list[int]] = []
    for number in sorted(map(int, numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    spelled = ("-".join(f"{end:0{width}d}" for end in dict.fromkeys(run)) for run in runs)
    shown = ",".join(spelled)
    return f"{before}[{shown}]{behind}" if len(numbers) > 1 else f"{before}{shown}{behind}"


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
