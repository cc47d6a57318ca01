"""Equal objects of several switches become one, and no state changes by it."""

from typing import Any

from tests.unit.proof.state.lab import LEAF, SPINE, look, models

from fabricgen.nos.show import Observed
from fabricgen.prove.sharing import Sharing


def test_states_stay_equal() -> None:
    sharing = Sharing()
    for name in (LEAF, SPINE):
        wanted, seen = models()[name], look(name)
        shared = sharing.expected(wanted)
        assert shared.facts == wanted.facts
        assert all(shared.because(key) == wanted.because(key) for key in wanted.facts)
        assert all(shared.role(key) == wanted.role(key) for key in wanted.facts)
        assert sharing.observed(seen) == seen


def test_equal_facts_and_measures_are_one_object() -> None:
    sharing = Sharing()
    one, other = (
        sharing.observed(
            Observed(
                facts={("interface", f"swp{1}"): {"mtu": "9214"}},
                measures={("flaps", f"swp{1}"): float("3")},
            )
        )
        for _ in range(2)
    )
    ((key, own),), ((same, also),) = one.facts.items(), other.facts.items()
    assert key is same
    assert own is also
    assert next(iter(one.measures)) is next(iter(other.measures))


def test_a_list_from_a_switch_stops_nothing() -> None:
    odd: Any = {"vlans": ["1"]}
    found = Sharing().observed(Observed(facts={("interface", "swp1"): odd}))
    assert found.facts == {("interface", "swp1"): odd}
