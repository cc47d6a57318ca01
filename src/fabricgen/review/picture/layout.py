"""Places the boxes, lines and numbers of one fabric, so that no text covers another."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log2

from fabricgen.core.record import record
from fabricgen.core.svg import box, cut, text, titled, way
from fabricgen.core.units import counted
from fabricgen.model.fabric.topology import Role
from fabricgen.review.picture.boxes import BELOW, Box, Key
from fabricgen.review.picture.groups import Bundle, Picture
from fabricgen.review.picture.labels import Labels, along
from fabricgen.review.picture.names import folded
from fabricgen.review.picture.style import CLASSES, TEXTS, fill, line_class
from fabricgen.review.picture.touched import Status

MARGIN = 24
_LEFT, _WIDE, _GAP = 170, 148, 16
_TITLE, _NOTE, _LINE, _PAD = 13, 11, 15, 8
_LANE, _SPACE, _ROW = 22, 52, 18
_GRAY_LANES = 4
"""Maximum lines of unchanged cables within one tier; more would hide the changed ones."""


@record(kw_only=True)
class _Spot:
    """Place of a box. `x`: its middle."""

    x: float
    top: float
    bottom: float


@record(kw_only=True)
class _Lane:
    """Line below a tier from box to box: cables in one tier, or a move of servers."""

    tier: int
    ends: tuple[Key, Key]
    kind: str
    text: str
    text_kind: str
    title: str


@dataclass(kw_only=True)
class Section:
    """One fabric of the picture with the places of its boxes."""

    picture: Picture
    top: float
    tiers: Mapping[int, Sequence[Box]]
    lanes: Sequence[_Lane]
    spots: dict[Key, _Spot] = field(default_factory=dict)
    bottom: float = 0.0
    width: float = 0.0

    @classmethod
    def of(cls, picture: Picture, top: float) -> "Section":
        """Place a fabric below a line."""
        tiers: dict[int, list[Box]] = defaultdict(list)
        for each in picture.boxes:
            tiers[each.tier].append(each)
        section = cls(picture=picture, top=top, tiers=tiers, lanes=list(_lanes(picture)))
        section._place()
        return section

    def _place(self) -> None:
        """Place the tiers from the highest to the servers, and these near their leafs."""
        widest = max(map(len, self.tiers.values()), default=1)
        self.width = _LEFT + widest * (_WIDE + _GAP) + MARGIN
        y = self.top + 36
        for number, tier in enumerate(order := sorted(self.tiers, reverse=True)):
            y += self._room(order[number - 1], tier) if number else 0
            tall = max(map(_height, self.tiers[tier]))
            step = (self.width - _LEFT - MARGIN) / len(self.tiers[tier])
            for place, each in enumerate(self._ordered(tier)):
                x = _LEFT + step * (place + 0.5)
                self.spots[each.key] = _Spot(x=x, top=y, bottom=y + tall)
            y += tall
        self.bottom = y + self._lane_room(min(self.tiers, default=BELOW)) + 30

    def _ordered(self, tier: int) -> Sequence[Box]:
        if tier > BELOW:
            return self.tiers[tier]
        above: dict[Key, list[float]] = defaultdict(list)
        for each in self.picture.bundles:
            if each.status is not Status.REMOVED and each.high in self.spots:
                above[each.low].append(self.spots[each.high].x)
        middle = {key: sum(xs) / len(xs) for key, xs in above.items()}
        return sorted(self.tiers[tier], key=lambda each: middle.get(each.key, self.width))

    def _lane_room(self, tier: int) -> float:
        return _LANE * sum(lane.tier == tier for lane in self.lanes)

    def _room(self, higher: int, lower: int) -> float:
        """Return the space between two tiers: for lanes, lines, and rows of numbers."""
        numbers = sum(
            each.status is not Status.SAME and each.low[0] == lower < each.high[0]
            for each in self.picture.bundles
        )
        rows = ceil(numbers / max(1, (self.width - _LEFT) / 110))
        return _SPACE + self._lane_room(higher) + _ROW * min(rows, 12)

    def rows(self, width: float) -> Iterator[str]:
        """Yield the elements in a picture of this width, numbers on top."""
        most = width - 2 * MARGIN
        yield text(MARGIN, self.top + 16, self.picture.title, size=15, kind="b", most=most)
        labels = Labels()
        lines = sorted(self.picture.bundles, key=lambda each: _LAYERS.index(each.status))
        yield from [self._line(each, labels) for each in lines if each.low[0] != each.high[0]]
        yield from self._drawn_lanes(labels)
        for tier in sorted(self.tiers, reverse=True):
            yield from self._tier_name(tier)
            for item in self.tiers[tier]:
                yield _drawn(item, self.spots[item.key])
        yield from labels.rows

    def _tier_name(self, tier: int) -> Iterator[str]:
        role = next((role for role in Role if role.tier == tier), None)
        spot = self.spots[self.tiers[tier][0].key]
        y = spot.top + _PAD + 11
        name = f"{role.value}s" if role is not None else "attached"
        yield text(MARGIN, y, name, size=_TITLE, kind="b")
        if role is not None:
            some, every = self.picture.sums[role]
            yield text(
                MARGIN,
                y + _LINE,
                f"{some:,} of {every:,} touched",
                kind="dim",
                most=_LEFT - MARGIN - _PAD,
            )

    def _line(self, each: Bundle, labels: Labels) -> str:
        """Return one line between tiers; parallel lines have separate ends."""
        low, high = self.spots[each.low], self.spots[each.high]
        shift = _SHIFT[each.status]
        ends = (low.x + shift, low.top), (high.x + shift, high.bottom)
        words = _number(each)
        line = way(ends, _thick(each.cables), kind=line_class(each.status))
        if each.status is Status.SAME:
            return line
        labels.add(words, TEXTS[each.status], along(*ends, above=self._lane_room(each.high[0])))
        return titled(f"{words} ({counted(each.cables, 'cable')})", [line])

    def _drawn_lanes(self, labels: Labels) -> Iterator[str]:
        """Yield lines below their tiers, each at a separate height."""
        depth: dict[int, int] = defaultdict(int)
        for lane in self.lanes:
            one, other = (self.spots[key] for key in lane.ends)
            depth[lane.tier] += 1
            y = one.bottom + _LANE * depth[lane.tier]
            side = 1 if one.x <= other.x else -1
            shift = 14 + 9 * (depth[lane.tier] % 5)
            left, right = one.x + side * shift, other.x - side * shift
            points = [(left, one.bottom), (left, y), (right, y), (right, other.bottom)]
            places = [(left + (right - left) * part, y) for part in (0.5, 0.35, 0.65, 0.2, 0.8)]
            if lane.text:
                labels.add(lane.text, lane.text_kind, places)
            yield titled(lane.title, [way(points, kind=lane.kind)])


_LAYERS = (Status.SAME, Status.REMOVED, Status.CHANGED, Status.MOVED, Status.NEW)
"""Lines from the lowest to the highest layer."""
_SHIFT = {
    Status.SAME: 0,
    Status.REMOVED: -8,
    Status.CHANGED: -4,
    Status.MOVED: 4,
    Status.NEW: 8,
}
"""Pixels between parallel lines of two boxes."""


def _lanes(picture: Picture) -> Iterator[_Lane]:
    """Yield cables in one tier, and the moves of servers from leaf to leaf."""
    inside = [each for each in picture.bundles if each.low[0] == each.high[0]]
    gray = [each for each in inside if each.status is Status.SAME and each.low != each.high]
    for each in inside:
        if each.status is Status.SAME and (each not in gray or len(gray) > _GRAY_LANES):
            continue
        words = _number(each) if each.status is not Status.SAME else ""
        yield _Lane(
            tier=each.low[0],
            ends=(each.low, each.high),
            kind=line_class(each.status),
            text=words,
            text_kind=TEXTS[each.status],
            title=counted(each.cables, "cable"),
        )
    for shift in picture.shifts:
        if shift.old != shift.new:
            count = counted(len(shift.names), "server")
            yield _Lane(
                tier=shift.old[0],
                ends=(shift.old, shift.new),
                kind="shift",
                text=cut(shift.names[0], _WIDE, _NOTE) if len(shift.names) == 1 else count,
                text_kind="tm",
                title=folded(shift.names),
            )


_SIGNS = {Status.NEW: "+{}", Status.REMOVED: "−{}", Status.MOVED: "{} moved"}  # noqa: RUF001


def _number(each: Bundle) -> str:
    """Return the number on a line: `+8`, `−2`, `1 moved`."""  # noqa: RUF002
    return _SIGNS.get(each.status, "{} changed").format(f"{each.cables:,}")


def _thick(cables: int) -> float:
    return 1 + log2(cables) / 4


def _height(each: Box) -> float:
    return _LINE * (1 + len(each.notes)) + 2 * _PAD


def _drawn(each: Box, spot: _Spot) -> str:
    """Return a box with its title and notes, and all names under the pointer."""
    left, room = spot.x - _WIDE / 2, _WIDE - _PAD
    kind = CLASSES[each.status]
    rows = [box(left, spot.top, _WIDE, spot.bottom - spot.top, fill(each), round_=4, kind=kind)]
    y = spot.top + _PAD + 11
    rows.append(text(spot.x, y, each.title, size=_TITLE, anchor="middle", kind="b", most=room))
    for number, note in enumerate(each.notes, 1):
        low = y + number * _LINE
        rows.append(text(spot.x, low, note, size=_NOTE, anchor="middle", most=room))
    return titled(folded(each.names), rows)
