"""Builds the bill of materials of a site, in sheets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fabricgen.core.tables import Sheet
from fabricgen.model.cabling import counted
from fabricgen.model.cabling.finish import FINISH, finished
from fabricgen.model.cabling.parts import UNKNOWN
from fabricgen.plan.bill import Line, free_border, lines, minutes
from fabricgen.plan.cabling import Plan
from fabricgen.plan.power import MOST, OPTICS, SERVERS, SWITCHES, Load, loads

_COST = ("price", "cost", "currency", "without_price")
_CENT = Decimal("0.01")
_POWER = (
    *("rack", "rack_units", "used", "free"),
    *("switch_watts", "optic_watts", "server_watts", "watts", "watts_at_most", "rack_watts"),
    "without_watts",
)


def bill(plan: Plan) -> list[Sheet]:
    """Return the sheets of the bill; the first is the list of parts."""
    site, laid = plan.site, plan.laid
    bought = list(lines(plan))
    fabrics = [fabric.name for fabric in site.fabrics]
    fabrics += [network.name for network in site.floor.beside]
    spent = minutes(plan)
    border = [
        (fabric, leaf, len(cages), " ".join(map(str, cages)))
        for fabric, leaf, cages in free_border(site, laid)
    ]
    money = _Money(site.floor.buying.currency)
    return [
        Sheet("parts", money.columns(fabrics), list(money.parts(bought, fabrics))),
        Sheet("per fabric", money.each_columns(), list(money.each(bought, fabrics))),
        Sheet("power", _POWER, list(_power(loads(site, laid)))),
        Sheet("hours", ("fabric", "cables", "minutes", "hours"), list(_hours(spent))),
        Sheet("counted", counted.COLUMNS, list(counted.rows(site.floor))),
        Sheet("border", ("fabric", "leaf", "free_cages", "cages"), border),
    ]


@dataclass(frozen=True, slots=True)
class _Money:
    """Writes counts, and their cost in the currency of the price list, if there is one."""

    currency: str

    def columns(self, fabrics: Sequence[str]) -> tuple[str, ...]:
        own = _COST if self.currency else ()
        sums = ("used", "spares", "bought")
        return ("kind", "part", "length_m", "color", *FINISH, *fabrics, *sums, *own)

    def parts(self, bought: Sequence[Line], fabrics: Sequence[str]) -> Iterator[tuple[object, ...]]:
        for line in bought:
            part = line.part
            counts = [line.counts.get(fabric, 0) for fabric in fabrics]
            yield (
                part.kind,
                part.called,
                part.meters or "",
                part.color,
                *finished(part.finish),
                *(*counts, line.used, line.spares, line.bought),
                *self._cost(line, line.bought),
            )
        if self.currency:
            blank = ("",) * (len(fabrics) + 7 + len(FINISH))
            yield ("total", *blank, *self.sum((line, line.bought) for line in bought))

    def each_columns(self) -> tuple[str, ...]:
        own = _COST if self.currency else ()
        return ("fabric", "kind", "part", "count", *own)

    def each(self, bought: Sequence[Line], fabrics: Sequence[str]) -> Iterator[tuple[object, ...]]:
        """Yield the parts of every fabric with its sum, then the spares of the site."""
        for name in (*fabrics, None):
            mine = [(line, _count(line, name)) for line in bought if _count(line, name)]
            told = name if name is not None else "spares"
            for line, count in mine:
                yield told, line.part.kind, line.part.called, count, *self._cost(line, count)
            if mine and self.currency:
                yield told, "total", "", "", "", *self.sum(mine)

    def sum(self, counts: Iterable[tuple[Line, int]]) -> tuple[object, ...]:
        """Return the cost of parts, and the number of parts without a price."""
        every = [line.cost(count) for line, count in counts]
        known = sum((cost for cost in every if cost is not None), Decimal(0))
        return known.quantize(_CENT), self.currency, every.count(None)

    def _cost(self, line: Line, count: int) -> tuple[object, ...]:
        if not self.currency:
            return ()
        if line.price is None:
            return UNKNOWN, UNKNOWN, "", ""
        return line.price, (line.price * count).quantize(_CENT), self.currency, ""


def _count(line: Line, fabric: str | None) -> int:
    return line.spares if fabric is None else line.counts.get(fabric, 0)


def _power(every: Sequence[Load]) -> Iterator[tuple[object, ...]]:
    for load in every:
        rack = load.rack
        name = rack.name if rack is not None else "in no rack"
        room = (rack.units, load.used, rack.units - load.used) if rack is not None else ("",) * 3
        yield name, *room, *_watts([load]), (rack and rack.watts) or "", _lacking([load])
    units = sum(load.rack.units for load in every if load.rack is not None)
    used = sum(load.used for load in every if load.rack is not None)
    yield "total", units, used, units - used, *_watts(every), "", _lacking(every)


def _watts(every: Sequence[Load]) -> Iterator[object]:
    """Yield the sums of some racks; an incomplete sum is marked as a minimum.

    A completely unknown sum is not 0.
    """
    usual = (SWITCHES, OPTICS, SERVERS)
    for of in (*((each,) for each in usual), usual, (MOST, SERVERS)):
        watts = round(sum(getattr(load, each) for load in every for each in of), 1)
        lacks = any(load.unknown[each] for load in every for each in of)
        least = f"at least {watts:.12g}" if watts else UNKNOWN
        yield least if lacks else watts


def _lacking(every: Sequence[Load]) -> str:
    """Return the parts with unknown watts as text; no sum includes them."""
    count: Counter[str] = Counter()
    for load in every:
        for each in load.unknown.values():
            count += each
    return ", ".join(f"{number:,} {name}" for name, number in sorted(count.items()))


def _hours(spent: dict[str, tuple[int, Decimal]]) -> Iterator[tuple[object, ...]]:
    total = (sum(count for count, _ in spent.values()), sum(each for _, each in spent.values()))
    for fabric, (count, each) in (*spent.items(), ("total", total)):
        yield fabric, count, float(each), round(float(each) / 60, 1)
