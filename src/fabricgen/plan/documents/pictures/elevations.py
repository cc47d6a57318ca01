"""Draws the front of each row of racks, unit by unit.

A picture has up to 16 racks, 8 side by side, so that names are readable on a sheet of A3.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from fabricgen.core.record import record
from fabricgen.core.svg import PALETTE, box, legend, sheet, text, width_of
from fabricgen.model.fabric.floor import Rack, Stand
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.cabling import Plan

BESIDE, STRIPS = 8, 2
"""Racks side by side, and number of such strips in a picture."""
_UNIT, _SIZE, _MARGIN, _HEAD, _SIDE = 16, 12, 24, 48, 15
_NUMBERS, _GAP = 20, 14
_MOST = 26
"""Letters of a name that fit into the width of a rack."""
_OTHER = "#d1d5db"


@record(kw_only=True)
class _Look:
    """Drawing style of all racks of a site. `colors`: by type. `of`: type of each device, by name.

    `models`: of switches, by name. `inside`: the width of a rack between its posts.
    """

    colors: Mapping[str, str]
    of: Mapping[str, str]
    models: Mapping[str, str]
    inside: float

    def color(self, stand: Stand) -> str:
        """Return the fill of a device."""
        return self.colors.get(self.of.get(stand.name, ""), _OTHER)


@record(kw_only=True)
class _Place:
    """A rack in a picture. `x`, `top`: of its frame. `held`: its contents."""

    rack: Rack
    held: Sequence[Stand]
    x: float
    top: float

    def y(self, unit: int) -> float:
        """Return the upper edge of a unit."""
        return self.top + (self.rack.units - unit) * _UNIT


def elevations(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the pictures by their names: row-01, and row-01-2 for the racks that do not fit."""
    site, held = plan.site, plan.held
    look = _look(site)
    racks = sorted(site.floor.racks, key=lambda rack: (rack.row, rack.position))
    for row, there in groupby(racks, key=lambda rack: rack.row):
        strips = [list(each) for _, each in groupby(there, key=_strip)]
        for first in range(0, len(strips), STRIPS):
            more = f"-{first // STRIPS + 1}" if first else ""
            some = strips[first : first + STRIPS]
            yield f"row-{row:02}{more}", _row(f"{site.name}, row {row}", some, held, look)


def front(plan: Plan, name: str) -> str:
    """Draw the front of one rack."""
    rack = next(each for each in plan.site.floor.racks if each.name == name)
    return _row(f"{plan.site.name}, rack {name}", [[rack]], plan.held, _look(plan.site))


def _strip(rack: Rack) -> int:
    return (rack.position - 1) // BESIDE


def _look(site: Site) -> _Look:
    of, models = {}, {}
    kinds: dict[str, None] = {}
    for fabric in site.fabrics:
        for switch in fabric.topology.switches:
            of[switch.name], models[switch.name] = fabric.name, switch.model.name
        kinds.update((each.kind, None) for each in fabric.topology.servers if each.kind)
        of.update((each.name, each.kind) for each in fabric.topology.servers if each.kind)
    names = [*(fabric.name for fabric in site.fabrics), *kinds]
    colors = {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)}
    letters = max((len(name) for name in site.floor.stands), default=0)
    inside = max(170.0, width_of("m" * min(letters, _MOST), _SIZE) + 12)
    return _Look(colors=colors, of=of, models=models, inside=inside)


def _row(
    title: str,
    strips: Sequence[Sequence[Rack]],
    held: Mapping[str, Sequence[Stand]],
    look: _Look,
) -> str:
    """Draw one picture: strips of racks below each other."""
    sides = max(_sides(held[rack.name]) for strip in strips for rack in strip)
    pitch = look.inside + _NUMBERS + 2 * sides * _SIDE + _GAP
    shown = {
        look.of.get(stand.name, "")
        for strip in strips
        for rack in strip
        for stand in held[rack.name]
    }
    key = [(name, fill) for name, fill in look.colors.items() if name in shown]
    named, end = legend(_MARGIN, 58, key)
    heights = {rack.units for strip in strips for rack in strip}
    rows = [_numbers(heights), text(_MARGIN, 34, title, size=18, kind="b"), *named]
    top, right = 76.0, end
    for strip in strips:
        first, tall = strip[0].position, max(rack.units for rack in strip)
        for rack in strip:
            x = _MARGIN + (rack.position - first) * pitch + _NUMBERS + sides * _SIDE
            low = top + _HEAD + (tall - rack.units) * _UNIT
            rows += _rack(_Place(rack=rack, held=held[rack.name], x=x, top=low), look)
            right = max(right, x + look.inside + sides * _SIDE)
        top += _HEAD + tall * _UNIT + 34
    return sheet(title, max(right, width_of(title, 18)) + _MARGIN, top, rows)


def _numbers(heights: Iterable[int]) -> str:
    """Return the unit numbers for racks of some heights, as SVG elements for reuse."""
    groups = []
    for units in sorted(heights):
        places = ((number, (units - number) * _UNIT + 12) for number in range(1, units + 1))
        told = (text(-4, y, str(n), size=10, anchor="end", kind="dim") for n, y in places)
        groups.append(f'<g id="u{units}">{"".join(told)}</g>')
    return f"<defs>{''.join(groups)}</defs>"


def _sides(held: Sequence[Stand]) -> int:
    """Return the number of devices at each side of a rack."""
    return -(-sum(stand.unit is None for stand in held) // 2)


def _rack(place: _Place, look: _Look) -> Iterator[str]:
    """Draw a rack: its name, frame, numbers and contents."""
    rack, x, middle = place.rack, place.x, place.x + look.inside / 2
    used = sum(stand.units for stand in place.held if stand.unit is not None)
    note = f"{rack.type} · {used} of {rack.units} U"
    yield text(middle, place.top - 26, rack.name, size=14, anchor="middle", kind="b")
    yield text(middle, place.top - 9, note, anchor="middle", kind="dim", most=look.inside + 30)
    yield box(x, place.top, look.inside, rack.units * _UNIT, "#f8fafc")
    yield f'<use href="#u{rack.units}" x="{x:g}" y="{place.top:g}"/>'
    hung = 0
    for stand in place.held:
        if stand.unit is not None:
            yield from _device(place, stand, stand.unit, look)
        else:
            yield from _hung(place, stand, hung, look)
            hung += 1


def _device(place: _Place, stand: Stand, unit: int, look: _Look) -> Iterator[str]:
    """Draw a device in rack units: its name, and its type if there is space."""
    x, width, height = place.x + 2, look.inside - 4, stand.units * _UNIT
    top = place.y(unit + stand.units - 1)
    yield box(x, top + 0.5, width, height - 1, look.color(stand))
    middle, kind = top + height / 2, look.models.get(stand.name) or look.of.get(stand.name, "")
    note = f"{kind} · {stand.watts:,} W" if stand.watts else kind
    tall = stand.units > 1 and bool(note)
    shift = 4 if not tall else -2.5
    yield text(x + 5, middle + shift, stand.name, size=_SIZE, most=width - 6)
    if tall:
        yield text(x + 5, middle + 11, note, size=10.5, kind="dim", most=width - 6)
    elif width_of(stand.name, _SIZE) + width_of(kind, 10) + 6 <= width:
        yield text(x + width - 5, middle + shift, kind, size=10, anchor="end", kind="dim")


def _hung(place: _Place, stand: Stand, number: int, look: _Look) -> Iterator[str]:
    """Draw a device at a side: left and right alternate, outside of the numbers."""
    out, right = divmod(number, 2)
    x = place.x + look.inside + 2 + out * _SIDE
    if not right:
        x = place.x - _NUMBERS - (out + 1) * _SIDE
    height = place.rack.units * _UNIT
    yield box(x, place.top, _SIDE - 2, height, "#e5e7eb")
    y = place.top + height / 2
    yield text(x + 10.5, y, stand.name, size=10, anchor="middle", most=height, upright=True)
