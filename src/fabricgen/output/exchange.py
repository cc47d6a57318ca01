"""Swap a directory for another in one step: a reader sees the old or the new, never a mix."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def put_in_place(new: Path, target: Path) -> None:
    """Make `new` stand at `target`; what stood there before is removed afterwards.

    Uses renameat2(RENAME_EXCHANGE) (Linux 3.15, man rename(2)). Where the file system lacks it, two
    renames do it, and `recover` brings the old tree back if the process dies between them.
    """
    if not target.exists():
        new.rename(target)
        return
    if _exchange(new, target):
        shutil.rmtree(new, ignore_errors=True)
        return
    aside = aside_of(target)
    target.rename(aside)
    new.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def aside_of(target: Path) -> Path:
    """Return where an old tree waits between the two renames."""
    return target.with_name(f".{target.name}.fabricgen-old")


def recover(target: Path) -> None:
    """Finish what a killed run left: bring the old tree back, remove half-written ones."""
    aside = aside_of(target)
    if aside.is_dir():
        if target.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.rename(target)
    for left in target.parent.glob(f".{target.name}.fabricgen-new-*"):
        owner = left.name.rpartition("-")[2]
        if not owner.isdigit() or not _alive(int(owner)):
            shutil.rmtree(left, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _exchange(one: Path, other: Path) -> bool:
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(other))
