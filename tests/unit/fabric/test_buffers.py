"""The memory of a switch in; what one kind of its ports keeps out."""

from __future__ import annotations

from itertools import product

from fabricgen.fabric.buffers import SwitchBuffers
from fabricgen.lossless.headroom import Headroom
from fabricgen.lossless.rows import PortHeadroom, Rule
from fabricgen.units import BitsPerSecond, Bytes, Metres

SPEEDS = [BitsPerSecond.parse(text) for text in ("400G", "800G")]
LENGTHS = [Metres(5), Metres(40)]


def kept(speed: BitsPerSecond, length: Metres) -> PortHeadroom:
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
    assert buffers.port(SPEEDS[0], Metres(6)) is None
    assert buffers.port(BitsPerSecond.parse("100G"), LENGTHS[0]) is None
