"""Through NAPALM's real driver to the stand-in for EOS: switches that lie."""

import pytest
from napalm.base.exceptions import CommitError
from tests.deploy.eapi.clients import NEW, OLD_TEXT, Bench, commit


def test_a_switch_that_only_says_it_committed_is_found_out(bench: Bench) -> None:
    bench.server.switch.faults.idle_commit = True
    with bench.driver() as driver:
        with pytest.raises(CommitError, match=r"is not active:\n(.*\n)*\+   description new"):
            commit(driver, "p1", NEW)
        assert driver.unfinished() is None
    assert bench.server.switch.running == OLD_TEXT


def test_a_commit_of_which_a_line_is_missing_is_undone(bench: Bench) -> None:
    bench.server.switch.faults.skip_on_commit = "mtu 9000"
    with bench.driver() as driver, pytest.raises(CommitError, match=r"\+   mtu 9000"):
        commit(driver, "p1", NEW)
    assert bench.server.switch.running == OLD_TEXT
    assert bench.server.switch.timer is None


def test_a_commit_without_the_timer_that_was_asked_for_is_undone(bench: Bench) -> None:
    bench.server.switch.faults.no_timer = True
    with bench.driver() as driver, pytest.raises(CommitError, match="without a timer"):
        commit(driver, "p1", NEW)
    assert bench.server.switch.running == OLD_TEXT


def test_a_refused_commit_says_why_and_leaves_no_session(bench: Bench) -> None:
    bench.server.switch.faults.refuse = "commit timer"
    with bench.driver() as driver, pytest.raises(CommitError, match="commit timer"):
        commit(driver, "p1", NEW)
    assert bench.server.switch.running == OLD_TEXT
    assert bench.server.switch.sessions == {}


def test_a_full_flash_stops_the_push_before_the_commit(bench: Bench) -> None:
    bench.server.switch.faults.empty_copy = True
    with bench.driver() as driver, pytest.raises(CommitError, match="nothing was committed"):
        commit(driver, "p1", NEW)
    assert bench.server.switch.running == OLD_TEXT
    assert not any(" commit" in command for command in bench.server.commands)


def test_a_commit_that_was_not_saved_is_told(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        bench.server.switch.faults.no_save = True
        with pytest.raises(CommitError, match="startup-config"):
            driver.confirm_commit()


def test_a_rollback_that_does_not_restore_is_told(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        assert bench.server.switch.timer is not None
        bench.server.switch.timer.before = OLD_TEXT.replace("9214", "1500")
        with pytest.raises(CommitError, match="is not restored"):
            driver.rollback()
