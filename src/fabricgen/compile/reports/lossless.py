"""Report the lossless design of a site: one row for each kind of switch."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from fabricgen.compile.compiler import Cutter, files_of, folder_of
from fabricgen.compile.render import Renderer
from fabricgen.compile.reports.claims import PortRead, pause_at, read_ports
from fabricgen.compile.sandbox import renderer as renderer_of
from fabricgen.core.record import record
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.fabric.qos import Kind, TrafficClass, Watchdog
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.lossless.marking import Points
from fabricgen.model.lossless.path import Delay, RoundTrip
from fabricgen.model.lossless.rows import PortHeadroom
from fabricgen.model.lossless.terms import Term

NUMBERS = (
    *("headroom", "pool", "shared", "alpha", "groups", "minimum", "maximum", "percent"),
    *("poll", "detection", "restoration"),
)
"""Possible results for a port, in the order of the report."""


@record(kw_only=True)
class SwitchKind:
    """Switches with the same memory plan. read: facts from the files of the first one."""

    fabric: str
    names: tuple[str, ...]
    buffers: SwitchBuffers
    read: tuple[PortRead, ...] = ()

    @property
    def title(self) -> str:
        """Name them: be-leaf1, or be-leaf1 and 7 more."""
        more = f" and {len(self.names) - 1:,} more" if len(self.names) > 1 else ""
        return f"{self.names[0]}{more}"


@record(kw_only=True)
class Common:
    """Values that all switches and NICs of a fabric share; above: other marking of spines."""

    fabric: str
    classes: tuple[TrafficClass, ...]
    plans: tuple[tuple[Kind, Points], ...]
    above: tuple[tuple[Kind, Points], ...]
    round_trip: RoundTrip
    watchdog: Watchdog | None


def kinds(site: Site, only: str | None = None) -> list[SwitchKind]:
    """Group the lossless switches of a site, and read the files of one of each kind.

    only: names one switch.
    """
    cutter, renderer = Cutter(site), renderer_of(site.templates)
    return [
        replace(kind, read=tuple(_read(site, kind, cutter, renderer)))
        for kind in _kinds(site, only)
    ]


def _read(site: Site, kind: SwitchKind, cutter: Cutter, renderer: Renderer) -> Iterator[PortRead]:
    fabric = next(item for item in site.fabrics if item.name == kind.fabric)
    switch = next(item for item in fabric.topology.switches if item.name == kind.names[0])
    switch_slice = cutter.cut(switch)
    assert isinstance(switch_slice, SwitchSlice)
    folder = f"{folder_of(switch)}/"
    files = {file.path.removeprefix(folder): file.text for file in files_of(switch_slice, renderer)}
    yield from read_ports(switch_slice, fabric, files)


def _kinds(site: Site, only: str | None) -> list[SwitchKind]:
    kinds: list[SwitchKind] = []
    for fabric in site.fabrics:
        if fabric.lossless is None:
            continue
        groups: dict[int, list[str]] = {}
        by_id: dict[int, SwitchBuffers] = {}
        for name, buffers in fabric.lossless.switches.items():
            if only in (None, name):
                groups.setdefault(id(buffers), []).append(name)
                by_id[id(buffers)] = buffers
        kinds += [
            SwitchKind(fabric=fabric.name, names=tuple(names), buffers=by_id[key])
            for key, names in groups.items()
        ]
    return kinds


def commons(site: Site) -> list[Common]:
    """Return the common values of each lossless fabric of a site."""
    return [common for fabric in site.fabrics if (common := _common(fabric)) is not None]


def _common(fabric: Fabric) -> Common | None:
    lossless, qos = fabric.lossless, fabric.qos
    if lossless is None or qos is None:
        return None
    return Common(
        fabric=fabric.name,
        classes=qos.classes,
        plans=lossless.plans,
        above=lossless.plans_above,
        round_trip=lossless.round_trip,
        watchdog=qos.watchdog,
    )


def as_data(kinds: Iterable[SwitchKind], shared: Iterable[Common]) -> dict[str, Any]:
    """Return the report on these kinds of switches as a versioned document."""
    fabrics = tuple(shared)
    return {
        "switches": [_kind(kind) for kind in kinds],
        "classes": {item.fabric: [_class(one) for one in item.classes] for item in fabrics},
        "marking": {
            item.fabric: [
                *({"class": kind.value, **_marking(plan)} for kind, plan in item.plans),
                *({"class": kind.value, "of": "spines", **_marking(p)} for kind, p in item.above),
            ]
            for item in fabrics
        },
        "round_trip_ns": {
            item.fabric: {"total": item.round_trip.total, "terms": _terms(item.round_trip.terms)}
            for item in fabrics
        },
        "watchdog": {item.fabric: _watchdog(item) for item in fabrics},
    }


def _class(item: TrafficClass) -> dict[str, Any]:
    return {
        "class": item.word,
        "number": item.number,
        "dscps": list(item.dscps),
        "paused_priority": item.paused,
        "strict": item.strict,
        "share_percent": item.share,
        **({"trimmed_bytes": item.cut} if item.cut is not None else {}),
    }


def _watchdog(item: Common) -> dict[str, Any] | None:
    watch = item.watchdog
    if watch is None:
        return None
    return {
        "poll_ms": watch.poll,
        "detection_ms": watch.detection,
        "restoration_ms": watch.restoration,
        "action": watch.action,
    }


def _kind(kind: SwitchKind) -> dict[str, Any]:
    buffers = kind.buffers
    return {
        "fabric": kind.fabric,
        "switches": list(kind.names),
        "model": buffers.model,
        "sku": buffers.sku,
        "asic": buffers.asic,
        "memory_bytes": buffers.memory,
        "cell_bytes": buffers.cell,
        "memory_source": buffers.source,
        "from_site": buffers.from_site,
        "alpha": 2.0**buffers.alpha,
        "lossless_classes": buffers.classes,
        "headroom_bytes": buffers.headroom,
        "headroom_pool_bytes": buffers.pool,
        "shared_bytes": buffers.shared,
        "pause_at_bytes": buffers.pause_at,
        "terms": _terms(buffers.terms),
        "ports": [{**_port(port), "count": count} for port, count in buffers.ports],
        "files_of": kind.names[0],
        "files": [_told(port) for port in kind.read],
    }


def _port(port: PortHeadroom) -> dict[str, Any]:
    return {
        "speed": str(port.speed),
        "meters": port.length,
        "headroom_bytes": port.headroom,
        "rule": port.rule,
        "computed_bytes": port.computed.total,
        "model": port.computed.model,
        "terms": _terms(port.computed.terms),
        "shipped_bytes": port.shipped.headroom if port.shipped else None,
        "shipped_meters": port.shipped.length if port.shipped else None,
        "warning": port.warning,
    }


def _marking(plan: Points) -> dict[str, Any]:
    return {
        "speed": str(plan.speed),
        "minimum_bytes": plan.minimum,
        "maximum_bytes": plan.maximum,
        "probability_percent": plan.probability,
        "terms": _terms(plan.terms),
    }


def _told(port: PortRead) -> dict[str, Any]:
    """Return the facts and results of a kind of port from the files of the first switch."""
    numbers = {
        f"{name}": None if value is None else value.value
        for name in NUMBERS
        for value in [getattr(port.told, name)]
    }
    pause = pause_at(port.told)
    return {
        "port": port.name,
        "class": port.kind.value,
        "speed": str(port.plan.speed),
        "meters": port.plan.length,
        **numbers,
        "confidence": list(port.told.confidence),
        "pause_at": None if pause is None else pause.value,
        "claims": [
            {
                "rule": one.rule,
                "state": one.state.value,
                "arithmetic": one.arithmetic,
                "lines": list(one.lines),
            }
            for one in port.claims
        ],
    }


def _terms(terms: tuple[Term | Delay, ...]) -> list[dict[str, Any]]:
    return [{"name": term.name, "value": term.value, "source": term.source} for term in terms]
