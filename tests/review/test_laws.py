"""Laws of reviews: the way back is the inverse, two steps cover one, an empty edit is empty."""

import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.review.edit import INTENT, Edit, Steps, carry_out, reviewed
from tests.review.growth import GROWTH
from tests.review.lifecycle import LIFECYCLE
from tests.review.networks import NETWORKS
from tests.review.settings import SETTINGS

from fabricgen.intent.load import load_site
from fabricgen.review.model import INVERSE, Act, Effect, Review

SITE = "tenants"
SMALL = ("edge", "four-fabrics", "lab", "oob", "pairs", "rail-only", "storage", "tenants")
_EVERY = (*GROWTH, *NETWORKS, *SETTINGS, *LIFECYCLE)
POOL = tuple(each for each in _EVERY if each.site == SITE and not each.given)
"""Edits of one site."""
OTHERS = tuple(n for n, each in enumerate(POOL) if each.name != "a renamed switch")
"""Edits for combinations: after a renaming, the names of both sides differ."""
Edits = tuple[int, ...]


def _steps(edits: Edits) -> Steps:
    """Return the steps of some edits, without those that contradict an earlier one."""
    done: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in edits:
            try:
                site = carry_out(SITE, (*done, *POOL[number].steps), Path(folder) / "site")
            except ValueError:
                continue
            if load_site(site).findings:
                continue
            done += POOL[number].steps
    return tuple(done)


@lru_cache(maxsize=256)
def _review(before: Edits, after: Edits) -> Review:
    with tempfile.TemporaryDirectory() as folder:
        sides = (
            carry_out(SITE, _steps(edits), Path(folder) / name)
            for name, edits in (("before", before), ("after", after))
        )
        return reviewed(*sides)


def _forth(effect: Effect) -> tuple[object, ...]:
    """Return what an effect has in common with the one of the way back."""
    named = effect.name if effect.kind != "attachment" and effect.act is not Act.RENAMED else ""
    values = (effect.before, effect.after)
    return (effect.act, effect.kind, named, effect.attribute, *values, effect.on, effect.objects)


def _back(effect: Effect) -> tuple[object, ...]:
    act, kind, named, attribute, before, after, on, objects = _forth(effect)
    assert isinstance(act, Act)
    return INVERSE.get(act, act), kind, named, attribute, after, before, on, objects


@pytest.mark.parametrize("number", range(len(POOL)), ids=lambda it: POOL[it].name)
def test_the_way_back_of_one_edit_has_the_inverse_effects(number: int) -> None:
    there, back = _review((), (number,)), _review((number,), ())
    assert Counter(map(_forth, there.effects)) == Counter(map(_back, back.effects))


@given(st.permutations(OTHERS), st.integers(2, 4))
@settings(max_examples=draws(24), phases=(Phase.generate,))
def test_the_way_back_of_several_edits_has_the_inverse_effects(
    order: list[int], number: int
) -> None:
    edits = tuple(sorted(order[:number]))
    there, back = _review((), edits), _review(edits, ())
    assert Counter(map(_forth, there.effects)) == Counter(map(_back, back.effects))


@given(st.permutations(OTHERS), st.integers(1, 2), st.integers(1, 2))
@settings(max_examples=draws(16), phases=(Phase.generate,))
def test_two_steps_cover_one(order: list[int], first: int, second: int) -> None:
    """A leading effect on a subject comes from one of the steps."""
    one, both = tuple(sorted(order[:first])), tuple(order[: first + second])
    both = (*one, *(each for each in both if each not in one))
    steps = (_review((), one), _review(one, both))
    known = {subject for step in steps for each in step.effects for subject in _subjects(each)}
    leading = [each for each in _review((), both).effects if not each.derived]
    assert [each.key for each in leading if not known & {*_subjects(each)}] == []


def _subjects(effect: Effect) -> list[tuple[str, ...]]:
    """Return the subjects of an effect: its name, or each device with it."""
    if effect.kind == "attachment":
        return [(effect.kind, server) for server in effect.on]
    subject = (effect.kind, effect.attribute)
    return [(*subject, effect.name)] if effect.name else [(*subject, on) for on in effect.on]


@given(st.sampled_from(SMALL), st.integers(0, 10**6))
@settings(max_examples=draws(24), phases=(Phase.generate,))
def test_another_spelling_of_the_intent_is_no_change(site: str, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one = carry_out(site, (), Path(folder) / "before")
        other = carry_out(site, (), Path(folder) / "after")
        draw = Random(seed)
        for file in other.rglob("*.yaml"):
            words = _shuffled(yaml.safe_load(file.read_text()), draw)
            style = draw.choice((None, False))
            text = yaml.safe_dump(words, sort_keys=False, default_flow_style=style, width=70)
            file.write_text(f"# the same in other words\n\n{text}")
        review = reviewed(one, other)
    assert review.effects == ()
    assert review.causes == ()
    assert review.blocks == ()
    assert review.unexplained == ()


def _shuffled(words: Any, draw: Random) -> Any:
    """Return data whose keys have another order; the order of lists has a meaning."""
    if isinstance(words, dict):
        keys = draw.sample([*words], len(words))
        return {key: _shuffled(words[key], draw) for key in keys}
    return [_shuffled(each, draw) for each in words] if isinstance(words, list) else words


def test_the_pool_has_edits_of_many_kinds() -> None:
    edits: tuple[Edit, ...] = POOL
    assert len(edits) >= 15
    assert (INTENT / SITE).is_dir()
