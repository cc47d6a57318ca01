"""Through NAPALM's real driver to the stand-in for EOS: beside CloudVision, and people at work.

Nobody's session but our own is ever aborted, and nothing that somebody changed is overwritten.
"""

import re

import pytest
from napalm.base.exceptions import CommitError
from tests.deploy.eapi.clients import NEW, NEW_TEXT, OLD, OLD_TEXT, Bench, commit
from tests.deploy.eapi.grammar import Configuration
from tests.deploy.eapi.switch import Candidate

from fabricgen.nos.driver import Busy
from fabricgen.nos.eos.driver import company

CLOUDVISION = {"0": {"user": "cvpadmin", "terminal": "UnknownTty"}}
THEIRS = Configuration(OLD.replace("description old", "description theirs")).text()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look again at once."""
    monkeypatch.setattr(company, "_PAUSE", 0.0)


def appears(bench: Bench, name: str = "cvp-4711", text: str = OLD) -> None:
    """Let somebody open a session."""
    bench.server.switch.sessions[name] = Candidate(Configuration(text), "pending", CLOUDVISION)


def writes(bench: Bench) -> list[str]:
    """Return every command that could have changed the switch or its sessions."""
    words = r"configure|commit|abort|copy|delete|write|rollback"
    return [each for each in bench.server.commands if re.match(words, each)]


def test_a_session_that_ends_in_time_is_waited_for(bench: Bench) -> None:
    appears(bench)
    bench.server.switch.faults.patience = 3
    with bench.driver(session_wait=60) as driver:
        driver.claim("p1")
    assert "show configuration sessions detail" in bench.server.commands[:3]
    assert bench.server.switch.running == OLD_TEXT


def test_one_that_does_not_end_is_named_and_left_as_it_was(bench: Bench) -> None:
    appears(bench)
    with (
        bench.driver(session_wait=1) as driver,
        pytest.raises(Busy, match=r"cvp-4711 \(cvpadmin on UnknownTty\); waited 1 s$"),
    ):
        driver.claim("p1")
    assert writes(bench) == []
    assert set(bench.server.switch.sessions) == {"cvp-4711"}


def test_the_timer_of_somebody_else_is_waited_for(bench: Bench) -> None:
    switch = bench.server.switch
    appears(bench)
    switch.commit("cvp-4711", "00", "05", "00")
    switch.faults.patience = 3
    with bench.driver(session_wait=60) as driver:
        driver.claim("p1")
        assert switch.timer is None


def test_a_plan_of_fabricgen_is_not_waited_for(bench: Bench) -> None:
    """It takes minutes, or it is dead; so the first look is the last."""
    appears(bench, "fabricgen-p9-1")
    with bench.driver(session_wait=60) as driver, pytest.raises(Busy, match="fabricgen unlock"):
        driver.claim("p1")
    assert bench.server.commands.count("show configuration sessions detail") == 1


def test_a_session_that_appears_before_the_commit_stops_it(bench: Bench) -> None:
    """Between the comparison and the commit; what it holds stays what it was."""
    switch = bench.server.switch
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        assert driver.compare_config()
        appears(bench, text=THEIRS)
        with pytest.raises(CommitError, match=r"nothing was committed: .*cvp-4711 \(cvpadmin"):
            driver.commit_config(revert_in=300)
    assert switch.running == OLD_TEXT
    assert set(switch.sessions) == {"cvp-4711"}
    assert not [name for name in switch.flash if name.startswith("fabricgen-")]


def test_a_session_that_is_committed_meanwhile_is_not_overwritten(bench: Bench) -> None:
    """It is waited for; what it left is not what was compared."""
    switch = bench.server.switch
    with bench.driver(session_wait=60) as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        appears(bench, text=THEIRS)
        switch.faults.patience = 3
        switch.faults.saves_commits = True
        with pytest.raises(CommitError, match="changed since the comparison; plan again"):
            driver.commit_config(revert_in=300)
    assert switch.running == THEIRS


def test_a_line_typed_after_the_comparison_is_not_overwritten(bench: Bench) -> None:
    """Saved, too, so that nothing else tells."""
    switch = bench.server.switch
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        switch.running = switch.startup = THEIRS
        with pytest.raises(CommitError, match=r"\n.*description theirs"):
            driver.commit_config(revert_in=300)
    assert switch.running == THEIRS


def test_an_undoing_waits_for_nobody(bench: Bench) -> None:
    """A person who looks on while our commit waits does not delay its end."""
    with bench.driver(session_wait=600) as driver:
        commit(driver, "p1", NEW)
        assert bench.server.switch.running == NEW_TEXT
        appears(bench)
        driver.claim("p1")
        driver.rollback()
    assert bench.server.switch.running == OLD_TEXT
    assert set(bench.server.switch.sessions) == {"cvp-4711"}
