"""Who has a switch, and what it keeps of what ran before: claims and checkpoints."""

import pytest
from napalm.base.exceptions import CommitError
from tests.deploy.sonic.conftest import Ground

from fabricgen.nos.driver import Busy, NoCheckpoint


def test_a_second_plan_finds_the_switch_taken(ground: Ground) -> None:
    driver, other = ground.loaded(), ground.driver()
    with pytest.raises(Busy, match=r"held until .* by plan p1, started by .*`fabricgen unlock`"):
        other.claim("p2")
    driver.commit_config(revert_in=60)
    with pytest.raises(Busy, match=r"a commit of plan p1 by .* is not confirmed yet"):
        other.claim("p2")
    driver.rollback()
    other.claim("p2")


def test_a_dead_commit_keeps_the_switch_taken(ground: Ground) -> None:
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    ground.switch.kill_commit()
    other = ground.loaded("p1", ground.text())
    with pytest.raises(CommitError, match="a commit waits for confirmation"):
        other.commit_config(revert_in=60)


def test_what_ran_before_a_plan_can_be_loaded_and_runs_again(ground: Ground) -> None:
    before = ground.switch.image()
    ground.loaded("p1").commit_config()
    driver = ground.driver()
    driver.claim("undo-p1")
    driver.load_checkpoint("p1")
    difference = driver.compare_config()
    driver.commit_config()
    assert "VLAN|Vlan7 vlanid 7 -> (none)" in difference
    assert ground.switch.image() == before
    with pytest.raises(NoCheckpoint):
        driver.load_checkpoint("unknown")


def test_what_is_kept_is_for_root_only(ground: Ground) -> None:
    ground.loaded("new").commit_config()
    kept = ground.switch.home / "var/lib/fabricgen"
    assert {path.stat().st_mode & 0o077 for path in [kept, *kept.rglob("*")]} == {0}
    assert (kept / "checkpoints/new/list.json").exists()
