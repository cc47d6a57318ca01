"""Growing never renumbers: what stands on a switch stays, whatever is added anywhere."""

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import (
    ADDITIONS,
    backend,
    designed,
    facts,
    frontend,
    grown,
    lost,
)

from fabricgen.compile.design.site import design_site
from fabricgen.intent.load import load_texts


@pytest.mark.parametrize("name", ADDITIONS)
def test_adding_moves_nothing(name: str) -> None:
    before, path, value = ADDITIONS[name]
    assert lost(facts(designed(before)), facts(designed(grown(before, *path, to=value)))) == []


def test_the_facts_would_show_a_move() -> None:
    before = facts(designed(backend()))
    moved = facts(designed(grown(backend(), "backend", "growth", "rails", to=9)))
    assert lost(before, moved)


def test_adding_a_pod_moves_nothing() -> None:
    pods = {
        "design": "three-tier",
        "superspine": {"model": "7050CX3-32S", "platform": "eos"},
        "servers": {"count": 16, "gpus": 4, "nic_speed": "100G"},
        "oversubscription": 1.0,
        "growth": {"pods": 8, "rails": 4, "planes": 1, "spines": 4},
        "spine": {"model": "7050CX3-32S", "platform": "eos", "count": 4},
    }
    before = backend(**pods)
    after = grown(before, "backend", "servers", "count", to=100)
    assert lost(facts(designed(before)), facts(designed(after))) == []


@settings(max_examples=draws(40))
@given(
    servers=st.integers(1, 47),
    more=st.integers(1, 47),
    spines=st.sampled_from([1, 2, 3, 4]),
    more_spines=st.integers(0, 3),
    gpus=st.integers(1, 6),
    more_gpus=st.integers(0, 5),
)
def test_any_growth_within_the_reserve_moves_nothing(
    *,
    servers: int,
    more: int,
    spines: int,
    more_spines: int,
    gpus: int,
    more_gpus: int,
) -> None:
    def at(count: int, slots: int, rails: int) -> dict[str, Any]:
        grown_to = grown(backend(), "backend", "servers", "count", to=min(count, 48))
        wider = grown(grown_to, "backend", "spine", "count", to=min(slots, 4))
        return grown(wider, "backend", "servers", "gpus", to=min(rails, 6))

    before = facts(designed(at(servers, spines, gpus)))
    after = facts(designed(at(servers + more, spines + more_spines, gpus + more_gpus)))
    assert lost(before, after) == []


@settings(max_examples=draws(25))
@given(
    st.permutations(list(frontend()["tenants"])), st.permutations(["site", "frontend", "tenants"])
)
def test_the_order_of_keys_and_files_changes_nothing(tenants: list[str], keys: list[str]) -> None:
    data = frontend()
    data["tenants"] = {name: data["tenants"][name] for name in tenants}
    texts = {
        f"{number}.yaml": yaml.safe_dump({key: data[key]}, sort_keys=False)
        for number, key in enumerate(keys)
    }
    loaded = load_texts(texts)
    assert loaded.intent is not None
    made, findings = design_site(loaded.intent)
    assert not findings
    assert facts(made) == facts(designed(frontend()))
