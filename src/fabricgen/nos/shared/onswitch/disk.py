"""Read and write files of the switch, atomically and only where allowed."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.nos.shared.onswitch.refusal import CANDIDATE, Refusal

ROOT = Path("/")
_PLAIN, _GROUP, _OWN = 0o644, 0o640, 0o600
_X = 0o111


class File(NamedTuple):
    """A file as it is, or as it shall be: then mode and owner may be left open."""

    data: bytes
    mode: int | None = None
    owner: tuple[int, int] | None = None
    runs: bool = False

    def is_like(self, other: File | None) -> bool:
        """Return whether both say the same; who owns them is no part of a configuration."""
        return other is not None and (self.data, self.runs) == (other.data, other.runs)

    @property
    def text(self) -> str:
        return self.data.decode(errors="backslashreplace")


class Files(NamedTuple):
    """The files that may be written. secret: for root alone. frr: the folder that is FRR's.

    own: tells of another path whether a file that people wrote themselves may be there.
    """

    allowed: tuple[str, ...]
    secret: tuple[str, ...]
    frr: str
    own: Callable[[str], bool] = lambda path: False  # noqa: ARG005 - of a switch that takes none

    def renders(self, path: str) -> bool:
        """Return whether a path is one that the platform writes."""
        return any(
            fnmatch.fnmatchcase(path, each) and path.count("/") == each.count("/")
            for each in self.allowed
        )

    def place(self, path: str) -> Path:
        """Return where a file of the configuration is; a Refusal when it may not be touched."""
        parts = path.split("/")
        known = self.renders(path) or self.own(path)
        if not known or not all(parts) or {".", ".."} & set(parts):
            raise Refusal(CANDIDATE, f"{path!r} is no file that fabricgen writes on a switch")
        where = ROOT
        for part in parts:
            where = where / part
            if where.is_symlink():
                raise Refusal(CANDIDATE, f"/{path}: {where} is a symbolic link, not followed")
            if where.is_file() and len(where.parts) < len((ROOT / path).parts):
                raise Refusal(CANDIDATE, f"/{path}: {where} is there and is no folder")
        if where.exists() and not where.is_file():
            raise Refusal(CANDIDATE, f"/{path} is there and is no file")
        return where

    def present(self) -> list[str]:
        """Return what of these files is on the switch."""
        paths = {str(at.relative_to(ROOT)) for each in self.allowed for at in ROOT.glob(each)}
        return sorted(
            path
            for path in paths
            if (ROOT / path).is_file() and not (ROOT / path).name.startswith(".")
        )

    def read(self, path: str) -> File | None:
        """Return a file as it is; None when there is none."""
        try:
            with self.place(path).open("rb") as stream:
                facts = os.fstat(stream.fileno())
                mode = stat.S_IMODE(facts.st_mode)
                return File(stream.read(), mode, (facts.st_uid, facts.st_gid), bool(mode & 0o100))
        except FileNotFoundError:
            return None

    def write(self, path: str, file: File) -> None:
        """Lay a file in place; mode and owner that are left open stay as they are."""
        where, before = self.place(path), self.read(path)
        of_frr = path.startswith(self.frr)
        mode = file.mode
        if mode is None:
            fresh = _GROUP if of_frr else _PLAIN  # Debian gives its files to frr alone
            mode = fresh if before is None or before.mode is None else before.mode
            mode = _OWN if path in self.secret else mode
            mode = mode | (mode & 0o444) >> 2 if file.runs else mode & ~_X
        owner = file.owner or (before.owner if before is not None else None)
        where.parent.mkdir(parents=True, exist_ok=True)
        if owner is None and of_frr:
            facts = where.parent.stat()
            owner = (facts.st_uid, facts.st_gid)
        replace(where, file.data, mode, owner)

    def remove(self, path: str) -> None:
        """Take a file away."""
        where = self.place(path)
        with contextlib.suppress(FileNotFoundError):
            where.unlink()
            sync(where.parent)


def replace(
    where: Path, data: bytes, mode: int = _OWN, owner: tuple[int, int] | None = None
) -> None:
    """Write a file so that a reader, and a power cut, find the old one or the new one."""
    new = where.with_name(f".{where.name}.fabricgen")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _OWN)
    with open(descriptor, "wb") as stream:  # noqa: PTH123 - an open descriptor
        stream.write(data)
        stream.flush()
        if owner is not None:
            os.fchown(descriptor, *owner)
        os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    new.replace(where)
    sync(where.parent)


def sync(folder: Path) -> None:
    """Make a change of names last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def temporary_file(where: Path, data: bytes, mode: int = _OWN) -> Iterator[Path]:
    """Lay a file in place for as long as a program reads it."""
    replace(where, data, mode)
    try:
        yield where
    finally:
        where.unlink()


def own_folder(path: str) -> Path:
    """Return a folder that root alone may read."""
    where = ROOT / path
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    where.chmod(0o700)
    return where


def load(where: Path) -> Any:
    """Return what a JSON file holds; None when there is none."""
    try:
        return json.loads(where.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def dump(where: Path, what: Any) -> None:
    """Write a JSON file."""
    replace(where, json.dumps(what).encode())


def stated(path: str) -> str:
    """Return what a file of the system says of the switch; empty when it is not there."""
    try:
        return (ROOT / path).read_text(errors="replace").strip("\0\n ")
    except OSError:
        return ""
