"""What the lab's tests need of this machine: whether a lab can boot, and what one left behind."""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.conftest import NOT_RUN

from fabricgen.operate.lab.client import LabClient, LabFailure
from fabricgen.operate.lab.kernel import environment_of
from fabricgen.operate.lab.machine.machine import choose, require
from fabricgen.operate.lab.tools import KERNEL, Tools

ROOT = Path(__file__).resolve().parents[2]


def with_few_ports(intent: Path) -> Path:
    """Copy a site, each switch with 8 ports and not 32; the copy goes when this process ends.

    The cables, addresses and sessions stay the same.
    """
    copy = Path(tempfile.mkdtemp(prefix="intent-"))
    atexit.register(shutil.rmtree, copy)
    shutil.copytree(intent, copy, dirs_exist_ok=True)
    copy.chmod(0o755)  # a test reads it as nobody
    shutil.copytree(Path(__file__).with_name("catalog"), copy / "catalog")
    for path in copy.glob("*.yaml"):
        path.write_text(path.read_text().replace("7050CX3-32S", "LAB-8"))
    return copy


INTENT = with_few_ports(ROOT / "intent" / "lab")
FABRICGEN = (sys.executable, "-m", "fabricgen")
PATIENCE = 600
"""Seconds after which a command of a test is given up: far more than any of them takes."""


@cache
def why_not() -> str:
    """Say why no lab can boot here; empty when one can."""
    tools = Tools.here()
    try:
        choice = choose()
        require(choice, tools, 1, 1)
    except LabFailure as failure:
        return str(failure)
    if choice.way == "direct":
        return ""
    kernel = tools.find(KERNEL)
    assert kernel is not None
    words = ("mem=64M", "rootfstype=hostfs", "rootflags=/", "ro", "init=/bin/true", "panic=-1")
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            [*started_by(kernel), *words, "con=null", "con0=null,fd:1", f"uml_dir={place}/"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=PATIENCE,
        )
    said = done.stdout + done.stderr
    started = "exitcode=0x00000000" in said
    return "" if started else f"user-mode-linux does not boot: {said.strip()[-300:]}"


def started_by(kernel: Path) -> list[str]:
    """Return the command of a user-mode kernel, with its environment."""
    return ["env", *(f"{name}={own}" for name, own in environment_of(kernel).items()), str(kernel)]


def need_a_lab() -> None:
    """Skip, loudly, where no lab can boot."""
    if reason := why_not():
        pytest.skip(f"{NOT_RUN}: {reason}")


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder for labs, short enough for sockets. environment: what changes against our own."""

    folder: Path
    environment: Mapping[str, str]

    @property
    def labs(self) -> Path:
        """Where the labs of this user are in it."""
        return self.folder / f"fabricgen-{os.getuid()}"

    def start(self, *words: str, **options: str) -> subprocess.Popen[str]:
        """Start `fabricgen` with these words."""
        return subprocess.Popen(
            [*FABRICGEN, *words],
            env=os.environ | self.environment | options,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def call(self, *words: str, **options: str) -> subprocess.CompletedProcess[str]:
        """Run `fabricgen` with these words to its end."""
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def client(self, name: str) -> LabClient:
        """Return a client of a lab."""
        return LabClient(self.labs / name / "socket")

    def left(self) -> list[str]:
        """Return every process that names the folder, every file in it and every mount below it."""
        # os.walk passes over a folder that goes meanwhile
        walked = os.walk(self.labs)
        files = [f"{place}/{name}" for place, below, here in walked for name in (*below, *here)]
        mounts = [
            line.split()[4]
            for line in Path("/proc/self/mountinfo").read_text().splitlines()
            if str(self.folder) in line.split()[4] and line.split()[4] != str(self.folder)
        ]
        return [*processes(str(self.folder)), *files, *mounts]

    def left_in_the_end(self) -> list[str]:
        """Return what is left when everything had the time to go."""
        end = time.monotonic() + 30
        while (left := self.left()) and time.monotonic() < end:
            time.sleep(0.1)
        return left


def processes(word: str) -> list[str]:
    """Return the command lines with a word in them; a process that ended has none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in line and int(folder.name) != os.getpid():
            found.append(f"{folder.name}: {line}")
    return found


def new_ground(where: Path | None = None) -> Iterator[Ground]:
    """Yield a ground for labs; nothing may be left on it."""
    folder = Path(tempfile.mkdtemp(prefix="lab-", dir=where))
    ground = Ground(folder, {"XDG_RUNTIME_DIR": str(folder)})
    try:
        yield ground
        left = ground.left_in_the_end()
        assert not left, left
    finally:
        for line in processes(str(folder)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(line.partition(":")[0]), signal.SIGKILL)
        shutil.rmtree(folder)
