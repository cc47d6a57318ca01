"""From a switch's memory and ports: what is left to share, what is missing, what would fit."""

from dataclasses import replace

import pytest
from tests.unit.lossless.test_models import port

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.budget import Alpha, Budget, budget
from fabricgen.model.lossless.chips import chip
from fabricgen.model.lossless.headroom import headroom
from fabricgen.model.lossless.memory import (
    Change,
    Memory,
    PortGroup,
    Reserved,
    ShippedPool,
    remedies_within,
)

TOMAHAWK_5 = Memory(Bytes(167_546_528), Bytes(254))
MB = 1_000_000


def group(count: int, speed: str, meters: int, classes: int = 1) -> PortGroup:
    silicon = chip("Tomahawk5", None)
    ladder = tuple(
        (Meters(shorter), headroom(port(speed, shorter), silicon).total)
        for shorter in (5, 40, 100, 300, 500, 1000)
        if shorter < meters
    )
    return PortGroup(
        speed=BitsPerSecond.parse(speed),
        length=Meters(meters),
        count=count,
        headroom=headroom(port(speed, meters), silicon).total,
        classes=classes,
        shorter=ladder,
    )


def planned(*groups: PortGroup, pool: ShippedPool | None = None, less: int = 0) -> Budget:
    """Plan for the memory, or for one that has fewer bytes."""
    memory = replace(TOMAHAWK_5, total=Bytes(TOMAHAWK_5.total - less))
    return budget(memory, groups, Alpha(0), pool)


def test_64_ports_of_800g_at_40_m() -> None:
    found = planned(group(64, "800G", 40))
    assert found.fits
    assert found.headroom == 64 * 831_850 == 53_238_400
    assert found.shared == 167_546_528 - 53_238_400
    assert found.pause_at == found.shared // 65
    assert found.remedies == ()
    assert found.contributions[0].arithmetic == (
        "64 ports 800G at 40 m x 1 lossless x 831,850 = 53,238,400 bytes"
    )


def test_one_lossless_port_pauses_too() -> None:
    found = planned(group(1, "100G", 5))
    assert found.pause_at == found.shared // 2


def test_nothing_is_missing_while_the_headroom_just_fits() -> None:
    shared = planned(group(64, "800G", 40)).shared
    exact, less = (planned(group(64, "800G", 40), less=shared + more) for more in (0, 254))
    assert (exact.missing, exact.fits, exact.remedies) == (0, True, ())
    assert (less.missing, less.fits) == (254, False)
    assert less.remedies


def test_a_pool_that_is_just_used_up_gives_no_pause_threshold() -> None:
    ports = PortGroup(
        speed=BitsPerSecond.parse("100G"), length=Meters(5), count=1, headroom=Bytes(254_000)
    )
    for left, pause_at in ((0, None), (1, 0), (2, 1)):
        found = budget(Memory(Bytes(254_000 + left), Bytes(1)), [ports], Alpha(0))
        assert found.shared == left
        assert found.pause_at == pause_at


def test_two_classes_on_long_cables_do_not_fit() -> None:
    ports = group(48, "800G", 40, 2), group(16, "800G", 1000, 2)
    found = planned(*ports, less=20 * MB)
    assert not found.fits
    assert found.missing == -found.shared
    assert [remedy.change for remedy in found.remedies] == list(Change)
    values = [remedy.value for remedy in found.remedies]
    assert values[0] == 300, "the longest cable of the ladder that fits"
    for remedy in found.remedies:
        assert str(remedy.value) in remedy.sentence


def test_what_brings_the_headroom_down_to_a_pool_is_the_least_change() -> None:
    ports = group(48, "800G", 40, 2), group(16, "800G", 1000, 2)
    asked = sum(one.lossless_groups * one.headroom for one in ports)
    cables, fewer = remedies_within(ports, asked - 1)
    assert cables.value == max(length for length, _ in ports[1].shorter)
    assert fewer.value == 1
    cables, fewer = remedies_within(ports, asked // 2)
    assert cables.value < 500
    assert fewer.value > 1


def test_reservations_are_rounded_up_to_cells_one_by_one() -> None:
    kept = Reserved(management=Bytes(300), source="a test")
    memory = Memory(Bytes(1_000_000), Bytes(254), kept)
    ports = PortGroup(
        speed=BitsPerSecond.parse("100G"),
        length=Meters(5),
        count=3,
        headroom=Bytes(1000),
        classes=2,
        own=Bytes(1),
        below=Bytes(255),
    )
    found = budget(memory, [ports], Alpha(0))
    values = [term.value for term in found.terms]
    assert values[:5] == [1_000_000 % 254, 3 * 254, 6 * 508, 508, 6 * 1016]
    assert sum(values) == 1_000_000
    assert found.shared % 254 == 0


def test_a_lossy_port_pays_its_reservation_only() -> None:
    memory = Memory(Bytes(254_000), Bytes(254))
    ports = PortGroup(
        speed=BitsPerSecond.parse("100G"),
        length=Meters(5),
        count=10,
        headroom=Bytes(254_000),
        classes=0,
        own=Bytes(254),
        below=Bytes(254),
    )
    found = budget(memory, [ports], Alpha(0))
    assert (found.headroom, found.shared) == (0, 254_000 - 10 * 254)
    assert found.pause_at is None


@pytest.mark.parametrize("classes", [0, 1, 2])
def test_a_shipped_pool_is_as_large_as_it_is_shipped(classes: int) -> None:
    """Whatever the ports ask for: it is what a switch is given, and the headroom is in its size."""
    pool = ShippedPool(Bytes(20 * MB), Bytes(100 * MB))
    found = planned(group(64, "800G", 40, classes), pool=pool)
    terms = {term.name: term.value for term in found.terms}
    assert found.headroom == terms["shared headroom pool"] == 20 * MB
    assert found.shared == terms["shared pool"] == 80 * MB
    assert sum(terms.values()) == TOMAHAWK_5.total
    groups = 64 * classes
    assert found.pause_at == (80 * MB // (1 + groups) if groups else None)


def test_what_groups_reserve_is_taken_off_a_shipped_pool() -> None:
    pool = ShippedPool(Bytes(20 * MB), Bytes(100 * MB))
    kept = replace(group(64, "800G", 40), below=Bytes(254 * 10))
    assert planned(kept, pool=pool).shared == 80 * MB - 64 * 254 * 10


def test_a_shipped_pool_cannot_share_what_is_not_there() -> None:
    pool = ShippedPool(Bytes(20 * MB), Bytes(200 * MB))
    found = planned(group(64, "800G", 40), pool=pool)
    assert found.shared == TOMAHAWK_5.total - 20 * MB
    outside = [term.value for term in found.terms if term.name == "in no lossless pool"]
    assert outside == [0]


def test_no_cable_changes_a_shipped_pool() -> None:
    pool = ShippedPool(Bytes(20 * MB), Bytes(160 * MB))
    found = planned(group(64, "800G", 300), pool=pool, less=150 * MB)
    assert not found.fits
    assert found.remedies == ()


def test_what_no_change_can_mend_has_no_remedy() -> None:
    found = budget(
        Memory(Bytes(10), Bytes(1), Reserved(management=Bytes(20))), [group(1, "100G", 5)], Alpha(0)
    )
    assert not found.fits
    assert found.remedies == ()


@pytest.mark.parametrize("less", [60 * MB, 100 * MB, 140 * MB])
def test_giving_up_ports_starts_with_the_most_demanding(less: int) -> None:
    found = planned(group(32, "400G", 40, 2), group(32, "800G", 1000), less=less)
    fewer = next(r for r in found.remedies if r.change is Change.FEWER_LOSSLESS_PORTS)
    left = planned(group(32, "400G", 40, 2), group(32 - min(32, fewer.value), "800G", 1000))
    extra = max(0, fewer.value - 32) * 2 * headroom(port("400G", 40), chip("Tomahawk5", None)).total
    assert left.shared + extra >= less
