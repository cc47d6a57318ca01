"""WRITTEN answers of EOS switches against their model: what the gate of a push stops, and says."""

import copy
from functools import cache
from pathlib import Path

import pytest
from tests.deploy.eapi.faults import Plant, first, peers_of, small_mtu
from tests.written.eos.eapi import output
from tests.written.eos.switches import Shown, written

from fabricgen.compile.compiler import compile_site
from fabricgen.core.tree.facts import Key
from fabricgen.intent.load import load_site
from fabricgen.nos.eos.driver.health import REQUEST, health_of
from fabricgen.nos.health import Health
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.texts import Texts

INTENT = Path(__file__).resolve().parents[3] / "intent/full"
LEAF = "fe-leaf01"


@cache
def model() -> Model:
    site = compile_site(load_site(INTENT)).site
    assert site is not None
    names = (each.name for fabric in site.fabrics for each in fabric.topology.switches)
    return Model(site, Texts(site), frozenset(names))


@cache
def answers() -> dict[str, Shown]:
    return written(model().site)


def look(plant: Plant = lambda _: None) -> Health:
    """Return the health of the leaf with a fault."""
    shown = copy.deepcopy(answers()[LEAF])
    plant(shown)
    return health_of(output(shown, REQUEST))


def stopped(plant: Plant, told: frozenset[Key] = frozenset()) -> tuple[str, ...]:
    """Return what stops a push after which the switch has a fault."""
    before, after = look(), look(plant)
    against = BatchComparison(model=model(), before={LEAF: before}, changed={LEAF: told})
    return judged({LEAF: before}, {LEAF: Outcome(after)}, against).get(LEAF, ())


def test_a_right_switch_stops_nothing() -> None:
    assert stopped(lambda _: None) == ()


def test_a_fault_from_before_the_push_is_reported() -> None:
    broken = look(small_mtu)
    against = BatchComparison(model=model(), before={LEAF: broken}, changed={LEAF: frozenset()})
    assert judged({LEAF: broken}, {LEAF: Outcome(broken)}, against) == {}
    (said,) = against.old[LEAF]
    assert "has MTU 1500" in said


@pytest.mark.parametrize("state", ["Active", "Idle"])
def test_a_session_that_worked_before_must_work(state: str) -> None:
    def down(shown: Shown) -> None:
        peers = peers_of(shown)
        peers[first(peers)]["peerState"] = state

    assert any(each.startswith("BGP session") and "is down" in each for each in stopped(down))


def test_a_command_that_is_refused_after_the_push_stops_it() -> None:
    """What was read before and is not read now is not taken for right."""

    def refused(shown: Shown) -> None:
        del shown["show vlan"]

    assert any("could not be read" in each for each in stopped(refused))


def test_what_no_document_shows_is_said_and_never_passed() -> None:
    """A rail needs PFC, and its settings have no documented form."""
    site = compile_site(load_site(INTENT.parent / "rail-only")).site
    assert site is not None
    names = frozenset(each.name for fab in site.fabrics for each in fab.topology.switches)
    (name, shown), *_ = written(site).items()
    health = health_of(output(shown, REQUEST))
    rail = Model(site, Texts(site), names)
    assert rail.wrong(name, health) == {}
    said = {each.partition(":")[0]: each for each in rail.unverified(name, health)}
    silent = {"DscpMaps", "EcnThresholds", "PfcPriorities", "PfcWatchdog"}
    assert silent <= said.keys()
    assert all("no public" in said[each] for each in silent)
