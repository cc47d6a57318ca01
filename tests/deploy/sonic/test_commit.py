"""Commits through the real driver, over real SSH, to a stand-in for a SONiC switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.deploy.sonic.conftest import Ground


def test_a_confirmed_commit_runs_and_is_saved(ground: Ground) -> None:
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    pending = driver.unfinished()
    assert driver.compare_config() == ""
    driver.confirm_commit()

    tables = ground.switch.tables()
    assert pending is not None
    assert (pending.plan, 50 < pending.seconds <= 60) == ("p1", True)
    assert tables["VLAN"] == {"Vlan7": {"vlanid": "7"}}
    assert "NTP_SERVER" not in tables
    assert ground.switch.running_frr.read_text() == ground.frr + "ip forwarding\n"
    assert ["config", "save", "-y"] in ground.switch.commands()
    assert driver.unfinished() is None
