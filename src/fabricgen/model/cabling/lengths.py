"""Computes the length of a cable between two places, with its terms.

A cable goes up to the tray, along it, and down again. Inside one rack it goes along the side.
docs/design/cabling.md lists the terms and their defaults.
"""

from bisect import bisect_left

from fabricgen.core.record import record
from fabricgen.model.fabric.floor import Floor, Laying, Rack, Stand

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
        return f"{parts} = {self.way:.4g} m"


def length_between(one: Stand, other: Stand, laying: Laying) -> Length:
    """Return the length of a cable between two places."""
    terms = _inside(one, other) if one.rack is other.rack else _across(one, other, laying)
    if one.rack is not other.rack:
        along = sum(meters for _, meters in terms)
        terms = (*terms, ("slack", max(laying.slack, along * laying.percent / 100)))
    way = round(sum(meters for _, meters in terms), _EXACT)
    return Length(way=way, sold=sold(way, laying.lengths), terms=terms)


@record(kw_only=True)
class Channel:
    """Fiber through two panels: a cord at each end, and the trunk between."""

    near: Length
    trunk: Length
    far: Length

    @property
    def length(self) -> Length:
        """Return the sum of all three lengths."""
        parts = (("cord", self.near), ("trunk", self.trunk), ("other cord", self.far))
        whole = [each.sold for _, each in parts if each.sold is not None]
        return Length(
            way=round(sum(each.way for _, each in parts), _EXACT),
            sold=sum(whole) if len(whole) == len(parts) else None,
            terms=tuple((name, each.meters) for name, each in parts),
        )


def channel_between(one: Stand, other: Stand, laying: Laying) -> Channel:
    """Return the lengths of a channel; panels are at the top of their racks."""
    here, there = _top(one.rack), _top(other.rack)
    return Channel(
        near=length_between(one, here, laying),
        trunk=length_between(here, there, laying),
        far=length_between(there, other, laying),
    )


def longest_between(one: Stand, other: Stand, floor: Floor, fabric: str) -> Length:
    """Return the maximum length of a fabric's cable between two places, with any medium."""
    if floor.by_panels(fabric, one.rack, other.rack):
        return channel_between(one, other, floor.laying).length
    return length_between(one, other, floor.laying)


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
