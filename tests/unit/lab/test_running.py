"""From looks at switches: what differs is named, cables in a line of their own."""

from tests.unit.lab.bench import bench_of

from fabricgen.fabric.facts import Neighbour
from fabricgen.fabric.observed import Observed
from fabricgen.lab.traffic.proof import Proof, Verdict
from fabricgen.lab.traffic.running import judge
from fabricgen.proof.compare.compare import compare
from fabricgen.proof.verifier import Look

LEAF = "be-su01-leaf1"
EXPECTED = bench_of().expected[LEAF]


def lines(observed: Observed) -> dict[str, Proof]:
    look = Look(
        expected=EXPECTED,
        observed=observed,
        differences=compare(EXPECTED, observed),
        moving=(),
        first=False,
    )
    return {proof.name: proof for proof in judge({LEAF: look})}


def test_a_switch_that_shows_nothing_fails_in_both_lines() -> None:
    found = lines(Observed())
    assert found["running state"].verdict is Verdict.FAILS
    assert "0 of 1 switches" in found["running state"].sentence
    missing = [each.port for each in EXPECTED.neighbours if each.required]
    assert len(found["cabling"].faults) == len(missing)
    for port, fault in zip(missing, found["cabling"].faults, strict=True):
        assert fault.startswith(f"{LEAF}: {port} has not heard ")


def test_a_swapped_cable_is_named_in_the_line_of_the_cables_only() -> None:
    first, second, *rest = (each for each in EXPECTED.neighbours if each.required)
    swapped = (
        Neighbour(port=first.port, name=second.name, ports=second.ports),
        Neighbour(port=second.port, name=first.name, ports=first.ports),
        *rest,
    )
    found = lines(Observed(neighbours=swapped))
    assert len(found["cabling"].faults) == 2
    assert f"{LEAF}: {first.port} is cabled to" in found["cabling"].faults[0]
    assert not set(found["cabling"].faults) & set(found["running state"].faults)
