"""Through NAPALM's real driver to the stand-in for EOS: what another tool owns there stays."""

import pytest
from napalm.base.exceptions import CommitError, ReplaceConfigException
from tests.deploy.eapi.clients import NEW, OLD, Bench, commit
from tests.deploy.eapi.grammar import Configuration

TOKEN = "exec /usr/bin/TerminAttr -cvauth=key,verysecretkey"  # noqa: S105 - of nothing
THEIRS = f"daemon TerminAttr\n   {TOKEN}\n   no shutdown\nlogging host 192.0.2.9\n"
KEEP = {"eos": "daemon TerminAttr\nlogging host ~\nsnmp-server community ~\n"}


def _runs(bench: Bench, text: str) -> None:
    switch = bench.server.switch
    switch.running = switch.startup = Configuration(text).text()


def test_a_push_keeps_what_is_anothers_and_replaces_all_else(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS + "ntp server 192.0.2.8\n")
    with bench.driver(keep=KEEP) as driver:
        assert "TerminAttr" not in driver.get_config()["running"]
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        diff = driver.compare_config()
        assert "TerminAttr" not in diff
        assert "-ntp server" in diff
        driver.commit_config(revert_in=300)
        driver.confirm_commit()
        assert bench.server.switch.running == Configuration(NEW + THEIRS).text()
        driver.claim("p2")
        driver.load_replace_candidate(config=NEW)
        assert driver.compare_config() == ""


def test_without_a_pattern_it_is_replaced_as_before(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS)
    with bench.driver() as driver:
        commit(driver, "p1", NEW)
        assert bench.server.switch.running == Configuration(NEW).text()


def test_what_the_other_tool_wrote_since_the_plan_is_kept(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS)
    with bench.driver(keep=KEEP) as driver:
        before = driver.get_config()["running"]
        _runs(bench, OLD + THEIRS + "logging host 192.0.2.10\n")
        assert driver.get_config()["running"] == before
        commit(driver, "p1", NEW)
        assert "logging host 192.0.2.10" in bench.server.switch.running


def test_what_it_writes_between_load_and_commit_ends_the_commit(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS)
    with bench.driver(keep=KEEP) as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        _runs(bench, OLD + THEIRS + "logging host 192.0.2.10\n")
        with pytest.raises(CommitError, match="changed since the comparison"):
            driver.commit_config(revert_in=300)
        assert "logging host 192.0.2.10" in bench.server.switch.running


def test_a_kept_line_that_a_commit_loses_brings_everything_back(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS)
    bench.server.switch.faults.skip_on_commit = "logging host"
    with bench.driver(keep=KEEP) as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        with pytest.raises(CommitError, match=r"(?s)is not active:.*logging host"):
            driver.commit_config(revert_in=300)
        assert bench.server.switch.running == Configuration(OLD + THEIRS).text()


def test_a_rollback_brings_ours_back_and_keeps_theirs_as_it_is_now(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS)
    with bench.driver(keep=KEEP) as driver:
        commit(driver, "p1", NEW)
        driver.confirm_commit()
        now = THEIRS + "logging host 192.0.2.10\n"
        _runs(bench, NEW + now)
        driver.claim("p2")
        driver.load_checkpoint("p1")
        driver.commit_config(revert_in=300)
        assert bench.server.switch.running == Configuration(OLD + now).text()


def test_a_rollback_where_theirs_is_as_it_was_reads_the_switchs_own_file(bench: Bench) -> None:
    _runs(bench, OLD + THEIRS)
    with bench.driver(keep=KEEP) as driver:
        commit(driver, "p1", NEW)
        driver.confirm_commit()
        driver.claim("p2")
        driver.load_checkpoint("p1")
        driver.commit_config(revert_in=300)
        assert bench.server.switch.running == Configuration(OLD + THEIRS).text()


def test_lines_in_a_section_of_ours_are_kept_there(bench: Bench) -> None:
    _runs(bench, OLD.replace("   mtu 9214\n", "   mtu 9214\n   spanning-tree portfast\n"))
    with bench.driver(keep={"eos": "interface *\n  spanning-tree *\n"}) as driver:
        assert "portfast" not in driver.get_config()["running"]
        assert driver.kept_sections() == {
            "eos": "interface Ethernet1/1\n   spanning-tree portfast\n"
        }
        commit(driver, "p1", NEW)
        wanted = NEW.replace("   mtu 9000\n", "   mtu 9000\n   spanning-tree portfast\n")
        assert bench.server.switch.running == Configuration(wanted).text()


def test_a_banner_is_no_place_to_find_a_line_in(bench: Bench) -> None:
    banner = "banner motd\nlogging host 192.0.2.66\nEOF\n"
    _runs(bench, OLD + banner)
    with bench.driver(keep=KEEP) as driver:
        assert driver.kept_sections() == {}
        commit(driver, "p1", NEW)
        assert "192.0.2.66" not in bench.server.switch.running


def test_a_banner_can_be_kept_whole(bench: Bench) -> None:
    banner = "banner motd\n  ask ann\nEOF\n"
    _runs(bench, OLD + banner)
    with bench.driver(keep={"eos": "banner motd"}) as driver:
        commit(driver, "p1", NEW)
        assert bench.server.switch.running == Configuration(NEW + banner).text()


def test_what_shuts_a_port_of_ours_is_not_kept(bench: Bench) -> None:
    _runs(bench, OLD.replace("   mtu 9214\n", "   mtu 9214\n   shutdown\n"))
    with bench.driver(keep={"eos": "interface *\n  shutdown\n"}) as driver:
        driver.claim("p1")
        shut = "the unmanaged line `shutdown` shuts line 14 `interface Ethernet1/1`"
        with pytest.raises(ReplaceConfigException, match=shut):
            driver.load_replace_candidate(config=NEW)


def test_a_line_that_is_rendered_is_not_taken_for_anothers(bench: Bench) -> None:
    with bench.driver(keep={"eos": "interface *\n  mtu ~\n"}) as driver:
        driver.claim("p1")
        with pytest.raises(
            ReplaceConfigException, match="line 16 `mtu 9000` is both rendered and unmanaged"
        ):
            driver.load_replace_candidate(config=NEW)


def test_secrets_of_kept_lines_are_in_nothing_that_the_driver_says(bench: Bench) -> None:
    _runs(bench, OLD + "snmp-server community verysecret ro\n")
    with bench.driver(keep=KEEP) as driver:
        said = driver.kept_sections()["eos"]
        assert "snmp-server community <<hidden:" in said
        assert "verysecret" not in said
        bench.server.switch.faults.refuse = "snmp-server"
        driver.claim("p1")
        with pytest.raises(ReplaceConfigException) as refused:
            driver.load_replace_candidate(config=NEW)
        assert "verysecret" not in str(refused.value)
