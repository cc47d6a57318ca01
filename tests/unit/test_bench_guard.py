"""The guard of speed names what became slower, and only that."""

import json
from pathlib import Path

import pytest
from bench import guard


def runs(base: list[float], head: list[float]) -> list[tuple[guard.Run, guard.Run]]:
    """Return pairs of runs of one steady case and one other."""
    return [
        ({"render": 1.0, "check": b}, {"render": 1.0, "check": h})
        for b, h in zip(base, head, strict=True)
    ]


@pytest.mark.parametrize(
    ("base", "head", "failed"),
    [
        ([1.0] * 5, [1.09] * 5, []),
        ([1.0] * 5, [1.12] * 5, ["check"]),
        ([1.0, 1.2, 1.0, 1.2, 1.0], [1.3] * 5, []),  # the base differs from itself by 18 %
        ([1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 9.0, 1.0, 9.0], []),  # the median decides
        ([0.02] * 5, [0.06] * 5, []),  # too short for a clock
    ],
    ids=["within 10 %", "slower", "noisy base", "two outliers", "too short"],
)
def test_a_slower_case_is_named(base: list[float], head: list[float], failed: list[str]) -> None:
    rows = guard.compared(runs(base, head))
    assert [row.name for row in rows if row.failed] == failed
    assert ("| slower |" in guard.shown(rows)) is bool(failed)


@pytest.mark.parametrize(
    ("second", "slower", "runs"), [(1.5, ["check"], 2), (1.0, [], 2)], ids=["again", "once"]
)
def test_a_slower_case_is_measured_twice(second: float, slower: list[str], runs: int) -> None:
    heads = iter([1.5, second])
    called = []

    def measured() -> list[guard.Row]:
        called.append(1)
        return guard.compared(runs_of(next(heads)))

    assert guard.confirmed(measured)[1] == slower
    assert len(called) == runs


def runs_of(head: float) -> list[tuple[guard.Run, guard.Run]]:
    """Return five pairs with a steady base of one second."""
    return runs([1.0] * 5, [head] * 5)


def test_cases_of_one_side_alone_are_left_out() -> None:
    rows = guard.compared([({"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 9.0})] * 2)
    assert [row.name for row in rows] == ["a"]


def test_the_base_is_a_commit_of_this_history_with_its_figures(tmp_path: Path) -> None:
    base = json.loads(guard.BASE.read_text())
    assert not guard.has("0" * 40)
    if not guard.has(base["commit"]):
        pytest.skip("a shallow clone")
    assert base["cpu"]
    guard.extract(base["commit"], tmp_path)
    assert (tmp_path / "bench" / "verbs.py").exists()
    with pytest.raises(SystemExit, match="is not in this clone"):
        guard.extract("0" * 40, tmp_path)
