"""Texts and answers of EOS in, what the driver reads of them out; without a switch."""

from pathlib import Path

import pytest
from napalm.base.exceptions import ReplaceConfigException
from tests.deploy.eapi.clients import ROOT, Bench, commit
from tests.deploy.eapi.grammar import Configuration

from fabricgen.nos.eos.driver import candidate, checkpoints, configuration, sessions
from fabricgen.nos.eos.driver.driver import EosDriver

MULTILINE = dict(EosDriver.HEREDOC_COMMANDS)
VERSION = {"uptime": 1000.0, "bootupTimestamp": 1_700_000_000.0}
RENDERED = sorted(ROOT.glob("tests/golden/*/**/eos.cfg"))


@pytest.mark.parametrize("bench", ["4.32.2F"], indirect=True)
@pytest.mark.parametrize("file", RENDERED, ids=lambda file: file.parent.name)
def test_every_line_that_is_rendered_for_eos_arrives(bench: Bench, file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("<<secret:", "{secret:")
    with bench.driver() as driver:
        commit(driver, "p1", text)
    assert bench.server.switch.running == Configuration(text).text()


def test_banners_stay_as_they_are_and_comments_go() -> None:
    text = "!\nbanner motd\n  two  !\n! three\nEOF\nhostname a\n   !\n\nend\n"
    assert candidate.commands(text, MULTILINE) == [
        {"cmd": "banner motd", "input": "  two  !\n! three"},
        "hostname a",
    ]


def test_a_certificate_ends_at_its_second_mark() -> None:
    text = "protocol https certificate\nA\nEOF\nB\nEOF\nhostname a\n"
    assert candidate.commands(text, MULTILINE) == [
        {"cmd": "protocol https certificate", "input": "A\nEOF\nB"},
        "hostname a",
    ]


def test_comments_of_a_section_are_entered_as_comments() -> None:
    text = "router bgp 65000\n   !! first\n   !! second\n   router-id 10.0.0.1\n"
    assert candidate.commands(text, MULTILINE) == [
        "router bgp 65000",
        {"cmd": "comment", "input": "first\nsecond"},
        "router-id 10.0.0.1",
    ]


def test_a_banner_without_an_end_is_refused() -> None:
    with pytest.raises(ReplaceConfigException, match="line EOF is missing"):
        candidate.commands("banner login\nhello\n", MULTILINE)


def test_nothing_waits_when_the_name_is_empty() -> None:
    said = sessions.read({"sessions": {}, "commitTimerSessionName": ""}, VERSION)
    assert said.timed is None


@pytest.mark.parametrize("ends", [1060.0, 1_700_001_060.0])
def test_the_end_of_a_timer_is_counted_from_the_boot_or_the_epoch(ends: float) -> None:
    detail = {"sessions": {"a": {"state": "pendingCommitTimer", "commitBy": ends}}}
    said = sessions.read(detail, VERSION)
    assert (said.timed, said.seconds) == ("a", 60.0)


def test_a_name_is_never_used_twice_even_after_gaps() -> None:
    named = {f"fabricgen-p1-{number}": {"state": "completed"} for number in (2, 10)}
    other = {"fabricgen-p2-77": {"state": "completed"}, "napalm_123": {"state": "pending"}}
    said = sessions.read({"sessions": {**named, **other}}, VERSION)
    assert said.unused_name("p1") == "fabricgen-p1-11"
    assert said.unused_name("p1-10") == "fabricgen-p1-10-1"
    assert [one.name for one in said.open] == ["napalm_123"]


def test_checkpoints_are_ordered_by_number_and_found_by_plan() -> None:
    listing = """
       -rw-  10  Nov 20 12:00  fabricgen-0010-a-b-0123456789ab.cfg
       -rw-  10  Nov 20 12:00  fabricgen-0009-a-b-ffffffffffff.cfg
       -rw-  10  Nov 20 12:00  fabricgen-0011-a-0123456789ab.cfg
       -rw-  10  Nov 20 12:00  rollback-0
    """
    kept = checkpoints.read(listing)
    assert [one.number for one in kept] == [9, 10, 11]
    found = checkpoints.of_plan("a-b", kept)
    assert found is not None
    assert found.url == "flash:fabricgen-0010-a-b-0123456789ab.cfg"
    assert checkpoints.of_plan("b", kept) is None


def test_heads_of_texts_are_no_part_of_the_configuration() -> None:
    body = "hostname a\n!\ninterface Ethernet1\n   mtu 9214\n!\nend\n"
    running = f"! Command: show running-config\n! device: a (x, EOS-4.32)\n!\n{body}"
    startup = f"! Command: show startup-config\n! Startup-config last modified at x\n{body}\n"
    assert configuration.normal(running) == configuration.normal(startup) == body
