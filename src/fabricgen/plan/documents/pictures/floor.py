"""Draws the floor plan: rows of racks and the bundles of cables between them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log2

from fabricgen.core.record import record
from fabricgen.core.svg import PALETTE, box, label, sheet, text, way, width_of
from fabricgen.core.units import counted
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.fabric.floor import Rack
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.documents.pictures.runs import Pair, Parts, Run, parts_of

_MARGIN, _LEFT, _TOP, _TALL, _GAP = 24, 110, 84, 90, 30
_TITLE, _NOTE, _STEP, _LANE, _TURN = 13, 11, 20, 26, 9
_WIDEST, _RACK = 230, 16


@record(kw_only=True)
class _Spot:
    """Place of a box. `line`: its line of boxes, from 0. `x`: its middle. `top`: its upper edge."""

    line: int
    x: float
    top: float
    width: float

    @property
    def bottom(self) -> float:
        """Return its lower edge."""
        return self.top + _TALL


def floor_map(site: Site, laid: Iterable[Cable]) -> str:
    """Draw the floor."""
    racks = sorted(site.floor.racks, key=lambda rack: (rack.row, rack.position))
    parts = parts_of(racks, laid)
    types = sorted({rack.type for rack in racks})
    fills = {name: PALETTE[number % len(PALETTE)] for number, name in enumerate(types)}
    between = {pair: run for pair, run in parts.joined.items() if pair[0] != pair[1]}
    spots = _spots(parts, between)
    boxes = [
        piece
        for number, spot in enumerate(spots)
        for piece in _drawn(spot, parts.racks[number], parts.joined.get((number, number)), fills)
    ]
    lines, labels, right = _bundles(spots, between)
    title = f"{site.name} from above: {counted(len(racks), 'rack')}"
    rows = [text(_MARGIN, 34, title, size=18, kind="b"), text(_MARGIN, 56, _how(parts), kind="dim")]
    rows += _rows(spots, parts)
    bottom = max(spot.bottom for spot in spots) + _MARGIN
    said = max(width_of(title, 18), width_of(_how(parts), 12)) + 2 * _MARGIN
    return sheet(title, max(right, said), bottom, [*rows, *boxes, *lines, *labels])


def _how(parts: Parts) -> str:
    said = "Cables between racks, with the shortest and longest purchased length; not to scale."
    if parts.loose:
        said += f" {counted(parts.loose, 'cable')} with an end in no rack: not drawn."
    return said


def _rows(spots: Sequence[_Spot], parts: Parts) -> Iterator[str]:
    """Yield the rows of racks in each line of boxes."""
    rows: dict[float, set[int]] = defaultdict(set)
    for spot, racks in zip(spots, parts.racks, strict=True):
        rows[spot.top].update(rack.row for rack in racks)
    for top, numbers in rows.items():
        first, last = min(numbers), max(numbers)
        said = f"row {first}" if first == last else f"rows {first}-{last}"
        yield text(_MARGIN, top + _TALL / 2 + 4, said, size=_TITLE, kind="b")


def _spots(parts: Parts, between: Mapping[Pair, Run]) -> list[_Spot]:
    """Place boxes in lines, with the distance that the numbers between them need."""
    lines = sorted(set(parts.lines))
    place = [lines.index(line) for line in parts.lines]
    room = _room(place, between)
    tops, y = [], float(_TOP)
    for number in range(len(lines)):
        y += room[number]
        tops.append(y)
        y += _TALL
    spots, ends = [], [float(_LEFT)] * len(lines)
    for number, some in enumerate(parts.racks):
        line = place[number]
        wide = _width(some, parts.joined.get((number, number)))
        x = ends[line] + wide / 2
        spots.append(_Spot(line=line, x=x, top=tops[line], width=wide))
        ends[line] += wide + _GAP
    return spots


def _room(place: Sequence[int], between: Mapping[Pair, Run]) -> list[float]:
    """Return the space above each line, for its bundles and for bundles from the line above.

    Bundles that go farther run next to all lines, and each needs space for one turn.
    """
    above = [10.0 if line == 0 else 56.0 for line in range(max(place) + 1)]
    for one, other in between:
        first, last = sorted((place[one], place[other]))
        if first == last:
            above[first] += _STEP
        elif last - first == 1:
            above[last] += _STEP
        else:
            above[first + 1] += _TURN
            above[last] += _TURN
    return above


def _words(racks: Sequence[Rack], inside: Run | None) -> list[tuple[str, int]]:
    """Return the text of the racks in a box, with the font sizes."""
    first, last = racks[0], racks[-1]
    types = sorted({rack.type for rack in racks})
    name = first.name if first is last else f"{first.name} … {last.name}"
    kinds = types[0] if len(types) == 1 else counted(len(types), "type")
    many = kinds if first is last else f"{counted(len(racks), 'rack')} · {kinds}"
    words = [(name, _TITLE), (many, _NOTE)]
    return [*words, (f"inside: {inside}", _NOTE)] if inside is not None else words


def _width(racks: Sequence[Rack], inside: Run | None) -> float:
    widest = max(width_of(said, size) for said, size in _words(racks, inside))
    return min(_WIDEST, max(90, widest + 16, _RACK * len(racks) + 16))


def _drawn(
    spot: _Spot, racks: Sequence[Rack], inside: Run | None, fills: Mapping[str, str]
) -> Iterator[str]:
    types = {rack.type for rack in racks}
    fill = fills[types.pop()] if len(types) == 1 else "#f1f5f9"
    yield box(spot.x - spot.width / 2, spot.top, spot.width, _TALL, fill, round_=4)
    for number, (said, size) in enumerate(_words(racks, inside)):
        kind, y = "" if number else "b", spot.top + 20 + 17 * number
        yield text(spot.x, y, said, size=size, anchor="middle", kind=kind, most=spot.width - 8)
    if len(racks) * _RACK <= spot.width - 8:
        for number in range(len(racks)):
            x = spot.x + (number - len(racks) / 2) * _RACK + 1
            yield box(x, spot.bottom - 24, _RACK - 2, 17, "#ffffff")


def _bundles(
    spots: Sequence[_Spot], between: Mapping[Pair, Run]
) -> tuple[list[str], list[str], float]:
    """Return lines and their texts, and the right edge of the picture."""
    right = max(spot.x + spot.width / 2 for spot in spots) + _MARGIN
    same: dict[int, list[Pair]] = defaultdict(list)
    next_: dict[int, list[Pair]] = defaultdict(list)
    far: list[Pair] = []
    for one, other in sorted(between):
        first, last = spots[one].line, spots[other].line
        if first == last:
            same[first].append((one, other))
        elif last - first == 1:
            next_[last].append((one, other))
        else:
            far.append((one, other))
    drawn = [piece for pairs in same.values() for piece in _along(spots, pairs, between)]
    for line, pairs in next_.items():
        drawn += _across(spots, pairs, between, _STEP * len(same[line]))
    drawn += _beside(spots, far, between, right)
    right += _LANE * len(far)
    return [line for line, _ in drawn], [label for _, label in drawn], right


def _along(
    spots: Sequence[_Spot], pairs: Sequence[Pair], between: Mapping[Pair, Run]
) -> Iterator[tuple[str, str]]:
    """Yield bundles in a row: above its racks."""
    short_first = sorted(pairs, key=lambda pair: spots[pair[1]].x - spots[pair[0]].x)
    for number, pair in enumerate(short_first, 1):
        one, other = spots[pair[0]], spots[pair[1]]
        y, shift = one.top - 6 - _STEP * number + 8, 5 * (number % 5)
        left, right = one.x - 12 - shift, other.x + 12 + shift
        line = way(
            [(left, one.top), (left, y), (right, y), (right, one.top)], _thick(between[pair])
        )
        said = str(between[pair])
        yield line, label((left + right) / 2, y, said)


def _across(
    spots: Sequence[_Spot], pairs: Sequence[Pair], between: Mapping[Pair, Run], taken: float
) -> Iterator[tuple[str, str]]:
    """Yield bundles to the next row, each with its text at a separate height."""
    for number, pair in enumerate(pairs):
        one, other = spots[pair[0]], spots[pair[1]]
        free = other.top - one.bottom - taken
        y = one.bottom + 24 + (free - 40) * (number + 0.5) / len(pairs)
        part = (y - one.bottom) / (other.top - one.bottom)
        x = one.x + (other.x - one.x) * part
        line = way([(one.x, one.bottom), (other.x, other.top)], _thick(between[pair]))
        yield line, label(x, y, str(between[pair]))


def _beside(
    spots: Sequence[_Spot], pairs: Sequence[Pair], between: Mapping[Pair, Run], right: float
) -> Iterator[tuple[str, str]]:
    """Yield bundles over several rows: around the right end of those between, a lane for each."""
    turns: Counter[tuple[int, bool]] = Counter()
    for number, pair in enumerate(pairs):
        one, other = spots[pair[0]], spots[pair[1]]
        turns.update([(one.line, True), (other.line, False)])
        out = one.bottom + 6 + _TURN * turns[one.line, True]
        back = other.top - 6 - _TURN * turns[other.line, False]
        left, end = _foot(one, turns[one.line, True]), _foot(other, turns[other.line, False])
        lane = right + _LANE * number
        points = [(left, one.bottom), (left, out), (lane, out), (lane, back), (end, back)]
        said = label(lane, (out + back) / 2, str(between[pair]), upright=True)
        yield way([*points, (end, other.top)], _thick(between[pair])), said


def _foot(spot: _Spot, turn: int) -> float:
    """Return the start of a bundle to the lanes at a box: farther left for each."""
    return spot.x + spot.width / 2 - 8 - (_TURN * turn) % (spot.width - 16)


def _thick(run: Run) -> float:
    return 1 + log2(run.cables) / 3
