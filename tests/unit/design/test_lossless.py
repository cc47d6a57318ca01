"""The lossless plan of a designed backend: what counts, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.design.sites import R128, Keys, backend, fabric, findings, intent

from fabricgen.design.site import design_site
from fabricgen.diagnostics import Code, Diagnostic, Severity

if TYPE_CHECKING:
    from fabricgen.fabric.buffers import SwitchBuffers


def leaf_buffers(servers: int, *, length: int = 40) -> SwitchBuffers:
    """The memory of the first leaf of a design that reserves 64 servers."""
    near = {"count": servers, "gpus": 8, "nic_speed": "400G", "cable_length": length}
    keys = backend("rail-optimised", R128, servers, servers=near, growth={"servers": 64})
    plan = fabric(keys).lossless
    assert plan is not None
    return plan.switches["be-su01-leaf1"]


@pytest.mark.parametrize(
    ("near", "far", "said"),
    [(10, 40, ["10 m and 40 m"]), (40, 40, ["40 m"]), (5, 40, ["5 m", "40 m"])],
)
def test_cables_that_share_a_shipped_row_share_its_warning(
    near: int, far: int, said: list[str]
) -> None:
    servers = {"count": 64, "gpus": 8, "nic_speed": "400G", "cable_length": near}
    links = {"speed": "400G", "length": far}
    keys = backend("rail-optimised", R128, 64, servers=servers, links=links)
    _, found = design_site(intent(keys))
    told = [item.message for item in found if item.code is Code.HEADROOM_DIFFERS]
    assert sorted(text.split(":")[0] for text in told) == sorted(
        f"{R128} 400G {cables}" for cables in said
    )


def test_the_plan_is_that_of_the_full_switch() -> None:
    """So that no threshold moves when the next server is plugged in."""
    few, many = leaf_buffers(4), leaf_buffers(64)
    assert (few.pause_at, few.memory) == (many.pause_at, many.memory)


def test_a_longer_cable_never_asks_for_less() -> None:
    near, far = (
        sum(port.headroom * count for port, count in plan.ports)
        for plan in (leaf_buffers(64, length=5), leaf_buffers(64, length=300))
    )
    assert near < far


def mixed(**roce: object) -> list[Diagnostic]:
    """What is said of 800G uplinks into 100G NICs."""
    servers = {"count": 8, "gpus": 2, "nic_speed": "100G"}
    unit: Keys = {"scalable_unit": {"servers": 4}, "oversubscription": 8}
    keys = backend(
        "rail-optimised", R128, 8, servers=servers, links={"speed": "800G"}, roce=roce, **unit
    )
    _, found = design_site(intent(keys))
    return [item for item in found if "one faster ingress" in item.message]


def test_an_uplink_faster_than_the_nics_is_said_where_marking_comes_too_late() -> None:
    (found,) = mixed(ecn={"minimum": 1_500_000, "maximum": 2_000_000})
    assert (found.code, found.severity) == (Code.MARKING_RULE, Severity.WARNING)
    assert found.path == ("backend", "links", "speed")
    assert found.message.startswith(
        "ECN on 100G ports: one faster ingress is marked before it is paused: "
        "Kmin 1,500,000 + (800G - 100G) x "
    )


def test_an_uplink_faster_than_the_nics_is_in_order_where_marking_comes_first() -> None:
    assert not mixed()


@pytest.mark.parametrize("roce", [{"ecn": {"enabled": False}}, {"enabled": False}])
def test_without_marking_a_faster_uplink_is_not_judged(roce: dict[str, object]) -> None:
    assert not mixed(**roce)


@pytest.mark.parametrize(
    ("length", "rule"), [(150, "shipped row"), (151, "computed: no shipped row")]
)
def test_a_cable_longer_than_the_vendors_table_gets_the_computed_value(
    length: int, rule: str
) -> None:
    (kind,) = (kind for kind, _ in leaf_buffers(4, length=length).ports if kind.length == length)
    assert kind.rule.startswith(rule)
    assert (kind.shipped is None) == (kind.headroom >= kind.computed)


def test_cables_that_the_pool_cannot_hold_are_refused_with_the_sum() -> None:
    near = {"count": 8, "gpus": 8, "nic_speed": "400G", "cable_length": 2000}
    keys = backend("rail-only", R128, 8, servers=near)
    found = [item for item in findings(keys) if item.code is Code.BUFFER_EXCEEDED]
    assert [item.path for item in found] == [("backend", "roce")]
    assert found[0].message == (
        "7060X6-64PE: the headroom is 14.9 times its pool of 29,423,360 bytes, more than 4: "
        "128 x 3,426,985 (400G at 2000 m) = 438,654,080"
    )
