"""Answers what other cables, frames, speeds or ports change in the lossless design of a site."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.compile.design.lossless import LosslessPlan
    from fabricgen.compile.design.what_if import Group
    from fabricgen.core.diagnostics import Diagnostic
    from fabricgen.model.fabric.buffers import Lossless
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.model.fabric.topology import Switch
    from fabricgen.model.lossless.marking import Points
    from fabricgen.model.lossless.path import RoundTrip
    from fabricgen.model.lossless.rows import PortHeadroom
    from fabricgen.model.lossless.terms import Term


@record(kw_only=True)
class PortGroup:
    """Ports of a switch with the same speed and the same cables.

    Attributes:
        to_servers: Whether their cables lead to servers, not to switches.
        meters: Length of their cables.
        speed: Speed, as `400G`.
        ports: Number of ports.
    """

    to_servers: bool
    meters: int
    speed: str
    ports: int


@record(kw_only=True)
class Change:
    """A change of one group of ports. None keeps the value of the design.

    The length changes all cables of the fabric with the same ends and length. The MTU changes the
    fabric. Speed and ports change switches of this kind only.

    Attributes:
        group: Number of the group, from 0, in the order of `groups`.
        meters: Length of the cables.
        mtu: IP MTU of the fabric.
        speed: Speed of the ports, as `400G`.
        ports: Number of the ports.
    """

    group: int = 0
    meters: int | None = None
    mtu: int | None = None
    speed: str | None = None
    ports: int | None = None


@record(kw_only=True)
class WhatIf:
    """The lossless design of a switch after a change.

    Attributes:
        port: Headroom of a changed port, with its terms.
        headroom: Headroom of the whole switch, in bytes.
        shared: Memory that stays shared, in bytes. Negative if the headroom does not fit.
        pause_at: Bytes in a group at which pause is sent, or None if nothing is paused.
        terms: Shares of the memory. Their sum is the memory.
        marking: ECN points by class and speed.
        round_trip: Longest round trip between two NICs.
        refused: Errors that `fabricgen check` has for such an intent.
        warned: Warnings.
    """

    port: PortHeadroom
    headroom: int
    shared: int
    pause_at: int | None
    terms: tuple[Term, ...]
    marking: dict[str, dict[str, Points]]
    round_trip: RoundTrip
    refused: tuple[Diagnostic, ...]
    warned: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Return whether nothing breaks."""
        return not self.refused


def groups(fabrics: Sequence[Fabric], name: str) -> tuple[PortGroup, ...]:
    """Return the groups of ports of a lossless switch.

    Raises:
        UnknownName: No lossless switch has this name.
    """
    plan, switch, _ = _found(fabrics, name)
    return tuple(
        PortGroup(
            to_servers=each.cables.to_servers,
            meters=each.cables.meters,
            speed=str(each.speed),
            ports=each.count,
        )
        for each in _groups(plan, switch)
    )


def what_if(fabrics: Sequence[Fabric], name: str, change: Change) -> WhatIf:
    """Plan the fabric of a switch again after a change.

    Raises:
        UnknownName: No lossless switch or group of ports has this name.
    """
    from fabricgen.compile.design.what_if import Point, answer, with_ports
    from fabricgen.core.units import BitsPerSecond, Bytes, Meters

    plan, switch, _ = _found(fabrics, name)
    found = _groups(plan, switch)
    group = _chosen(found, name, change.group)
    speed = BitsPerSecond.parse(change.speed) if change.speed else group.speed
    count = group.count if change.ports is None else change.ports
    meters = Meters(change.meters if change.meters is not None else group.cables.meters)
    mtu = Bytes(change.mtu if change.mtu is not None else plan.intent.underlay.mtu)
    point = Point(cables=group.cables, meters=meters, mtu=mtu)
    now = replace(group, speed=speed, count=count)
    told = answer(with_ports(plan, (switch.role, switch.group), point, group, now))
    buffers = told.lossless.switches[name]
    port = buffers.port(speed, meters)
    assert port is not None
    return WhatIf(
        port=port,
        headroom=buffers.headroom,
        shared=buffers.shared,
        pause_at=buffers.pause_at,
        terms=buffers.terms,
        marking=_marking(told.lossless, switch),
        round_trip=told.lossless.round_trip,
        refused=told.refused,
        warned=told.warned,
    )


def _marking(lossless: Lossless, switch: Switch) -> dict[str, dict[str, Points]]:
    marked = lossless.marking_of(switch.role).items()
    return {
        kind.value: {str(speed): points for speed, points in plans.items()}
        for kind, plans in marked
    }


def _chosen(found: tuple[Group, ...], name: str, number: int) -> Group:
    from fabricgen.api.errors import unknown_name

    if not 0 <= number < len(found):
        raise unknown_name(f"group of ports of {name}", str(number), map(str, range(len(found))))
    return found[number]


def grids(fabrics: Sequence[Fabric]) -> dict[str, Any]:
    """Return headroom and marking for many lengths, MTUs and speeds, by fabric.

    The memory of a switch is linear in its ports: the bytes of a port times their number.
    """
    from fabricgen.compile.reports.what_if import grid

    return {fabric.name: grid(fabric, _plan(fabric)) for fabric in fabrics}


def _found(fabrics: Sequence[Fabric], name: str) -> tuple[LosslessPlan, Switch, Fabric]:
    from fabricgen.api.errors import unknown_name

    for fabric in fabrics:
        if fabric.lossless is not None and name in fabric.lossless.switches:
            switch = next(each for each in fabric.topology.switches if each.name == name)
            return _plan(fabric), switch, fabric
    known = [each for fabric in fabrics if fabric.lossless for each in fabric.lossless.switches]
    raise unknown_name("lossless switch", name, known)


def _plan(fabric: Fabric) -> LosslessPlan:
    from fabricgen.compile.design.lossless import LosslessPlan

    assert fabric.lossless is not None
    planner = fabric.lossless.planner
    assert isinstance(planner, LosslessPlan)
    return planner


def _groups(plan: LosslessPlan, switch: Switch) -> tuple[Group, ...]:
    from fabricgen.compile.design.what_if import groups_of

    return groups_of(plan, plan.sorts[switch.role, switch.group])
