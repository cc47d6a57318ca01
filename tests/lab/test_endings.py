"""However a lab ends, nothing of it stays: no process, no file, no mount."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.lab.machinery import INTENT, PATIENCE, Ground, new_ground, processes

SWITCH = "be-su01-leaf1"
UP = ("lab", "up", str(INTENT), "--limit", SWITCH)
EARLY, LATE = "its keeper runs", "the switch boots"


def until(happened: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until something happened; the process must not end before."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def begun(ground: Ground, process: subprocess.Popen[str], when: str) -> None:
    """Wait until a boot has come so far; before its keeper runs, nobody could clear a folder."""
    lab = ground.labs / "lab"
    kept = partial(processes, f"fabricgen.operate.lab.supervisor {lab}")
    until((lab / "socket").is_socket if when == LATE else kept, process)


@pytest.mark.parametrize("when", [EARLY, LATE])
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_boot(
    machine: None, ground: Ground, kind: signal.Signals, when: str
) -> None:
    process = ground.start(*UP, "--name", "lab")
    begun(ground, process, when)
    process.send_signal(kind)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "Traceback" not in said
    assert ground.left_in_the_end() == []


def test_a_second_boot_of_that_name_does_not_disturb_the_first(
    machine: None, ground: Ground
) -> None:
    first = ground.start(*UP, "--name", "lab")
    begun(ground, first, EARLY)
    second = ground.call(*UP, "--name", "lab")
    assert second.returncode == 1
    assert (
        second.stderr
        == "error: the lab lab is already running; stop it with `fabricgen lab down`\n"
    )
    assert first.poll() is None
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=PATIENCE)


def test_a_folder_that_a_dead_lab_left_is_no_obstacle(machine: None, ground: Ground) -> None:
    dead = ground.labs / "lab"
    dead.mkdir(parents=True)
    ground.labs.chmod(0o700)
    (dead / "socket").touch()
    (dead / "intent").mkdir()
    process = ground.start(*UP, "--name", "lab")
    begun(ground, process, LATE)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)


@pytest.fixture
def below_run(machine: None) -> Iterator[Ground]:
    """Where it is for most people, /run/user/1000, and what a lab covers with a /run of its own."""
    yield from new_ground(Path("/run") if os.access("/run", os.W_OK) else None)


def keeper(ground: Ground, name: str) -> int:
    """Return the process that keeps a lab."""
    (found,) = [
        line
        for line in processes("fabricgen.operate.lab.supervisor")
        if str(ground.labs / name) in line.split()
    ]
    return int(found.partition(":")[0])


def test_two_labs_and_the_end_of_one(below_run: Ground) -> None:
    ground = below_run
    both = [ground.start(*UP, "--name", name) for name in ("one", "two")]
    for process in both:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, out + err
    for verb in (("status",), ("down",), ("exec", SWITCH, "true"), ("ssh", SWITCH)):
        done = ground.call("lab", *verb)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "error: several labs are running: one, two; select one with --lab\n"

    os.kill(keeper(ground, "two"), signal.SIGKILL)
    end = time.monotonic() + PATIENCE
    while (left := processes(str(ground.labs / "two"))) and time.monotonic() < end:
        time.sleep(0.1)
    assert left == []
    assert not (ground.labs / "two").exists()

    done = ground.call("lab", "exec", SWITCH, "hostname")
    assert (done.returncode, done.stdout) == (0, f"{SWITCH}\n")
    assert ground.call("lab", "down", "--lab", "two").returncode == 1
    assert ground.call("lab", "down").returncode == 0
    assert ground.left_in_the_end() == []
