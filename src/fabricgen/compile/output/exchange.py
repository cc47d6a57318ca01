"""Exchange an output folder for a new one and recognize files that fabricgen wrote."""

import ctypes
import errno
import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from fabricgen.compile.output.existing_tree import Refused
from fabricgen.compile.output.manifest import FILE, Manifest, manifest_bytes, parsed, waiting
from fabricgen.core.confined import write_whole


def write_fresh(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files into a folder that is new or empty."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Refused(f"{folder} is not an empty folder", "name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    except OSError as error:
        raise Refused(f"cannot write {folder}: {error.strerror or error}") from error


# Who can edit a rendered file can put its new hash into the manifest, too: then the two agree, and
# the line that was planted would stay for as long as the intent does not change. So the hash of the
# manifest that was written last for a folder is kept in the cache of the user, which no repository
# reaches. Without it, as in a fresh clone, a render makes every file and compares it with the disk.


def known(target: Path) -> Manifest | None:
    """Return the manifest of a tree; None when it is another than was written here, or none."""
    try:
        noted = _place(target).read_text()
        written = manifest_bytes(target)
    except (OSError, UnicodeDecodeError):
        return None
    return parsed(written) if noted == _hash(written) else None


def remember(target: Path) -> None:
    """Keep the hash of the manifest that was just written; where that cannot be, it is not kept."""
    place = _place(target)
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place, _hash(manifest_bytes(target)))


def _hash(written: bytes) -> str:
    return hashlib.sha256(written).hexdigest()


def _place(target: Path) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - no home is no error
    name = hashlib.sha256(os.fsencode(os.path.realpath(target))).hexdigest()
    return Path(cache) / "fabricgen" / "trees" / name


# Where one fabric alone differs, only its folder is swapped. The manifest of the new tree waits in
# it and moves up afterwards; until then `read_manifest` reads it there.

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def put_in_place(new: Path, target: Path) -> None:
    """Put `new` in the place of `target`, and remove the old tree afterwards.

    Uses renameat2(RENAME_EXCHANGE) (Linux 3.15, man rename(2)). Where the file system lacks it, two
    renames do it, and `recover` restores the old tree if the process dies between them.
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
    """Put one folder of `new` into `target`; return False without a change if it cannot.

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
    """Finish an interrupted run: restore the old tree, and remove incomplete ones."""
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
