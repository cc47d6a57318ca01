"""From looks at switches: what differs is named, cables in a line of their own."""

from tests.unit.lab.bench import bench_of

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.show import Observed
from fabricgen.operate.lab.traffic.proof import Proof, Verdict
from fabricgen.operate.lab.traffic.running import judge
from fabricgen.prove.differences import compare
from fabricgen.prove.verifier import Look

LEAF = "be-su01-leaf1"
EXPECTED = bench_of().expected[LEAF]
CABLES = EXPECTED.of("cable")


def lines(facts: Facts) -> dict[str, Proof]:
    observed = Observed(facts=facts)
    look = Look(
        expected=EXPECTED,
        observed=observed,
        differences=compare(EXPECTED, observed),
        moving=(),
        first=False,
    )
    return {proof.name: proof for proof in judge({LEAF: look})}


def test_a_switch_that_shows_nothing_fails_in_both_lines() -> None:
    proofs = lines({})
    assert proofs["running state"].verdict is Verdict.FAILS
    assert "0 of 1 switches" in proofs["running state"].sentence
    assert len(proofs["cabling"].faults) == len(CABLES)
    for (_, port), fault in zip(CABLES, proofs["cabling"].faults, strict=True):
        assert fault.startswith(f"{LEAF}: {port} has not received ")
        assert fault.endswith(" by LLDP")


def test_a_swapped_cable_is_named_in_the_line_of_the_cables_only() -> None:
    first, second = list(CABLES)[:2]
    proofs = lines({**CABLES, first: CABLES[second], second: CABLES[first]})
    assert len(proofs["cabling"].faults) == 2
    assert f"{LEAF}: {first[1]} is cabled to" in proofs["cabling"].faults[0]
    assert not set(proofs["cabling"].faults) & set(proofs["running state"].faults)
