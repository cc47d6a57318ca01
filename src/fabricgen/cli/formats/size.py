"""Prints counted designs as a table for people and as data for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fabricgen.core.tables import aligned
from fabricgen.core.units import counted
from fabricgen.plan.sizing.beside import beside
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
    """Return a column for each design that fits, then the others, the demands and the choice."""
    lines = [_asked_for(needs), ""]
    fit = [each for each in found if not each.why_not]
    if fit:
        names = ("backend", *(each.design.name for each in fit))
        lines += [*table([names, *rows([each.backend for each in fit]), *_spent(fit)]), ""]
        others = [counts for name, counts in fit[0].counts.items() if name != "backend"]
        if others:
            heads = ("other fabrics", *(each.fabric for each in others))
            lines += [*table([heads, *rows(others)]), ""]
    lines += [f"{each.design.name} does not fit: {each.why_not}" for each in found if each.why_not]
    lines += gaps(_gaps(fit))
    if fit:
        lines += [each.sentence for each in fit[0].asked]
    if needs.transfer is not None:
        lines.append(needs.transfer.sentence)
    if needs.frontend is not None:
        lines.append(_shares(needs, needs.frontend))
    lines.append(_chosen(best))
    lines += [_line(each) for each in _beside(needs, best)]
    return "\n".join(lines) + "\n"


def _asked_for(needs: Needs) -> str:
    ports = f"{needs.nics} x {needs.nic_ports} x {needs.nic_speed}"
    told = f"{counted(needs.servers, 'server')} of {needs.gpus} GPUs, each {ports}: "
    told += counted(needs.all_gpus, "GPU")
    if needs.reserved > needs.servers:
        told += f"; room for {counted(needs.reserved, 'server')}"
    return told


def rows(found: Sequence[Counts]) -> Iterator[Row]:
    """Yield what fabrics are made of and carry, a row for each measure."""
    for role in ("leaf", "spine", "superspine"):
        yield f"{role}s", *(_n(each.switches.get(role)) for each in found)
    for kind in ("to servers", "to spines", "to superspines"):
        yield f"links {kind}", *(_n(each.links.get(kind)) for each in found)
    yield "transceivers", *(_n(sum(each.parts.optics.values())) for each in found)
    yield "cables with fixed ends", *(_n(sum(each.parts.cables.values())) for each in found)
    yield "kW, usual", *(_kilo(each.draw.typical) for each in found)
    yield "kW, at most", *(_kilo(each.draw.maximum) for each in found)
    yield "rack units", *(_n(each.rack_units, UNKNOWN) for each in found)
    for tier in dict.fromkeys(tier for each in found for tier in each.ratios):
        yield f"ratio above a {tier}", *(_ratio(each.ratios.get(tier)) for each in found)
    yield "switches on a path", *(_hops(each) for each in found)
    yield "latency", *(_latency(each) for each in found)
    yield "bisection", *(rate(each.bisection) for each in found)


def _spent(fit: Sequence[Candidate]) -> Iterator[Row]:
    times = [each.times for each in fit if each.times is not None]
    yield "all-reduce of 1 GB", *(f"{each.ring:.2f} ms" for each in times)
    yield "all-to-all of 1 GB", *(f"{each.all_to_all:.2f} ms" for each in times)


def table(lines: Iterable[Row]) -> list[str]:
    """Lay rows out, the first column to the left; rows that nobody has anything in are left out."""
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


def gaps(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Say what sums lack. told: a gap, and where it is."""
    places: dict[str, list[str]] = {}
    for gap, where in told:
        places.setdefault(gap, []).append(where)
    for gap, names in places.items():
        yield f"not known: {gap} ({', '.join(dict.fromkeys(names))})"


def _gaps(fit: Sequence[Candidate]) -> Iterator[tuple[str, str]]:
    for each in fit:
        for counts in each.counts.values():
            where = each.design.name if counts.fabric == "backend" else counts.fabric
            yield from ((gap, where) for gap in counts.draw.unknown)


def _line(each: Beside) -> str:
    ends = f", {counted(each.transceivers, 'transceiver')}" if each.transceivers else ""
    parts = f"{counted(each.switches, 'switch')}, {counted(each.links, 'link')}{ends}"
    return f"counted, not configured: {each.name}, {parts} ({each.told})"


def _shares(needs: Needs, front: Ports) -> str:
    """Say how much more a server has on the backend: what goes between GPUs, and to people."""
    back = needs.nics * needs.nic_ports * needs.nic_speed
    share = back / (front.count * front.speed)
    told = f"a server has {rate(back)} on the backend, {rate(front.count * front.speed)}"
    return f"{told} on the frontend: {share:.3g} to 1"


def _chosen(best: Candidate | None) -> str:
    if best is None:
        return "no design fits in which every GPU reaches every other through the fabric"
    return f"chosen: {best.design.name}, {best.design.told}"


def data(needs: Needs, found: Sequence[Candidate], best: Candidate | None) -> dict[str, Any]:
    """Return all of it."""
    return {
        "servers": needs.servers,
        "gpus": needs.all_gpus,
        "chosen": None if best is None else best.design.name,
        "transfer": None if needs.transfer is None else _transfer(needs.transfer),
        "beside": [asdict(each) for each in _beside(needs, best)],
        "designs": {each.design.name: _data(each) for each in found},
    }


def _transfer(said: Transfer) -> dict[str, Any]:
    return {**asdict(said), "needed": said.needed, "fits": said.fits}


def _beside(needs: Needs, best: Candidate | None) -> list[Beside]:
    return [] if best is None or best.why_not else beside(needs, best)


def _data(each: Candidate) -> dict[str, Any]:
    if each.why_not:
        return {"fits": False, "why_not": each.why_not}
    return {
        "fits": True,
        "fabrics": {name: counts_data(counts) for name, counts in each.counts.items()},
        "demands": [{**asdict(one), "total": one.total, "fits": one.fits} for one in each.asked],
        "milliseconds": asdict(each.times) if each.times is not None else None,
    }


def counts_data(counts: Counts) -> dict[str, Any]:
    """Return what one fabric is made of, as data; ratios and bits per second as numbers."""
    far = counts.far
    nanoseconds = None if far is None else far.nanoseconds
    return {**asdict(counts), "latency": nanoseconds}
