"""A switch may do less than the reviewed change, never more."""

from pathlib import Path

import pytest

from fabricgen.review.running import beyond_review
from fabricgen.review.side import Side
from fabricgen.review.sides import read_sides

LAB = Path(__file__).resolve().parents[3] / "intent/lab"
LEAF = "frontend/fe-leaf01"


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Side, Side]:
    folder = tmp_path_factory.mktemp("site")
    for file in LAB.rglob("*.yaml"):
        target = folder / file.relative_to(LAB)
        target.parent.mkdir(exist_ok=True)
        target.write_text(file.read_text().replace("10.255.0.251", "10.255.0.252"))
    return read_sides(str(LAB), str(folder))


def beyond(sides: tuple[Side, Side], *running: tuple[str, str]) -> list[str]:
    """Return what a leaf does beyond the review if texts of side A are replaced on it."""
    before, after = (dict(side.tree[LEAF]) for side in sides)
    for old, new in running:
        assert any(old in text for text in before.values())
        before = {path: text.replace(old, new) for path, text in before.items()}
    return [*beyond_review({LEAF: (before, after)}, (sides[0].tree, sides[1].tree), {})]


def test_a_switch_that_runs_side_a_does_what_was_reviewed(sides: tuple[Side, Side]) -> None:
    assert beyond(sides) == []


def test_a_switch_that_runs_a_part_of_side_b_does_less(sides: tuple[Side, Side]) -> None:
    assert beyond(sides, ("10.255.0.251", "10.255.0.252")) == []


def test_a_drifted_switch_does_more(sides: tuple[Side, Side]) -> None:
    found = beyond(sides, ("10.255.0.250", "10.255.0.199"))
    assert any("fe-leaf01: 'removed ntp 10.255.0.199' is not in" in each for each in found)
    assert any("'added ntp 10.255.0.250'" in each for each in found)


def test_a_line_that_no_effect_explains_is_more(sides: tuple[Side, Side]) -> None:
    before, after = (dict(side.tree[LEAF]) for side in sides)
    path = next(path for path in before if path.endswith("frr.conf"))
    before[path] += "no such command\n"
    found = [*beyond_review({LEAF: (before, after)}, (sides[0].tree, sides[1].tree), {})]
    assert len(found) == 1


def test_a_new_switch_is_one_effect_of_the_review(sides: tuple[Side, Side]) -> None:
    empty: dict[str, dict[str, str]] = {}
    files = {"eos.cfg": "hostname x\n"}, dict(sides[1].tree[LEAF])
    assert [*beyond_review({LEAF: files}, (empty, sides[1].tree), {})] == []
