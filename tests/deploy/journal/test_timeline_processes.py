"""A timeline under kill -9 and under two processes at once, on SQLite and PostgreSQL."""

import random
import subprocess
import sys
import threading

from tests.deploy.journal.looks import BEGIN, LANE, PORT

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.timeline import Timeline

KILLS, SWITCHES = 20, 60
"""The switches need two transactions, so that a kill can come between them."""


def started(address: str, *words: int) -> subprocess.Popen[str]:
    """Start a process that writes."""
    command = [sys.executable, "-m", "tests.deploy.journal.timeline_processes", address]
    return subprocess.Popen(
        [*command, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def is_chain(history: History, switch: str) -> str:
    """Check that each change of a switch follows from the one before; return the last value."""
    last, time = "", 0.0
    for moment in history.moments(switch, BEGIN):
        (change,) = (each for each in moment.event.changes if each.key == PORT)
        assert change.old == last or not last
        assert moment.event.since >= time
        last, time = str(change.new), moment.event.at
    stored = history.facts(switch)
    assert not last or stored[PORT]["mtu"] == last
    return str(stored[PORT]["mtu"]) if stored else ""


def test_a_kill_at_any_moment_loses_at_most_the_look_that_it_interrupts(address: str) -> None:
    dice, done = random.Random(5), 1
    for _ in range(KILLS):
        moment = dice.randrange(1, 900)
        process = started(address, SWITCHES, moment, done)
        out, err = process.communicate(timeout=120)
        assert process.returncode == -9, err
        stored = [int(line.split()[0]) for line in out.splitlines()]
        done = max([done, *(number + 1 for number in stored)])
        with Journal.open(address) as journal:
            history = History(journal.database, LANE)
            values = {is_chain(history, f"leaf{number}") for number in range(SWITCHES)}
        acknowledged, interrupted = str(done - 1), str(done)
        allowed = {acknowledged, interrupted} if done > 1 else {"", interrupted}
        assert values <= allowed, f"after a kill at statement {moment}"
    assert done > 1, "no process came far enough to be worth killing"
    with Journal.open(address) as journal:
        history = History(journal.database, LANE)
        assert Timeline(journal.database).prune(LANE, 9_000 * (BEGIN - BEGIN)) >= 0
        assert is_chain(history, "leaf0")


def test_two_processes_at_once_write_one_history(address: str) -> None:
    Journal.open(address).close()
    both = [started(address, 3, 0, begin, begin + 8) for begin in (100, 200)]
    outputs: list[str] = []

    def wait(process: subprocess.Popen[str]) -> None:
        out, err = process.communicate(timeout=120)
        assert not process.returncode, err
        outputs.append(out)

    threads = [threading.Thread(target=wait, args=(each,)) for each in both]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(outputs) == 2, "both ended without an error"
    with Journal.open(address) as journal:
        history = History(journal.database, LANE)
        last = {is_chain(history, f"leaf{number}") for number in range(3)}
        (past, *_) = history.since(BEGIN)
    assert last <= {"107", "207"}, "the last look of one of them is the state"
    assert past.sums[PORT, "mtu"].new in last
