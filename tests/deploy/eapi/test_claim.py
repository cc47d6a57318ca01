"""Through NAPALM's real driver to the stand-in for EOS: who may have the switch."""

import pytest
from napalm.base.exceptions import CommitError, ReplaceConfigException
from tests.deploy.eapi.clients import NEW, NEW_TEXT, OLD_TEXT, Bench, commit
from tests.deploy.eapi.grammar import Configuration
from tests.deploy.eapi.switch import Candidate

from fabricgen.nos.driver import Busy


def _open(bench: Bench, name: str, *people: dict[str, object]) -> None:
    numbered = {str(number): said for number, said in enumerate(people)}
    bench.server.switch.sessions[name] = Candidate(Configuration(), "pending", numbered)


def test_another_persons_session_refuses_the_claim_at_once_and_is_named(bench: Bench) -> None:
    _open(bench, "night-shift", {"user": "ada", "terminal": "vty5"})
    with bench.driver() as driver, pytest.raises(Busy, match=r"night-shift \(ada on vty5\)"):
        driver.claim("p1")
    assert set(bench.server.switch.sessions) == {"night-shift"}
    assert not any("configure" in command for command in bench.server.commands)


def test_a_session_that_everybody_left_is_respected_too(bench: Bench) -> None:
    _open(bench, "fabricgen-p9-1")
    with bench.driver() as driver, pytest.raises(Busy, match=r"fabricgen-p9-1 .no user"):
        driver.claim("p1")


def test_the_session_of_a_dead_push_is_given_up_and_no_persons_own(bench: Bench) -> None:
    """As `fabricgen unlock` does: what it finds is claimed over, and discarded."""
    _open(bench, "fabricgen-p9-1")
    with bench.driver() as driver:
        with pytest.raises(Busy, match=r"no user\); if that push is dead, run `fabricgen unlock`"):
            driver.claim("p1")
        held = driver.held()
        assert held is not None
        assert (held.plan, held.who, held.pid) == ("p9", "no user", 0)
        assert held.said == "held by plan p9: session fabricgen-p9-1 is open (no user)"
        driver.claim("p1", over=[held.plan])
        driver.discard_config()
        assert bench.server.switch.sessions == {}
        _open(bench, "night-shift", {"user": "ada", "terminal": "vty5"})
        _open(bench, "fabricgen-look-1-1")
        assert driver.held() is None


def test_a_claim_discards_what_the_same_plan_left(bench: Bench) -> None:
    _open(bench, "fabricgen-p1-1")
    _open(bench, "fabricgen-p1-2")
    with bench.driver() as driver:
        driver.claim("p1")
        assert set(bench.server.switch.sessions) == {"fabricgen-p1-3"}


def test_a_claim_is_seen_by_others_before_anything_is_loaded(bench: Bench) -> None:
    with bench.driver() as first, bench.driver() as second:
        first.claim("p1")
        with pytest.raises(Busy, match="fabricgen-p1-1"):
            second.claim("p2")
        first.discard_config()
        second.claim("p2")


def test_the_pending_commit_of_another_plan_is_named_with_its_time(bench: Bench) -> None:
    with bench.driver() as first, bench.driver() as second:
        commit(first, "p1", NEW)
        with pytest.raises(Busy, match=r"plan p1 waits for confirmation, [0-9]+ s are left"):
            second.claim("p2")


def test_a_persons_own_timed_commit_is_named_by_its_session(bench: Bench) -> None:
    bench.server.switch.enter("by-hand")
    bench.server.switch.commit("by-hand", "00", "05", "00")
    bench.server.switch.leave()
    with bench.driver() as driver:
        waiting = driver.unfinished()
        assert waiting is not None
        assert waiting.plan == "by-hand"
        with pytest.raises(Busy, match="session by-hand"):
            driver.claim("p1")


def test_no_candidate_is_loaded_beside_a_commit_that_waits(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        with pytest.raises(ReplaceConfigException, match="waits for confirmation"):
            driver.load_replace_candidate(config=NEW)


@pytest.mark.parametrize("plan", ["", "a b", "a;reload", "-a", "x" * 33, "p1\n"])
def test_a_plan_that_cannot_name_a_session_is_refused(bench: Bench, plan: str) -> None:
    with bench.driver() as driver, pytest.raises(ValueError, match="invalid plan name"):
        driver.claim(plan)


def test_without_a_claim_nothing_is_loaded_confirmed_or_undone(bench: Bench) -> None:
    with bench.driver() as driver:
        with pytest.raises(ReplaceConfigException, match="claimed"):
            driver.load_replace_candidate(config=NEW)
        with pytest.raises(CommitError, match="claimed"):
            driver.confirm_commit()
        with pytest.raises(CommitError, match="claimed"):
            driver.rollback()


def test_close_discards_a_candidate_and_leaves_a_pending_commit(bench: Bench) -> None:
    switch = bench.server.switch
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
    assert switch.sessions == {}
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
    assert switch.running == NEW_TEXT
    assert switch.timer is not None


def test_a_discard_gives_up_no_commit_that_waits(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        driver.discard_config()
        driver.confirm_commit()
    assert bench.server.switch.startup == NEW_TEXT


def test_pushes_after_pushes_never_meet_the_limit_of_open_sessions(bench: Bench) -> None:
    for _ in range(7):
        with bench.driver() as driver:
            driver.claim("p1")
            driver.load_replace_candidate(config=NEW)
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        driver.rollback()
    assert bench.server.switch.running == OLD_TEXT


def test_looks_stand_in_nobodys_way(bench: Bench) -> None:
    with bench.driver() as one, bench.driver() as other:
        one.claim("look-1")
        other.claim("look-2")
        for driver in (one, other):
            driver.load_replace_candidate(config=NEW)
        assert one.compare_config() == other.compare_config() != ""


def test_looks_that_died_never_fill_the_switch(bench: Bench) -> None:
    for number in range(4):
        _open(bench, f"fabricgen-look-{number}-1")
    with bench.driver() as driver:
        driver.claim("look-9")
        driver.load_replace_candidate(config=NEW)
        assert set(bench.server.switch.sessions) == {"fabricgen-look-9-1"}


def test_a_push_clears_away_looks_that_died(bench: Bench) -> None:
    _open(bench, "fabricgen-look-1-1")
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
    assert set(bench.server.switch.sessions) == {"fabricgen-p1-1"}


def test_a_confirmed_claim_may_look_once_more_how_it_is(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        driver.confirm_commit()
        driver.load_replace_candidate(config=NEW)
        assert driver.compare_config() == ""
        driver.discard_config()
    assert set(bench.server.switch.sessions) == {"fabricgen-p1-1"}
