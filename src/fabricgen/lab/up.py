"""A plan and its rendered files in; a running lab out, or nothing left behind."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabricgen.lab.client import LabClient, LabFailure, LabGone
from fabricgen.lab.machine.machine import Choice, choose, require
from fabricgen.lab.place import Place
from fabricgen.lab.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fabricgen.compiler import File
    from fabricgen.lab.plan import LabPlan

_PATIENCE = 60  # seconds for a machine to say that it is there; 2 are usual
_AT_ONCE = {"uml": 3, "direct": 8}
"""Switches that start at the same time: more than CPUs, since daemons mostly wait."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be booted. intent: the folder it was compiled from. way: None lets us choose."""

    plan: LabPlan
    intent: Path
    limit: tuple[str, ...] = ()
    way: str | None = None


def boot(
    wish: Wish,
    files: Iterable[File],
    said: Callable[[Choice], None],
    tell: Callable[[dict[str, Any]], None],
) -> LabClient:
    """Boot a lab. LabFailure, in one sentence, when anything is in its way; nothing stays then."""
    plan = wish.plan
    choice, tools, place = choose(wish.way), Tools.here(), Place.of(plan.name)
    if place.alive:
        raise LabFailure(f"the lab {plan.name} is up already; `fabricgen lab down` ends it")
    memory = require(choice, tools, len(plan.switches), len(plan.hosts))
    said(choice)
    place.clear()
    try:
        _write(place, wish, files)
        client = _start(place, choice, memory)
        workers = _AT_ONCE[choice.way]
        done = client.call("boot", tell, plan=plan.as_data(), workers=workers)
        _know(place, client.call("keys", key=_key(place, tools)))
        noted = {"way": choice.way, "why": choice.why, "limit": wish.limit, "lifted": plan.lifted}
        (place.folder / "up").write_text(json.dumps(noted | done))
    except LabGone as error:
        last = _last_words(place)
        _undo(place)
        raise LabFailure(f"{error}: {last}") from error
    except BaseException as error:
        _undo(place)
        if isinstance(error, OSError):
            raise LabFailure(f"{place.folder}: {error.strerror or error}") from error
        raise
    return client


def _write(place: Place, wish: Wish, files: Iterable[File]) -> None:
    place.folder.mkdir(mode=0o700)
    (place.folder / "starting").touch()
    place.intent.mkdir()
    for source in sorted(wish.intent.rglob("*.y*ml")):
        copy = place.intent / source.relative_to(wish.intent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    wanted = tuple(f"{switch.folder}/" for switch in wish.plan.switches)
    for file in files:
        if file.path.startswith(wanted):
            path = place.files / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text)
            path.chmod(0o755 if file.executable else 0o644)


def _start(place: Place, choice: Choice, memory: int) -> LabClient:
    with place.log.open("w") as log:
        words = (str(place.folder), choice.way, str(memory))
        keeper = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "fabricgen.lab.keeper", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    deadline = time.monotonic() + _PATIENCE
    while not place.alive:
        if keeper.poll() is not None or time.monotonic() > deadline:
            keeper.kill()
            raise LabFailure(f"the lab's machine did not start: {_last_words(place)}")
        time.sleep(0.05)
    return LabClient(place.socket)


def _last_words(place: Place) -> str:
    """Return the end of what keeper, kernel and engine wrote to the log."""
    lines = place.log.read_text(errors="replace").strip().splitlines() if place.log.exists() else []
    return " / ".join(line.strip() for line in lines[-4:]) or "its log is empty"


def _key(place: Place, tools: Tools) -> str:
    """Make the key that opens every switch of this lab and nothing else."""
    program = tools.find("usr/bin/ssh-keygen") or "ssh-keygen"
    words = ("-q", "-t", "ed25519", "-N", "", "-C", f"lab {place.name}", "-f", str(place.key))
    subprocess.run([str(program), *words], check=True, capture_output=True)  # noqa: S603
    return place.key.with_suffix(".pub").read_text()


def _know(place: Place, keys: dict[str, str]) -> None:
    """Write the host keys down, so that SSH is checked here as it is anywhere else."""
    lines = [f"{name} {' '.join(key.split()[:2])}" for name, key in sorted(keys.items())]
    place.known_hosts.write_text("\n".join(lines) + "\n")


def _undo(place: Place) -> None:
    """End whatever was started, and leave nothing."""
    with contextlib.suppress(LabFailure, OSError, ValueError):
        LabClient(place.socket).call("down")
    place.clear()
