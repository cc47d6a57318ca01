"""Load balancing as people write it: what the hash may be made of."""

import pytest
from pydantic import ValidationError

from fabricgen.intent.model.balancing import LoadBalancing

FIELDS = ["source-ip", "destination-ip", "protocol", "source-port", "destination-port"]


def test_all_fields_may_be_in_the_hash_each_once() -> None:
    balancing = LoadBalancing.model_validate({"hash": [*FIELDS, "queue-pair"]})
    assert balancing.hash == [*FIELDS, "queue-pair"]


def test_one_field_is_enough() -> None:
    assert LoadBalancing.model_validate({"hash": ["source-ip"]}).hash == ["source-ip"]


@pytest.mark.parametrize(
    "fields", [["source-ip", "source-ip"], ["protocol", "source-ip", "protocol"]]
)
def test_a_field_that_stands_twice_in_the_hash_is_refused(fields: list[str]) -> None:
    with pytest.raises(ValidationError, match="a field is listed twice in the hash; remove one"):
        LoadBalancing.model_validate({"hash": fields})


@pytest.mark.parametrize("fields", [[], [*FIELDS, "queue-pair", "source-ip"], ["mac"]])
def test_a_hash_of_nothing_or_of_other_things_is_refused(fields: list[str]) -> None:
    with pytest.raises(ValidationError):
        LoadBalancing.model_validate({"hash": fields})


def test_nothing_said_is_ecmp_with_the_defaults_of_each_switch() -> None:
    balancing = LoadBalancing()
    assert (balancing.mode, balancing.hash, balancing.queue_pairs) == ("ecmp", None, None)
    assert balancing.seeds.model_dump() == {"leaf": None, "spine": None, "superspine": None}


@pytest.mark.parametrize(("pairs", "good"), [(0, False), (1, True), (128, True), (129, False)])
def test_queue_pairs_have_bounds(pairs: int, good: bool) -> None:  # noqa: FBT001
    if good:
        assert LoadBalancing.model_validate({"queue_pairs": pairs}).queue_pairs == pairs
    else:
        with pytest.raises(ValidationError):
            LoadBalancing.model_validate({"queue_pairs": pairs})


@pytest.mark.parametrize(
    ("seed", "good"), [(-1, False), (0, True), (2**32 - 1, True), (2**32, False)]
)
@pytest.mark.parametrize("tier", ["leaf", "spine", "superspine"])
def test_a_seed_has_32_bits(tier: str, seed: int, good: bool) -> None:  # noqa: FBT001
    if good:
        seeds = LoadBalancing.model_validate({"seeds": {tier: seed}}).seeds
        assert getattr(seeds, tier) == seed
    else:
        with pytest.raises(ValidationError):
            LoadBalancing.model_validate({"seeds": {tier: seed}})
