"""Draws the topology of a fabric: tiers below each other and bundles of cables between them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import log2

from fabricgen.core.record import record
from fabricgen.core.svg import PALETTE, box, label, sheet, text, way, width_of
from fabricgen.core.units import BitsPerSecond, counted
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.fabric.switch import Fabric
from fabricgen.plan.documents.pictures.graph import BELOW, Box, Bundle, Graph, Key, graph_of

_FILLS = {
    "superspine": PALETTE[4],
    "spine": PALETTE[0],
    "leaf": PALETTE[1],
    "below": PALETTE[7],
    "outside": PALETTE[2],
}
_MARGIN, _LEFT, _TOP, _GAP = 24, 150, 84, 26
_TITLE, _NOTE, _LINE, _PAD, _LOOP = 13, 11, 15, 8, 18
_WIDEST = 210
"""Width of a box in pixels: about 28 letters."""


@record(kw_only=True)
class _Spot:
    """Place of a box. `x`: its middle. `top`, `bottom`: its edges. `place`: index in its tier."""

    x: float
    top: float
    bottom: float
    place: int


@record(kw_only=True)
class _Layout:
    """Places of all boxes. `one`: the speed of the cables between tiers, if all have the same."""

    spots: Mapping[Key, _Spot]
    width: float
    height: float
    box: float
    tiers: Mapping[int, Sequence[Box]]


def topology(fabric: Fabric, laid: Sequence[Cable]) -> str:
    """Draw a fabric."""
    graph = graph_of(fabric.topology.switches, laid)
    layout = _layout(graph)
    switches = counted(len(fabric.topology.switches), "switch")
    title = f"{fabric.name}: {fabric.design}, {switches}, {counted(len(laid), 'cable')}"
    rows = [
        text(_MARGIN, 34, title, size=18, kind="b"),
        text(_MARGIN, 56, _how(graph), kind="dim"),
    ]
    lines, labels = _bundles(graph, layout)
    boxes = (_drawn(each, layout) for each in graph.boxes)
    rows += [*lines, *(piece for pieces in boxes for piece in pieces), *labels]
    return sheet(title, layout.width, layout.height, rows)


def _how(graph: Graph) -> str:
    if graph.whole:
        return "A box is a switch. The number on a line is its number of cables."
    return "A box is a group of switches of one type. The number on a line is its number of cables."


def _layout(graph: Graph) -> _Layout:
    """Place tiers below each other, with the distance that the numbers between them need."""
    tiers = _ordered(graph)
    words = [(each.title, _TITLE) for each in graph.boxes]
    words += [(note, _NOTE) for each in graph.boxes for note in each.notes]
    widest = max((width_of(said, size) for said, size in words), default=80)
    wide = min(_WIDEST, widest + 2 * _PAD)
    most = max((len(tier) for tier in tiers.values()), default=1)
    width = max(_LEFT + most * (wide + _GAP), 760.0)
    spots, top = {}, float(_TOP)
    for tier in sorted(tiers, reverse=True):
        top += _above(graph, tiers, tier)
        tall = max(_height(each) for each in tiers[tier])
        step = (width - _LEFT) / len(tiers[tier])
        for place, each in enumerate(tiers[tier]):
            x = _LEFT + step * (place + 0.5) - _GAP / 2
            spots[each.key] = _Spot(x=x, top=top, bottom=top + tall, place=place)
        top += tall
    top += _LOOP * _loops_below(graph, tiers, min(tiers, default=BELOW)) + _MARGIN
    return _Layout(spots=spots, width=width, height=top, box=wide, tiers=tiers)


def _above(graph: Graph, tiers: Mapping[int, Sequence[Box]], tier: int) -> float:
    """Return the space above a tier: a line of numbers for each box that one box connects to."""
    ends = Counter(
        each.low.key for each in graph.bundles if each.low.tier == tier != each.high.tier
    )
    higher = [number for number in tiers if number > tier]
    loops = _LOOP * _loops_below(graph, tiers, min(higher)) if higher else 0
    return (80 + 18 * max(ends.values(), default=0) + loops) if higher else 0


def _loops_below(graph: Graph, tiers: Mapping[int, Sequence[Box]], tier: int) -> int:
    """Return the depth of bundles in one tier, such as MLAG pairs: 1 between neighbors."""
    places = {each.key: place for place, each in enumerate(tiers.get(tier, ()))}
    beside = (each for each in graph.bundles if each.low.tier == tier == each.high.tier)
    return max((_deep(places[each.low.key], places[each.high.key]) for each in beside), default=0)


def _deep(one: int, other: int) -> int:
    return max(1, abs(one - other))


def _ordered(graph: Graph) -> dict[int, list[Box]]:
    """Return the tiers from left to right; devices below leafs are near their leafs."""
    tiers: dict[int, list[Box]] = defaultdict(list)
    for each in graph.boxes:
        tiers[each.tier].append(each)
    places = {
        each.key: place / len(tier) for tier in tiers.values() for place, each in enumerate(tier)
    }
    above: dict[Key, list[float]] = defaultdict(list)
    for bundle in graph.bundles:
        above[bundle.low.key].append(places[bundle.high.key])
    if BELOW in tiers:
        tiers[BELOW].sort(key=lambda each: sum(above[each.key]) / len(above[each.key]))
    return tiers


def _height(each: Box) -> float:
    return _LINE * (1 + len(each.notes)) + 2 * _PAD


def _drawn(each: Box, layout: _Layout) -> Iterator[str]:
    spot, wide = layout.spots[each.key], layout.box
    left, room = spot.x - wide / 2, wide - _PAD
    yield box(left, spot.top, wide, spot.bottom - spot.top, _FILLS[each.kind], round_=4)
    y = spot.top + _PAD + 11
    yield text(spot.x, y, each.title, size=_TITLE, anchor="middle", kind="b", most=room)
    for number, note in enumerate(each.notes, 1):
        low = y + number * _LINE
        yield text(spot.x, low, note, size=_NOTE, anchor="middle", most=room)


def _bundles(graph: Graph, layout: _Layout) -> tuple[list[str], list[str]]:
    """Return lines, and the numbers on them, which are drawn on top."""
    lines: list[str] = []
    labels: list[str] = []
    pairs = sorted(graph.bundles, key=lambda each: (-each.high.tier, -each.low.tier))
    for (high, low), some in groupby(pairs, key=lambda each: (each.high.tier, each.low.tier)):
        bundles = list(some)
        speeds = {speed for each in bundles for speed in each.speeds}
        if high == low:
            drawn = _loops(bundles, layout)
        else:
            drawn = _between(bundles, layout, alike=len(speeds) == 1)
            labels += _summary(bundles, layout, speeds)
        for line, said in drawn:
            lines.append(line)
            labels.append(said)
    return lines, labels


def _between(
    bundles: Sequence[Bundle], layout: _Layout, *, alike: bool
) -> Iterator[tuple[str, str]]:
    """Yield lines between two tiers; numbers of lines from one box have separate heights."""
    ends: dict[Key, list[int]] = defaultdict(list)
    for each in bundles:
        ends[each.low.key].append(layout.spots[each.high.key].place)
    for each in bundles:
        low, high = layout.spots[each.low.key], layout.spots[each.high.key]
        places = sorted(ends[each.low.key])
        part = 0.16 + 0.68 * (places.index(high.place) + 0.5) / len(places)
        x = low.x + (high.x - low.x) * part
        y = low.top + (high.bottom - low.top) * part
        line = way([(low.x, low.top), (high.x, high.bottom)], _thick(each))
        yield line, label(x, y, _count(each, alike=alike))


def _loops(bundles: Sequence[Bundle], layout: _Layout) -> Iterator[tuple[str, str]]:
    """Yield lines in one tier: below it, from box to box."""
    for each in bundles:
        one, other = layout.spots[each.low.key], layout.spots[each.high.key]
        y, shift = one.bottom + _LOOP * _deep(one.place, other.place), layout.box / 4
        left, right = sorted((one.x, other.x))
        ends = left + shift, right - shift * (1 if left < right else -1)
        if left == right:
            ends = left - shift, left + shift
        points = [(ends[0], one.bottom), (ends[0], y), (ends[1], y), (ends[1], one.bottom)]
        said = label(sum(ends) / 2, y, _count(each, alike=False))
        yield way(points, _thick(each)), said


def _summary(
    bundles: Sequence[Bundle], layout: _Layout, speeds: set[BitsPerSecond]
) -> Iterator[str]:
    """Yield the summary of the other lines between two tiers: their total number of cables."""
    low, high = layout.spots[bundles[0].low.key], layout.spots[bundles[0].high.key]
    y = (low.top + high.bottom) / 2
    yield text(_MARGIN, y - 4, counted(sum(each.cables for each in bundles), "cable"), kind="b")
    yield text(_MARGIN, y + 12, "of " + ", ".join(str(speed) for speed in sorted(speeds)))
    if all(each.inside for each in bundles) and _pods(bundles):
        yield text(_MARGIN, y + 28, "each within one pod")


def _pods(bundles: Sequence[Bundle]) -> bool:
    return any(" pods" in note for each in bundles for note in (*each.low.notes, *each.high.notes))


def _count(each: Bundle, *, alike: bool) -> str:
    """Return the number on a line, with the speed if neighboring lines have another."""
    if alike:
        return f"{each.cables:,}"
    return " + ".join(f"{count:,} x {speed}" for speed, count in sorted(each.speeds.items()))


def _thick(each: Bundle) -> float:
    return 1 + log2(each.cables) / 3
