"""`fabricgen verify` and `history` with earlier states: changes, baselines, and a bad journal."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator
from tests.cli.calling import ROOT, Said, call
from tests.deploy.verbs.test_verify import DESIGNED, DIFFERS, fleet, said
from tests.unit.proof.state.lab import LEAF, SPINE

from fabricgen.operate.deploy.journal import database
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, Phase, Result, Step
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.records import Lane

__all__ = ["fleet"]
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
JOURNAL = Path("site/.fabricgen/journal.db")
CHANGED = "BGP neighbor 10.72.0.128: remote ASN was 4294967294, is 65001"
NO_PUSH = "no push of the journal; see the switch's log"


def history(*words: str, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Call history; the folder here has no intent."""
    monkeypatch.setattr("fabricgen.cli.history.site_name", lambda _: "small")
    return call("history", "site", *words)


def push() -> str:
    """Push to a leaf, by the journal alone."""
    with Journal.open(JOURNAL) as journal, journal.lock("small", "3f9ac1d2e4b0", "ann") as held:
        identity = held.start(Kind.PUSH, "0.1.0", "x")
        held.record(identity, [Step(switch=LEAF, phase=Phase.ARMING, batch=1)])
        held.record(identity, [Step(switch=LEAF, phase=Phase.CONFIRMED, batch=1)])
        held.end(identity, Result.DONE)
    return identity


@contextmanager
def locked(how: str) -> Iterator[None]:
    """Hold a lock of the file of the journal."""
    other = sqlite3.connect(JOURNAL, isolation_level=None)
    other.execute(f"BEGIN {how}")
    yield
    other.close()


def test_changes_since_a_time_are_sentences_with_their_cause(fleet: SimpleNamespace) -> None:
    said()
    fleet.shows[LEAF] = DIFFERS
    ran = said("--since", "1h")
    lines = [line.strip() for line in ran.out.splitlines()]
    assert ran.err == ""
    assert CHANGED in lines
    assert any(line.endswith(NO_PUSH) for line in lines)
    assert any(line.startswith(f"finding began: {CHANGED.partition(':')[0]}") for line in lines)
    assert f"{LEAF}: compared with its first look, " in ran.out
    fleet.shows[LEAF] = DESIGNED
    assert "nothing changed" in said("--since", "1h").out


def test_a_plan_and_a_push_are_moments_and_causes(fleet: SimpleNamespace) -> None:
    said()
    identity = push()
    fleet.shows[LEAF] = DIFFERS
    for word in ("3f9ac1d2e4b0", identity):
        ran = json.loads(said("--since", word, "--format", "json").out)["history"]
        assert ran["since"].startswith(f"push of plan 3f9ac1d2e4b0 ({identity}, ")
        (change,) = (each for each in ran["changes"] if each["change"] == "changed")
        assert (change["switch"], change["new"]) == (LEAF, "65001")
        assert change["cause"]["kind"] == "push"
        assert change["cause"]["pushes"][0]["push"] == identity


def test_a_baseline_is_saved_compared_listed_and_deleted(
    fleet: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "baseline before-upgrade: 2 switches" in said("--save-baseline", "before-upgrade").err
    again = said("--save-baseline", "before-upgrade")
    assert again.code == 1
    assert "--delete-baseline before-upgrade" in again.err
    fleet.shows[LEAF] = DIFFERS
    for option in ("--baseline", "--since"):
        ran = said(option, "before-upgrade")
        assert ran.code != 1, ran.err
        assert "since baseline before-upgrade: 1 value changed" in ran.out
        assert CHANGED in ran.out
    table = said("--baseline", "before-upgrade", "--format", "markdown").out
    assert f"| {LEAF} | {CHANGED} |" in table
    listed = history("--baselines", monkeypatch=monkeypatch).out
    assert "  before-upgrade  2 switches  " in listed
    history("--delete-baseline", "before-upgrade", monkeypatch=monkeypatch)
    assert history("--baselines", monkeypatch=monkeypatch).out == "no baseline\n"
    gone = said("--baseline", "before-upgrade")
    assert gone.code == 1
    assert "before-upgrade is no baseline" in gone.err


def test_the_history_of_a_switch_names_each_look(
    fleet: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for answer in (DESIGNED, DIFFERS, DESIGNED):
        fleet.shows[LEAF] = answer
        said()
    shown = history("--switch", LEAF, "--since", "2h", monkeypatch=monkeypatch).out
    assert CHANGED in shown
    assert "remote ASN was 65001, is 4294967294" in shown
    ran = history("--switch", LEAF, "--format", "json", monkeypatch=monkeypatch)
    rows = json.loads(ran.out)["history"]
    assert [row["source"] for row in rows] == ["verify", "verify"]
    assert history("--switch", SPINE, monkeypatch=monkeypatch).out == "no change\n"
    assert "deleted" in history("--prune", "0", monkeypatch=monkeypatch).out


def test_a_switch_that_does_not_answer_is_a_change_and_loses_no_state(
    fleet: SimpleNamespace,
) -> None:
    said()
    both = fleet.shows
    fleet.shows = {LEAF: both[LEAF]}
    fleet.unread = {SPINE: "no route"}
    out = said("--since", "1h").out
    assert "switch could not be read: no route" in out
    assert "1 part unread on 1 switch" in out
    fleet.shows, fleet.unread = both, {}
    assert "nothing changed" in said("--since", "1h").out


@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_verify_works_with_a_locked_journal(
    fleet: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    code = said().code
    monkeypatch.setattr(database, "_PATIENCE", 0)
    with locked(how):
        ran = said()
    assert ran.code == code
    assert "timeline not written (" in ran.err
    assert "another process locked it" in ran.err


def test_changes_of_a_look_that_is_not_stored_are_shown(
    fleet: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    said()
    fleet.shows[LEAF] = DIFFERS
    monkeypatch.setattr(database, "_PATIENCE", 0)
    with locked("IMMEDIATE"):
        ran = said("--since", "1h")
        saved = said("--save-baseline", "now")
    assert "timeline not written (" in ran.err
    assert CHANGED in ran.out
    assert saved.code == 1
    assert "this look is not written" in saved.err


@pytest.mark.parametrize(
    ("address", "why"),
    [("postgresql://nobody@127.0.0.1:1/x", ""), ("damaged", "the file is not a journal")],
)
def test_verify_works_with_an_unusable_journal(
    fleet: SimpleNamespace, tmp_path: Path, address: str, why: str
) -> None:
    code = said().code
    (tmp_path / "damaged").write_text("no database, but longer than its header" * 9)
    ran = said("--journal", address)
    assert ran.code == code
    assert "warning: timeline not written (" in ran.err
    assert why in ran.err
    assert fleet.settled == [0, 0]


def test_wrong_words_are_refused_before_a_look(fleet: SimpleNamespace) -> None:
    assert said("--since", "1h", "--baseline", "x").code == 64
    for name in ("2h", "1st", "a b", "../x", "push-12ab", "3f9ac1d2e4b0"):
        assert said("--save-baseline", name).code == 64, name
    assert fleet.settled == []
    unknown = said("--since", "2026-99-99")
    assert unknown.code == 1
    assert "2026-99-99 is no baseline, plan, push, time or age (baselines: none)" in unknown.err


def test_an_incident_is_since_the_first_look_with_its_findings(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF] = DIFFERS
    (first,) = json.loads(said("--format", "json").out)["incidents"]
    assert first["since"] == ""  # it may be older than the first look
    fleet.shows[LEAF] = DESIGNED
    said()
    fleet.shows[LEAF] = DIFFERS
    times = []
    for _ in range(2):
        (incident,) = json.loads(said("--format", "json").out)["incidents"]
        times.append(incident["since"])
    with Journal.open(JOURNAL) as journal:
        looks = History(journal.database, Lane(site="small", lane="")).moments(LEAF, LONG_AGO)
    at = datetime.fromtimestamp(looks[-1].event.at, UTC)
    assert times == [f"{at:%Y-%m-%d %H:%M:%S} UTC"] * 2
    assert f"since {times[0]}" in said().out
    assert times[0] in said("--format", "markdown").out


def test_incidents_and_changes_obey_the_schema(fleet: SimpleNamespace) -> None:
    schema = json.loads((ROOT / "docs/reference/verify.schema.json").read_text())
    said()
    identity = push()
    fleet.shows[LEAF], fleet.unread = DIFFERS, {"far": "no route"}
    told = json.loads(said("--since", identity, "--format", "json").out)
    assert told["incidents"]
    assert told["history"]["changes"]
    assert told["history"]["no_earlier_state"] == ["far"]
    Draft202012Validator(schema).validate(told)
    del told["history"]["changes"][0]["cause"]
    assert not Draft202012Validator(schema).is_valid(told)
