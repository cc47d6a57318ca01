"""The stand-in for EOS itself: that its sessions are as narrow as the sources say EOS's are."""

import pytest
from tests.deploy.eapi.clients import OLD, OLD_TEXT
from tests.deploy.eapi.grammar import Configuration, Refused
from tests.deploy.eapi.switch import Switch


def _run(switch: Switch, *commands: str) -> dict[str, object]:
    answer: dict[str, object] = {}
    for command in commands:
        answer = switch.run(command, "")
    switch.leave()
    return answer


def test_five_sessions_are_open_and_no_sixth() -> None:
    switch = Switch(OLD)
    for number in range(5):
        _run(switch, f"configure session s{number}")
    with pytest.raises(Refused, match="Maximum number of pending sessions"):
        switch.run("configure session s5", "")


def test_one_timer_runs_and_no_other_session_commits() -> None:
    switch = Switch(OLD)
    _run(switch, "configure session a", "hostname a", "end", "configure session b", "end")
    _run(switch, "configure session a commit timer 00:01:00")
    for command in ("configure session b commit", "configure session b commit timer 00:01:00"):
        with pytest.raises(Refused, match="pending commit timer"):
            switch.run(command, "")
    switch.advance(61)
    assert switch.running == OLD_TEXT
    _run(switch, "configure session b commit")


def test_a_completed_session_is_not_entered_again_and_only_the_last_is_kept() -> None:
    switch = Switch(OLD)
    for name in ("a", "b"):
        _run(switch, f"configure session {name}", "end", f"configure session {name} commit")
    assert set(switch.sessions) == {"b"}
    with pytest.raises(Refused, match="completed"):
        switch.run("configure session b", "")


def test_a_session_begins_with_what_runs_and_is_emptied_on_demand() -> None:
    switch = Switch(OLD)
    _run(switch, "configure session a", "interface Ethernet1/1", "no mtu", "no switchport", "end")
    said = str(_run(switch, "show session-config named a diffs")["output"])
    assert [line for line in said.splitlines()[2:] if line[0] in "+-"] == ["-   mtu 9214"]
    _run(switch, "configure session a", "rollback clean-config", "end")
    assert switch.sessions["a"].configuration.text() == Configuration().text()


@pytest.mark.parametrize("line", ["routr bgp 1", "mtu 9214", "seq 10 permit any", "shutdown"])
def test_lines_that_no_section_around_knows_are_refused(line: str) -> None:
    switch = Switch(OLD)
    switch.run("configure session a", "")
    with pytest.raises(Refused, match="Invalid input"):
        switch.run(line, "")


def test_lines_without_indentation_find_their_section() -> None:
    said = Configuration("vlan 5\nname x\nrouter bgp 1\nvlan 5\nrd 1:5\nhostname a\n").top
    assert said.lines == {"hostname a"}
    assert said.sections["vlan 5"].lines == {"name x"}
    assert said.sections["router bgp 1"].sections["vlan 5"].lines == {"rd 1:5"}
