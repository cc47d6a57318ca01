"""Packet memory by buffer model: what a switch computes itself by its formula, else its SKU's rows.

Sizes of headroom and pools are worked out here by hand, from the formulas that sonic-swss has
(cfgmgr/buffer_headroom_mellanox.lua, buffer_pool_mellanox.lua).
"""

import math

import pytest
from tests.unit.design.sites import backend, intent

from fabricgen.compile.design import lossless
from fabricgen.compile.design.port_memory import CABLES, Kept
from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.catalog.asics import asic
from fabricgen.model.catalog.memory import MemoryFacts
from fabricgen.model.catalog.switches import switch_model
from fabricgen.model.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.model.lossless.chips import chip
from fabricgen.model.lossless.port import PauseResponse
from fabricgen.model.lossless.rows import Row

KIB = 1024
QUANTA = {100: 394, 400: 905, 800: 905}
CELL = {"SN4700": 144, "SN5600": 192}
TILE = {"SN4700": 0, "SN5600": 15}  # bytes a Gb/s: two tiles


def designed(
    model: str, speed: str, near: int, far: int | None = None, **roce: object
) -> tuple[Lossless | None, list[Diagnostic]]:
    servers = {"count": 16, "gpus": 2, "nic_speed": speed, "cable_length": near}
    kind = "rail-only" if far is None else "rail-optimized"
    keys = backend(kind, model, 16, servers=servers, roce=roce)
    if far is not None:
        keys["backend"]["links"] = {"speed": speed, "length": far}
    for role in ("leaf", "spine"):
        if role in keys["backend"]:
            keys["backend"][role]["platform"] = "sonic"
    site, found = design_site(intent(keys))
    return (site.fabrics[0].lossless if site.fabrics else None), found


def leaf(plan: Lossless | None) -> SwitchBuffers:
    assert plan is not None
    return next(made for name, made in plan.switches.items() if "leaf" in name)


def xoff(model: str, gigabits: int, meters: int, mtu: int) -> int:
    """Return the headroom that a Spectrum computes, all packets small."""
    cable = 2 * meters * gigabits * 1000 * 10**9 / 198_000_000 / 8000
    way = mtu + cable + 0.8 * KIB + 64 * QUANTA[gigabits] + TILE[model] * gigabits
    return math.ceil((4096 + way * math.ceil(CELL[model] / 64)) / KIB) * KIB


@pytest.mark.parametrize(("model", "gigabits"), [("SN4700", 400), ("SN5600", 400)])
@pytest.mark.parametrize("meters", [5, 40, 41, 300])
def test_a_switch_that_computes_headroom_reads_no_row(
    model: str, gigabits: int, meters: int
) -> None:
    plan, _ = designed(model, f"{gigabits}G", meters)
    ((kind, _),) = leaf(plan).ports
    assert kind.shipped is None
    assert kind.headroom == xoff(model, gigabits, meters, 9214)


def test_the_pool_is_what_all_sizes_leave_over() -> None:
    """Size = xoff + xon, and an MTU on eight lanes; lossy and management groups; mirroring."""
    plan, _ = designed("SN4700", "400G", 40, 40)
    made = leaf(plan)
    size = math.ceil((xoff("SN4700", 400, 40, 9214) + 38 * KIB + 9214) / KIB) * KIB
    port = 2 * 37 * KIB + 10 * KIB + 9216
    assert made.shared == 60_817_392 - 32 * (size + port) - 256 * KIB
    assert made.pause_at == made.shared // 33


def test_marking_ends_before_an_sn4700_pauses() -> None:
    plan, found = designed("SN4700", "400G", 40, 40)
    assert not [item for item in found if item.code is Code.MARKING_RULE]
    assert plan is not None
    pause = min(int(made.pause_at or 0) for made in plan.switches.values())
    for _, points in plan.plans:
        assert points.maximum <= pause * 9 // 10


def test_an_sn5600_with_41_m_of_cable_is_not_taken_for_one_with_300() -> None:
    plan, found = designed("SN5600", "800G", 41, 41, storage={})
    assert not [item for item in found if item.severity is Severity.ERROR]
    assert leaf(plan).shared > 90_000_000


def test_two_classes_on_300_m_do_not_fit_into_an_sn4700() -> None:
    """128 x 100G: 62 of 60 MB for the groups alone."""
    plan, found = designed("SN4700", "100G", 300, storage={})
    (error,) = [item for item in found if item.severity is Severity.ERROR]
    assert error.code is Code.BUFFER_EXCEEDED
    size = xoff("SN4700", 100, 300, 9214) + 19 * KIB
    assert 2 * 128 * size == 62_390_272
    assert leaf(plan).shared == 60_817_392 - 2 * 128 * size - 128 * (
        2 * 19 * KIB + 10 * KIB + 9216
    ) - (256 * KIB)


@pytest.mark.parametrize(
    ("speed", "sku"),
    [("400G", "Arista-7060X6-64PE-O128S2"), ("200G", "Arista-7060X6-64PE-256x200G")],
)
def test_elsewhere_the_rows_are_those_of_the_sku(speed: str, sku: str) -> None:
    plan, _ = designed("7060X6-64PE", speed, 5)
    made = leaf(plan)
    ((kind, _),) = made.ports
    assert made.sku == sku
    assert kind.shipped is not None
    assert kind.shipped.source == f"{sku}/pg_profile_lookup.ini"


def test_a_sku_without_mmu_configuration_says_so_in_the_plan() -> None:
    plan, _ = designed("7060X6-64PE", "800G", 5)
    made = leaf(plan)
    assert made.lacks is not None
    assert made.pool is None


@pytest.mark.parametrize(("kept", "severities"), [(83_375, [Severity.ERROR]), (83_376, [])])
def test_headroom_below_the_wire_is_an_error(
    kept: int, severities: list[Severity], monkeypatch: pytest.MonkeyPatch
) -> None:
    """400G on 24 m of cable brings 83,376 bytes after pause; a row that keeps less is refused."""

    def facts(*_: object) -> MemoryFacts:
        speed = BitsPerSecond.parse("400G")
        row = Row(speed=speed, length=Meters(24), headroom=Bytes(kept), source="a test")
        return MemoryFacts(own=True, sku="A", lacks=None, rows=(row,), pool=None, alpha=0)

    monkeypatch.setattr(lossless, "memory_facts", facts)
    _, found = designed("7060X6-64PE", "400G", 24)
    wire = [item for item in found if "full frames on the wire" in item.message]
    assert [item.severity for item in wire] == severities
    assert {item.code for item in wire} <= {Code.HEADROOM_DIFFERS}


def test_a_response_that_the_switch_does_not_take_is_said() -> None:
    (said,) = [
        item
        for item in designed("SN5600", "800G", 5, pause_response="conservative")[1]
        if item.path == ("backend", "roce", "pause_response")
    ]
    assert said.severity is Severity.WARNING
    assert "has no effect there" in said.message
    for other in ("shipped", None):
        _, found = designed("SN5600", "800G", 5, pause_response=other)
        assert not [item for item in found if "changes nothing" in item.message]


@pytest.mark.parametrize(
    ("model", "platform"), [("7060X6-64PE", "eos"), ("SN5600", "sonic"), ("7220-IXR-H5-64D", "eos")]
)
@pytest.mark.parametrize("meters", [1, 40])
def test_a_storage_class_at_800g_is_possible(model: str, platform: str, meters: int) -> None:
    servers = {"count": 16, "gpus": 8, "nic_speed": "800G", "cable_length": meters}
    links = {"speed": "800G", "length": meters}
    keys = backend("rail-optimized", model, 16, servers=servers, links=links, roce={"storage": {}})
    for role in ("leaf", "spine"):
        keys["backend"][role]["platform"] = platform
    _, found = design_site(intent(keys))
    assert [item.message for item in found if item.severity is Severity.ERROR] == []


def test_one_ingress_is_counted_where_a_port_is_faster_than_the_queue() -> None:
    """A faster port fills a queue alone, so two are not assumed there."""
    servers = {"count": 8, "gpus": 2, "nic_speed": "400G"}
    keys = backend(
        "rail-optimized", "SN5600", 8, servers=servers, links={"speed": "800G"}, oversubscription=8
    )
    site, _ = design_site(intent(keys))
    assert site is not None
    plan = site.fabrics[0].lossless
    assert plan is not None
    assert {points.feeding for _, points in plan.plans if str(points.speed) == "400G"} == {1}


def refused(**roce: object) -> tuple[list[Diagnostic], dict[str, object]]:
    servers = {"count": 16, "gpus": 8, "nic_speed": "800G", "cable_length": 40}
    links = {"speed": "800G", "length": 40}
    keys = backend("rail-optimized", "AS9817-64O", 16, servers=servers, links=links, roce=roce)
    for role in ("leaf", "spine"):
        keys["backend"][role]["platform"] = "eos"
    _, found = design_site(intent(keys))
    errors = [item for item in found if item.code is Code.MARKING_RULE]
    return [item for item in errors if item.severity is Severity.ERROR], roce


def test_the_hint_names_changes_that_were_tried() -> None:
    """Shorter cables would not help here, so they are not named; what is named, passes."""
    errors, _ = refused(storage={}, congested_ingresses=1)
    assert errors
    for error in errors:
        assert error.hint == (
            "set roce.congested_ingresses: 3, if at least that many feed a queue "
            "in equal parts; or "
            "remove roce.storage"
        )
    assert refused(storage={}, congested_ingresses=3)[0] == []
    assert refused(congested_ingresses=1)[0] == []


def kept(model: str, platform: str, response: PauseResponse | None = None) -> Kept:
    """A kind of switch with ports of 400G on four lanes and of 800G on eight."""
    known, facts = switch_model(model), asic("Spectrum-4" if model == "SN5600" else "Tomahawk5")
    assert known is not None
    assert facts is not None
    rows = (
        Row(
            speed=BitsPerSecond.parse("400G"),
            length=Meters(300),
            headroom=Bytes(90_000),
            source="a test",
            size=Bytes(1_000),
        ),
    )
    own = platform == "sonic"
    return Kept(
        model=known,
        platform=platform,
        silicon=chip(facts.name, facts.cell),
        facts=MemoryFacts(own=own, sku=None, lacks=None, rows=rows, pool=None, alpha=0),
        wide=frozenset({BitsPerSecond.parse("800G")}),
        mtu=Bytes(9214),
        response=response,
    )


@pytest.mark.parametrize("length", [3, 4, 40, 301])
def test_a_remedy_may_propose_the_shorter_cables(length: int) -> None:
    made = kept("7060X6-64PE", "eos")
    port = made.port(BitsPerSecond.parse("800G"), Meters(length))
    group = made.group(port, 7, 2)
    assert [meters for meters, _ in group.shorter] == [one for one in CABLES if one < length]
    assert (group.count, group.classes, group.headroom) == (7, 2, port.headroom)


@pytest.mark.parametrize(
    ("model", "platform", "below", "own"),
    [
        ("SN5600", "sonic", 47 * KIB, 2 * 37 * KIB + 10 * KIB + 9216),
        ("SN5600", "linux", 0, 0),
        ("7060X6-64PE", "sonic", 1_000, 0),
        ("7060X6-64PE", "eos", 0, 0),
    ],
)
def test_only_an_os_with_skus_takes_reservations_off_the_pool(
    model: str, platform: str, below: int, own: int
) -> None:
    made = kept(model, platform)
    speed = "800G" if model == "SN5600" else "400G"
    group = made.group(made.port(BitsPerSecond.parse(speed), Meters(40)), 1, 1)
    assert (group.below, group.own) == (below, own)


@pytest.mark.parametrize(
    ("platform", "management", "cell"), [("sonic", 256 * KIB, 1), ("linux", 0, 192)]
)
def test_a_switch_that_sizes_its_pool_does_so_in_bytes(
    platform: str, management: int, cell: int
) -> None:
    facts = asic("Spectrum-4")
    assert facts is not None
    memory = kept("SN5600", platform).memory(facts)
    assert (memory.total, memory.cell) == (158_229_504, cell)
    assert memory.reserved.management == management


def test_a_response_that_is_asked_for_moves_the_wire_and_what_nobody_else_computes() -> None:
    """905 quanta of 64 bytes more at 800G; a switch with a formula of its own keeps its own."""
    speed, length = BitsPerSecond.parse("800G"), Meters(40)
    for platform, moved in (("sonic", False), ("linux", True)):
        shipped, careful = (
            kept("SN5600", platform, response).port(speed, length)
            for response in (PauseResponse.SHIPPED, PauseResponse.CONSERVATIVE)
        )
        assert careful.wire - shipped.wire == 905 * 64
        assert (careful.headroom > shipped.headroom) is moved
        assert kept("SN5600", platform).port(speed, length).wire == shipped.wire
