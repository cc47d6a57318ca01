"""The lossless report as text, line by line: switches with their ports, then what all share."""

from dataclasses import replace

import pytest

from fabricgen.api.lossless import LosslessReport
from fabricgen.cli.formats.lossless import text
from fabricgen.compile.reports.claims import Claim, PortRead, State
from fabricgen.compile.reports.lossless import Common, SwitchKind
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Bytes, Meters, Milliseconds
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.fabric.memory_value import PortTold
from fabricgen.model.fabric.qos import Kind, TrafficClass, Watchdog
from fabricgen.model.lossless.headroom import Headroom
from fabricgen.model.lossless.marking import Points
from fabricgen.model.lossless.path import Delay, Nanoseconds, RoundTrip
from fabricgen.model.lossless.rows import PortHeadroom, Row, Rule
from fabricgen.model.lossless.terms import Term

SPEED = BitsPerSecond.parse("400G")
PORT = PortHeadroom(
    speed=SPEED,
    length=Meters(40),
    headroom=Bytes(446_024),
    computed=Headroom(
        total=Bytes(448_056),
        terms=(Term("cable", Bytes(448_056), "10 ns/m"), Term("rounding", Bytes(0), "cells")),
        model="derived",
    ),
    shipped=Row(speed=SPEED, length=Meters(300), headroom=Bytes(839_216), source="a file"),
    rule=Rule.SHIPPED_LONGER,
    difference=None,
    wire=Bytes(0),
)
BUFFERS = SwitchBuffers(
    model="7060X6-64PE",
    sku=None,
    lacks=None,
    asic="Tomahawk5",
    memory=Bytes(165_000_000),
    cell=None,
    source="",
    alpha=-2,
    classes=1,
    ports=((PORT, 64),),
    headroom=Bytes(0),
    pool=None,
    shared=Bytes(0),
    pause_at=Bytes(1_234_567),
    terms=(Term("headroom", Bytes(30_000_000), "the plan"),),
)
SWITCHES = SwitchKind(fabric="backend", names=("be-leaf1", "be-leaf2"), buffers=BUFFERS)
LINES = [
    "be-leaf1 and 1 more: 7060X6-64PE (Tomahawk5), 165,000,000 bytes of packet memory",
    (
        "  64 x 400G on 40 m: 446,024 bytes of headroom per port, "
        "shipped row of this speed and the next longer cable"
    ),
    "    computed 448,056 (derived), shipped 839,216 for 300 m",
    "           448,056  cable (10 ns/m)",
    "  shares of the memory",
    "        30,000,000  headroom (the plan)",
    "  pause at 1,234,567 bytes per group with all congested (alpha 0.25)",
]


def switches(kind: SwitchKind) -> list[str]:
    return text(LosslessReport(kinds=(kind,), commons=(), fabrics=())).splitlines()


def test_a_switch_has_its_ports_with_every_term_that_adds_something() -> None:
    assert switches(SWITCHES) == LINES


@pytest.mark.parametrize(
    ("buffers", "changed"),
    [
        (
            replace(BUFFERS, sku="Arista-7060X6-64PE"),
            {0: LINES[0].replace(" (Tom", " as Arista-7060X6-64PE (Tom")},
        ),
        (
            replace(BUFFERS, classes=2),
            {1: LINES[1].replace("per port", "per port for each of 2 classes")},
        ),
        (
            replace(BUFFERS, ports=((replace(PORT, shipped=None), 64),)),
            {2: "    computed 448,056 (derived), no shipped row"},
        ),
    ],
)
def test_what_is_otherwise_is_said_in_its_line(
    buffers: SwitchBuffers, changed: dict[int, str]
) -> None:
    wanted = [changed.get(number, line) for number, line in enumerate(LINES)]
    assert switches(replace(SWITCHES, buffers=buffers)) == wanted


def test_without_pause_no_port_keeps_headroom() -> None:
    quiet = replace(BUFFERS, classes=0, pause_at=None)
    nothing = "  no class is paused (roce.pfc: false), so ports need no headroom"
    assert switches(replace(SWITCHES, buffers=quiet)) == [LINES[0], nothing, *LINES[4:6]]


def test_what_the_files_say_stands_above_the_lines_it_rests_on() -> None:
    pool = ("db: POOL > all > size", "db: POOL > all > xoff", "db: LIMIT")
    holds = Claim(rule="marking", state=State.HOLDS, arithmetic="1 < 2", lines=pool)
    broken = replace(holds, rule="headroom", state=State.BROKEN, arithmetic="3 < 4")
    unsaid = Claim(rule="watchdog", state=State.NOT_CONFIGURED, arithmetic="off", lines=())
    told = PortTold(instead="", confidence=("derived (a source)",))
    port = PortRead(
        name="Ethernet0",
        kind=Kind.LOSSLESS,
        plan=PORT,
        told=told,
        claims=(holds, unsaid, broken),
    )
    read = (port, port, replace(port, kind=Kind.STORAGE, claims=(holds,)))
    assert switches(replace(SWITCHES, read=read))[len(LINES) :] == [
        "  values in the files of be-leaf1",
        "    holds           marking: 1 < 2",
        "    BROKEN          headroom: 3 < 4",
        "    holds           storage: marking: 1 < 2",
        "                    db: POOL > all > size, xoff",
        "                    db: LIMIT",
        "    not configured  watchdog: off",
        "    confidence      derived (a source)",
    ]


POINTS = Points(
    speed=SPEED,
    minimum=Bytes(150_000),
    maximum=Bytes(1_500_000),
    probability=20,
    terms=(Term("Kmin: 1 x BDP", Bytes(150_000), "DCQCN"),),
    verdicts=(),
)
WATCHDOG = Watchdog(
    poll=Milliseconds(100),
    detection=Milliseconds(200),
    restoration=Milliseconds(400),
    action="drop",
    because=Provenance((("backend",),), "a rule"),
)
SHARED = Common(
    fabric="backend",
    classes=(
        TrafficClass(kind=Kind.LOSSLESS, number=3, dscps=(24, 26), share=50, paused=3),
        TrafficClass(kind=Kind.CNP, number=6, dscps=(48,), strict=True),
        TrafficClass(kind=Kind.BEST_EFFORT, number=0, dscps=(0, 1), share=50),
    ),
    plans=((Kind.LOSSLESS, POINTS), (Kind.STORAGE, replace(POINTS, minimum=Bytes(7), terms=()))),
    above=(),
    round_trip=RoundTrip(
        total=Nanoseconds(4_321),
        terms=(Delay(name="cables", value=Nanoseconds(4_321), source="5 ns/m"),),
    ),
    watchdog=WATCHDOG,
)
COMMON = [
    "backend: common to all switches and NICs",
    "  class 3, lossless: DSCP 24, 26; paused as priority 3; 50 % of the rest after strict classes",
    "  class 6, cnp: DSCP 48; never paused; strict",
    "  class 0, best-effort: all other DSCPs; never paused; 50 % of the rest after strict classes",
    "  round trip of the farthest NICs: 4,321 ns",
    "             4,321  cables (5 ns/m)",
    "  ECN on 400G: 150,000 to 1,500,000 bytes, 20 %",
    "           150,000  Kmin: 1 x BDP (DCQCN)",
    "  ECN of storage on 400G: 7 to 1,500,000 bytes, 20 %",
    (
        "  PFC watchdog: polls every 100 ms, a queue is stuck after 200 ms of pause and free after "
        "400 ms without; then drop, for up to 32 ports where software polls"
    ),
]


def common(shared: Common) -> list[str]:
    return text(LosslessReport(kinds=(), commons=(shared,), fabrics=())).splitlines()


def test_what_all_share_are_classes_the_round_trip_marking_and_the_watchdog() -> None:
    assert common(SHARED) == COMMON


def test_spines_that_mark_otherwise_have_lines_of_their_own() -> None:
    above = ((Kind.LOSSLESS, replace(POINTS, maximum=Bytes(9_000_000), terms=())),)
    assert common(replace(SHARED, above=above)) == [
        f"{COMMON[0]}, except ECN marking",
        *COMMON[1:-1],
        "  ECN of spines on 400G: 150,000 to 9,000,000 bytes, 20 %",
        COMMON[-1],
    ]


def test_timers_that_were_written_are_of_every_port() -> None:
    written = replace(SHARED, watchdog=replace(WATCHDOG, grows=False))
    assert common(written)[-1] == COMMON[-1].removesuffix(
        ", for up to 32 ports where software polls"
    )


def test_what_is_off_is_said() -> None:
    assert common(replace(SHARED, plans=(), watchdog=None)) == [
        *COMMON[:6],
        "  ECN is off (roce.ecn.enabled: false), so NICs do not react to congestion",
        "  no PFC watchdog",
    ]
