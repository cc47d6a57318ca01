"""Start a lab and remove everything if the start fails."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from fabricgen.compile.compiler import File
from fabricgen.operate.lab.client import LabClient, LabFailure, LabGone
from fabricgen.operate.lab.given import copy_intent
from fabricgen.operate.lab.machine.machine import Choice, choose, require
from fabricgen.operate.lab.place import Place, running
from fabricgen.operate.lab.plan import BOOT, LabPlan
from fabricgen.operate.lab.tools import Tools

_PATIENCE = 60  # seconds until a machine answers; 2 are usual
_AT_ONCE = {"uml": 3, "direct": 8}
"""Simultaneous starts: more than CPUs, since daemons mostly wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRequest:
    """Inputs of a boot.

    Attributes:
        intent: Folder of the intent.
        way: Kernel for the lab; None for an automatic choice.
        frr: Version of an unpacked FRR; empty for the one of this system.
    """

    plan: LabPlan
    intent: Path
    limit: tuple[str, ...] = ()
    way: str | None = None
    frr: str = ""


def boot(
    wish: LabRequest,
    files: Iterable[File],
    told: Callable[[Choice], None],
    tell: Callable[[dict[str, Any]], None],
) -> LabClient:
    """Boot a lab, or leave nothing behind.

    Remains of a boot that was killed before its supervisor ran are removed first, of any lab.

    Raises:
        LabFailure: The boot failed; the message is one sentence.
    """
    running()
    plan = wish.plan
    choice, tools, place = choose(wish.way), Tools.here(wish.frr), Place.of(plan.name)
    hosts, fresh = len(plan.hosts), bool(plan.fresh)
    memory = require(choice, tools, len(plan.switches) + len(plan.routers), hosts, fresh=fresh)
    with _held(place) as lock:
        told(choice)
        _write(place, wish, files)
        with _kept(place, choice, memory, lock, wish.frr) as client:
            workers = _AT_ONCE[choice.way]
            done = client.call("boot", tell, plan=plan.as_data(), workers=workers)
            know(place, client.call("keys", key=_key(place, tools)))
            noted = {
                "way": choice.way,
                "why": choice.why,
                "limit": wish.limit,
                **_about(wish, client),
            }
            (place.folder / "up").write_text(json.dumps(noted | {"lifted": plan.lifted} | done))
    return client


def _about(wish: LabRequest, client: LabClient) -> dict[str, Any]:
    """Return the facts for `lab list`."""
    names = [switch.name for switch in wish.plan.switches]
    said = client.execute(names[0], ("/usr/lib/frr/zebra", "--version")).stdout
    return {
        "site": str(wish.intent.resolve()),
        "switches": names,
        "since": int(time.time()),
        "frr": said.split()[2] if said.startswith("zebra version ") else "",
    }


@contextlib.contextmanager
def _held(place: Place) -> Iterator[int]:
    """Take the lab's folder; remove it if the block fails."""
    try:
        lock = place.take()
        if lock is None:
            raise LabFailure(
                f"the lab {place.name} is already running; stop it with `fabricgen lab down`"
            )
        try:
            yield lock
        except BaseException:
            shutil.rmtree(place.folder, ignore_errors=True)
            raise
        finally:
            os.close(lock)
    except OSError as error:
        raise LabFailure(f"{place.folder}: {error.strerror or error}") from error


def _write(place: Place, wish: LabRequest, files: Iterable[File]) -> None:
    copy_intent(wish.intent, place.intent)
    wanted = (f"{BOOT}/", *(f"{switch.folder}/" for switch in wish.plan.switches))
    outside = (
        File(f"{router.folder}/{path}", text, executable=False)
        for router in wish.plan.routers
        for path, text in router.files.items()
    )
    for file in (*(each for each in files if each.path.startswith(wanted)), *outside):
        path = place.files / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
        path.chmod(0o755 if file.executable else 0o644)


@contextlib.contextmanager
def _kept(place: Place, choice: Choice, memory: int, lock: int, frr: str) -> Iterator[LabClient]:
    """Start a supervisor; if the block fails, the supervisor ends with all its processes."""
    words = (str(place.folder), choice.way, str(memory), str(lock), *([frr] if frr else []))
    with place.log.open("w+") as log:
        keeper = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "fabricgen.operate.lab.supervisor", *words],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            pass_fds=[lock],
            start_new_session=True,
        )
        try:
            yield _answering(place, keeper, log)
        except BaseException as error:
            keeper.communicate()
            if isinstance(error, LabGone):
                raise LabFailure(f"{error}: {_last_words(log)}") from error
            raise
    assert keeper.stdin is not None
    with keeper.stdin as line:
        line.write(b".")
    keeper.returncode = 0  # prevents a wait for it from here on


def _answering(place: Place, keeper: subprocess.Popen[bytes], log: TextIO) -> LabClient:
    """Wait until a supervisor answers."""
    deadline = time.monotonic() + _PATIENCE
    while not place.alive:
        if keeper.poll() is not None or time.monotonic() > deadline:
            raise LabFailure(f"the machine of the lab did not start: {_last_words(log)}")
        time.sleep(0.05)
    return LabClient(place.socket)


def _last_words(log: TextIO) -> str:
    """Return the last lines of supervisor, kernel and engine in the log."""
    log.seek(0)
    lines = log.read().strip().splitlines()
    return " / ".join(line.strip() for line in lines[-4:]) or "its log is empty"


def _key(place: Place, tools: Tools) -> str:
    """Create the key for the switches of this lab only."""
    program = tools.find("usr/bin/ssh-keygen") or "ssh-keygen"
    words = ("-q", "-t", "ed25519", "-N", "", "-C", f"lab {place.name}", "-f", str(place.key))
    subprocess.run([str(program), *words], check=True, capture_output=True)  # noqa: S603
    return place.key.with_suffix(".pub").read_text()


def know(place: Place, keys: dict[str, str]) -> None:
    """Write the host keys of switches to known_hosts, so that SSH verifies them as usual."""
    lines = [f"{name} {' '.join(key.split()[:2])}" for name, key in sorted(keys.items())]
    place.known_hosts.write_text("\n".join(lines) + "\n")
