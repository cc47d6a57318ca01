"""What ports take from a memory: every term, whatever pool the headroom is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.budget import spend
from fabricgen.model.lossless.memory import Memory, PortGroup, Reserved, ShippedPool

KEPT = Reserved(management=Bytes(1), source="the vendor's table")
MEMORY = Memory(Bytes(1_000_050), Bytes(100), KEPT)


def group(count: int, headroom: int, classes: int = 1) -> PortGroup:
    return PortGroup(
        speed=BitsPerSecond.parse("400G"),
        length=Meters(40),
        count=count,
        headroom=Bytes(headroom),
        classes=classes,
        own=Bytes(150),
        below=Bytes(90),
    )


PORTS = (group(4, 9_990), group(2, 5_000, classes=2), group(3, 7_000, classes=0))
RESERVED = {
    "less than one cell": 50,
    "9 ports": 9 * 200,
    "8 lossless groups": 8 * 100,
    "management": 100,
}
ASKED = 4 * 10_000 + 2 * 2 * 5_000


def terms(pool: ShippedPool | None) -> dict[str, int]:
    spent = spend(MEMORY, PORTS, pool)
    assert sum(term.value for term in spent.terms) == MEMORY.total
    assert spent.terms[-1].value == spent.shared
    return {term.name: int(term.value) for term in spent.terms}


def test_a_port_is_lossless_by_its_classes() -> None:
    assert [(one.lossless_ports, one.lossless_groups) for one in PORTS] == [(4, 4), (2, 4), (0, 0)]
    assert group(3, 1).classes == 1


def test_headroom_in_full() -> None:
    left = 1_000_050 - sum(RESERVED.values()) - ASKED
    assert terms(None) == {**RESERVED, "headroom": ASKED, "shared pool": left}
    assert spend(MEMORY, PORTS, None).headroom == ASKED


def test_each_group_of_ports_is_told_in_whole_cells() -> None:
    told = [item.arithmetic for item in spend(MEMORY, PORTS, None).contributions]
    assert told == [
        "4 ports 400G at 40 m x 1 lossless x 10,000 = 40,000 bytes",
        "2 ports 400G at 40 m x 2 lossless x 5,000 = 20,000 bytes",
        "3 ports 400G at 40 m x 0 lossless x 7,000 = 0 bytes",
    ]


@pytest.mark.parametrize(("size", "beside"), [(500_000, 500_000), (1_000_000, 0), (2**30, 0)])
def test_a_shipped_pool_is_what_it_is_and_may_leave_memory_in_no_pool(
    size: int, beside: int
) -> None:
    """Headroom and reservations are in its size."""
    found = terms(ShippedPool(Bytes(30_000), Bytes(size)))
    assert found["shared headroom pool"] == 30_000
    assert found["in no lossless pool"] == beside
    reserved = sum(RESERVED.values()) - RESERVED["less than one cell"]
    assert found["shared pool"] == min(size, 1_000_000) - reserved - 30_000


@given(
    st.lists(st.builds(group, st.integers(0, 64), st.integers(0, 9_999), st.integers(0, 2))),
    st.none() | st.builds(ShippedPool, st.just(Bytes(30_000)), st.just(Bytes(500_000))),
)
def test_what_is_spent_and_what_is_left_is_the_memory(
    groups: list[PortGroup], pool: ShippedPool | None
) -> None:
    spent = spend(MEMORY, tuple(groups), pool)
    assert sum(term.value for term in spent.terms) == MEMORY.total
    asked = sum(item.headroom for item in spent.contributions)
    assert spent.headroom == (asked if pool is None else pool.headroom)
