"""Verify lossless rules for the ports of a switch from its rendered files.

Every checked number comes from the files. A rule without all of its numbers is not configured,
whatever the design planned.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from fabricgen.compile.design.port_memory import FRAME
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters, Milliseconds
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.memory_value import MemoryValue, PortTold
from fabricgen.model.fabric.qos import Kind, TrafficClass
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.lossless.budget import Alpha, pause_threshold
from fabricgen.model.lossless.marking import Limits, Points, judge
from fabricgen.model.lossless.rows import PortHeadroom
from fabricgen.model.lossless.terms import Verdict
from fabricgen.model.lossless.watchdog import judge_patience, judge_polling
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos

if TYPE_CHECKING:
    Judge = Callable[[], Iterable[Verdict]]

BEFORE_PAUSE = "marking before pause"
POINTS = ("Kmin holds one frame", "Kmin below Kmax", "probability is a percentage")
MOST = sys.maxsize  # bytes: above every queue


class State(StrEnum):
    """Result of a rule."""

    HOLDS = "holds"
    BROKEN = "BROKEN"
    NOT_CONFIGURED = "not configured"


@record(kw_only=True)
class Claim:
    """One rule of one switch. lines: lines with the numbers of the arithmetic.

    For a number that is not in the files, the arithmetic states its replacement.
    """

    rule: str
    state: State
    arithmetic: str
    lines: tuple[str, ...]


def pause_at(told: PortTold) -> MemoryValue | None:
    """Return the bytes at which one group sends pause when all groups are congested."""
    shared, alpha, groups = told.shared, told.alpha, told.groups
    if shared is None or alpha is None or groups is None or shared.value <= 0:
        return None
    value = pause_threshold(Bytes(shared.value), Alpha(alpha.value), groups.value, 1)
    lines = (*groups.lines, *shared.lines, *alpha.lines)
    return MemoryValue(int(value), tuple(dict.fromkeys(lines)))


@record(kw_only=True)
class PortRead:
    """Port of a kind and one class: values of the files, and their results."""

    name: str
    kind: Kind
    plan: PortHeadroom
    told: PortTold
    claims: tuple[Claim, ...]


def read_ports(
    switch_slice: SwitchSlice, fabric: Fabric, files: Mapping[str, str]
) -> Iterator[PortRead]:
    """Read the first port of each kind and class of a switch from its files, by their paths."""
    platform, buffers, plans = (
        nos(switch_slice.switch.platform),
        switch_slice.buffers,
        fabric.lossless,
    )
    if buffers is None or plans is None or switch_slice.qos is None:
        return
    model, reader = switch_slice.switch.model, platform.told
    marking = plans.marking_of(switch_slice.switch.role)
    first: dict[tuple[BitsPerSecond, Meters], Interface] = {}
    for item in switch_slice.interfaces:
        if item.use is not Use.UNUSED:
            first.setdefault((item.port.speed, item.length), item)
    for (speed, length), item in sorted(first.items(), key=lambda pair: pair[0]):
        plan, name = buffers.port(speed, length), spell(switch_slice.switch, item.port)
        if plan is None:
            continue
        for one in switch_slice.qos.classes:
            if one.kind not in marking and one.paused is None:
                continue
            told = PortTold(instead=f"{switch_slice.switch.platform} is not read back")
            if reader is not None:
                told = reader.load()(model, files, name, one)
            points = marking.get(one.kind, {}).get(speed)
            judged = tuple(claims(told, plan, points, one))
            yield PortRead(name=name, kind=one.kind, plan=plan, told=told, claims=judged)


def claims(
    told: PortTold, plan: PortHeadroom, points: Points | None, item: TrafficClass
) -> Iterator[Claim]:
    """Yield the claims about one kind of port; `points` are designed, None without ECN."""
    paused = item.paused is not None
    if paused:
        yield from _headroom(told, plan)
    if points is not None:
        yield from _marking(told, plan, points.feeding, paused=paused)
    if item.cut is not None:
        yield from _trimming(told, plan, item.cut)
    if paused:
        yield from _watchdog(told, plan)


def _headroom(told: PortTold, kind: PortHeadroom) -> Iterator[Claim]:
    rule = f"headroom on {kind.speed}, {kind.length} m, holds the data that arrives after a pause"
    wire = int(kind.wire)

    def judged() -> Iterator[Verdict]:
        assert told.headroom is not None
        value = told.headroom.value
        yield Verdict(rule, value >= wire, f"{value:,} >= {wire:,}")

    yield from _made(told, (rule,), (told.headroom, told.pause), judged)


def _marking(told: PortTold, kind: PortHeadroom, feeding: int, *, paused: bool) -> Iterator[Claim]:
    """Check the points; a class without pause has only memory above, which no file sets."""
    pause = pause_at(told) if paused else MemoryValue(MOST, ())

    def judged(*, before_pause: bool) -> Iterator[Verdict]:
        assert told.minimum is not None
        assert told.maximum is not None
        assert told.percent is not None
        assert told.mtu is not None
        reach = Bytes(pause.value if pause else MOST)
        limits = Limits(mtu=Bytes(told.mtu.value + FRAME), pause_at=reach, feeding=feeding)
        low, high = Bytes(told.minimum.value), Bytes(told.maximum.value)
        for verdict in judge(low, high, told.percent.value, limits):
            if (verdict.rule == BEFORE_PAUSE) is before_pause:
                yield Verdict(f"{verdict.rule}, {kind.speed}", verdict.holds, verdict.arithmetic)

    points = (told.minimum, told.maximum, told.percent, told.mtu)
    rules = tuple(f"{rule}, {kind.speed}" for rule in POINTS)
    yield from _made(told, rules, points, lambda: judged(before_pause=False))
    if paused:
        rule, rests_on = f"{BEFORE_PAUSE}, {kind.speed}", (*points, pause, told.pause)
        yield from _made(told, (rule,), rests_on, lambda: judged(before_pause=True))


def _trimming(told: PortTold, kind: PortHeadroom, size: Bytes) -> Iterator[Claim]:
    """Check that a full queue trims; a class without pause has no other answer to a full queue."""
    rule = f"a full queue trims and does not only drop, {kind.speed}"

    def judged() -> Iterator[Verdict]:
        assert told.cut is not None
        yield Verdict(rule, told.cut.value == size, f"{told.cut.value:,} = {size:,} bytes remain")

    yield from _made(told, (rule,), (told.cut,), judged)


def _watchdog(told: PortTold, kind: PortHeadroom) -> Iterator[Claim]:
    poll, detection, restoration = told.poll, told.detection, told.restoration

    def judged() -> Iterator[Verdict]:
        assert poll is not None
        assert detection is not None
        assert restoration is not None
        times = [Milliseconds(one.value) for one in (poll, detection, restoration)]
        yield from judge_polling(*times)
        yield judge_patience(times[1], kind.speed)

    yield from _made(told, ("PFC watchdog",), (poll, detection, restoration, told.pause), judged)


def _made(
    told: PortTold, rules: tuple[str, ...], rests_on: tuple[MemoryValue | None, ...], judged: Judge
) -> Iterator[Claim]:
    """Check each rule whose inputs the files set; report the others as not configured."""
    known = [one for one in rests_on if one is not None]
    if len(known) < len(rests_on):
        for rule in rules:
            yield Claim(rule=rule, state=State.NOT_CONFIGURED, arithmetic=told.instead, lines=())
        return
    lines = tuple(dict.fromkeys(line for one in known for line in one.lines))
    for verdict in judged():
        state = State.HOLDS if verdict.holds else State.BROKEN
        yield Claim(rule=verdict.rule, state=state, arithmetic=verdict.arithmetic, lines=lines)
