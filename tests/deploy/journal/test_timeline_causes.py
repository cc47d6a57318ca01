"""Which push or session may have caused a change, and what is printed of it."""

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from tests.deploy.journal.looks import LANE, PEER, PORT, checked, facts, identity, look

from fabricgen.cli.formats.timeline import report_data, report_markdown, report_text
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, Phase, Result, Step
from fabricgen.operate.state.timeline.causes import CauseKind, causes_since
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.report import Report, report
from fabricgen.operate.state.timeline.timeline import Timeline

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Facts

DAY = timedelta(days=1)
ROUTES = "default 10.0.0.0/32, default 10.0.0.1/32, default 10.0.0.2/32"
_TICK = 0.003
"""Seconds between two entries: the clock of SQLite has milliseconds."""


def push(journal: Journal, *switches: str, plan: str = "3f9ac1d2e4b0") -> str:
    """Push a plan to switches."""
    time.sleep(_TICK)
    with journal.lock(LANE.site, plan, "ann") as held:
        identity = held.start(Kind.PUSH, "0.1.0", "x")
        every = [Step(switch=name, phase=Phase.PLANNED, batch=1) for name in ("leaf1", "leaf2")]
        held.record(identity, every)
        for phase in (Phase.ARMING, Phase.CONFIRMED):
            held.record(identity, [Step(switch=name, phase=phase, batch=1) for name in switches])
        held.end(identity, Result.DONE)
    return identity


def write(journal: Journal, **values: str) -> None:
    """Write a look at both leafs, with values on the first one."""
    time.sleep(_TICK)
    looks = {"leaf1": look(facts(**values)), "leaf2": look()}
    Timeline(journal.database).write(LANE, looks, identity())


def reported(journal: Journal) -> Report:
    since = datetime.now(UTC) - DAY
    pasts = History(journal.database, LANE).since(since)
    causes = causes_since(journal, LANE.site, since)
    return report("yesterday", since.timestamp(), pasts, causes.of)


def test_a_push_of_the_switch_within_the_window_is_the_cause(journal: Journal) -> None:
    push(journal, "leaf1", plan="000000")
    write(journal)
    identity = push(journal, "leaf1")
    write(journal, mtu="1500")
    push(journal, "leaf1", plan="111111")
    (altered,) = reported(journal).altered
    assert altered.cause.kind is CauseKind.PUSH
    assert altered.cause.pushes == ((identity, "3f9ac1d2e4b0", "ann"),)
    assert "push of plan 3f9ac1d2e4b0 by ann@" in altered.cause.sentence


def test_a_push_of_other_switches_is_named_as_such(journal: Journal) -> None:
    write(journal)
    push(journal, "leaf2")
    write(journal, state="Idle")
    (altered,) = reported(journal).altered
    assert altered.cause.kind is CauseKind.NEAR
    assert altered.cause.sentence.endswith(", which did not change this switch")


def test_without_a_push_an_open_session_is_named(journal: Journal) -> None:
    timeline = Timeline(journal.database)
    timeline.write(LANE, {"leaf1": look()}, identity())
    pending: Facts = {("pending", "maint"): {"who": "bob"}}
    timeline.write(LANE, {"leaf1": look(facts(mtu="1500") | pending)}, identity())
    causes = {each.cause.sentence for each in reported(journal).altered}
    assert causes == {"no push of the journal; configuration session maint of bob was open"}


def test_without_a_push_and_a_session_the_cause_is_unknown(journal: Journal) -> None:
    write(journal)
    write(journal, mtu="1500")
    (altered,) = reported(journal).altered
    assert altered.cause.kind is CauseKind.UNKNOWN
    assert altered.cause.sentence == "no push of the journal; see the switch's log"


@pytest.fixture
def shown(journal: Journal) -> Report:
    """Return a report with each kind of change."""
    timeline = Timeline(journal.database)
    route: Facts = {
        ("route", "default", f"10.0.0.{each}/32"): {"ports": ("a", "b")} for each in range(5)
    }
    timeline.write(LANE, {"leaf1": look(facts() | route)}, identity())
    less: Facts = {key: {"ports": ("a",)} for key in route}
    own = (
        facts(state="Idle", serial="S2") | less | {("vlan", "10"): {"name": "web", "vni": "10010"}}
    )
    del own[PORT]
    time.sleep(_TICK)
    result = checked("BGP neighbor 10.72.0.1: state is Idle")
    timeline.write(LANE, {"leaf1": look(own, results=(result,))}, identity())
    return reported(journal)


def test_the_text_has_one_line_for_equal_changes(shown: Report) -> None:
    first, name, cause, *lines = report_text(shown).splitlines()
    assert first == "since yesterday: 10 values changed, 1 finding began on 1 switch"
    assert name == "leaf1"
    assert cause.endswith(" UTC: no push of the journal; see the switch's log")
    assert [line.strip() for line in lines[:-1]] == [
        "switch replaced: serial was S1, is S2",
        "interface Ethernet1 is gone: MTU 9214",
        f"route {ROUTES} and 2 more: ports was a, b, is a",
        "BGP neighbor 10.72.0.1: state was Established, is Idle",
        "VLAN 10 is new: name web; VNI 10010",
        "finding began: BGP neighbor 10.72.0.1: state is Idle",
    ]
    assert lines[-1].startswith("leaf1: compared with its first look, ")


def test_the_data_has_each_value_and_the_table_each_sentence(shown: Report) -> None:
    data = report_data(shown)
    changes = {(*each["object"], each["attribute"]): each for each in data["changes"]}
    session = changes[*PEER, "state"]
    assert (session["old"], session["new"], session["change"]) == ("Established", "Idle", "changed")
    assert session["cause"]["kind"] == "unknown"
    assert len(changes) == 11
    table = report_markdown(shown)
    assert "| leaf1 | VLAN 10 is new: name web; VNI 10010 |" in table


def test_names_from_switches_do_nothing_to_the_terminal(journal: Journal) -> None:
    write(journal)
    vlan: Facts = {("vlan", "10\x1b[2J"): {"name": "x\n| y"}}
    Timeline(journal.database).write(LANE, {"leaf1": look(facts() | vlan)}, identity())
    found = reported(journal)
    for text in (report_text(found), report_markdown(found), str(report_data(found))):
        assert "\x1b" not in text
    assert "\n| y" not in report_markdown(found)
