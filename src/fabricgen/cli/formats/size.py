"""Prints counted designs as a table for people and as data for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fabricgen.core.tables import aligned
from fabricgen.core.units import counted
from fabricgen.plan.sizing.beside import beside
from fabricgen.plan.sizing.designs import unconfigured
from fabricgen.plan.sizing.needs import rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fabricgen.plan.sizing.beside import Beside
    from fabricgen.plan.sizing.candidates import Candidate
    from fabricgen.plan.sizing.counts import Counts
    from fabricgen.plan.sizing.needs import Needs, Ports, Transfer

Row = tuple[str, ...]
UNKNOWN = "not known"


def text(needs: Needs, found: Sequence[Candidate], best: Candidate | None) -> str:
    """Return a column per design that fits, then other designs, demands and the choice."""
    lines = [_asked_for(needs), ""]
    fit = [item for item in found if not item.why_not]
    if fit:
        names = ("backend", *(item.design.name for item in fit))
        lines += [*table([names, *rows([item.backend for item in fit]), *_spent(fit)]), ""]
        others = [counts for name, counts in fit[0].counts.items() if name != "backend"]
        if others:
            heads = ("other fabrics", *(counts.fabric for counts in others))
            lines += [*table([heads, *rows(others)]), ""]
    lines += [f"{item.design.name} does not fit: {item.why_not}" for item in found if item.why_not]
    lines += gaps(_gaps(fit))
    if fit:
        lines += [demand.sentence for demand in fit[0].asked]
    if needs.transfer is not None:
        lines.append(needs.transfer.sentence)
    if needs.frontend is not None:
        lines.append(_shares(needs, needs.frontend))
    lines.append(_chosen(best))
    lines += _unconfigured(fit)
    lines += [_line(item) for item in _beside(needs, best)]
    return "\n".join(lines) + "\n"


def _asked_for(needs: Needs) -> str:
    ports = f"{needs.nics} x {needs.nic_ports} x {needs.nic_speed}"
    text = f"{counted(needs.servers, 'server')} of {needs.gpus} GPUs and {ports} each: "
    text += counted(needs.all_gpus, "GPU")
    if needs.reserved > needs.servers:
        text += f"; room for {counted(needs.reserved, 'server')}"
    return text


def rows(found: Sequence[Counts]) -> Iterator[Row]:
    """Yield a row for each measure of fabrics."""
    for role in ("leaf", "spine", "superspine"):
        yield f"{role}s", *(_n(each.switches.get(role)) for each in found)
    for kind in ("to servers", "to spines", "to superspines"):
        yield f"links {kind}", *(_n(each.links.get(kind)) for each in found)
    yield "transceivers", *(_n(sum(each.parts.optics.values())) for each in found)
    yield "cables with fixed ends", *(_n(sum(each.parts.cables.values())) for each in found)
    yield "kW, typical", *(_kilo(each.draw.typical) for each in found)
    yield "kW, maximum", *(_kilo(each.draw.maximum) for each in found)
    yield "rack units", *(_n(each.rack_units, UNKNOWN) for each in found)
    for tier in dict.fromkeys(tier for each in found for tier in each.ratios):
        yield f"oversubscription of a {tier}", *(_ratio(each.ratios.get(tier)) for each in found)
    yield "switches on a path", *(_hops(each) for each in found)
    yield "latency", *(_latency(each) for each in found)
    yield "bisection", *(rate(each.bisection) for each in found)


def _spent(fit: Sequence[Candidate]) -> Iterator[Row]:
    times = [each.times for each in fit if each.times is not None]
    yield "all-reduce of 1 GB", *(f"{each.ring:.2f} ms" for each in times)
    yield "all-to-all of 1 GB", *(f"{each.all_to_all:.2f} ms" for each in times)


def table(lines: Iterable[Row]) -> list[str]:
    """Return aligned rows without rows that are empty in all columns."""
    head, *rest = list(lines)
    kept = [head, *(row for row in rest if any(cell != "-" for cell in row[1:]))]
    return aligned(kept, range(1, len(head)))


def _n(number: int | None, otherwise: str = "-") -> str:
    return f"{number:,}" if number else otherwise


def _kilo(watts: float | None) -> str:
    return UNKNOWN if watts is None else f"{watts / 1000:,.1f}"


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.3g} : 1"


def _hops(counts: Counts) -> str:
    far = counts.far
    if far is None:
        return "-"
    return str(far.hops) if far.joined else f"{far.hops} in a rail"


def _latency(counts: Counts) -> str:
    far = counts.far
    if far is None:
        return "-"
    nanoseconds = far.nanoseconds
    return f"{nanoseconds:,} ns" if nanoseconds is not None else UNKNOWN


def gaps(found: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the unknown facts that sums lack. found: each gap with its place."""
    places: dict[str, list[str]] = {}
    for gap, where in found:
        places.setdefault(gap, []).append(where)
    for gap, names in places.items():
        yield f"not known: {gap} ({', '.join(dict.fromkeys(names))})"


def _gaps(fit: Sequence[Candidate]) -> Iterator[tuple[str, str]]:
    for item in fit:
        for counts in item.counts.values():
            where = item.design.name if counts.fabric == "backend" else counts.fabric
            yield from ((gap, where) for gap in counts.draw.unknown)


def _unconfigured(fit: Sequence[Candidate]) -> Iterator[str]:
    """Yield the models that are counted alone, with their designs."""
    designs: dict[str, list[str]] = {}
    for item in fit:
        for model in unconfigured(item.needs, item.design):
            designs.setdefault(model, []).append(item.design.name)
    for model, names in designs.items():
        where = ", ".join(names)
        yield f"counted, not configured: {model} in {where} (without a known network OS)"


def _line(item: Beside) -> str:
    ends = f", {counted(item.transceivers, 'transceiver')}" if item.transceivers else ""
    parts = f"{counted(item.switches, 'switch')}, {counted(item.links, 'link')}{ends}"
    return f"counted, not configured: {item.name}, {parts} ({item.told})"


def _shares(needs: Needs, front: Ports) -> str:
    """Return the ratio of a server's backend bandwidth to its frontend bandwidth."""
    back = needs.nics * needs.nic_ports * needs.nic_speed
    share = back / (front.count * front.speed)
    frontend = rate(front.count * front.speed)
    return f"a server has {rate(back)} on the backend, {frontend} on the frontend: {share:.3g} to 1"


def _chosen(best: Candidate | None) -> str:
    if best is None:
        return "no design fits that connects all GPUs through the fabric"
    return f"chosen: {best.design.name}, {best.design.told}"


def data(needs: Needs, found: Sequence[Candidate], best: Candidate | None) -> dict[str, Any]:
    """Return the report as data."""
    return {
        "servers": needs.servers,
        "gpus": needs.all_gpus,
        "chosen": None if best is None else best.design.name,
        "transfer": None if needs.transfer is None else _transfer(needs.transfer),
        "beside": [asdict(item) for item in _beside(needs, best)],
        "designs": {item.design.name: _data(item) for item in found},
    }


def _transfer(transfer: Transfer) -> dict[str, Any]:
    return {**asdict(transfer), "needed": transfer.needed, "fits": transfer.fits}


def _beside(needs: Needs, best: Candidate | None) -> list[Beside]:
    return [] if best is None or best.why_not else beside(needs, best)


def _data(item: Candidate) -> dict[str, Any]:
    if item.why_not:
        return {"fits": False, "why_not": item.why_not}
    return {
        "fits": True,
        "fabrics": {name: counts_data(counts) for name, counts in item.counts.items()},
        "demands": [{**asdict(one), "total": one.total, "fits": one.fits} for one in item.asked],
        "milliseconds": asdict(item.times) if item.times is not None else None,
        "unconfigured": unconfigured(item.needs, item.design),
    }


def counts_data(counts: Counts) -> dict[str, Any]:
    """Return the counts of one fabric as data, with ratios and bits per second as numbers."""
    far = counts.far
    nanoseconds = None if far is None else far.nanoseconds
    return {**asdict(counts), "latency": nanoseconds}
