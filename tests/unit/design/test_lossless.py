"""The lossless plan of a designed backend: what counts, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.design.sites import R128, backend, fabric, intent

from fabricgen.design.site import design_site
from fabricgen.diagnostics import Code

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
