"""Computes the length of a cable between two places, with its terms.

A cable goes up to the tray, along it, and down again. Inside one rack it goes along the side.
docs/design/cabling.md lists the terms and their defaults.
"""

from bisect import bisect_left
from itertools import pairwise

from fabricgen.core.record import record
from fabricgen.model.fabric.floor import Floor, Laying, Rack, Stand, Structured

UNIT = 0.04445
"""A rack unit in meters (EIA-310-D: 1.75 inches)."""
ENDS = 0.5
"""Meters from a port to the side of its rack."""
INSIDE = 0.8
"""Meters from two ports of one rack to its side, both together."""
_EXACT = 6
"""Significant decimals: a path of exactly 5 m needs a cable of 5 m."""


@record(kw_only=True)
class Length:
    """Path and length of a cable in meters. `sold`: None if no cable on sale is long enough.

    `terms`: the parts of the path, by name.
    """

    way: float
    sold: float | None
    terms: tuple[tuple[str, float], ...]

    @property
    def meters(self) -> float:
        """Return the length to buy, or the path if no cable on sale is long enough."""
        return self.sold if self.sold is not None else self.way

    @property
    def arithmetic(self) -> str:
        """Return the sum of the path as text: 1.2 up + 0.5 slack = 1.7 m."""
        parts = " + ".join(f"{meters:.3g} {name}" for name, meters in self.terms if meters)
        return f"{parts} = {sum(meters for _, meters in self.terms):.4g} m"


def length_between(one: Stand, other: Stand, laying: Laying) -> Length:
    """Return the length of a cable between two places."""
    terms = _inside(one, other) if one.rack is other.rack else _across(one, other, laying)
    if one.rack is not other.rack:
        along = sum(meters for _, meters in terms)
        terms = (*terms, ("slack", max(laying.slack, along * laying.percent / 100)))
    way = round(sum(meters for _, meters in terms), _EXACT)
    return Length(way=way, sold=sold(way, laying.lengths), terms=terms)


@record(kw_only=True)
class Crossing:
    """A rack where two trunks of a channel meet. `cord`: None if they meet in one adapter."""

    rack: Rack
    cord: Length | None

    @property
    def panels(self) -> int:
        """Return the number of panels, each with one pair of MPO plugs."""
        return 1 if self.cord is None else 2


@record(kw_only=True)
class Channel:
    """Fiber through panels: a cord at each end, and trunks, which meet at crossings.

    `trunks`: from the near end. `polarity`: the method of TIA-568.3.
    """

    near: Length
    trunks: tuple[Length, ...]
    crossings: tuple[Crossing, ...]
    far: Length
    polarity: str

    @property
    def length(self) -> Length:
        """Return the sum of all parts."""
        cords = (each.cord for each in self.crossings if each.cord is not None)
        parts = (
            ("cord", self.near),
            *(("trunk", trunk) for trunk in self.trunks),
            *(("cross cord", cord) for cord in cords),
            ("other cord", self.far),
        )
        whole = [each.sold for _, each in parts if each.sold is not None]
        return Length(
            way=round(sum(each.way for _, each in parts), _EXACT),
            sold=sum(whole) if len(whole) == len(parts) else None,
            terms=tuple((name, each.meters) for name, each in parts),
        )


def channel_between(one: Stand, other: Stand, floor: Floor, fabric: str) -> Channel | None:
    """Return the channel between two places; None if a cable runs from port to port.

    Panels are at the top of their racks.
    """
    words, laying = floor.structured.get(fabric), floor.laying
    racks = _racks(words, one.rack, other.rack, laying) if words is not None else None
    if words is None or racks is None:
        return None
    tops = [_top(one.rack), *map(_top, racks), _top(other.rack)]
    return Channel(
        near=length_between(one, tops[0], laying),
        trunks=tuple(length_between(*pair, laying) for pair in pairwise(tops)),
        crossings=tuple(_crossing(rack, words, laying) for rack in racks),
        far=length_between(tops[-1], other, laying),
        polarity=words.polarity,
    )


def _crossing(rack: Rack, words: Structured, laying: Laying) -> Crossing:
    crossed = words.through[rack.type].panels > 1
    return Crossing(
        rack=rack, cord=length_between(_top(rack), _top(rack), laying) if crossed else None
    )


def _racks(words: Structured, one: Rack, other: Rack, laying: Laying) -> list[Rack] | None:
    """Return the racks where trunks meet, the nearest of each area; None without trunks.

    Both directions have the same racks.
    """
    first, last = sorted((one, other), key=lambda rack: (rack.row, rack.position, rack.name))
    areas = words.areas(first, last)
    if areas is None or words.panels(areas) > words.most_panels:
        return None
    found: list[Rack] = []
    for area in areas:
        here = found[-1] if found else first

        def detour(rack: Rack, here: Rack = here) -> float:
            legs = ((here, rack), (rack, last))
            return sum(length_between(_top(a), _top(b), laying).way for a, b in legs)

        racks = [rack for rack in words.through[area].racks if rack not in (first, last)]
        if not racks:
            return None
        found.append(min(racks, key=detour))
    return found if first is one else found[::-1]


def longest_between(one: Stand, other: Stand, floor: Floor, fabric: str) -> Length:
    """Return the maximum length of a fabric's cable between two places, with any medium."""
    channel = channel_between(one, other, floor, fabric)
    return channel.length if channel is not None else length_between(one, other, floor.laying)


def _top(rack: Rack) -> Stand:
    return Stand(name="", kind="", rack=rack, unit=rack.units, units=1, path=rack.path)


def sold(meters: float, lengths: tuple[float, ...]) -> float | None:
    """Return the shortest sufficient length on sale; None if there is none."""
    place = bisect_left(lengths, round(meters, _EXACT))
    return lengths[place] if place < len(lengths) else None


def _inside(one: Stand, other: Stand) -> tuple[tuple[str, float], ...]:
    rise = abs(_unit(one) - _unit(other)) * UNIT
    return (("along the rack", rise), ("to its side", INSIDE))


def _across(one: Stand, other: Stand, laying: Laying) -> tuple[tuple[str, float], ...]:
    return (
        ("up", _up(one)),
        ("down", _up(other)),
        ("along the row", abs(one.rack.position - other.rack.position) * laying.width),
        ("between rows", abs(one.rack.row - other.rack.row) * laying.pitch),
        ("to the tray and back", 2 * laying.rise),
    )


def _up(stand: Stand) -> float:
    """Return the meters from a port to the top of its rack."""
    return (stand.rack.units - _unit(stand)) * UNIT + ENDS


def _unit(stand: Stand) -> float:
    """Return the unit where the cable starts; for equipment at the side the middle of the rack."""
    return stand.unit if stand.unit is not None else stand.rack.units / 2
