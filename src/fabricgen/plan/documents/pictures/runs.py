"""Groups racks and the cables between them into the boxes of one page.

Racks are a box each, or equal neighbors of a row, whole rows or several rows together. The finest
grouping that fits on a page is used. Every cable between two racks is in one number, so the counts
add up.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from fabricgen.core.record import record
from fabricgen.core.tables import meters
from fabricgen.core.units import counted
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.fabric.floor import Rack

NODES, BUNDLES, LINES = 48, 24, 12
"""Maximum boxes, bundles between them, and lines of boxes of one page."""
Pair = tuple[int, int]
"""Two racks, or two boxes, by their places; the lower first."""


@record(kw_only=True)
class Run:
    """Cables between two places: number, shortest and longest purchased length in meters."""

    cables: int
    shortest: float
    longest: float

    def with_(self, other: "Run") -> "Run":
        """Return the sum of both."""
        return Run(
            cables=self.cables + other.cables,
            shortest=min(self.shortest, other.shortest),
            longest=max(self.longest, other.longest),
        )

    def __str__(self) -> str:
        """Return it as text: 64 cables, 10-15 m."""
        span = {meters(self.shortest): None, meters(self.longest): None}
        return f"{counted(self.cables, 'cable')}, {'-'.join(span)} m"


@record(kw_only=True)
class Parts:
    """The racks of each box, its line of boxes, and the cables between boxes.

    `loose`: cables with an end outside all racks.
    """

    racks: Sequence[Sequence[Rack]]
    lines: Sequence[int]
    joined: Mapping[Pair, Run]
    loose: int


def parts_of(racks: Sequence[Rack], laid: Iterable[Cable]) -> Parts:
    """Group racks, which are in order, for one page."""
    runs, loose = _runs(racks, laid)
    for alike in _ways(racks):
        parts = [(key, list(some)) for key, some in groupby(racks, key=alike)]
        of = [number for number, (_, some) in enumerate(parts) for _ in some]
        joined: dict[Pair, Run] = {}
        for (one, other), run in runs.items():
            pair = of[one], of[other]
            joined[pair] = joined[pair].with_(run) if pair in joined else run
        if _fits([key for key, _ in parts], joined):
            break
    return Parts(
        racks=[some for _, some in parts],
        lines=[key[0] for key, _ in parts],
        joined=joined,
        loose=loose,
    )


def _runs(racks: Sequence[Rack], laid: Iterable[Cable]) -> tuple[dict[Pair, Run], int]:
    """Return the cables between racks by their places, and the number with an end outside racks."""
    place = {rack.name: number for number, rack in enumerate(racks)}
    lengths: dict[Pair, dict[float, int]] = defaultdict(lambda: defaultdict(int))
    loose = 0
    for cable in laid:
        near, far = cable.near.stand, cable.far.stand
        if near is None or far is None:
            loose += 1
            continue
        one, other = place[near.rack.name], place[far.rack.name]
        lengths[min(one, other), max(one, other)][cable.length.meters] += 1
    return {
        pair: Run(cables=sum(each.values()), shortest=min(each), longest=max(each))
        for pair, each in lengths.items()
    }, loose


def _fits(keys: Sequence[tuple[int, ...]], joined: Iterable[Pair]) -> bool:
    lines, bundles = {key[0] for key in keys}, sum(one != other for one, other in joined)
    return len(keys) <= NODES and len(lines) <= LINES and bundles <= BUNDLES


def _ways(racks: Sequence[Rack]) -> Iterator[Callable[[Rack], tuple[int, ...]]]:
    """Yield the common coordinates of the racks of a box, from fine to coarse; the line first."""
    yield lambda rack: (rack.row, rack.position)
    types = {name: number for number, name in enumerate(sorted({rack.type for rack in racks}))}
    yield lambda rack: (rack.row, types[rack.type])
    rows = sorted({rack.row for rack in racks})
    place = {row: number for number, row in enumerate(rows)}
    size = 1
    while True:
        yield lambda rack, size=size: (place[rack.row] // size,)  # type: ignore[misc]
        if size >= len(rows):
            return
        size *= 2
