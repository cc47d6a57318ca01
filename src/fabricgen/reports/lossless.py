"""The lossless design of a site in, rows for people and machines out: one per kind of switch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fabricgen.fabric.buffers import Lossless, MarkingPlan, PortBuffer, SwitchBuffers, Term
    from fabricgen.fabric.switch import Site


@dataclass(frozen=True, slots=True)
class Kind:
    """Switches whose memory is planned alike."""

    fabric: str
    names: tuple[str, ...]
    buffers: SwitchBuffers


def kinds(site: Site, only: str | None = None) -> list[Kind]:
    """Group the lossless switches of a site; `only` names one switch."""
    found: list[Kind] = []
    for fabric in site.fabrics:
        if fabric.lossless is None:
            continue
        groups: dict[int, list[str]] = {}
        by_id: dict[int, SwitchBuffers] = {}
        for name, buffers in fabric.lossless.switches.items():
            if only in (None, name):
                groups.setdefault(id(buffers), []).append(name)
                by_id[id(buffers)] = buffers
        found += [Kind(fabric.name, tuple(names), by_id[key]) for key, names in groups.items()]
    return found


def as_data(site: Site, found: list[Kind]) -> dict[str, Any]:
    """Return the report on these kinds of switches as a versioned document."""
    return {
        "format_version": 1,
        "switches": [_kind(kind) for kind in found],
        "marking": {
            fabric.name: [
                {"class": kind.value, **_marking(plan)} for kind, plan in fabric.lossless.plans
            ]
            for fabric in site.fabrics
            if fabric.lossless is not None
        },
        "round_trip_ns": {
            fabric.name: _trip(fabric.lossless)
            for fabric in site.fabrics
            if fabric.lossless is not None
        },
    }


def _kind(kind: Kind) -> dict[str, Any]:
    made = kind.buffers
    return {
        "fabric": kind.fabric,
        "switches": list(kind.names),
        "model": made.model,
        "asic": made.asic,
        "memory_bytes": made.memory,
        "cell_bytes": made.cell,
        "memory_source": made.source,
        "alpha": 2.0**made.alpha,
        "lossless_classes": made.classes,
        "headroom_bytes": made.headroom,
        "headroom_pool_bytes": made.pool,
        "shared_bytes": made.shared,
        "pause_at_bytes": made.pause_at,
        "terms": _terms(made.terms),
        "ports": [{**_port(port), "count": count} for port, count in made.ports],
    }


def _port(port: PortBuffer) -> dict[str, Any]:
    return {
        "speed": str(port.speed),
        "metres": port.length,
        "headroom_bytes": port.headroom,
        "rule": port.rule,
        "computed_bytes": port.computed,
        "model": port.model,
        "terms": _terms(port.terms),
        "shipped_bytes": port.shipped,
        "shipped_metres": port.shipped_length,
        "warning": port.warning,
    }


def _marking(plan: MarkingPlan) -> dict[str, Any]:
    return {
        "speed": str(plan.speed),
        "minimum_bytes": plan.minimum,
        "maximum_bytes": plan.maximum,
        "probability_percent": plan.probability,
        "terms": _terms(plan.terms),
        "rules": [
            {"rule": rule, "holds": holds, "arithmetic": said}
            for rule, holds, said in plan.verdicts
        ],
    }


def _trip(lossless: Lossless) -> dict[str, Any]:
    return {"total": lossless.round_trip_ns, "terms": _terms(lossless.round_trip_terms)}


def _terms(terms: tuple[Term, ...]) -> list[dict[str, Any]]:
    return [{"name": term.name, "value": term.value, "source": term.source} for term in terms]
