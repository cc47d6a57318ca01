"""Plan the memory of a lossless fabric again with other cables, frames or ports."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.lossless import LosslessPlan, PortCount, Sort
from fabricgen.core.diagnostics import Diagnostic, Severity
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.path import RoundTrip, bandwidth_delay

if TYPE_CHECKING:
    from fabricgen.intent.model.intent import LosslessFabric
    from fabricgen.model.fabric.buffers import Lossless
    from fabricgen.model.fabric.topology import Role


@record()
class Cables:
    """Cables of one length: to servers, or between switches."""

    to_servers: bool
    meters: Meters


@record(kw_only=True)
class Group:
    """Ports of a switch with the same speed and the same cables."""

    cables: Cables
    speed: BitsPerSecond
    count: int


@record(kw_only=True)
class Point:
    """A length of some cables and an MTU. Both hold for the whole fabric."""

    cables: Cables
    meters: Meters
    mtu: Bytes


def groups_of(plan: LosslessPlan, sort: Sort) -> tuple[Group, ...]:
    """Return the groups of ports of a sort of switches."""
    far = Meters(plan.intent.links.length)
    between = Cables(to_servers=False, meters=far)
    counted = Counter(
        (port.speed, between if near is None else Cables(to_servers=True, meters=near))
        for port, near in sort.below
    )
    counted.update((port.speed, between) for port in sort.face.up)
    order = sorted(counted.items(), key=lambda item: (item[0][0], item[0][1].meters))
    return tuple(Group(cables=cables, speed=speed, count=count) for (speed, cables), count in order)


def changed(plan: LosslessPlan, point: Point) -> LosslessPlan:
    """Return the planner of a changed fabric. Its findings are its own."""
    words = plan.intent
    underlay = words.underlay.model_copy(update={"mtu": int(point.mtu)})
    update: dict[str, object] = {"underlay": underlay}
    sorts = plan.sorts_of
    if point.cables.to_servers:
        sorts = partial(_with_near, plan, point)
    else:
        update["links"] = words.links.model_copy(update={"length": int(point.meters)})
    return LosslessPlan(
        intent=words.model_copy(update=update),
        sorts_of=sorts,
        topology=plan.topology,
        findings=Findings(),
        trial=True,
    )


def _with_near(plan: LosslessPlan, point: Point, words: LosslessFabric) -> tuple[Sort, ...]:
    """Return the sorts with another length of some cables to servers."""

    def cut(length: Meters) -> Meters:
        return point.meters if length == point.cables.meters else length

    def longer(sort: Sort) -> Sort:
        if sort.near is None:
            return sort
        lengths = tuple(map(cut, sort.lengths))
        return replace(sort, near=max(lengths, default=cut(sort.near)), lengths=lengths)

    return tuple(map(longer, plan.sorts_of(words)))


def with_ports(
    plan: LosslessPlan, key: tuple[Role, str], point: Point, group: Group, now: Group
) -> LosslessPlan:
    """Return the planner of a changed fabric in which a sort has other ports in one group."""
    counted: Counter[tuple[BitsPerSecond, Meters]] = Counter()
    for each in groups_of(plan, plan.sorts[key]):
        one = now if each == group else each
        moved = point.meters if each.cables == point.cables else each.cables.meters
        counted[one.speed, moved] += one.count
    ports = tuple(PortCount(speed, length, n) for (speed, length), n in sorted(counted.items()))
    return replace(changed(plan, point), swapped={key: ports})


@record(kw_only=True)
class Answer:
    """The design after a change, and what the compiler says about it."""

    lossless: Lossless
    refused: tuple[Diagnostic, ...]
    warned: tuple[Diagnostic, ...]


def answer(plan: LosslessPlan) -> Answer:
    """Plan a changed fabric."""
    lossless, items = plan.lossless(), plan.findings.items
    return Answer(
        lossless=lossless,
        refused=tuple(each for each in items if each.severity is Severity.ERROR),
        warned=tuple(each for each in items if each.severity is Severity.WARNING),
    )


def trip_of(plan: LosslessPlan, speed: BitsPerSecond) -> tuple[RoundTrip, Bytes]:
    """Return the round trip of a fabric, and the bandwidth-delay product at a speed."""
    trip = plan.round_trip()
    return trip, bandwidth_delay(speed, trip.total)
