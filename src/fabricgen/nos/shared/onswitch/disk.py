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
    """A file on the switch or in a candidate, where mode and owner may be None."""

    data: bytes
    mode: int | None = None
    owner: tuple[int, int] | None = None
    runs: bool = False

    def is_like(self, other: File | None) -> bool:
        """Return whether both files are equal. The owner is no part of a configuration."""
        return other is not None and (self.data, self.runs) == (other.data, other.runs)

    @property
    def text(self) -> str:
        return self.data.decode(errors="backslashreplace")


class Files(NamedTuple):
    """The files that may be written.

    Attributes:
        secret: Files for root alone.
        frr: The folder of FRR.
        own: Returns whether a custom file may be at another path.
    """

    allowed: tuple[str, ...]
    secret: tuple[str, ...]
    frr: str
    own: Callable[[str], bool] = lambda path: False  # noqa: ARG005 - no custom files by default

    def renders(self, path: str) -> bool:
        """Return whether the platform writes a path."""
        return any(
            fnmatch.fnmatchcase(path, each) and path.count("/") == each.count("/")
            for each in self.allowed
        )

    def place(self, path: str) -> Path:
        """Return the place of a file of the configuration; a Refusal if it may not be changed."""
        parts = path.split("/")
        known = self.renders(path) or self.own(path)
        if not known or not all(parts) or {".", ".."} & set(parts):
            raise Refusal(CANDIDATE, f"fabricgen does not write {path!r} on a switch")
        where = ROOT
        for part in parts:
            where = where / part
            if where.is_symlink():
                raise Refusal(CANDIDATE, f"/{path}: {where} is a symbolic link, not followed")
            if where.is_file() and len(where.parts) < len((ROOT / path).parts):
                raise Refusal(CANDIDATE, f"/{path}: {where} exists and is no folder")
        if where.exists() and not where.is_file():
            raise Refusal(CANDIDATE, f"/{path} exists and is no file")
        return where

    def present(self) -> list[str]:
        """Return the files that exist on the switch."""
        paths = {str(at.relative_to(ROOT)) for each in self.allowed for at in ROOT.glob(each)}
        return sorted(
            path
            for path in paths
            if (ROOT / path).is_file() and not (ROOT / path).name.startswith(".")
        )

    def read(self, path: str) -> File | None:
        """Return a file; None if it does not exist."""
        try:
            with self.place(path).open("rb") as stream:
                facts = os.fstat(stream.fileno())
                mode = stat.S_IMODE(facts.st_mode)
                return File(stream.read(), mode, (facts.st_uid, facts.st_gid), bool(mode & 0o100))
        except FileNotFoundError:
            return None

    def write(self, path: str, file: File) -> None:
        """Write a file; mode and owner stay unchanged if they are None."""
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
    """Make a change of names durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def temporary_file(where: Path, data: bytes, mode: int = _OWN) -> Iterator[Path]:
    """Write a temporary file for a program that reads it."""
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
    """Return the content of a JSON file; None if it does not exist."""
    try:
        return json.loads(where.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def dump(where: Path, what: Any) -> None:
    replace(where, json.dumps(what).encode())


def stated(path: str) -> str:
    """Return the content of a system file; empty if it does not exist."""
    try:
        return (ROOT / path).read_text(errors="replace").strip("\0\n ")
    except OSError:
        return ""
