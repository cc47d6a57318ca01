"""Swap a directory for another in one step: a reader sees the old or the new, never a mix.

Where one fabric alone differs, only its folder is swapped. The manifest of the new tree waits in it
and moves up afterwards; until then `read_manifest` reads it there.
"""

import ctypes
import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

from fabricgen.compile.output.manifest import FILE, waiting

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


def put_fabric_in_place(new: Path, target: Path, fabric: str) -> bool:
    """Make one folder of `new` stand in `target`; False, and nothing done, where it cannot be.

    A folder has no two renames to fall back on: between them the tree would be a mix.
    """
    if not _exchange(new / fabric, target / fabric):
        return False
    _settle(target)
    shutil.rmtree(new, ignore_errors=True)
    return True


def _settle(target: Path) -> None:
    """Move a manifest that waits in the folder of a fabric to its place."""
    for manifest in waiting(target):
        with suppress(FileNotFoundError):  # another run was quicker
            manifest.replace(target / FILE)


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
    _settle(target)
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
