"""Finds the files of labs on this machine and the labs that run."""

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
    """Return the folder of this user's labs, readable by no one else."""
    runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    folder = Path(runtime) / f"fabricgen-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
    except OSError as error:
        raise LabFailure(f"{folder}: {error.strerror}") from error
    if facts.st_uid != os.getuid() or not stat.S_ISDIR(facts.st_mode) or facts.st_mode & 0o077:
        raise LabFailure(f"{folder} is not a folder of yours alone")
    return folder


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one lab."""

    folder: Path

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the place of the lab of that name, there or not."""
        if not _NAME.fullmatch(name):
            raise LabFailure(f"{name!r} is no name for a lab: letters, digits, '.', '-' and '_'")
        place = cls(labs_folder() / name)
        # The kernel of a lab makes a socket there, too.
        if len(os.fsencode(place.folder / "uml" / "mconsole")) > _LONGEST_SOCKET:
            raise LabFailure(
                f"{place.folder} is too long for a socket: a shorter XDG_RUNTIME_DIR or name"
            )
        return place

    @property
    def name(self) -> str:
        """The lab's name: its site's."""
        return self.folder.name

    @property
    def socket(self) -> Path:
        """Where its keeper listens."""
        return self.folder / "socket"

    @property
    def files(self) -> Path:
        """The rendered tree it was booted from."""
        return self.folder / "files"

    @property
    def intent(self) -> Path:
        """A copy of the intent it was compiled from: what is up stays comparable."""
        return self.folder / "intent"

    @property
    def key(self) -> Path:
        """The SSH key that opens its switches."""
        return self.folder / "key"

    @property
    def known_hosts(self) -> Path:
        """The host keys of its switches."""
        return self.folder / "known_hosts"

    @property
    def log(self) -> Path:
        """What keeper, machine and engine said."""
        return self.folder / "log"

    @property
    def alive(self) -> bool:
        """Tell whether a keeper answers there."""
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(str(self.socket))
            except OSError:
                return False
        return True

    @property
    def held(self) -> bool:
        """Tell whether processes of a lab, or of its boot, hold the folder."""
        lock = self._lock()
        if lock is not None and lock != _TAKEN:
            os.close(lock)
        return lock == _TAKEN

    def facts(self) -> dict[str, Any]:
        """Return what `up` noted: the way, the part, what each switch took and left out."""
        try:
            noted: dict[str, Any] = json.loads((self.folder / "up").read_text())
        except FileNotFoundError:
            raise LabFailure(f"the lab {self.name} is still booting") from None
        return noted

    def take(self) -> int | None:
        """Make the folder anew and return its lock; None while a living lab has it.

        The lock is the folder's own, held by the lab's processes: it ends with the last of them.
        """
        while True:
            lock = self._lock()
            if lock is not None:
                return None if lock == _TAKEN else self._emptied(lock)
            with contextlib.suppress(FileExistsError):
                self.folder.mkdir(mode=0o700)

    def _lock(self) -> int | None:
        """Lock the folder; None if there is none, _TAKEN while somebody else has it."""
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
        """Remove what a lab that is no more left there."""
        lock = self._lock()
        if lock is not None and lock != _TAKEN:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(lock)


def places() -> list[Place]:
    """Return the folders of all labs, also of dead ones."""
    return [Place(folder) for folder in sorted(labs_folder().iterdir()) if folder.is_dir()]


def running() -> list[Place]:
    """Return the labs that run; what dead ones left is removed."""
    alive = []
    for place in places():
        if place.alive:
            alive.append(place)
        else:
            place.clear()
    return alive


def chosen(name: str | None) -> Place:
    """Return the lab that is meant: the one of that name, or the only one there is."""
    labs = running()
    if name is not None:
        labs = [place for place in labs if place.name == name]
    if not labs:
        what = f"no lab {name!r} is up" if name else "no lab is up"
        raise LabFailure(f"{what}; `fabricgen lab up SITE` boots one")
    if len(labs) > 1:
        raise LabFailure(f"several labs are up: {', '.join(p.name for p in labs)}; name one, --lab")
    return labs[0]
