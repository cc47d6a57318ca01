"""Published designs have the counts of the table in docs/start/designs.md."""

from pathlib import Path

import pytest
from tests.designs.test_designs import designed, intent

from fabricgen.plan.sizing.counts import Counts, counted
from fabricgen.plan.sizing.needs import rate

PAGE = Path(__file__).parents[2] / "docs" / "start" / "designs.md"
ROWS = {
    "superpod-h100": 127,
    "superpod-b200": 64,
    "superpod-b300": 64,
    "juniper-h100": 64,
    "juniper-h100-frontend": None,
    "juniper-h100-storage": None,
    "amd-mi300x-fat-tree": 128,
    "asterfusion-rail-only": 32,
    "asterfusion-two-tier": 64,
}
"""Those that are counted here, with how many servers."""


def counts(name: str) -> Counts:
    (one,) = counted(designed(intent(name, ROWS[name]))[0]).values()
    return one


def row(name: str) -> str:
    one = counts(name)
    parts = sum(one.parts.optics.values())
    fixed = sum(one.parts.cables.values())
    assert one.far is not None
    cells = (
        f"{one.servers}",
        f"{one.switch_count}",
        f"{one.link_count:,}",
        f"{parts:,}" if parts else "-",
        f"{fixed:,}" if fixed else "-",
        f"{one.servers + one.switch_count}",
        f"{one.far.hops}",
        rate(one.bisection),
    )
    return f"| {name} | {' | '.join(cells)} |"


@pytest.mark.parametrize("name", ROWS)
def test_the_page_says_what_a_design_takes(name: str) -> None:
    assert row(name) in PAGE.read_text().splitlines()


def test_every_link_has_an_end_in_a_cage_that_is_filled_once() -> None:
    """SuperPOD H100: 1,016 NICs, and twin ports: half of the cages' 1,016 + 2 x 1,024 ends."""
    one = counts("superpod-h100")
    assert one.links == {"to servers": 1016, "to spines": 1024}
    assert one.bisection == 1016 * 400 * 10**9 // 2
