"""Prints the lossless report as text: kinds of switches, then common settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.reports.ratios import ratio_line
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.lossless.watchdog import POLLED_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.api.lossless import LosslessReport
    from fabricgen.compile.reports.lossless import Common, SwitchKind
    from fabricgen.model.fabric.buffers import SwitchBuffers
    from fabricgen.model.fabric.qos import TrafficClass
    from fabricgen.model.lossless.marking import Points
    from fabricgen.model.lossless.path import Delay
    from fabricgen.model.lossless.rows import PortHeadroom
    from fabricgen.model.lossless.terms import Term


def text(report: LosslessReport) -> str:
    """Return the report. The terms and sources of each number follow it."""
    lines = [line for switches in report.kinds for line in _switches(switches)]
    lines += [line for common in report.commons for line in _common(common)]
    lines += map(ratio_line, report.fabrics)
    return "\n".join(lines) + "\n"


def _switches(switches: SwitchKind) -> Iterator[str]:
    buffers = switches.buffers
    sku = f" as {buffers.sku}" if buffers.sku else ""
    yield (
        f"{switches.title}: {buffers.model}{sku} ({buffers.asic}), "
        f"{int(buffers.memory):,} bytes of packet memory"
    )
    if buffers.from_site:
        yield f"  rests on the site's own figures, not on shipped ones: {buffers.from_site}"
    if not buffers.classes:
        yield "  no class is paused (roce.pfc: false), so ports need no headroom"
    for port, count in buffers.ports if buffers.classes else ():
        yield from _port(buffers, port, count)
    yield "  shares of the memory"
    yield from _terms(buffers.terms)
    if buffers.pause_at is not None:
        yield (
            f"  pause at {int(buffers.pause_at):,} bytes per group with all congested "
            f"(alpha {2.0**buffers.alpha:g})"
        )
    if switches.read:
        yield f"  values in the files of {switches.names[0]}"
    yield from _read(switches)
    sure = dict.fromkeys(sentence for port in switches.read for sentence in port.told.confidence)
    yield from (f"    confidence      {sentence}" for sentence in sure)


def _read(switches: SwitchKind) -> Iterator[str]:
    """Yield the claims about each port once, and then their lines."""
    by_lines: dict[tuple[str, ...], dict[str, None]] = {}
    for port in switches.read:
        prefix = "" if port.kind is Kind.LOSSLESS else f"{port.kind}: "
        for claim in port.claims:
            sentence = f"    {claim.state.value:14}  {prefix}{claim.rule}: {claim.arithmetic}"
            by_lines.setdefault(claim.lines, {})[sentence] = None
    for lines, claims in by_lines.items():
        yield from claims
        yield from _lines(lines)


def _lines(lines: tuple[str, ...]) -> Iterator[str]:
    """Yield lines grouped by place: WRED_PROFILE > data > ecn, green_min_threshold."""
    fields: dict[str, list[str]] = {}
    for line in lines:
        place, _, field = line.rpartition(" > ")
        fields.setdefault(place, []).append(field)
    for place, names in fields.items():
        yield f"{'':20}{place}{' > ' if place else ''}{', '.join(names)}"


def _port(buffers: SwitchBuffers, port: PortHeadroom, count: int) -> Iterator[str]:
    per_class = f" for each of {buffers.classes} classes" if buffers.classes > 1 else ""
    yield (
        f"  {count} x {port.speed} on {port.length} m: {int(port.headroom):,} bytes "
        f"of headroom per port{per_class}, {port.rule}"
    )
    shipped = (
        "no shipped row"
        if port.shipped is None
        else f"{port.shipped.whose} {int(port.shipped.headroom):,} for {port.shipped.length} m"
    )
    yield f"    computed {int(port.computed.total):,} ({port.computed.model}), {shipped}"
    yield from _terms(port.computed.terms)


def _terms(terms: Iterable[Term | Delay]) -> Iterator[str]:
    """Yield a line per term. Only the JSON document has terms of zero."""
    for term in terms:
        if term.value:
            yield f"    {term.value:>14,}  {term.name} ({term.source})"


def _common(common: Common) -> Iterator[str]:
    exception = ", except ECN marking" if common.above else ""
    yield f"{common.fabric}: common to all switches and NICs{exception}"
    for item in common.classes:
        yield f"  {_class(item)}"
    yield f"  round trip of the farthest NICs: {common.round_trip.total:,} ns"
    yield from _terms(common.round_trip.terms)
    if not common.plans:
        yield "  ECN is off (roce.ecn.enabled: false), so NICs do not react to congestion"
    for kind, plan in common.plans:
        yield from _marking(kind, plan)
    for kind, plan in common.above:
        yield from _marking(kind, plan, " of spines")
    watch = common.watchdog
    if watch is None:
        yield "  no PFC watchdog"
        return
    few = f", for up to {POLLED_AT_ONCE} ports where software polls" if watch.grows else ""
    yield (
        f"  PFC watchdog: polls every {watch.poll} ms, a queue is stuck after {watch.detection} ms "
        f"of pause and free after {watch.restoration} ms without; then {watch.action}{few}"
    )


def _class(item: TrafficClass) -> str:
    codes = ", ".join(map(str, item.dscps))
    rest = "all other DSCPs" if item.kind is Kind.BEST_EFFORT else f"DSCP {codes}"
    served = "strict" if item.strict else f"{item.share} % of the rest after strict classes"
    paused = f"paused as priority {item.paused}" if item.paused is not None else "never paused"
    cut = f"; a full queue trims to {item.cut:,} bytes" if item.cut is not None else ""
    return f"class {item.number}, {item.word}: {rest}; {paused}{cut}; {served}"


def _marking(kind: Kind, plan: Points, where: str = "") -> Iterator[str]:
    name = "" if kind is Kind.LOSSLESS else f" of {kind}"
    span = f"{int(plan.minimum):,} to {int(plan.maximum):,} bytes"
    yield f"  ECN{name}{where} on {plan.speed}: {span}, {plan.probability} %"
    yield from _terms(plan.terms)
