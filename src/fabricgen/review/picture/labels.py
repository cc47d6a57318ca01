"""Puts numbers on lines where they do not cover each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fabricgen.core.svg import label, width_of

_SIZE, _TALL = 12, 16
_PARTS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.45, 0.55, 0.35, 0.65, 0.27, 0.73, 0.85)
"""Places on a line in the order of preference, as shares of its length."""
Point = tuple[float, float]


def along(low: Point, high: Point, *, above: float) -> Sequence[Point]:
    """Return places on a line between tiers. `above`: space of the lanes at its upper end."""
    tall = low[1] - high[1]
    least, most = 11 / tall, 1 - (above + 11) / tall
    points = []
    for part in _PARTS:
        share = least + (most - least) * part
        points.append((low[0] + (high[0] - low[0]) * share, low[1] + (high[1] - low[1]) * share))
    return points


@dataclass(slots=True)
class Labels:
    """Texts on lines; a text without a free place is left to the title of its line."""

    rows: list[str] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def add(self, words: str, kind: str, places: Iterable[Point]) -> bool:
        """Draw a text at the first free place; return whether there is one."""
        half = width_of(words, _SIZE) / 2 + 3
        for x, y in places:
            if all(
                abs(x - left) >= half + other or abs(y - high) >= _TALL
                for left, high, other in self.taken
            ):
                self.taken.append((x, y, half))
                self.rows.append(label(x, y, words, kind=kind))
                return True
        return False
