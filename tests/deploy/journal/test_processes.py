"""A journal under kill -9 and under several processes at once, on SQLite and PostgreSQL."""

import os
import re
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.deploy.journal.postgres import Server
from tests.deploy.journal.processes import BATCH, SITE, Talk

from fabricgen.operate.deploy.journal import lock as module
from fabricgen.operate.deploy.journal.holder import Holder, lives, this_process
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, LockHeld, LockLost, Phase, Step
from fabricgen.operate.deploy.journal.tables import LOCKS

KILLS, ROUNDS = 40, 60
PATIENCE = 60


def kill_one(talk: Talk, moment: int) -> tuple[list[str], Counter[str]]:
    """Let one process write and die at a moment; return its pushes and steps."""
    talk.tell(str(moment))
    heard = []
    while (line := talk.hear()) != "gone":
        heard.append(line)
    said = [line.split() for line in heard]
    wrote = Counter({push: int(*count) for word, push, *count in said if word == "wrote"})
    return [push for word, push, *_ in said if word == "started"], wrote


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(address: str) -> None:
    talk, started, wrote = Talk("writers", address), list[str](), Counter[str]()
    for moment in range(1, 3 * KILLS, 3):
        more, counts = kill_one(talk, moment)
        started += more
        wrote += counts
    talk.end()
    with Journal.open(address) as journal:
        found = {push.id for push in journal.unended(SITE)}
        assert set(started) <= found
        assert len(found) <= KILLS
        for push in found:
            batches = Counter(step.batch for step in journal.steps(push))
            assert set(batches.values()) <= {BATCH}, "a transaction was written in part"
            assert len(batches) - wrote[push] in {0, 1}, "what was acknowledged, and what was not"
        taken = journal.takeovers(SITE)
        assert all(each.why == f"process {each.of_pid} has ended" for each in taken)
        assert len(started) - 1 <= len(taken) < KILLS, "each found the lock of the one before"
    assert started, "no writer came far enough to be worth killing"
    assert sum(wrote.values()) > KILLS


def test_a_kill_while_the_file_is_made_leaves_a_file_that_opens(tmp_path: Path) -> None:
    talk = Talk("writers", "")
    for moment in range(1, 31):
        path = tmp_path / str(moment) / "journal.db"
        talk.tell(f"{moment} {path}")
        while talk.hear() != "gone":
            pass
        assert path.exists(), "killed before there is a file, nothing would be tested"
        with Journal.open(path) as journal:
            assert len(journal.history()) <= 1
        line = sqlite3.connect(path)
        assert line.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        line.close()
    talk.end()


@pytest.mark.parametrize("left", [False, True], ids=["free", "left by a dead one"])
def test_of_several_at_once_exactly_one_gets_the_lock(address: str, *, left: bool) -> None:
    with Journal.open(address) as journal:
        talks = [Talk("contender", address) for _ in range(3)]
        assert [talk.hear() for talk in talks] == ["ready"] * 3
        for _ in range(ROUNDS):
            if left:
                plant(journal, beat=datetime.now(UTC) - timedelta(minutes=5))
            for talk in talks:
                talk.tell("go")
            said = [talk.hear() for talk in talks]
            (winner,) = (talk for talk, word in zip(talks, said, strict=True) if word == "won")
            refused = f"held contender {winner.process.pid}"
            assert sorted(said) == [refused, refused, "won"]
            winner.tell("release")
            assert winner.hear() == "released"
        for talk in talks:
            talk.end()
        assert len(journal.takeovers(SITE)) == (ROUNDS if left else 0)


def plant(journal: Journal, **facts: Any) -> None:
    """Leave a lock as the holder on another machine would have left it."""
    row: dict[str, Any] = {
        "site": SITE,
        "token": "x",
        "who": "bob",
        "host": "ops2",
        "machine": "another boot",
    }
    row |= {"pid": 4711, "born": "1", "plan": "plan0", "since": datetime.now(UTC)}
    beat = facts.pop("beat")
    with journal._database.writing() as connection:
        connection.execute(LOCKS.insert().values(**(row | facts), heartbeat=beat))


def test_a_holder_on_another_machine_is_dead_after_a_minute_of_silence(journal: Journal) -> None:
    plant(journal, beat=datetime.now(UTC) - timedelta(seconds=20))
    with pytest.raises(LockHeld, match="bob is pushing berlin1 from ops2"):
        journal.lock(SITE, "plan1", "ann").__enter__()
    with journal._database.writing() as connection:
        connection.execute(LOCKS.delete())
    plant(journal, beat=datetime.now(UTC) - timedelta(seconds=75))
    with journal.lock(SITE, "plan1", "ann"):
        (taken,) = journal.takeovers(SITE)
    assert (taken.by, taken.plan, taken.of_who, taken.of_plan) == ("ann", "plan1", "bob", "plan0")
    assert re.fullmatch(r"no heartbeat for \d+ s", taken.why)
    assert journal.takeovers("lyon1") == []


def test_a_living_holder_of_this_machine_keeps_its_lock_however_silent(journal: Journal) -> None:
    """As a process that was stopped is: it goes on where it was, with switches half done."""
    me, long_ago = this_process(), datetime.now(UTC) - timedelta(days=1)
    plant(journal, beat=long_ago, machine=me.machine, pid=me.pid, born=me.born)
    with pytest.raises(LockHeld):
        journal.lock(SITE, "plan1", "ann").__enter__()


def test_another_process_with_the_pid_of_a_dead_holder_is_not_it(journal: Journal) -> None:
    me = this_process()
    plant(journal, beat=datetime.now(UTC), machine=me.machine, pid=me.pid, born="1")
    with journal.lock(SITE, "plan1", "ann"):
        assert [each.why for each in journal.takeovers()] == [f"process {me.pid} has ended"]


def test_who_lives_on_another_machine_cannot_be_told() -> None:
    me = this_process()
    assert lives(me) is True
    assert lives(Holder(host=me.host, machine="another boot", pid=me.pid, born=me.born)) is None
    assert lives(Holder(host=me.host, machine="", pid=me.pid, born=me.born)) is None
    zombie = os.posix_spawn("/bin/true", ["true"], {})
    os.waitid(os.P_PID, zombie, os.WEXITED | os.WNOWAIT)
    assert lives(Holder(host=me.host, machine=me.machine, pid=zombie, born=me.born)) is False
    os.waitpid(zombie, 0)
    assert lives(Holder(host=me.host, machine=me.machine, pid=zombie, born=me.born)) is False


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not (reached := true()) and time.monotonic() < end:
        time.sleep(0.001)
    return reached


def test_a_holder_renews_its_lock_until_it_is_no_longer_its_own(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BEAT", 0.01)

    def beat() -> Any:
        with journal._database.reading() as connection:
            return connection.scalar(LOCKS.select().with_only_columns(LOCKS.c.heartbeat))

    with journal.lock(SITE, "plan1", "ann") as held:
        first = beat()
        assert eventually(lambda: beat() > first)
        assert held._beating.is_alive()
        with journal._database.writing() as connection:
            connection.execute(LOCKS.update().values({"token": "another's"}))
        assert eventually(lambda: not held._beating.is_alive())
        with pytest.raises(LockLost):
            held.start(Kind.PUSH, "0.1.0", "x")
    with journal._database.reading() as connection:
        assert connection.scalar(LOCKS.select().with_only_columns(LOCKS.c.token)) == "another's"


def test_a_connection_that_was_cut_is_made_anew(postgresql: Server) -> None:
    with Journal.open(postgresql.fresh()) as journal, journal.lock(SITE, "plan1", "ann") as held:
        push = held.start(Kind.PUSH, "0.1.0", "x")
        postgresql.cut()
        held.record(push, [Step(switch="leaf1", phase=Phase.ARMED)])
        assert len(journal.steps(push)) == 1


def test_threads_of_one_push_write_side_by_side(journal: Journal) -> None:
    with journal.lock(SITE, "plan1", "ann") as held:
        push = held.start(Kind.PUSH, "0.1.0", "x")
        steps = [[Step(switch=f"leaf{each}", phase=Phase.ARMED)] for each in range(40)]
        threads = [threading.Thread(target=held.record, args=(push, some)) for some in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(journal.states(push)) == 40
