"""Find the files of labs on this machine and the running labs."""

import contextlib
import fcntl
import json
import os
import re
import shutil
import socket
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from fabricgen.operate.lab.client import LabFailure

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_LONGEST_SOCKET = 107  # bytes: sun_path in unix(7) has 108, with the zero at the end
_TAKEN = -1


def labs_folder() -> Path:
    """Return the folder of this user's labs, with access for this user only."""
    runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    folder = Path(runtime) / f"fabricgen-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
    except OSError as error:
        raise LabFailure(f"{folder}: {error.strerror}") from error
    if facts.st_uid != os.getuid() or not stat.S_ISDIR(facts.st_mode) or facts.st_mode & 0o077:
        raise LabFailure(f"{folder} must be a folder with access for you only: chmod 700")
    return folder


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one lab."""

    folder: Path

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the place of a lab by name, existing or not."""
        if not _NAME.fullmatch(name):
            raise LabFailure(f"{name!r} is not a lab name: use letters, digits, '.', '-' and '_'")
        place = cls(labs_folder() / name)
        # The kernel of a lab creates a socket there, too.
        if len(os.fsencode(place.folder / "uml" / "mconsole")) > _LONGEST_SOCKET:
            raise LabFailure(
                f"{place.folder} is too long for a socket: use a shorter XDG_RUNTIME_DIR or name"
            )
        return place

    @property
    def name(self) -> str:
        """Return the name of the lab, which is its site's."""
        return self.folder.name

    @property
    def socket(self) -> Path:
        """Return the socket of the supervisor."""
        return self.folder / "socket"

    @property
    def files(self) -> Path:
        """Return the rendered tree of the boot."""
        return self.folder / "files"

    @property
    def intent(self) -> Path:
        """Return the copy of the compiled intent, which later edits do not affect."""
        return self.folder / "intent"

    @property
    def key(self) -> Path:
        """Return the SSH key for its switches."""
        return self.folder / "key"

    @property
    def known_hosts(self) -> Path:
        """Return the host keys of its switches."""
        return self.folder / "known_hosts"

    @property
    def log(self) -> Path:
        """Return the log of supervisor, machine and engine."""
        return self.folder / "log"

    @property
    def alive(self) -> bool:
        """Check whether a supervisor answers."""
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(str(self.socket))
            except OSError:
                return False
        return True

    @property
    def held(self) -> bool:
        """Check whether processes of a lab, or of its boot, lock the folder."""
        lock = self._lock()
        if lock is not None and lock != _TAKEN:
            os.close(lock)
        return lock == _TAKEN

    def facts(self) -> dict[str, Any]:
        """Return the facts of `up`: kernel, part, used and ignored files of each switch."""
        try:
            noted: dict[str, Any] = json.loads((self.folder / "up").read_text())
        except FileNotFoundError:
            raise LabFailure(f"the lab {self.name} is still booting; try again later") from None
        return noted

    def take(self) -> int | None:
        """Create the folder again and return its lock; None while a live lab has it.

        The processes of the lab share the lock of the folder, which ends with the last process.
        """
        while True:
            lock = self._lock()
            if lock is not None:
                return None if lock == _TAKEN else self._emptied(lock)
            with contextlib.suppress(FileExistsError):
                self.folder.mkdir(mode=0o700)

    def _lock(self) -> int | None:
        """Lock the folder; None if it does not exist, _TAKEN while another process has the lock."""
        try:
            lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            same = os.path.samestat(os.fstat(lock), self.folder.stat())
        except BlockingIOError:
            os.close(lock)
            return _TAKEN
        except FileNotFoundError:
            same = False
        if same:
            return lock
        os.close(lock)
        return None

    def _emptied(self, lock: int) -> int:
        for left in self.folder.iterdir():
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()
        return lock

    def clear(self) -> None:
        """Remove the files of an ended lab."""
        lock = self._lock()
        if lock is not None and lock != _TAKEN:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(lock)


def places() -> list[Place]:
    """Return the folders of all labs, including ended ones."""
    return [Place(folder) for folder in sorted(labs_folder().iterdir()) if folder.is_dir()]


def running() -> list[Place]:
    """Return the running labs and remove the files of ended ones."""
    alive = []
    for place in places():
        if place.alive:
            alive.append(place)
        else:
            place.clear()
    return alive


def chosen(name: str | None) -> Place:
    """Return the lab with this name, or the only running lab."""
    labs = running()
    if name is not None:
        labs = [place for place in labs if place.name == name]
    if not labs:
        what = f"lab {name!r} is not running" if name else "no lab is running"
        raise LabFailure(f"{what}; start one with `fabricgen lab up SITE`")
    if len(labs) > 1:
        raise LabFailure(
            f"several labs are running: {', '.join(p.name for p in labs)}; select one with --lab"
        )
    return labs[0]
