"""Report headroom and marking of a lossless fabric for many cables, MTUs and speeds.

The rest is linear in the number of ports: the memory of a port times its count. So a page sums it,
and finds pause and marking by the rules of `model/lossless`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.compile.design.port_memory import FRAME
from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.compile.design.what_if import Cables, Group, Point, changed, groups_of, trip_of
from fabricgen.core.diagnostics import Code
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.fabric.topology import Role
from fabricgen.model.lossless.budget import Alpha, spend
from fabricgen.model.lossless.marking import FLOOR, MARGIN, PROBABILITY, RATIO, SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.compile.design.lossless import LosslessPlan, Sort
    from fabricgen.compile.design.port_memory import Kept
    from fabricgen.model.catalog.switches import SwitchModel
    from fabricgen.model.fabric.buffers import SwitchBuffers
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.model.fabric.topology import Switch

LENGTHS = tuple(map(Meters, (1, 3, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000, 2000)))
MTUS = tuple(map(Bytes, (1500, 4200, 9000, 9214)))


@record(kw_only=True)
class Axes:
    """The values of a grid: of a fabric, so that one point is its design."""

    lengths: tuple[Meters, ...]
    mtus: tuple[Bytes, ...]
    speeds: tuple[BitsPerSecond, ...]


def axes_of(plan: LosslessPlan) -> Axes:
    """Return round values, and the values of the design. Speeds are next to the speeds in use."""
    groups = [group for sort in plan.sorts.values() for group in groups_of(plan, sort)]
    used = {group.speed for group in groups}
    models = {switch.model.name: switch.model for switch in plan.topology.switches}
    known = {speed for model in models.values() for speed in model.speeds()}
    low = max((each for each in known if each < min(used)), default=min(used))
    high = min((each for each in known if each > max(used)), default=max(used))
    return Axes(
        lengths=tuple(sorted({*LENGTHS, *(group.cables.meters for group in groups)})),
        mtus=tuple(sorted({*MTUS, Bytes(plan.intent.underlay.mtu)})),
        speeds=tuple(sorted(each for each in known | used if low <= each <= high)),
    )


def grid(fabric: Fabric, plan: LosslessPlan) -> dict[str, Any]:
    """Return the grid of a fabric as data. A table of headroom serves all equal switches."""
    axes = axes_of(plan)
    cables = _cables(plan)
    tables = _Tables()
    return {
        "lengths": list(axes.lengths),
        "mtus": list(axes.mtus),
        "speeds": [str(speed) for speed in axes.speeds],
        "bits": [int(speed) for speed in axes.speeds],
        "mtu": plan.intent.underlay.mtu,
        "cables": [[each.to_servers, each.meters] for each in cables],
        "kinds": [
            _kind(plan, members, cables, axes, tables) for members in _kinds_of(fabric, plan)
        ],
        "tables": tables.made,
        "paths": [_paths(plan, each, axes) for each in cables],
        "rules": _rules(plan),
        "classes": list(_classes(plan, axes)),
    }


def _cables(plan: LosslessPlan) -> tuple[Cables, ...]:
    found = {group.cables: None for sort in plan.sorts.values() for group in groups_of(plan, sort)}
    return tuple(sorted(found, key=lambda each: (each.to_servers, each.meters)))


_Member = tuple["tuple[str, ...]", "Switch", "Sort"]


def _kinds_of(fabric: Fabric, plan: LosslessPlan) -> Iterator[_Member]:
    """Yield the names of equal switches, the first switch, and their sort."""
    lossless = fabric.lossless
    assert lossless is not None
    named: dict[object, list[Switch]] = {}
    for each in fabric.topology.switches:
        buffers = lossless.switches.get(each.name)
        key = id(buffers) if buffers is not None else (each.role, each.group, each.model.name)
        named.setdefault(key, []).append(each)
    for switches in named.values():
        first = switches[0]
        yield tuple(each.name for each in switches), first, plan.sorts[first.role, first.group]


def _kind(
    plan: LosslessPlan, member: _Member, cables: tuple[Cables, ...], axes: Axes, tables: _Tables
) -> dict[str, Any]:
    names, switch, sort = member
    groups = groups_of(plan, sort)
    facts = {
        "switches": list(names),
        "role": switch.role.value,
        "sort": f"{switch.role.value} {switch.group}",
        "model": switch.model.name,
        "groups": [
            [cables.index(each.cables), axes.speeds.index(each.speed), each.count]
            for each in groups
        ],
        "most": [_most(switch.model, speed, groups) for speed in axes.speeds],
    }
    buffers = plan.buffers(switch)
    chip = switch.model.chip
    if buffers is None or chip is None:
        return {**facts, "memory": None}
    kept = plan.kept(sort, switch, chip)
    table = tables.number(plan, (switch, sort), axes, cables[0])
    return {**facts, "table": table, **_memory(plan, kept, buffers, switch)}


def _most(model: SwitchModel, speed: BitsPerSecond, groups: Iterable[Group]) -> int:
    """Return the most ports of a speed, but never fewer than the design has."""
    modes = [mode for cage in model.usable if (mode := cage.mode(speed)) is not None]
    return max([sum(mode.count for mode in modes), *(group.count for group in groups)])


def _memory(
    plan: LosslessPlan, kept: Kept, buffers: SwitchBuffers, switch: Switch
) -> dict[str, Any]:
    """Return what a switch without ports takes from its memory: what does not depend on them."""
    assert switch.model.chip is not None
    memory = kept.memory(switch.model.chip)
    pool = kept.facts.pool if plan.classes else None
    empty = spend(memory, (), pool)
    alpha = Alpha(buffers.alpha).ratio
    return {
        "memory": memory.total,
        "cell": memory.cell,
        "fixed": [[each.name, each.value, each.source] for each in empty.terms[:-2] if each.value],
        "source": memory.reserved.source,
        "pool": pool.headroom if pool else None,
        "pool_source": pool.source if pool else "",
        "alpha": [alpha.numerator, alpha.denominator],
        "classes": plan.classes,
        "chip": buffers.asic,
        "chip_source": buffers.source,
        "shown": [buffers.headroom, buffers.shared, buffers.pause_at],
        "configured": kept.configured,
    }


class _Tables:
    """Headroom by speed, MTU and length; equal tables are kept once, and so is each text."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []

    def number(
        self, plan: LosslessPlan, of: tuple[Switch, Sort], axes: Axes, cables: Cables
    ) -> int:
        """Return the number of the table of a switch."""
        texts: dict[str, int] = {}
        points = []
        for mtu in axes.mtus:
            point = Point(cables=cables, meters=cables.meters, mtu=mtu)
            points.append(_at_mtu(changed(plan, point), of, axes, texts))
        table = {"texts": list(texts), "points": points}
        if table not in self.made:
            self.made.append(table)
        return self.made.index(table)


def _at_mtu(
    plan: LosslessPlan, of: tuple[Switch, Sort], axes: Axes, texts: dict[str, int]
) -> list[Any]:
    switch, sort = of
    assert switch.model.chip is not None
    kept = plan.kept(sort, switch, switch.model.chip)
    return [
        [_point(plan, kept, speed, meters, texts) for meters in axes.lengths]
        for speed in axes.speeds
    ]


def _point(
    plan: LosslessPlan, kept: Kept, speed: BitsPerSecond, meters: Meters, texts: dict[str, int]
) -> list[Any]:
    """Return the bytes of a group and a port, the rule, the faults, and the terms."""
    found = kept.port(speed, meters)
    group = kept.taken(found, 1, plan.classes)

    def text(words: str) -> int:
        return texts.setdefault(words, len(texts))

    terms = [[text(each.name), each.value, text(each.source)] for each in found.computed.terms]
    row = found.shipped
    return [
        found.headroom,
        group.below,
        group.own,
        found.computed.total,
        text(found.rule),
        text(row.source) if row is not None else -1,
        int(not kept.known(found)),
        text(found.error) if found.error else -1,
        terms,
    ]


def _paths(plan: LosslessPlan, cables: Cables, axes: Axes) -> list[list[list[int]]]:
    """Return the round trip and the bandwidth-delay product of each speed, by MTU and length."""
    rows = []
    for mtu in axes.mtus:
        plans = [
            changed(plan, Point(cables=cables, meters=meters, mtu=mtu)) for meters in axes.lengths
        ]
        rows.append([_path(each, axes) for each in plans])
    return rows


def _path(plan: LosslessPlan, axes: Axes) -> list[int]:
    found = [trip_of(plan, speed) for speed in axes.speeds]
    return [found[0][0].total, *(product for _, product in found)]


def _rules(plan: LosslessPlan) -> dict[str, Any]:
    roce = plan.roce
    return {
        "floor": FLOOR,
        "ratio": RATIO,
        "probability": PROBABILITY,
        "margin": [MARGIN.numerator, MARGIN.denominator],
        "source": SOURCE,
        "frame": FRAME,
        "paused": roce.pfc,
        "ingresses": roce.congested_ingresses,
        "over_subscription": roce.over_subscription,
        "codes": {
            "exceeded": Code.BUFFER_EXCEEDED.value,
            "unknown": Code.HEADROOM_UNKNOWN.value,
            "differs": Code.HEADROOM_DIFFERS.value,
            "marking": Code.MARKING_RULE.value,
        },
    }


def _classes(plan: LosslessPlan, axes: Axes) -> Iterator[dict[str, Any]]:
    """Yield each marked class with its points by speed: written, published or none."""
    profile = PROFILES[plan.roce.profile]
    upper = [role.value for role in Role if role is not Role.LEAF and plan.differs]
    lower = [role.value for role in Role if role.value not in upper]
    for kind, wish in plan.wishes.items():
        for roles, above in ((lower, False), (upper, True)):
            if wish.enabled and roles:
                published = [profile.marking(speed, above=above) for speed in axes.speeds]
                yield {
                    "class": kind.value,
                    "roles": roles,
                    "written": [wish.minimum, wish.maximum, wish.probability],
                    "published": [
                        [each.minimum, each.maximum, each.probability] if each else None
                        for each in published
                    ],
                    "profile": plan.roce.profile,
                }
