"""When a side of a comparison is settled."""

from collections.abc import Iterable, Iterator
from itertools import count

from tests.unit.lab.bench import bench_of

from fabricgen.nos.show import Observed, Part
from fabricgen.prove.differences import compare
from fabricgen.prove.verifier import Look
from fabricgen.review.lab_side import STEADY, chosen_pairs, sessions_down, settle

LEAF = "be-su01-leaf1"
EXPECTED = bench_of().expected[LEAF]
FINE = Look(expected=EXPECTED, observed=Observed(), differences=(), moving=(), first=False)
LACKING = compare(EXPECTED, Observed())
"""Differences of a switch that shows nothing."""


def looks(*each: Look) -> Iterator[Look]:
    """Yield these snapshots, and then the last one again and again."""
    yield from each
    while True:
        yield each[-1]


def settled(*each: Look, patience: float = 1000) -> tuple[str, ...]:
    """Settle with ten seconds between two readings of the clock."""
    shown, clock = looks(*each), count(0, 10)

    def look(names: Iterable[str] | None) -> dict[str, Look]:
        del names
        return {LEAF: next(shown)}

    return settle(look, patience, lambda: float(next(clock)))[1]


def off(**facts: object) -> Look:
    """Return a snapshot that is not as designed."""
    return Look(
        expected=EXPECTED,
        observed=Observed(**facts),  # type: ignore[arg-type]
        differences=LACKING,
        moving=("BGP neighbor x is Active",),
        first=False,
    )


def changing() -> list[Look]:
    """Return snapshots whose routes change each time."""
    return [off(facts={("route", "", f"10.0.0.{n}/32"): {"ports": ()}}) for n in range(200)]


def test_a_side_as_designed_is_settled() -> None:
    assert settled(FINE) == ()


def test_a_side_that_stays_different_is_settled_after_a_while() -> None:
    assert STEADY < 1000
    assert settled(off()) == ()


def test_a_side_that_changes_until_the_limit_is_not_settled() -> None:
    (sentence,) = settled(*changing(), patience=300)
    assert sentence == f"{LEAF} is not settled after 300 s: BGP neighbor x is Active"


def test_a_short_limit_does_not_make_a_difference_final() -> None:
    assert settled(off(), patience=10) != ()


def test_a_side_that_cannot_be_read_is_never_settled() -> None:
    assert settled(off(unread={Part.BGP: "no answer"}), patience=300) != ()


def test_expected_sessions_without_a_state_are_down() -> None:
    down = sessions_down({LEAF: off()})
    assert f"{LEAF}: BGP session with be-spine1" in down


def test_few_pairs_are_all_measured() -> None:
    bench = bench_of()
    assert chosen_pairs(bench.pairs, bench.plan.endpoints) == (bench.pairs, ())


def test_of_many_pairs_each_leaf_and_group_is_measured() -> None:
    bench = bench_of()
    chosen, (note,) = chosen_pairs(bench.pairs, bench.plan.endpoints, most=300)
    assert len(chosen) <= 300
    leafs = {bench.plan.endpoints[pair.source].leaf for pair in chosen}
    assert leafs == {each.leaf for each in bench.plan.endpoints}
    assert (
        note
        == f"reachability of {len(chosen)} of {len(bench.pairs)} pairs of server ports measured"
    )
