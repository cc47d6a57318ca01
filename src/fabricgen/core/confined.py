"""Reads and writes plain files below a folder and refuses links and paths that leave it.

Sites, rendered trees, inventories, plans and journals may come from an untrusted pull request. A
link, or a path in a manifest, must not make a verb read, print or write a file elsewhere. So no
link below the folder is followed and no path leaves it. The user named the folder itself, so it may
be a link.
"""

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import Self

MOST = 64 * 2**20
"""Maximum bytes of one file, unless its reader has a lower limit."""
_PATH = getattr(os, "O_PATH", 0)  # a folder without read permission may permit entry (Linux)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | _PATH
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(OSError):  # noqa: N818 - who reads the file says it to a person
    """A file that is not read; `strerror` is the reason as a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EPERM, reason)
        self.reason = reason

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        """Make it picklable for other processes."""
        return type(self), (self.reason,)


class TooLarge(Refused):
    """A file that exceeds the byte limit of its reader."""

    def __init__(self, most: int | str) -> None:
        super().__init__(
            most if isinstance(most, str) else (f"the file has more than {_spelled(most)}")
        )


def _spelled(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 2**20 else f"{size} bytes"


def is_below(path: str) -> bool:
    """Return whether a path is below a folder: relative, without '..' and empty parts."""
    return "\0" not in path and not {"", ".", ".."} & set(path.split("/"))


class Folder:
    """A folder whose plain files are read.

    The folder of the last file stays open, since a tree of 100,000 files is read folder by folder.
    """

    def __init__(self, place: Path | str) -> None:
        """Open the folder. Raises OSError if that fails."""
        self._root = os.open(place, _FOLDER)
        self._last, self._inner = "", self._root

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()
        os.close(self._root)

    def read(self, path: str, most: int = MOST) -> bytes:
        """Return the bytes of a file. Raises Refused if it is outside this folder, or too large."""
        if not is_below(path):
            raise Refused(f"{path!r} is not a path below the folder")
        folder, _, name = path.rpartition("/")
        if folder != self._last:
            self._enter(folder)
        try:
            descriptor = os.open(name, _FILE, dir_fd=self._inner)
        except OSError as error:
            raise _reason(error, name, self._inner) from None
        try:
            facts = os.fstat(descriptor)
            if not stat.S_ISREG(facts.st_mode):  # a pipe or a terminal would block
                raise Refused("not a plain file")
            if facts.st_size > most:
                raise TooLarge(most)
            with os.fdopen(descriptor, "rb", buffering=0, closefd=False) as stream:
                return stream.readall()
        finally:
            os.close(descriptor)

    def text(self, path: str, most: int = MOST) -> str:
        """Return the text of a file. Raises UnicodeDecodeError if it is not UTF-8."""
        return self.read(path, most).decode()

    def _enter(self, folder: str) -> None:
        self._leave()
        here = self._root
        for name in filter(None, folder.split("/")):
            try:
                inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            except OSError as error:
                raise _reason(error, name, here) from None
            finally:
                if here != self._root:
                    os.close(here)
            here = inner
        self._last, self._inner = folder, here

    def _leave(self) -> None:
        if self._inner != self._root:
            os.close(self._inner)
        self._last, self._inner = "", self._root


def _reason(error: OSError, name: str, folder: int) -> OSError:
    """Return a clear error for a link: the kernel says `Not a directory`, or `Too many`."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(facts.st_mode):
            return Refused("it is a link, which fabricgen does not follow")
    return error


def read_file(path: Path, most: int = MOST) -> bytes:
    """Return the bytes of a file that the user named and that is no link. Raises OSError."""
    _refuse_folder(path)
    with Folder(path.parent) as folder:
        return folder.read(path.name, most)


def _refuse_folder(path: Path) -> None:
    if not path.name:
        raise Refused("it is a folder, not a file")


def write_whole(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a file atomically to the disk: a reader sees the complete old or new text.

    A link at this path is replaced, not followed. `mode`: independent of the umask. Raises OSError
    on failure, and then leaves no partial file.
    """
    _refuse_folder(path)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):  # of a dead process with the same process id
        aside.unlink()
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        aside.replace(path)
    except BaseException:
        aside.unlink()
        raise
