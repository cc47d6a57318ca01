"""The largest of each design is what its closed formula says: R ports of a switch at NIC speed.

Rail-only: servers <= R. Two tiers: GPUs <= R^2/2. Rails apart: n R^2/2. Three tiers: R^3/4. Nothing
in the package computes these: the design refuses the next server because it finds no port.
"""

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.plan.sizing.candidates import candidate
from fabricgen.plan.sizing.designs import design_of

RADIX = 32  # of an SN3700 at 200G
SMALL = ("--switch", "SN3700", "--nic-speed", "200G")
MOST = {
    "rail-only": 8 * RADIX,
    "rail-optimized": RADIX**2 // 2,
    "rails-apart": 8 * RADIX**2 // 2,
    "three-tier": RADIX**3 // 4,
}
"""GPUs, of servers with eight."""


@pytest.mark.parametrize(("name", "gpus"), MOST.items())
def test_a_design_takes_what_its_formula_says_and_no_server_more(name: str, gpus: int) -> None:
    design = design_of(name)
    last = candidate(needs("--servers", str(gpus // 8), *SMALL), design)
    assert not last.why_not
    assert last.backend.gpus == gpus
    beyond = candidate(needs("--servers", str(gpus // 8 + 1), *SMALL), design)
    assert beyond.why_not


@pytest.mark.parametrize("ratio", [1, 3])
def test_with_a_ratio_two_tiers_take_as_many_more(ratio: int) -> None:
    """With o to one: GPUs <= R^2 o / (1 + o)."""
    gpus = RADIX**2 * ratio // (1 + ratio)
    said = (*SMALL, "--leaf-ratio", str(ratio))
    design = design_of("rail-optimized")
    last = candidate(needs("--servers", str(gpus // 8), *said), design)
    assert not last.why_not
    assert last.backend.ratios == {"leaf": ratio}
    assert candidate(needs("--servers", str(gpus // 8 + 1), *said), design).why_not


@pytest.mark.parametrize(
    ("name", "tiers"), [("rail-optimized", (32, 16)), ("three-tier", (512, 512, 256))]
)
def test_a_full_design_has_the_switches_of_its_formula(name: str, tiers: tuple[int, ...]) -> None:
    """Two tiers: R leafs, R/2 spines. Three: leafs = spines = 2N/R, superspines = N/R."""
    full = candidate(needs("--servers", str(MOST[name] // 8), *SMALL), design_of(name))
    assert tuple(full.backend.switches[role] for role in _ROLES[: len(tiers)]) == tiers
    links = full.backend.links
    assert set(links.values()) == {MOST[name]}
    assert len(links) == len(tiers)
    assert full.backend.bisection == MOST[name] // 2 * 200 * 10**9


_ROLES = ("leaf", "spine", "superspine")


def test_two_planes_halve_the_ports_that_each_plane_needs() -> None:
    """NVIDIA's B300 SuperPOD: 64 servers of 2 x 400G take 16 leafs and 8 spines, both planes."""
    said = ("--servers", "64", "--unit", "64", "--planes", "2", "--nic-ports", "2")
    found = candidate(needs(*said), design_of("rail-optimized"))
    assert found.backend.switches == {"leaf": 16, "spine": 8}
    assert found.backend.links == {"to servers": 1024, "to spines": 1024}
