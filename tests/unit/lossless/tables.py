"""Compute the tables of docs/reference/lossless-formulas.md as rows of text.

Run as a module, it writes the rows into the page: `python -m tests.unit.lossless.tables`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from tests.unit.lossless.shipped import CELLS, RECIPES, cases

from fabricgen.compile.design.roce_profiles import PROFILES, adopted
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.intent.model.qos import Roce
from fabricgen.model.lossless.budget import Alpha, budget, group_limit, pause_threshold
from fabricgen.model.lossless.chips import CHIPS, CellFit, chip
from fabricgen.model.lossless.headroom import Headroom, headroom, wire_minimum
from fabricgen.model.lossless.marking import Limits, marking_points
from fabricgen.model.lossless.memory import Memory, PortGroup
from fabricgen.model.lossless.path import Nanoseconds, bandwidth_delay, round_trip
from fabricgen.model.lossless.path import Path as Way
from fabricgen.model.lossless.port import PauseResponse, Port, Traffic, response_bytes
from fabricgen.model.lossless.watchdog import longest_pause_ms
from fabricgen.model.lossless.wire import amplification

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "lossless-formulas.md"
Row = tuple[str, ...]
LENGTHS = (5, 40, 100, 300)
SHIPPED, CAREFUL = PauseResponse.SHIPPED, PauseResponse.CONSERVATIVE


def port(speed: str, meters: int, lossless: int = 9216) -> Port:
    return Port(
        speed=BitsPerSecond.parse(speed),
        length=Meters(meters),
        mtu=Bytes(9216),
        lossless_mtu=Bytes(lossless),
        lanes=4,
    )


def many(number: float | Fraction) -> str:
    return f"{float(number):,.0f}"


def response() -> Iterator[Row]:
    for speed in ("10G", "25G", "40G", "50G", "100G", "200G", "400G", "800G", "1.6T"):
        rate = BitsPerSecond.parse(speed)
        shipped, careful = (response_bytes(rate, rule) for rule in (SHIPPED, CAREFUL))
        assert careful is not None
        value = careful[0]
        first = many(shipped[0] // 64) if shipped else "none"
        yield speed, first, many(value // 64), many(value), many(value * 8 * 10**9 / rate)


def wire() -> Iterator[Row]:
    for speed in ("100G", "200G", "400G", "800G"):
        for rule in (SHIPPED, CAREFUL) if speed == "800G" else (SHIPPED,):
            made = [wire_minimum(port(speed, meters), rule).total for meters in LENGTHS]
            name = f"{speed}, {rule}" if speed == "800G" else speed
            yield name, *map(many, made), many(wire_minimum(port(speed, 0)).per_meter)


def terms() -> Iterator[Row]:
    for term in (made := headroom(port("800G", 40), chip("Trident3-X7", Bytes(256)))).terms:
        yield term.name, many(term.value), term.source
    yield "total", many(made.total), made.model


def cells() -> Iterator[Row]:
    sizes = {item.cell: item.name for item in reversed(CHIPS)}
    sizes |= {Bytes(cell): name for name, cell in CELLS.items() if cell not in sizes}
    for cell, name in sorted(sizes.items()):
        yield str(cell), name, f"{cell / 84:.2f}", f"{float(amplification(cell)):.2f}"


def models() -> Iterator[Row]:
    kinds: dict[str, Callable[[str, int], Headroom]] = {
        "wire, shipped response": lambda s, m: wire_minimum(port(s, m)),
        "Spectrum-4, half small, 4096": lambda s, m: headroom(
            port(s, m, 4096), chip("Spectrum-4", None), Traffic(50)
        ),
        "Spectrum-4, all small, 1024": lambda s, m: headroom(
            port(s, m, 1024), chip("Spectrum-4", None)
        ),
        "Tomahawk5, fit": lambda s, m: headroom(port(s, m), chip("Tomahawk5", None)),
        "cell 254, general": lambda s, m: headroom(port(s, m), chip("another", Bytes(254))),
    }
    for speed in ("400G", "800G"):
        for name, made in kinds.items():
            yield speed, name, *(many(made(speed, meters).total) for meters in LENGTHS)


def nvidia() -> Iterator[Row]:
    found = cases("nvidia")
    for device, recipe in RECIPES.items():
        rows = [case for case in found if case.device == device]
        exact = sum(recipe.compute(case).total == case.headroom for case in rows)
        percent = f"{recipe.traffic.small_percent} % {recipe.traffic.counted}"
        quanta = "quanta" if recipe.quanta else "3.8 KiB"
        yield (
            device,
            rows[0].asic,
            percent,
            many(recipe.lossless_mtu),
            quanta,
            (f"{exact}/{len(rows)}"),
        )


def broadcom() -> Iterator[Row]:
    found = cases("broadcom")
    for silicon in CHIPS:
        model = silicon.model
        if isinstance(model, CellFit):
            rows = [c for c in found if c.asic == silicon.name and model.covers(c.speed)]
            worst = max(abs(case.off(headroom(case.port(), silicon).total)) for case in rows)
            yield (
                silicon.name,
                rows[0].device,
                f"{model.slowest} to {model.fastest}",
                str(silicon.cell),
                f"{model.turn_ns / 1000:.2f} µs",
                many(model.constant),
                str(len(rows)),
                f"{float(100 * worst):.2f} %",
            )


def others() -> Iterator[Row]:
    grouped = defaultdict(list)
    for case in cases("others"):
        grouped[case.device].append(case)
    for device, rows in grouped.items():
        off = [float(100 * case.off(headroom(case.port(), case.chip).total)) for case in rows]
        below = sum(case.headroom < wire_minimum(case.port()).total for case in rows)
        yield (
            device,
            rows[0].asic,
            str(len(rows)),
            f"{min(off):+.0f} %",
            f"{max(off):+.0f} %",
            str(below),
        )


def limits() -> Iterator[Row]:
    for exponent in (-4, -3, -2, -1, 0, 3):
        alpha = Alpha(exponent)
        parts = (f"{float(group_limit(alpha, count)):.4f}" for count in (1, 2, 8, 32))
        yield str(alpha), str(alpha.exponent), *parts


def switch() -> Iterator[Row]:
    """Yield the budget of a leaf: 32 ports to NICs, 32 to spines, on Tomahawk5."""
    silicon = chip("Tomahawk5", None)
    kinds = [
        PortGroup(
            speed=BitsPerSecond.parse("800G"),
            length=Meters(meters),
            count=32,
            headroom=headroom(port("800G", meters), silicon).total,
        )
        for meters in (5, 100)
    ]
    made = budget(Memory(Bytes(167_546_528), silicon.cell), kinds, Alpha(0))
    asked = sum(item.headroom for item in made.contributions)
    assert made.pause_at is not None
    yield "in full", many(asked), many(made.headroom), many(made.shared), many(made.pause_at)


WAY = Way(
    cables=(Meters(5), Meters(100), Meters(100), Meters(5)),
    switch_latency=Nanoseconds(800),
    nic_latency=Nanoseconds(1000),
    source="round figures",
)


def trip() -> Iterator[Row]:
    made = round_trip(WAY, BitsPerSecond.parse("400G"), Bytes(9216))
    for term in made.terms:
        yield term.name, many(term.value), term.source
    yield "total", many(made.total), "400G"


def marking() -> Iterator[Row]:
    pause = pause_threshold(Bytes(120_000_000), Alpha(0), 32, 1)
    for speed in ("100G", "200G", "400G", "800G"):
        rate = BitsPerSecond.parse(speed)
        there = round_trip(WAY, rate, Bytes(9216)).total
        product = bandwidth_delay(rate, there)
        made = marking_points(rate, product, Limits(mtu=Bytes(9216), pause_at=pause))
        points = many(made.minimum), many(made.maximum), f"{made.probability} %"
        yield speed, many(there), many(product), *points, "yes" if made.holds else "no"


def pauses() -> Iterator[Row]:
    for speed in ("100G", "200G", "400G", "800G"):
        yield speed, f"{float(longest_pause_ms(BitsPerSecond.parse(speed))):.3f}"


def profiles() -> Iterator[Row]:
    for name, profile in PROFILES.items():
        points, above = profile.points, profile.above
        keys = adopted(Roce.model_validate({"profile": name}))
        per = " per 25G" if points and points.scales else ""
        low, high, chance = (
            (
                f"{points.minimum:,}{per}" + spines(above.minimum if above else None),
                f"{points.maximum:,}{per}" + spines(above.maximum if above else None),
                f"{points.probability} %",
            )
            if points
            else ("computed", "computed", "computed")
        )
        timers = " ".join(map(str, profile.watchdog or ()))
        shares = f"{profile.lossless}/{profile.best_effort}"
        row = name, low, high, chance, shares, str(keys.dscp), str(keys.cnp.dscp)
        yield *row, timers or "default"


def spines(value: int | None) -> str:
    return "" if value is None else f", spines {value:,}"


TABLES: dict[str, Callable[[], Iterator[Row]]] = {
    made.__name__: made
    for made in (
        response,
        wire,
        terms,
        cells,
        models,
        nvidia,
        broadcom,
        others,
        limits,
        switch,
        trip,
        marking,
        pauses,
        profiles,
    )
}


def table_of(page: str, name: str) -> list[Row]:
    """Return the rows below the head of the table that follows <!-- name -->."""
    after = page.split(f"<!-- {name} -->\n", 1)[1]
    lines = after.split("\n\n", 1)[0].strip().splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


def filled(page: str) -> str:
    """Return the page with the rows of every table computed anew."""
    for name, made in TABLES.items():
        before, after = page.split(f"<!-- {name} -->\n", 1)
        table, *rest = after.split("\n\n", 1)
        head = table.splitlines()[:2]
        rows = ["| " + " | ".join(row) + " |" for row in made()]
        page = f"{before}<!-- {name} -->\n" + "\n\n".join(["\n".join([*head, *rows]), *rest])
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
