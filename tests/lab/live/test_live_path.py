"""Differences on the path of a pair, planted on running switches: the first hop is named."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from tests.lab.live.following import Pair, pair_of
from tests.lab.live.plants import (
    PAIRS,
    RAIL,
    Plant,
    Planter,
    dscp_filter_missing,
    flood_missing,
    mtu_of_spine,
    vrf_blackhole,
)
from tests.lab.machinery import INTENT, need_a_lab, new_ground
from tests.lab.running import NAME, PATIENCE, Running, boot, compiled

from fabricgen.prove.reach.live.steps import LivePath, State

SEED = 50968124


@contextmanager
def booted() -> Iterator[Running]:
    """Boot the example site, and end it."""
    for ground in new_ground():
        yield boot(ground)
        assert ground.call("lab", "down").returncode == 0


@pytest.fixture(scope="module")
def lab() -> Iterator[Running]:
    """Boot once."""
    need_a_lab()
    with booted() as running:
        yield running


@pytest.fixture(scope="module")
def pairs(lab: Running) -> Mapping[str, Pair]:
    """Return the pairs with their branches."""
    site = compiled().site
    assert site is not None
    running = frozenset(lab.plan.names)
    return {kind: pair_of(site, running, *ends) for kind, ends in PAIRS.items()}


def changed(lab: Running, pair: Pair) -> LivePath:
    """Follow a pair until a value differs, or the patience ends."""
    end = time.monotonic() + PATIENCE
    while True:
        path = pair.look(lab.client.ask)
        if path.first is not None or time.monotonic() > end:
            return path


def settled(lab: Running, pair: Pair) -> LivePath:
    """Follow a pair until nothing differs, or the patience ends."""
    end = time.monotonic() + PATIENCE
    while True:
        path = pair.look(lab.client.ask)
        if path.state is State.SAME or time.monotonic() > end:
            return path


@pytest.mark.parametrize("kind", PAIRS)
def test_a_path_as_designed_is_the_same(lab: Running, pairs: Mapping[str, Pair], kind: str) -> None:
    path = settled(lab, pairs[kind])
    odd = [(h.step.switch, i) for h in path.hops for i in h.items if i.whole is not State.SAME]
    assert odd == []


@pytest.mark.parametrize("make", [mtu_of_spine, vrf_blackhole, dscp_filter_missing, flood_missing])
def test_a_planted_difference_is_named(
    lab: Running, pairs: Mapping[str, Pair], make: object
) -> None:
    assert callable(make)
    plant: Plant = make(Planter(pairs, SEED))
    lab.run(plant.switch, "sh", "-c", plant.plant)
    try:
        path = changed(lab, pairs[plant.pair])
    finally:
        lab.run(plant.switch, "sh", "-c", plant.mend)
    assert path.first is not None
    hop, item = path.first
    assert hop.step.switch == plant.switch
    assert {item.name, item.subject} & {*plant.names}
    assert settled(lab, pairs[plant.pair]).state is State.SAME


def test_the_verb_asks_the_switches_over_ssh(lab: Running) -> None:
    one, other = PAIRS[RAIL]
    words = ("reach", str(INTENT), "--from", one, "--to", other, "--live", "--lab", NAME)
    done = lab.ground.call(*words, "--format", "json", FABRIC_ADMIN_HASH="x")
    assert done.returncode == 0, done.stdout + done.stderr
    shown = json.loads(done.stdout)
    assert shown["state"] == "same"
    assert shown["branches"]["count"] == len(shown["branches"]["listed"])
