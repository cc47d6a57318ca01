"""Through NAPALM's real driver to the stand-in for EOS: pushes that die, and who cleans up."""

import os
import signal
import subprocess
import sys

import pytest
from napalm.base.exceptions import CommitError, ConnectionException
from tests.deploy.eapi.clients import NEW, NEW_TEXT, OLD_TEXT, ROOT, Bench, commit

PUSH = """
import sys
from pathlib import Path
from tests.deploy.eapi.clients import NEW, Bench, commit
from tests.deploy.eapi.server import Server
from tests.deploy.eapi.switch import Switch
bench = Bench(Server(Switch(""), int(sys.argv[1])), Path(sys.argv[2]))
with bench.driver() as driver:
    commit(driver, "p1", NEW)
    driver.confirm_commit()
"""

# Each is the request that the switch has run when the push dies, and what runs then.
MOMENTS = {
    "configure session fabricgen-p1-1 ; end": OLD_TEXT,
    "rollback clean-config": OLD_TEXT,
    "copy running-config": OLD_TEXT,
    "commit timer": NEW_TEXT,
    "commit ; write memory": NEW_TEXT,
}


def _die_at(bench: Bench, request: str) -> None:
    """Push in a process of its own, and kill it when the switch has run that request."""
    bench.server.hold = request
    push = subprocess.Popen(
        [sys.executable, "-c", PUSH, str(bench.server.port), str(bench.ca_file)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert bench.server.held.wait(60)
    finally:
        push.kill()
        ended = push.wait()
    assert ended == -signal.SIGKILL
    bench.server.release.set()
    bench.server.hold = r"(?!)"


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_push_leaves_old_or_new_and_the_next_one_converges(
    bench: Bench, moment: str
) -> None:
    switch = bench.server.switch
    _die_at(bench, moment)
    assert switch.running == MOMENTS[moment]
    with bench.driver() as driver:
        driver.claim("p1")
        if driver.unfinished() is None:
            driver.load_replace_candidate(config=NEW)
            if driver.compare_config():
                driver.commit_config(revert_in=300)
        if driver.unfinished() is not None:
            driver.confirm_commit()
    assert switch.running == switch.startup == NEW_TEXT
    assert switch.timer is None


def test_another_process_confirms_what_a_killed_one_committed(bench: Bench) -> None:
    _die_at(bench, "commit timer")
    with bench.driver() as driver:
        waiting = driver.unfinished()
        assert waiting is not None
        assert waiting.plan == "p1"
        driver.claim("p1")
        assert driver.compare_config() == ""
        driver.confirm_commit()
    assert bench.server.switch.startup == NEW_TEXT


def test_another_process_undoes_what_a_killed_one_committed(bench: Bench) -> None:
    _die_at(bench, "commit timer")
    with bench.driver() as driver:
        driver.claim("p1")
        driver.rollback()
        assert driver.unfinished() is None
    assert bench.server.switch.running == bench.server.switch.startup == OLD_TEXT


def test_another_process_sees_that_a_commit_was_changed_by_hand(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
    switch = bench.server.switch
    switch.running = switch.running.replace("mtu 9000", "mtu 1500")
    with bench.driver() as driver:
        driver.claim("p1")
        assert "differs from the committed one" in driver.compare_config()


def test_the_switch_undoes_what_nobody_confirms(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW, seconds=30)
        bench.server.switch.advance(31)
        assert driver.unfinished() is None
        assert "+   description new" in driver.compare_config()
        with pytest.raises(CommitError, match="no commit of plan p1"):
            driver.confirm_commit()
        driver.rollback()
    assert bench.server.switch.running == OLD_TEXT


def test_a_timer_that_ends_while_it_is_confirmed_is_told(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW, seconds=30)
        bench.server.switch.faults.expire = "commit"
        with pytest.raises(CommitError):
            driver.confirm_commit()
    assert bench.server.switch.running == OLD_TEXT


def test_an_answer_that_never_comes_leaves_the_commit_to_the_timer(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        bench.server.drop_after = "commit timer"
        with pytest.raises(ConnectionException):
            driver.commit_config(revert_in=300)
        bench.server.drop_after = r"(?!)"
        assert driver.unfinished() is not None
        assert driver.compare_config() == ""
    bench.server.switch.advance(301)
    assert bench.server.switch.running == OLD_TEXT


def test_a_commit_that_never_arrives_changes_nothing(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        bench.server.drop_before = "commit timer"
        with pytest.raises(ConnectionException):
            driver.commit_config(revert_in=300)
        bench.server.drop_before = r"(?!)"
        assert driver.unfinished() is None
    assert bench.server.switch.running == OLD_TEXT
    assert bench.server.switch.sessions == {}


def test_a_switch_that_is_silent_costs_its_timeout_only(bench: Bench) -> None:
    bench.server.hold = "show version"
    with pytest.raises(ConnectionException, match="timed out"), bench.driver(timeout=1):
        pass
