"""What the timeline stores of looks at switches; in SQLite and in PostgreSQL."""

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from tests.deploy.journal.looks import (
    BEGIN,
    LANE,
    PEER,
    PORT,
    SERIAL,
    checked,
    facts,
    identity,
    look,
)

from fabricgen.nos.show import Part
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import JournalFailure
from fabricgen.operate.state.timeline import timeline as module
from fabricgen.operate.state.timeline.baselines import BaselineExistsError, Baselines
from fabricgen.operate.state.timeline.changes import Change
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.records import RECORDING, Lane
from fabricgen.operate.state.timeline.snapshot import FINDING, UNREAD, Seen, Source, silent
from fabricgen.operate.state.timeline.tables import DAYS, LOOKS, SWITCHES, TIMELINE
from fabricgen.operate.state.timeline.timeline import Timeline
from fabricgen.prove.catalogue.model import Outcome

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Facts

DAY = timedelta(days=1)


@pytest.fixture
def timeline(journal: Journal) -> Timeline:
    """Return the timeline of the journal."""
    return Timeline(journal.database)


@pytest.fixture
def history(journal: Journal) -> History:
    """Return what is read of it."""
    return History(journal.database, LANE)


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Set the clock of the database for the next looks."""
    monkeypatch.setattr(module, "_now", lambda *_: (moment, moment))


def changes(history: History, switch: str = "leaf1") -> list[Change]:
    return [each for one in history.moments(switch, BEGIN) for each in one.event.changes]


def test_a_journal_without_a_look_has_no_timeline(history: History) -> None:
    assert history.since(BEGIN) == []
    assert history.moments("leaf1", BEGIN) == []
    assert history.facts("leaf1") == {}


def test_only_changes_are_stored_with_the_identity_of_their_look(
    journal: Journal, timeline: Timeline, history: History
) -> None:
    begun = datetime.now(UTC) - timedelta(seconds=5)
    assert timeline.write(LANE, {"leaf1": look()}, identity()).changed == 1
    for _ in range(3):
        assert timeline.write(LANE, {"leaf1": look()}, identity()).changed == 0
    timeline.write(LANE, {"leaf1": look(facts(mtu="1500"), clock=1e9)}, identity(Source.WATCH))
    (moment,) = history.moments("leaf1", BEGIN)
    assert moment.event.changes == (Change(PORT, "mtu", "9214", "1500"),)
    assert (moment.source, moment.who, moment.host) == ("watch", "ann", "ops1")
    assert moment.event.clock == 1e9
    assert moment.tool is not None
    assert begun < moment.tool < begun + timedelta(minutes=5)
    assert begun.timestamp() < moment.event.since < moment.event.at
    with journal.database.reading() as connection:
        assert len(connection.execute(LOOKS.select()).all()) == 1
    assert history.facts("leaf1") == facts(mtu="1500")


def test_the_sum_since_a_moment_omits_what_came_back(
    timeline: Timeline, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    states = ("Established", "Idle", "Active", "Established")
    for number, state in enumerate(states):
        at(monkeypatch, noon + number * DAY)
        own = facts(state=state, mtu="1500" if number >= 2 else "9214")
        timeline_of_years = Timeline(timeline.database, retained=9_000 * DAY)
        timeline_of_years.write(LANE, {"leaf1": look(own)}, identity())
    (all_days,) = history.since(noon)
    assert {spot: (net.old, net.new) for spot, net in all_days.sums.items()} == {
        (PORT, "mtu"): ("9214", "1500")
    }
    assert all_days.returned == 1
    net = all_days.sums[PORT, "mtu"]
    assert (net.since, net.at) == ((noon + DAY).timestamp(), (noon + 2 * DAY).timestamp())
    (late,) = history.since(noon + 1.5 * DAY)
    assert late.sums[PEER, "state"][:2] == ("Idle", "Established")
    (none,) = history.since(noon + 3 * DAY)
    assert none.sums == {}


def test_values_that_were_not_read_stay_as_they_were(timeline: Timeline, history: History) -> None:
    timeline.write(LANE, {"leaf1": look()}, identity())
    own = facts()
    del own[PEER]
    timeline.write(LANE, {"leaf1": look(own, unread={Part.BGP: "bgpd starts"})}, identity())
    assert changes(history) == [
        Change((UNREAD, "BGP sessions"), "text", None, "bgpd starts"),
    ]
    assert history.facts("leaf1")[PEER] == facts()[PEER]
    timeline.write(LANE, {"leaf1": look(own)}, identity())
    assert Change(PEER, "asn", "65001", None) in changes(history)


def test_a_switch_without_an_answer_keeps_its_last_state(
    timeline: Timeline, history: History
) -> None:
    timeline.write(LANE, {"leaf1": look(), "leaf2": silent("no route")}, identity())
    timeline.write(LANE, {"leaf1": silent("no route")}, identity())
    assert changes(history) == [Change((UNREAD, "switch"), "text", None, "no route")]
    assert history.facts("leaf1")[PORT] == facts()[PORT]
    assert history.facts("leaf2") == {}, "a switch that never answered has no state"


def test_a_look_with_some_questions_takes_nothing_away(
    timeline: Timeline, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate of a push asks less than `verify`. Its changes have the window of its own looks."""
    noon = datetime.now(UTC)
    part: Facts = {PORT: {"mtu": "9214"}}
    reads = (
        (look(), 0),
        (look(part, partial=True), 1),
        (look({PORT: {"mtu": "1"}}, partial=True), 2),
    )
    for seen, hours in reads:
        at(monkeypatch, noon + timedelta(hours=hours))
        timeline.write(LANE, {"leaf1": seen}, identity(Source.PUSH))
    assert history.facts("leaf1") == facts(mtu="1")
    (moment,) = history.moments("leaf1", BEGIN)
    window = [(noon + timedelta(hours=hours)).timestamp() for hours in (1, 2)]
    assert [moment.event.since, moment.event.at] == window
    at(monkeypatch, noon + timedelta(hours=3))
    timeline.write(LANE, {"leaf1": look(part)}, identity())
    lost = history.moments("leaf1", BEGIN)[-1].event
    assert lost.since == noon.timestamp(), "the peer may have gone since the first look"
    assert lost.at == (noon + timedelta(hours=3)).timestamp()


def test_findings_begin_and_end_with_a_result_of_their_check(
    timeline: Timeline, history: History
) -> None:
    down = checked("BGP neighbor 10.72.0.1 is Idle")
    other = checked(check="PortMtu")
    unread = checked(outcome=Outcome.UNREAD)
    for results in ((checked(),), (down,), (other,), (unread,), ()):
        timeline.write(LANE, {"leaf1": look(results=results)}, identity())
    key = (FINDING, "SessionState", *PEER)
    began = Change(key, "state", None, "BGP neighbor 10.72.0.1 is Idle")
    assert changes(history) == [began]
    timeline.write(LANE, {"leaf1": look(results=(checked(),))}, identity())
    assert changes(history)[1:] == [Change(key, "state", began.new, None)]


def test_the_clock_of_the_database_may_go_back(
    timeline: Timeline, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = datetime.now(UTC)
    for hours, mtu in ((0, "9214"), (2, "1500"), (-5, "1600"), (3, "1700")):
        at(monkeypatch, noon + timedelta(hours=hours))
        timeline.write(LANE, {"leaf1": look(facts(mtu=mtu))}, identity())
    moments = history.moments("leaf1", BEGIN)
    assert [each.event.changes[0].new for each in moments] == ["1500", "1600", "1700"]
    times = [moment for each in moments for moment in (each.event.since, each.event.at)]
    assert times == sorted(times)


def test_a_look_that_is_older_than_the_stored_one_changes_nothing(
    timeline: Timeline, history: History
) -> None:
    """Two commands look at once, and the first one is slower to write."""
    early = identity(taken=time.monotonic() - 5)
    timeline.write(LANE, {"leaf1": look(facts(mtu="1500"))}, identity())
    outcome = timeline.write(LANE, {"leaf1": look(), "leaf2": look()}, early)
    assert (outcome.switches, outcome.outdated) == (1, ("leaf1",))
    assert history.facts("leaf1") == facts(mtu="1500")
    assert history.facts("leaf2") == facts()


def test_recordings_have_their_own_states_in_the_time_of_the_switch(
    journal: Journal, timeline: Timeline, history: History
) -> None:
    lane, source = Lane(site="berlin1", lane=RECORDING), identity(Source.RECORDING)
    timeline.write(LANE, {"leaf1": look()}, identity())
    timeline.write(lane, {"leaf1": look(facts(mtu="1500"), clock=2_000_000)}, source)
    timeline.write(lane, {"leaf1": look(facts(mtu="1600"), clock=3_000_000)}, source)
    old = timeline.write(lane, {"leaf1": look(facts(mtu="1700"), clock=1_000_000)}, source)
    assert old.outdated == ("leaf1",)
    assert history.facts("leaf1") == facts()
    (moment,) = History(journal.database, lane).moments("leaf1", datetime.fromtimestamp(1, UTC))
    assert (moment.event.since, moment.event.at) == (2_000_000, 3_000_000)
    assert moment.event.changes == (Change(PORT, "mtu", "1500", "1600"),)


def test_pruning_deletes_old_changes_and_keeps_states_and_baselines(
    timeline: Timeline, history: History, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    baselines = Baselines(timeline, LANE)
    for days, mtu in ((40, "1000"), (35, "1100"), (5, "1200"), (0, "1300")):
        at(monkeypatch, now - days * DAY)
        Timeline(timeline.database, retained=9_000 * DAY).write(
            LANE, {"leaf1": look(facts(mtu=mtu))}, identity()
        )
        if days == 40:
            baselines.save("first", "ann", ["leaf1"])
    assert len(changes(history)) == 3
    timeline.write(LANE, {"leaf1": look(facts(mtu="1300"))}, identity())
    assert [each.new for each in changes(history)] == ["1200", "1300"]
    timeline.prune(LANE, timedelta(0))
    with journal.database.reading() as connection:
        assert len(connection.execute(DAYS.select()).all()) <= 1, "the running day stays"
    assert history.facts("leaf1") == facts(mtu="1300")
    against = baselines.compare("first")
    assert against is not None
    assert against.pasts["leaf1"].sums[PORT, "mtu"][:2] == ("1000", "1300")


def test_a_baseline_is_compared_with_the_last_states(timeline: Timeline) -> None:
    baselines = Baselines(timeline, LANE)
    timeline.write(LANE, {"leaf1": look(), "leaf2": look(), "leaf3": look()}, identity())
    assert baselines.save("before", "ann", ["leaf1", "leaf2"]) == 2
    with pytest.raises(BaselineExistsError):
        baselines.save("before", "bob", ["leaf1"])
    timeline.write(LANE, {"leaf1": look(facts(mtu="1500"))}, identity())
    against = baselines.compare("before")
    assert against is not None
    ((spot, net),) = against.pasts["leaf1"].sums.items()
    assert (spot, net.old, net.new) == ((PORT, "mtu"), "9214", "1500")
    assert net.since > 0, "the time of the change is known"
    assert against.pasts["leaf2"].sums == {}
    assert against.absent == ("leaf3",)
    assert [(each.name, each.who, each.switches) for each in baselines.list()] == [
        ("before", "ann", 2)
    ]
    assert baselines.delete("before")
    assert not baselines.delete("before")
    assert baselines.compare("before") is None


def test_a_baseline_of_a_lab_is_not_one_of_the_site(timeline: Timeline) -> None:
    lab = Baselines(timeline, Lane(site="berlin1", lane="lab a"))
    timeline.write(LANE, {"leaf1": look()}, identity())
    assert lab.save("x", "ann", ["leaf1"]) == 0
    assert Baselines(timeline, LANE).list() == []


def test_another_switch_in_its_place_starts_new_counters(
    timeline: Timeline, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = datetime.now(UTC).replace(minute=0) - DAY
    key = ("fcs-errors", "Ethernet1")
    rows = (("S1", 100), ("S1", 130), ("S2", 5_000), ("S2", 5_001), ("S2", 5_001))
    for number, (serial, errors) in enumerate(rows):
        at(monkeypatch, noon + timedelta(minutes=25 * number))
        timeline.write(
            LANE, {"leaf1": look(facts(serial=serial), numbers={key: errors})}, identity()
        )
    found = [summary.total for _, each, summary in history.hours("leaf1", BEGIN) if each == key]
    assert [round(each) for each in found] == [30], "not 4,870 of the other switch"
    assert Change(SERIAL, "serial", "S1", "S2") in changes(history)


def test_thousands_of_changes_are_listed_up_to_a_limit_and_summed_completely(
    timeline: Timeline, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fabricgen.operate.state.timeline.writing.MOST_LISTED", 10)
    for mtu in ("1", "2", "3"):
        own: Facts = {("interface", f"Ethernet{number}"): {"mtu": mtu} for number in range(8)}
        timeline.write(LANE, {"leaf1": Seen(facts=own)}, identity())
    events = [each.event for each in history.moments("leaf1", BEGIN)]
    assert [(len(each.changes), each.more) for each in events] == [(8, 0), (2, 6)]
    (past,) = history.since(datetime.now(UTC) - 2 * DAY)
    assert {net[:2] for net in past.sums.values()} == {("1", "3")}
    assert len(past.sums) == 8


@pytest.mark.parametrize("blob", [b"", b"{}\nrest", b"\xff" * 99])
def test_damaged_rows_are_an_error_in_one_sentence(
    timeline: Timeline, history: History, journal: Journal, blob: bytes
) -> None:
    timeline.write(LANE, {"leaf1": look()}, identity())
    timeline.write(LANE, {"leaf1": look(facts(mtu="1"))}, identity())
    with journal.database.writing() as connection:
        connection.execute(DAYS.update().values(events=blob, net=blob))
    with pytest.raises(JournalFailure, match="the timeline is damaged"):
        history.moments("leaf1", BEGIN)
    with pytest.raises(JournalFailure, match="the timeline is damaged"):
        timeline.write(LANE, {"leaf1": look(facts(mtu="2"))}, identity())
    assert history.facts("leaf1") == facts(mtu="1"), "nothing of the failed look is stored"


def test_a_timeline_of_another_version_is_refused(
    timeline: Timeline, history: History, journal: Journal
) -> None:
    timeline.write(LANE, {"leaf1": look()}, identity())
    with journal.database.writing() as connection:
        connection.execute(TIMELINE.update().values(version=99))
    with pytest.raises(JournalFailure, match="version 99"):
        timeline.write(LANE, {"leaf1": look()}, identity())
    with pytest.raises(JournalFailure, match="version 99"):
        history.facts("leaf1")


def test_one_write_stores_more_switches_than_one_transaction(
    timeline: Timeline, journal: Journal
) -> None:
    looks = {f"leaf{number}": look() for number in range(120)}
    assert timeline.write(LANE, looks, identity()).switches == 120
    later = {name: look(facts(mtu="1")) for name in looks}
    assert timeline.write(LANE, later, identity()).changed == 120
    with journal.database.reading() as connection:
        assert len(connection.execute(SWITCHES.select()).all()) == 120
        assert len(connection.execute(LOOKS.select()).all()) == 1, "it is one look"
