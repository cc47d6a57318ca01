"""The files, locks and commands of a SONiC switch; this module runs on it."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

# The root file system is an overlay over the image's own writable folder: it outlives a reboot
# (sonic-buildimage files/initramfs-tools/union-mount.j2), not the installation of another image.
HOME = Path("/var/lib/fabricgen")
STATE, ANSWER = HOME / "commit.json", HOME / "answer.json"
LOCK, ROUTING = HOME / "lock", HOME / "routing"
CHECKPOINTS = Path("/etc/sonic/checkpoints")  # generic_updater.py CHECKPOINTS_DIR
FRR = Path("/etc/sonic/frr/frr.conf")  # docker_init.sh of docker-fpm-frr: split-unified
KEPT = 10
TICK = 0.1
MADE = "pg_lossless_"
# frr-pythontools is built, but community images do not install it in the bgp container
# (sonic-buildimage rules/docker-fpm-frr.mk and #12163); others do.
RELOADER = "/usr/lib/frr/frr-reload.py"
BGP = ("docker", "exec", "bgp")
ENDED = ("confirmed", "reverted", "failed")


class StepError(Exception):
    """A step that did not succeed; the text is why."""


def fingerprint(tables: Any) -> str:
    """Return the hash of tables, whatever the order of their keys."""
    return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()


def own(tables: dict[str, Any], owned: list[str]) -> dict[str, Any]:
    """Return only the owned tables."""
    return {name: tables[name] for name in sorted(owned) if tables.get(name)}


def settled(tables: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the buffer manager makes by itself: profiles for each speed and length.

    sonic-net/sonic-swss cfgmgr/buffermgr.cpp writes BUFFER_PROFILE|pg_lossless_<speed>_<length>_
    profile; nobody is hurt by one that no port uses.
    """
    known = wanted.get("BUFFER_PROFILE", {})
    profiles = {
        key: fields
        for key, fields in tables.get("BUFFER_PROFILE", {}).items()
        if key in known or not key.startswith(MADE)
    }
    rest = {name: rows for name, rows in tables.items() if name != "BUFFER_PROFILE"}
    return {**rest, "BUFFER_PROFILE": profiles} if profiles else rest


def run(words: tuple[str, ...], lock: int = -1, patience: float = 600, mask: int = 0o022) -> str:
    """Run a command and return what it said; StepError with its last words when it fails.

    It inherits the lock: should we be killed, the switch stays busy until the command has ended.
    """
    held = (lock,) if lock >= 0 else ()
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=patience,
            pass_fds=held,
            umask=mask,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StepError(f"{' '.join(words[:2])}: {error}") from error
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise StepError(f"{' '.join(words[:2])}: {lines[-1] if lines else done.returncode}")
    return done.stdout


def read_tables() -> dict[str, Any]:
    """Return CONFIG_DB as GCU itself reads it (gu_common.py get_config_db_as_text)."""
    said = json.loads(run(("sonic-cfggen", "-d", "--print-data")))
    assert isinstance(said, dict)
    return said


def read(path: Path) -> Any:
    """Return the JSON of a file, None when it is not there."""
    with contextlib.suppress(FileNotFoundError):
        return json.loads(path.read_text())
    return None


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Put a file in its place as a whole: old or new, whatever happens."""
    new = path.with_name(path.name + ".fabricgen")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileNotFoundError):  # frr.conf belongs to frr in the container
        before = path.stat()
        os.chown(new, before.st_uid, before.st_gid)
        new.chmod(before.st_mode & 0o7777)
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def note(**changed: Any) -> dict[str, Any]:
    """Write down what phase a commit is in, before it is; survives a loss of power."""
    state = {**(read(STATE) or {}), **changed}
    write(STATE, json.dumps(state))
    return state


def boot() -> str:
    """Return what names this run of the kernel: its clock has no meaning after the next boot."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def take(wait: float = 0) -> int:
    """Take the lock of this switch, or say that it is taken with -1."""
    HOME.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < until:
                time.sleep(TICK)
                continue
            os.close(lock)
            return -1
        return lock


def busy() -> bool:
    """Tell whether a commit is at work here. Creates nothing."""
    try:
        lock = os.open(LOCK, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
