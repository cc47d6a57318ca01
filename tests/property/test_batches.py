"""Batches planned for random sites: nothing is wrong with them, and every switch is in one."""

from collections import Counter

from hypothesis import given, settings
from tests.longer import draws
from tests.property.batch_sites import Change, changes

from fabricgen.operate.deploy.batches.judge import judge_batch
from fabricgen.operate.deploy.batches.plan import BatchRequest, plan_batches
from fabricgen.operate.deploy.batches.sizes import sizes

EXAMPLES = 300


def hold(change: Change) -> int:
    """Assert what every plan promises; return how many batches were judged."""
    site, names, floor, words = change
    batches = plan_batches(
        site, names, BatchRequest(sizes=sizes(words), floor=floor, together=True)
    )
    assert Counter(name for batch in batches for name in batch.switches) == Counter(names)
    for batch in batches:
        assert judge_batch(site, batch.switches, floor) == (), batch
        assert batch.why
    tiers = [(batch.fabric, batch.role) for batch in batches]
    starts = [i for i, tier in enumerate(tiers) if i == 0 or tiers[i - 1] != tier]
    assert len(starts) == len(set(tiers))
    assert all(len(batches[start].switches) == 1 for start in starts)
    return len(batches)


@settings(max_examples=EXAMPLES)
@given(changes())
def test_the_second_look_finds_nothing_wrong_with_a_plan(change: Change) -> None:
    assert hold(change)


@settings(max_examples=draws(50))
@given(changes())
def test_the_order_of_names_does_not_matter(change: Change) -> None:
    site, names, floor, words = change
    wish = BatchRequest(sizes=sizes(words), floor=floor, together=True)
    assert plan_batches(site, names, wish) == plan_batches(site, names[::-1], wish)
