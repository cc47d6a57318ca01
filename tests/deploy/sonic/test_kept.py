"""Who has a switch, and what it keeps of what ran before: claims and checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabricgen.nos.driver import Busy, NoCheckpoint

if TYPE_CHECKING:
    from tests.deploy.sonic.conftest import Ground


def test_a_second_plan_finds_the_switch_taken(ground: Ground) -> None:
    driver = ground.loaded()
    other = ground.loaded("p2", ground.text())
    driver.commit_config(revert_in=60)
    with pytest.raises(Busy, match="plan p1 is waiting"):
        other.commit_config(revert_in=60)
    with pytest.raises(Busy, match="plan p1 is waiting"):
        other.claim("p2")
    driver.claim("p1")
    driver.rollback()
    other.claim("p2")


def test_a_dead_commit_keeps_the_switch_taken(ground: Ground) -> None:
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    ground.switch.kill_commit()
    other = ground.loaded("p1", ground.text())
    with pytest.raises(Busy, match="plan p1 is waiting"):
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


def test_the_last_ten_checkpoints_are_kept_for_root_only(ground: Ground) -> None:
    folder = ground.switch.home / "etc/sonic/checkpoints"
    folder.mkdir()
    for number in range(12):
        (folder / f"fabricgen-old{number:02}.cp.json").write_text("{}")
    (folder / "mine.cp.json").write_text("{}")
    ground.loaded("new").commit_config()
    names = {path.name for path in folder.iterdir()}
    assert len(names) == 11
    assert {"fabricgen-new.cp.json", "mine.cp.json"} < names
    assert (folder / "fabricgen-new.cp.json").stat().st_mode & 0o777 == 0o600
