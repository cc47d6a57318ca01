"""What the generator of SONiC's facts says once, and what for some targets alone."""

import pytest
from bench.sonic_facts.ports import _fewest, _patterns
from bench.sonic_facts.tables import spans
from bench.sonic_facts.targets import differing, overriding, shared

from fabricgen.model.catalog.targets import Target, facts_at

CELLS = {
    (release, topology): {"same": 1, "pools": topology, "rows": release == "202505"}
    for release in ("202411", "202505")
    for topology in ("t0", "t1")
}


def test_what_is_alike_everywhere_is_said_once() -> None:
    assert shared(CELLS) == {"same": 1}


@pytest.mark.parametrize("release", ["202411", "202505"])
@pytest.mark.parametrize("topology", ["t0", "t1"])
def test_the_catalog_reads_back_what_was_written(release: str, topology: str) -> None:
    raw = {**shared(CELLS), "targets": list(differing(CELLS))}
    assert facts_at(raw, Target(release, topology)) == CELLS[release, topology]


def test_older_releases_override_the_newest() -> None:
    newest = {"layout": "2x400G", "aliases": {}}
    older = {"layout": "1x400G", "aliases": {"1-2/1": "Ethernet{cage}"}}
    found = overriding(newest, {"202405": older, "202411": older, "202505": newest})
    assert found == [{"releases": ["202405", "202411"], **older}]


def test_a_pattern_for_most_cages_wins() -> None:
    """Ethernet1/1 alone could be Ethernet1/{cage}, too."""
    odd = {(cage, 1): set(_patterns(cage, [f"Ethernet{cage}/1"], 4)) for cage in (1, 2, 3)}
    assert dict(_fewest(odd)) == {"1-3/1": "Ethernet{cage}/1"}


def test_runs_of_numbers_are_joined() -> None:
    assert list(spans([5, 1, 2, 3])) == ["1-3", "5"]
