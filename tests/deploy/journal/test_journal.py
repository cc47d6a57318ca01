"""What was written into a journal, and what is read from it; in SQLite and in PostgreSQL."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.deploy.journal.postgres import Server

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.lock import Lock
from fabricgen.operate.deploy.journal.records import (
    Act,
    JournalFailure,
    Kind,
    LockHeld,
    LockLost,
    NoJournal,
    Phase,
    Result,
    Signed,
    Step,
)
from fabricgen.operate.deploy.journal.tables import JOURNAL, PUSHES, STEPS

OLD, NEW, NEWER = "a" * 64, "b" * 64, "c" * 64
LEAFS = tuple(f"leaf{index}" for index in range(1, 5))


def push(held: Lock, phase: Phase, *, after: str | None = NEW, kind: Kind = Kind.PUSH) -> str:
    """Push to four leafs, each to the same phase."""
    identity = held.start(kind, "0.1.0", "sha256:1")
    held.record(
        identity, [Step(switch=leaf, phase=Phase.ARMING, batch=1, before=OLD) for leaf in LEAFS]
    )
    held.record(
        identity,
        [Step(switch=leaf, phase=phase, batch=1, before=OLD, after=after) for leaf in LEAFS],
    )
    return identity


def test_a_push_is_read_back_as_it_was_written(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        identity = push(held, Phase.CONFIRMED)
        held.end(identity, Result.DONE)
    found = journal.push(identity)
    assert found
    assert (found.site, found.plan, found.kind, found.who) == ("berlin1", "plan1", "push", "ann")
    assert (found.result, found.version, found.intent) == (Result.DONE, "0.1.0", "sha256:1")
    assert found.ended
    assert found.started <= found.ended
    assert found.started.utcoffset() is not None
    assert journal.push("push-0") is None


def test_the_state_of_a_switch_is_its_last_step(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        identity = push(held, Phase.ARMED)
        held.record(
            identity,
            [
                Step(
                    switch="leaf2",
                    phase=Phase.ROLLED_BACK,
                    batch=1,
                    message="2 sessions are down",
                    before=OLD,
                    after=OLD,
                )
            ],
        )
        states = journal.states(identity)
    assert {name: step.phase for name, step in states.items()} == {
        "leaf1": Phase.ARMED,
        "leaf2": Phase.ROLLED_BACK,
        "leaf3": Phase.ARMED,
        "leaf4": Phase.ARMED,
    }
    assert states["leaf2"].message == "2 sessions are down"
    assert [step.phase for step in journal.steps(identity) if step.switch == "leaf2"] == [
        Phase.ARMING,
        Phase.ARMED,
        Phase.ROLLED_BACK,
    ]
    assert journal.tally([identity, "push-0"]) == {
        identity: {Phase.ARMED: 3, Phase.ROLLED_BACK: 1},
        "push-0": {},
    }


def test_history_is_of_one_site_or_all_and_newest_first(journal: Journal) -> None:
    made = []
    for site in ("berlin1", "lyon1", "berlin1"):
        with journal.lock(site, f"of {site}", "ann") as held:
            made.append(held.start(Kind.PUSH, "0.1.0", "x"))
    assert [each.id for each in journal.history()] == made[::-1]
    assert [each.id for each in journal.history("berlin1")] == [made[2], made[0]]
    assert [each.id for each in journal.history(limit=1)] == [made[2]]
    assert [each.id for each in journal.history(plan="of lyon1")] == [made[1]]


def test_what_a_killed_push_left_is_found_and_ended_by_the_next(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        killed = push(held, Phase.ARMED)
        held.record(
            killed,
            [
                Step(switch="leaf1", phase=Phase.CONFIRMED, batch=1),
                Step(switch="leaf2", phase=Phase.CONFIRMING, batch=1),
            ],
        )
    with journal.lock("berlin1", "plan1", "bob") as held:
        assert [each.id for each in journal.unended("berlin1")] == [killed]
        states = journal.states(killed)
        assert [name for name, step in states.items() if step.phase.pending] == [
            "leaf2",
            "leaf3",
            "leaf4",
        ]
        held.end(killed, Result.ABANDONED)
    assert journal.unended("berlin1") == []
    assert journal.unended("lyon1") == []


def test_a_push_is_ended_once_and_by_its_own_site(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        identity = held.start(Kind.PUSH, "0.1.0", "x")
        with journal.lock("lyon1", "plan2", "bob") as other, pytest.raises(JournalFailure):
            other.end(identity, Result.DONE)
        held.end(identity, Result.FAILED)
        with pytest.raises(JournalFailure, match="is not a running push of berlin1"):
            held.end(identity, Result.DONE)
    found = journal.push(identity)
    assert found
    assert found.result is Result.FAILED


def test_the_steps_of_a_batch_are_one_transaction(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        identity = held.start(Kind.PUSH, "0.1.0", "x")
        good = [Step(switch=f"leaf{index}", phase=Phase.ARMING) for index in range(2_000)]
        bad = Step(switch="leaf", phase=None)  # type: ignore[arg-type]
        with pytest.raises(JournalFailure):
            held.record(identity, [*good, bad])
        assert journal.steps(identity) == []
        held.record(identity, good)
        held.record(identity, [])
    assert len(journal.steps(identity)) == 2_000


def test_what_a_switch_says_is_storable_and_not_endless(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        identity = held.start(Kind.PUSH, "0.1.0", "x")
        said = ["nul \0 half \ud800 'quote", "x" * 5_000_000]
        held.record(
            identity, [Step(switch="leaf1", phase=Phase.FAILED, message=text) for text in said]
        )
    first, second = journal.steps(identity)
    assert first.message == "nul \N{REPLACEMENT CHARACTER} half ? 'quote"
    assert second.message.endswith("… and 4996000 more characters")


def test_a_step_belongs_to_a_push(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held, pytest.raises(JournalFailure):
        held.record("push-0", [Step(switch="leaf1", phase=Phase.ARMING)])


def test_one_that_is_not_there_is_not_made_by_reading(address: str) -> None:
    with pytest.raises(NoJournal, match="no push yet"):
        Journal.open(address, make=False)
    Journal.open(address).close()
    with Journal.open(address, make=False) as journal:
        assert journal.history() == []


def test_a_journal_of_a_newer_program_is_refused(address: str) -> None:
    with Journal.open(address) as journal, journal._database.writing() as connection:
        connection.execute(JOURNAL.update().values(version=99))
    with pytest.raises(
        JournalFailure,
        match=r"written by newer fabricgen \(tables 99, here 3\); use that version, or",
    ):
        Journal.open(address)


def test_what_people_signed_is_read_back(journal: Journal) -> None:
    made = datetime(2026, 11, 22, 20, tzinfo=UTC)
    until = made + timedelta(hours=8)
    by_bob, by_cyn = (
        Signed(
            act=act,
            plan=OLD,
            site="berlin1",
            who=who,
            made=made,
            until=until,
            reason=reason,
            signature="-----BEGIN",
        )
        for act, who, reason in ((Act.APPROVE, "bob", ""), (Act.BREAK_GLASS, "cyn", "rail 3"))
    )
    with journal.lock("berlin1", "plan1", "ann") as held:
        first = held.start(Kind.PUSH, "0.1.0", "plan1", [by_bob, by_cyn])
        second = held.start(Kind.PUSH, "0.1.0", "plan1")
    assert journal.signed(first) == [by_bob, by_cyn]
    assert journal.signed(second) == []


def test_the_journal_knows_what_time_it_is_at_least(journal: Journal) -> None:
    before = journal.latest("berlin1")
    with journal.lock("berlin1", "plan1", "ann") as held:
        held.start(Kind.PUSH, "0.1.0", "plan1")
        later = before + timedelta(days=1)
        with journal._database.writing() as connection:
            connection.execute(PUSHES.update().values(started=later))
    assert journal.latest("berlin1") == later
    assert before <= journal.latest("lyon1") < later


def test_a_second_push_is_told_who_and_since_when(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann"):
        with pytest.raises(LockHeld) as refused:
            journal.lock("berlin1", "plan2", "bob").__enter__()
        with journal.lock("lyon1", "plan3", "bob"):
            pass
    assert (refused.value.who, refused.value.plan) == ("ann", "plan1")
    assert "ann is pushing berlin1 from " in str(refused.value)
    assert f"since {refused.value.since:%Y-%m-%d}" in str(refused.value)
    with journal.lock("berlin1", "plan2", "bob"):
        pass
    assert journal.takeovers() == []


def test_an_error_gives_the_lock_back(journal: Journal) -> None:
    with pytest.raises(ZeroDivisionError), journal.lock("berlin1", "plan1", "ann"):
        _ = 1 / 0
    with journal.lock("berlin1", "plan2", "bob"):
        pass


def test_who_lost_the_lock_writes_nothing(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        identity = held.start(Kind.PUSH, "0.1.0", "x")
        held._token, own = "of somebody else", held._token
        with pytest.raises(LockLost):
            held.record(identity, [Step(switch="leaf1", phase=Phase.ARMING)])
        with pytest.raises(LockLost):
            held.start(Kind.PUSH, "0.1.0", "x")
        with pytest.raises(LockLost):
            held.end(identity, Result.DONE)
        held._token = own
    assert journal.steps(identity) == []
    assert [(each.id, each.result) for each in journal.history()] == [(identity, None)]


def test_steps_are_on_the_disk_when_they_are_acknowledged(journal: Journal) -> None:
    with journal._database.reading() as connection:
        if journal._database.file:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 3
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        else:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_waiting_for_the_disk_cannot_be_switched_off_by_a_role(postgresql: Server) -> None:
    lazy = postgresql.fresh().replace("options=", "options=-csynchronous_commit%3Doff%20")
    with Journal.open(lazy) as journal, journal._database.reading() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_only_its_owner_may_read_the_file_and_git_does_not_see_it(tmp_path: Path) -> None:
    path = tmp_path / ".fabricgen" / "journal.db"
    Journal.open(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_steps_have_no_column_that_is_not_written(journal: Journal) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        held.record(
            held.start(Kind.PUSH, "0.1.0", "x"),
            [Step(switch="l", phase=Phase.FAILED, batch=3, message="m", before=OLD, after=NEW)],
        )
    with journal._database.reading() as connection:
        (row,) = connection.execute(STEPS.select())
    assert None not in row
