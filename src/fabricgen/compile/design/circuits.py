"""Design the circuits of links between sites: their optics and their latency."""

from collections.abc import Mapping, Sequence

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.dci import Dci
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at
from fabricgen.model.cabling.lines import Line, chosen_for
from fabricgen.model.cabling.media import socket_of
from fabricgen.model.catalog.optics import MediaOption, Optic
from fabricgen.model.fabric.circuits import FIBER_DELAY, Circuit, CircuitEnd, Latency
from fabricgen.model.fabric.external import EdgeLink
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch

_SHOWN = 3
"""Optics of the longest reach that a refusal explains."""


def circuits_of(
    intent: Intent, fabrics: Sequence[Fabric], optics: Sequence[Optic], findings: Findings
) -> dict[str, Circuit]:
    """Return the circuit of each link between two designed fabrics, by its name.

    optics: all that the site may use. Without optics, none is chosen.
    """
    links: dict[str, Dci] = intent.unless_refused("dci") or {}
    known = {fabric.name: fabric for fabric in fabrics}
    return {
        name: _circuit(name, link, known, optics, findings)
        for name, link in links.items()
        if link.whole and link.ends.keys() <= known.keys()
    }


def _circuit(
    name: str,
    link: Dci,
    known: Mapping[str, Fabric],
    optics: Sequence[Optic],
    findings: Findings,
) -> Circuit:
    one, other = link.ends
    made = {each: edge for each in link.ends if (edge := _edge(known[each], name)) is not None}
    leafs = {fabric: _leaf(known[fabric], edge.leaf) for fabric, edge in made.items()}
    way = _way(name, link, made, leafs, optics, findings) if len(made) == len(link.ends) else None
    chosen = dict(zip(link.ends, (way.near, way.far) if way is not None else (), strict=False))
    ends = {
        fabric: CircuitEnd(leaf=edge.leaf, ports=edge.cages, optic=chosen.get(fabric))
        for fabric, edge in made.items()
    }
    rates = [sum(int(port.speed) for port in end.ports) for end in ends.values()]
    return Circuit(
        name=name,
        fabrics=(one, other),
        ends=ends,
        vrfs=frozenset(link.vrfs),
        number=link.circuit or "",
        kilometers=link.kilometers,
        rate=link.rate or (BitsPerSecond(min(rates)) if rates else None),
        is_backup=link.prefer == "backup",
        latency=_latency(link, ends, leafs),
        path=at("dci", name),
    )


def _edge(fabric: Fabric, name: str) -> EdgeLink | None:
    return fabric.overlay.edge.get(name) if fabric.overlay is not None else None


def _leaf(fabric: Fabric, name: str) -> Switch:
    return next(each for each in fabric.topology.switches if each.name == name)


def _way(
    name: str,
    link: Dci,
    made: Mapping[str, EdgeLink],
    leafs: Mapping[str, Switch],
    optics: Sequence[Optic],
    findings: Findings,
) -> MediaOption | None:
    """Return the optics of a line that ends in them; report a line that none carries."""
    if link.kilometers is None or link.line != "fiber" or not optics:
        return None
    line = Line(kilometers=link.kilometers, amplified=link.amplified, loss=link.loss)
    near, far = (socket_of(leafs[fabric], edge.cages[0]) for fabric, edge in made.items())
    chosen = chosen_for(line, near, far, optics)
    if chosen.way is None:
        port = next(iter(made.values())).cages[0]
        faults = "; ".join(chosen.faults[:_SHOWN]) or "no single-mode optic fits both cages"
        rest = len(chosen.faults) - _SHOWN
        faults += f"; {rest} others do not either" if rest > 1 else ""
        findings.error(
            Code.LINE_TOO_LONG,
            f"{name} has {line.text} at {port.speed}: {faults}",
            at("dci", name, "kilometers"),
            "set `amplified`, use another speed, add the optic to catalog/optics.yaml of the site, "
            "or set `line: service` if a carrier's equipment ends the line",
        )
    return chosen.way


def _latency(link: Dci, ends: Mapping[str, CircuitEnd], leafs: Mapping[str, Switch]) -> Latency:
    """Return the stated latency, or fiber and equipment; parts without a source are named."""
    if link.milliseconds is not None:
        stated = link.milliseconds * 1000
        return Latency(microseconds=stated, terms=(("as stated", stated),))
    terms: list[tuple[str, float]] = []
    unknown: list[str] = []
    if link.kilometers is None:
        unknown.append("the length")
    else:
        fiber = link.kilometers * FIBER_DELAY
        terms.append((f"of fiber ({link.kilometers:g} km x {FIBER_DELAY:g})", fiber))
    if link.equipment is not None:
        terms.append(("of equipment", link.equipment))
    else:
        _equipment(ends, leafs, terms, unknown)
    total = sum(value for _, value in terms)
    return Latency(microseconds=total, terms=tuple(terms), unknown=tuple(dict.fromkeys(unknown)))


def _equipment(
    ends: Mapping[str, CircuitEnd],
    leafs: Mapping[str, Switch],
    terms: list[tuple[str, float]],
    unknown: list[str],
) -> None:
    """Add the optics and the leaf of both ends."""
    for fabric, end in ends.items():
        optic, model = end.optic, leafs[fabric].model
        if optic is None or optic.latency is None:
            unknown.append(optic.name if optic is not None else "the optics")
        else:
            terms.append((f"in {optic.name}", optic.latency))
        if model.latency is None:
            unknown.append(model.name)
        else:
            terms.append((f"in {model.name}", model.latency.nanoseconds / 1000))
    if not ends:
        unknown.append("the equipment")
