"""What the updater refuses: `config reload`, through the real driver, to a stand-in for SONiC."""

import pytest
from napalm.base.exceptions import CommitError, ReplaceConfigException
from tests.deploy.sonic.conftest import Ground
from tests.deploy.sonic.test_commit import begin, until

from fabricgen.nos.driver import OnlyByReload, Reloads


def reloads(ground: Ground) -> list[str]:
    """Return the reloads that were begun, with their flags alone."""
    lines = [line for line in ground.switch.changes() if line.startswith("config reload")]
    return [" ".join(line.split()[2:-1]) for line in lines if not line.endswith("ended")]


def test_what_the_updater_refuses_is_reloaded_confirmed_and_saved(ground: Ground) -> None:
    image = ground.switch.tables()
    driver = ground.reloading()
    assert isinstance(driver, Reloads)
    driver.commit_config(revert_in=60)
    assert driver.compare_config() == ""
    driver.confirm_commit()

    tables = ground.switch.tables()
    assert reloads(ground) == ["-y"]
    assert tables["VLAN"] == {"Vlan7": {"vlanid": "7"}}
    assert "NTP_SERVER" not in tables
    for name in ("FEATURE", "VERSIONS", "DEVICE_METADATA"):
        assert tables[name] == image[name]
    assert ground.switch.running_frr.read_text() == ground.frr + "ip forwarding\n"
    assert ground.switch.state()["phase"] == "confirmed"
    assert "config save -y" in ground.switch.commands()


def test_a_reload_that_cuts_every_session_is_seen_to_its_end(ground: Ground) -> None:
    driver = ground.reloading()
    ground.switch.fail(reload_cuts=True, reload_slow=0.5)
    driver.commit_config(revert_in=60)
    driver.confirm_commit()
    assert ground.switch.tables()["VLAN"]


def test_what_yang_refuses_is_not_reloaded(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.driver()
    driver.claim("p1")
    ground.switch.fail(models_refuse="no such leaf")
    with pytest.raises(ReplaceConfigException, match=r"YANG models refuse it.*no such leaf"):
        driver.load_for_reload(ground.changed())
    assert (ground.switch.image(), reloads(ground)) == (before, [])


def test_an_updater_that_refuses_for_another_reason_names_no_reload(ground: Ground) -> None:
    ground.switch.fail(refuses="Given patch will produce invalid config")
    with pytest.raises(ReplaceConfigException):
        ground.loaded()


def test_a_file_that_the_reload_refuses_changes_nothing(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.reloading()
    ground.switch.fail(reload_refuses="no such leaf")
    with pytest.raises(CommitError, match=r"config reload: .*no such leaf.*is restored"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before
    assert reloads(ground) == ["-y"]


def test_a_reload_that_ends_halfway_is_undone_by_another(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.reloading()
    ground.switch.fail(reload_dies=True)
    with pytest.raises(
        CommitError, match="the program ended - the previous configuration is restored"
    ):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before
    assert reloads(ground) == ["-y", "-y -f"]


def test_a_service_that_stays_down_undoes_the_reload(ground: Ground) -> None:
    driver = ground.reloading(patience=1)
    ground.switch.fail(stays_down="teamd.service")
    with pytest.raises(CommitError, match=r"service teamd\.service is still down"):
        driver.commit_config(revert_in=60)
    ground.switch.fail()
    ground.driver().rollback()
    assert "VLAN" not in ground.switch.tables()


def test_a_port_that_stays_down_undoes_the_reload(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.answer("portstat -j", '{"Ethernet0": {"STATE": "U"}}')
    driver = ground.reloading(ground.changed_services(), patience=1)
    ground.switch.fail(port_comes="D")
    with pytest.raises(CommitError, match="port Ethernet0 is still down - the previous"):
        driver.commit_config(revert_in=60)
    assert ground.switch.image() == before
    assert reloads(ground) == ["-y", "-y -f"]


def test_a_port_with_other_settings_is_left_to_the_gate(ground: Ground) -> None:
    ground.switch.answer("portstat -j", '{"Ethernet0": {"STATE": "U"}}')
    driver = ground.reloading()  # its MTU changes
    ground.switch.fail(port_comes="D")
    driver.commit_config(revert_in=60)
    assert ground.switch.state()["phase"] == "waiting"


def test_nobody_confirms_a_reload_and_the_switch_goes_back(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.reloading()
    driver.commit_config(revert_in=1)
    driver.close()
    until(lambda: ground.switch.state()["phase"] == "reverted")
    assert ground.switch.image() == before
    assert reloads(ground) == ["-y", "-y -f"]


def test_a_reload_whose_process_was_killed_is_undone_by_the_next_who_asks(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.reloading()
    ground.switch.fail(reload_slow=600)
    begin(driver)
    until(lambda: not ground.switch.tables())  # emptied, and not loaded
    ground.switch.kill_commit()
    ground.switch.fail()
    ground.driver().rollback()
    assert ground.switch.image() == before
    assert ground.switch.state()["phase"] == "reverted"


def test_a_reload_that_still_works_is_waited_for_before_it_is_undone(ground: Ground) -> None:
    before = ground.switch.image()
    driver = ground.reloading()
    ground.switch.fail(reload_slow=0.5)
    begin(driver)
    until(lambda: not ground.switch.tables())
    ground.switch.kill_commit(children=False)
    driver.rollback()
    assert ground.switch.image() == before


def test_the_way_back_of_a_reloaded_plan_is_a_reload_if_it_may_be_one(ground: Ground) -> None:
    before = ground.switch.image()
    ground.reloading().commit_config()
    driver = ground.driver()
    driver.claim("undo-p1")
    with pytest.raises(OnlyByReload, match="plan p1 reloaded the switch"):
        driver.load_checkpoint("p1")
    driver.load_checkpoint_for_reload("p1")
    driver.commit_config()
    assert ground.switch.image() == before
    assert reloads(ground) == ["-y", "-y"]
