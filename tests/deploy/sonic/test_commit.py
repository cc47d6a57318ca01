"""Commits through the real driver, over real SSH, to a stand-in for a SONiC switch."""

import json
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from napalm.base.exceptions import CommitError
from tests.deploy.sonic.conftest import Ground

from fabricgen.nos.sonic.driver.driver import SonicDriver


def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens by itself."""
    for _ in range(1500):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("it never happened")


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
    assert "config save -y" in ground.switch.commands()
    assert driver.unfinished() is None


def test_what_the_image_owns_keeps_its_values(ground: Ground) -> None:
    before = ground.switch.tables()
    driver = ground.loaded()
    driver.commit_config()

    after = ground.switch.tables()
    for name in ("FEATURE", "VERSIONS", "DEVICE_METADATA"):
        assert after[name] == before[name]


def test_nobody_confirms_and_the_switch_goes_back(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.loaded()
    driver.commit_config(revert_in=1)
    changed = ground.switch.image()
    driver.close()
    until(lambda: ground.switch.state()["phase"] == "reverted")
    assert changed != before
    assert ground.switch.image() == before


CLIENT = """
import json, sys
from napalm import get_network_driver
asked = json.load(sys.stdin)
driver = get_network_driver("fabricgen_sonic")("127.0.0.1", "root", "", 30, asked["options"])
driver.open()
driver.claim("p1")
driver.load_replace_candidate(config=asked["config"])
driver.commit_config(revert_in=1)
"""


def test_a_client_killed_in_mid_commit_leaves_the_old_configuration(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.fail(apply_slow=0.3)
    client = subprocess.Popen([sys.executable, "-c", CLIENT], stdin=subprocess.PIPE, text=True)
    assert client.stdin is not None
    with client.stdin as sending:
        json.dump({"options": ground.switch.options, "config": ground.changed()}, sending)
    try:
        until(lambda: ground.switch.image()[0] != before[0])
    finally:
        client.kill()
        client.wait()

    found = ground.driver().unfinished()
    until(lambda: ground.switch.state()["phase"] == "reverted")
    assert found is not None
    assert found.plan == "p1"
    assert ground.switch.image() == before


def test_a_commit_killed_while_it_saves_has_changed_nothing(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.loaded()
    ground.switch.fail(read_slow=2)
    begin(driver)
    until(lambda: ground.switch.state().get("phase") == "saving")
    ground.switch.kill_commit()
    driver.rollback()
    assert ground.switch.state()["phase"] == "failed"
    assert ground.switch.image() == before


def begin(driver: SonicDriver) -> None:
    """Begin what commit_config does, without waiting for its end."""
    driver._ask("start", plan="p1", message="", revert_in=60)


def test_a_commit_confirmed_over_a_new_connection_stays(ground: Ground) -> None:
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    driver.close()
    again = ground.driver()
    again.confirm_commit()
    assert ground.switch.state()["phase"] == "confirmed"
    assert ground.switch.tables()["VLAN"]


def test_rollback_over_a_new_connection_brings_every_byte_back(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    driver.close()
    again = ground.driver()
    again.rollback()
    assert ground.switch.image() == before
    assert again.unfinished() is None


def test_a_commit_whose_process_died_is_undone_by_the_next_who_asks(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    ground.switch.kill_commit()
    again = ground.driver()
    found = again.unfinished()
    with pytest.raises(CommitError, match="ended early"):
        again.confirm_commit()
    again.rollback()

    assert found is not None
    assert (found.plan, found.seconds) == ("p1", 0)
    assert ground.switch.image() == before


def test_a_change_that_fails_midway_is_undone_byte_for_byte(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.fail(apply_fails_after=2)
    driver = ground.loaded()
    with pytest.raises(CommitError, match="change 2 of"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before
    assert driver.unfinished() is None


def test_an_updater_that_lies_is_noticed(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.fail(apply_lies=True)
    driver = ground.loaded()
    with pytest.raises(CommitError, match="applied, but VLAN"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before


def test_a_frr_conf_that_frr_cannot_read_is_undone(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.loaded(text=ground.changed(frr=ground.frr + "nonsense\n"))
    with pytest.raises(CommitError, match="Unknown command: nonsense"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before
    assert not any(line.startswith("systemctl") for line in ground.switch.commands())


def test_a_container_that_deletes_frr_conf_is_noticed(ground: Ground) -> None:
    ground.switch.fail(restart_deletes=True)
    driver = ground.loaded()
    with pytest.raises(CommitError, match=r"another program changed frr\.conf"):
        driver.commit_config(revert_in=60)


def test_where_the_container_has_the_reload_tool_bgp_is_not_restarted(ground: Ground) -> None:
    ground.switch.fail(has_reload=True)
    ground.loaded().commit_config()
    assert ground.switch.running_frr.read_text() == ground.frr + "ip forwarding\n"
    assert not any(line.startswith("systemctl") for line in ground.switch.commands())


MORE = "ip prefix-list MORE seq 5 permit 10.0.0.0/8\n"


def test_what_a_running_frr_takes_comes_and_goes_without_a_restart(ground: Ground) -> None:
    before = lines(ground)
    driver = ground.loaded(text=ground.changed(frr=ground.frr + MORE))
    driver.commit_config(revert_in=60)
    assert lines(ground) == {*before, MORE.strip()}
    driver.rollback()
    assert (lines(ground), ground.switch.frr.read_text()) == (before, ground.frr)
    assert not any(line.startswith("systemctl") for line in ground.switch.commands())


def lines(ground: Ground) -> set[str]:
    """Return what FRR runs, in whatever order."""
    running = ground.switch.running_frr.read_text().splitlines()
    return {line.strip() for line in running if not line.strip().startswith(("!", "exit"))}


def test_commands_that_frr_refuses_end_in_what_ran_before(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.fail(vtysh_refuses=True)
    driver = ground.loaded(text=ground.changed(frr=ground.frr + MORE))
    with pytest.raises(CommitError, match=r"does not run frr\.conf: \+ ip prefix-list MORE seq 5"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before
    assert not any(line.startswith("systemctl") for line in ground.switch.commands())


def test_a_way_back_that_fails_is_said_and_can_be_tried_again(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.fail(replace_fails_after=1)
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    with pytest.raises(CommitError, match="change 1 of"):
        driver.rollback()
    ground.switch.fail()
    ground.driver().rollback()
    assert ground.switch.image() == before


def test_a_configuration_changed_behind_the_plan_is_not_overwritten(ground: Ground) -> None:
    driver = ground.loaded()
    driver.compare_config()
    db = ground.switch.database()
    db("HSET", "MGMT_PORT|eth0", "alias", "changed")
    db.close()
    before = ground.switch.image()
    with pytest.raises(CommitError, match="changed since it was compared"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before


def test_a_change_that_the_updater_is_still_at_is_not_undone_beside_it(ground: Ground) -> None:
    """The process is killed and its `config apply-patch` goes on: who rolls back waits for it."""
    before = ground.switch.image()
    driver = ground.loaded()
    ground.switch.fail(apply_slow=0.3)
    begin(driver)
    until(lambda: ground.switch.image()[0] != before[0])
    ground.switch.kill_commit(children=False)
    assert driver.unfinished() is not None
    driver.rollback()
    ended = [line for line in ground.switch.changes() if line.endswith("ended")]
    assert [line.split()[1] for line in ended if "config" in line] == ["apply-patch", "replace"]
    assert ground.switch.image() == before


def test_a_saving_that_fails_is_said(ground: Ground) -> None:
    ground.switch.fail(save_fails=True)
    driver = ground.loaded()
    driver.commit_config(revert_in=60)
    with pytest.raises(CommitError, match=r"is active, but not saved.*no space left"):
        driver.confirm_commit()
