"""The memory of a switch in; what one kind of its ports keeps, and what a role marks, out."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.topology import Role
from fabricgen.model.lossless.headroom import Headroom
from fabricgen.model.lossless.marking import Points
from fabricgen.model.lossless.path import Nanoseconds, RoundTrip
from fabricgen.model.lossless.rows import PortHeadroom, Rule

if TYPE_CHECKING:
    from fabricgen.model.fabric.buffers import PlansByKind

SPEEDS = [BitsPerSecond.parse(text) for text in ("400G", "800G")]
LENGTHS = [Meters(5), Meters(40)]


def kept(speed: BitsPerSecond, length: Meters) -> PortHeadroom:
    return PortHeadroom(
        speed=speed,
        length=length,
        headroom=Bytes(int(length) * 1000),
        computed=Headroom(total=Bytes(0), terms=(), model=""),
        shipped=None,
        rule=Rule.COMPUTED,
        difference=None,
        wire=Bytes(0),
    )


def test_a_port_keeps_what_its_speed_and_its_cable_ask_for() -> None:
    kinds = {(speed, length): kept(speed, length) for speed, length in product(SPEEDS, LENGTHS)}
    buffers = SwitchBuffers(
        model="7060X6-64PE",
        sku=None,
        lacks=None,
        asic="tomahawk-5",
        memory=Bytes(0),
        cell=None,
        source="",
        alpha=0,
        classes=1,
        ports=tuple((kind, 1) for kind in kinds.values()),
        headroom=Bytes(0),
        pool=None,
        shared=Bytes(0),
        pause_at=None,
        terms=(),
    )
    for place, kind in kinds.items():
        assert buffers.port(*place) is kind
    assert buffers.port(SPEEDS[0], Meters(6)) is None
    assert buffers.port(BitsPerSecond.parse("100G"), LENGTHS[0]) is None


def points(minimum: int) -> Points:
    return Points(
        speed=SPEEDS[0],
        minimum=Bytes(minimum),
        maximum=Bytes(2 * minimum),
        probability=10,
        terms=(),
        verdicts=(),
    )


LEAFS = {Kind.LOSSLESS: {SPEEDS[0]: points(100)}, Kind.STORAGE: {SPEEDS[0]: points(200)}}
SPINES = {Kind.LOSSLESS: {SPEEDS[0]: points(300), SPEEDS[1]: points(400)}}


@pytest.mark.parametrize(
    ("above", "role", "least"),
    [
        (None, Role.LEAF, [100, 200]),
        (None, Role.SPINE, [100, 200]),
        (SPINES, Role.LEAF, [100, 200]),
        (SPINES, Role.SPINE, [300, 400]),
        (SPINES, Role.SUPERSPINE, [300, 400]),
    ],
)
def test_spines_mark_as_leafs_do_or_as_they_are_told(
    above: PlansByKind | None, role: Role, least: list[int]
) -> None:
    lossless = Lossless(
        switches={},
        marking=LEAFS,
        round_trip=RoundTrip(total=Nanoseconds(0), terms=()),
        above=above,
    )
    assert [int(plan.minimum) for _, plan in lossless.plans_of(role)] == least
    assert lossless.marking_of(role) is (SPINES if least[0] == 300 else LEAFS)
    assert [(kind, int(plan.minimum)) for kind, plan in lossless.plans] == [
        (Kind.LOSSLESS, 100),
        (Kind.STORAGE, 200),
    ]
    assert [int(plan.minimum) for _, plan in lossless.plans_above] == ([300, 400] if above else [])
