"""Propose changes of a backend whose switches lack ports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabricgen.compile.design.alternatives import helping
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.backend_size import size_backend
from fabricgen.core.diagnostics import Code, Severity, Stop
from fabricgen.intent.model.backend import Spines

if TYPE_CHECKING:
    from fabricgen.compile.design.alternatives import Change as Changed
    from fabricgen.compile.design.wiring.backend_counts import BackendSize
    from fabricgen.intent.model.backend import Backend
    from fabricgen.intent.model.hardware import UpperTier

    Change = Changed[Backend]

NONE = "no single change helps: use switches with more ports"
MOST_SERVERS = 512
"""Numbers of servers of a unit to try: no switch of the catalog has more ports."""
_TIGHT = (
    Code.PORTS_EXHAUSTED,
    Code.RADIX_EXCEEDED,
    Code.UPLINKS_NOT_DIVISIBLE,
    Code.OVERSUBSCRIBED,
)


def sized(intent: Backend, findings: Findings) -> BackendSize:
    """Size a backend, or stop with a sufficient change as the hint."""
    try:
        return size_backend(intent, findings)
    except Stop:
        errors = [item for item in findings.items if item.severity is Severity.ERROR]
        tight = [item for item in errors if item.code in _TIGHT]
        if tight and tight == errors:
            fitting = ", or ".join(helping(intent, _KINDS, _fits))
            hint = f"this fits: {fitting}" if fitting else NONE
            findings.items = [
                replace(item, hint=hint) if item in tight else item for item in findings.items
            ]
        raise


def _fits(intent: Backend) -> bool:
    return Findings().attempt(lambda: size_backend(intent, Findings())) is not None


def _speeds(intent: Backend) -> Iterator[Change]:
    """Yield uplink speeds, the fastest first."""
    models = [intent.catalog.switch(role.model) for role in (intent.leaf, intent.spine) if role]
    speeds = [set(model.speeds()) for model in models if model is not None]
    for speed in sorted(set.intersection(*speeds), reverse=True) if speeds and intent.spine else ():
        links = intent.links.model_copy(update={"speed": speed})
        yield f"`links.speed: {speed}`", _with(intent, links=links)


def _units(intent: Backend) -> Iterator[Change]:
    """Yield smaller units, the largest first, then one with as many servers as leaf ports."""
    unit = intent.scalable_unit
    for servers in range(min(unit.servers - 1, MOST_SERVERS), 0, -1) if unit else ():
        smaller = unit.model_copy(update={"servers": servers}) if unit else None
        yield f"`scalable_unit.servers: {servers}`", _with(intent, scalable_unit=smaller)
    yield "no `scalable_unit`", _with(intent, scalable_unit=None)


def _rails(intent: Backend) -> Iterator[Change]:
    """Yield numbers of rails per leaf, the largest first."""
    for rails in range(intent.rails_per_leaf - 1, 0, -1):
        yield f"`rails_per_leaf: {rails}`", _with(intent, rails_per_leaf=rails)


def _ratios(intent: Backend) -> Iterator[Change]:
    """Yield ratios, the smallest first."""
    for ratio in range(int(intent.oversubscription) + 1, 9) if intent.spine else ():
        yield f"`oversubscription: {ratio}`", _with(intent, oversubscription=float(ratio))


def _own_ratios(intent: Backend) -> Iterator[Change]:
    """As above, of a tier that has its own."""
    for name, role in _tiers(intent):
        for ratio in range(int(role.ratio) + 1, 65) if role.ratio else ():
            yield f"`{name}.ratio: {ratio}`", _having(intent, name, role, ratio=float(ratio))


def _counts(intent: Backend) -> Iterator[Change]:
    for name, role in _tiers(intent):
        if role.count is not None:
            yield f"no `{name}.count`", _having(intent, name, role, count=None)


def _links(intent: Backend) -> Iterator[Change]:
    """Yield numbers of links, starting with the nearest to the intent."""
    for name, role in _tiers(intent):
        others = range(1, 65) if role.links else ()
        for links in sorted(others, key=lambda other: abs(other - (role.links or 0))):
            yield f"`{name}.links: {links}`", _having(intent, name, role, links=links)


def _pods(intent: Backend) -> Iterator[Change]:
    """Yield smaller pods, the largest first."""
    pod = intent.pod
    for units in range(pod.units - 1, 0, -1) if pod else ():
        smaller = pod.model_copy(update={"units": units}) if pod else None
        yield f"`pod.units: {units}`", _with(intent, pod=smaller)


def _growth(intent: Backend) -> Iterator[Change]:
    for key in ("servers", "spines", "pods", "rails"):
        value = getattr(intent.growth, key)
        if value is not None:
            growth = intent.growth.model_copy(update={key: None})
            yield f"`growth.{key}` below {value:,}", _with(intent, growth=growth)


def _designs(intent: Backend) -> Iterator[Change]:
    if intent.design == "rail-only":
        spine = intent.spine or Spines.model_construct(**vars(intent.leaf))
        tiers = {"design": "rail-optimized", "spine": spine}
        yield "`design: rail-optimized` with a `spine`", _with(intent, **tiers)
    if intent.design == "rail-optimized":
        tiers = {"design": "three-tier", "superspine": intent.superspine or intent.spine}
        yield "`design: three-tier` with a `superspine`", _with(intent, **tiers)


def _tiers(intent: Backend) -> Iterator[tuple[str, UpperTier]]:
    for name, role in (("spine", intent.spine), ("superspine", intent.superspine)):
        if role is not None:
            yield name, role


def _having(intent: Backend, name: str, role: UpperTier, **changes: object) -> Backend:
    return _with(intent, **{name: role.model_copy(update=changes)})


def _with(intent: Backend, **changes: Any) -> Backend:
    return intent.model_copy(update=changes)


_KINDS = (
    *(_speeds, _units, _rails, _ratios, _own_ratios, _counts, _links, _pods),
    *(_growth, _designs),
)
