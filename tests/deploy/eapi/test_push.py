"""Through NAPALM's real driver to the stand-in for EOS: what a push does, keeps and takes back."""

from pathlib import Path

import pytest
from napalm.base.exceptions import CommitError, ReplaceConfigException
from tests.deploy.eapi.clients import NEW, NEW_TEXT, OLD, OLD_TEXT, Bench, commit

from fabricgen.nos.driver import Kept, NoCheckpoint


def test_a_push_runs_is_confirmed_and_survives_a_reload(bench: Bench) -> None:
    switch = bench.server.switch
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        assert "+   description new" in driver.compare_config()
        driver.commit_config(revert_in=300)
        assert switch.running == NEW_TEXT
        assert switch.startup == OLD_TEXT
        assert driver.compare_config() == ""
        waiting = driver.unfinished()
        assert waiting is not None
        assert waiting.plan == "p1"
        assert 0 < waiting.seconds <= 300
        driver.confirm_commit()
        assert driver.unfinished() is None
        assert driver.compare_config() == ""
    switch.advance(400)
    assert switch.running == switch.startup == NEW_TEXT


def test_a_banner_keeps_its_indentation_and_exclamation_marks(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
    assert "banner login\n  ! keep out !\n   by order\nEOF\n" in bench.server.switch.running


def test_a_commit_without_a_timer_is_saved_at_once(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        driver.commit_config("a message, which EOS has no place for")
    assert bench.server.switch.running == bench.server.switch.startup == NEW_TEXT


def test_a_second_push_of_the_same_finds_nothing_to_change(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        driver.confirm_commit()
        driver.claim("p2")
        driver.load_replace_candidate(config=NEW)
        assert driver.compare_config() == ""


def test_a_rollback_restores_what_ran_to_the_byte(bench: Bench) -> None:
    with bench.driver() as driver:
        before = driver.get_config()["running"]
        commit(driver, "p1", NEW)
        driver.rollback()
        assert driver.get_config()["running"] == before
        assert driver.unfinished() is None
    assert bench.server.switch.running == bench.server.switch.startup == OLD_TEXT


def test_a_switch_that_saves_every_commit_boots_with_the_old_one_after_a_rollback(
    bench: Bench,
) -> None:
    bench.server.switch.faults.saves_commits = True
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        assert bench.server.switch.startup == NEW_TEXT
        driver.rollback()
    assert bench.server.switch.startup == OLD_TEXT


def test_a_confirmed_plan_is_rolled_back_by_its_checkpoint(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        driver.confirm_commit()
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_checkpoint("p1")
        assert "+   description old" in driver.compare_config()
        driver.commit_config(revert_in=300)
        driver.confirm_commit()
    assert bench.server.switch.running == bench.server.switch.startup == OLD_TEXT


def test_a_plan_that_committed_nothing_has_no_checkpoint(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p2")
        with pytest.raises(NoCheckpoint, match="p2"):
            driver.load_checkpoint("p2")


def test_a_checkpoint_of_which_the_switch_skips_a_line_is_refused(bench: Bench) -> None:
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        driver.confirm_commit()
        bench.server.switch.faults.lose = "description old"
        driver.claim("p1")
        with pytest.raises(ReplaceConfigException, match=r"\+   description old"):
            driver.load_checkpoint("p1")
    assert bench.server.switch.sessions.keys() == {"fabricgen-p1-1"}


def test_only_the_last_checkpoints_are_kept_and_foreign_files_stay(bench: Bench) -> None:
    bench.server.switch.flash["rollback-0"] = "somebody's"
    with bench.driver() as driver:
        for number, text in enumerate([NEW, OLD] * 4):
            commit(driver, f"p{9 - number}", text)
            driver.confirm_commit()
        assert driver.keeps() == tuple(Kept(f"p{number}", None) for number in (6, 5, 4, 3, 2))
        commit(driver, "p5", NEW)
        assert [each.plan for each in driver.keeps()] == ["p4", "p3", "p2", "p5"]
        driver.rollback()
    kept = {file.split("-")[2] for file in bench.server.switch.flash if file.endswith(".cfg")}
    assert kept == {"p5", "p4", "p3", "p2"}
    assert "rollback-0" in bench.server.switch.flash


@pytest.mark.parametrize("seconds", [0, -5, 86400, 90000])
def test_a_timer_that_hh_mm_ss_cannot_say_is_refused(bench: Bench, seconds: int) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        with pytest.raises(CommitError, match="86399"):
            driver.commit_config(revert_in=seconds)
    assert bench.server.switch.running == OLD_TEXT


def test_the_longest_timer_is_a_second_less_than_a_day(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        driver.commit_config(revert_in=86399)
    assert any(command.endswith(" timer 23:59:59") for command in bench.server.commands)


def test_nothing_is_committed_over_changes_that_nobody_saved(bench: Bench) -> None:
    bench.server.switch.running = OLD_TEXT.replace("mtu 9214", "mtu 9100")
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        with pytest.raises(CommitError, match=r"startup-config(.*\n)*\+ +mtu 9100"):
            driver.commit_config(revert_in=300)
    assert "mtu 9100" in bench.server.switch.running


def test_a_line_that_eos_does_not_know_refuses_the_whole(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        with pytest.raises(ReplaceConfigException, match="routr bgp 65000"):
            driver.load_replace_candidate(config=f"{NEW}routr bgp 65000\n")
        assert bench.server.switch.sessions == {}
        with pytest.raises(CommitError, match="no candidate is loaded"):
            driver.commit_config(revert_in=300)
    assert bench.server.switch.running == OLD_TEXT


def test_a_candidate_is_read_from_a_file_too(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "eos.cfg"
    file.write_text(NEW, encoding="utf-8")
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(filename=str(file))
        driver.commit_config(revert_in=300)
    assert bench.server.switch.running == NEW_TEXT


def test_facts_say_which_switch_it_is(bench: Bench) -> None:
    bench.server.switch.shown["show interfaces"] = {"interfaces": {}}
    with bench.driver() as driver:
        facts = driver.get_facts()  # type: ignore[no-untyped-call]
    assert (facts["hostname"], facts["serial_number"]) == ("leaf01", "STANDIN0001")
