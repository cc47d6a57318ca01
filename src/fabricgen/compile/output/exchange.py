"""Put new files into an output folder: a new tree in the place of the old one, or single files."""

import ctypes
import errno
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from fabricgen.compile.output.existing_tree import Refused
from fabricgen.compile.output.manifest import FILE, NEXT, Manifest, parsed
from fabricgen.core.confined import Folder


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


def put_files_in_place(new: Path, target: Path, old: Manifest, wanted: Manifest) -> None:
    """Move the files of `new` into a tree, and remove the files that its manifest does not have.

    All new files are in the tree before the first one is moved. If the run dies, readers use the
    files in `NEXT`, and the next run moves them.
    """
    new.rename(target / NEXT)
    _to_disk(target)
    _replace(target, old, wanted)


_SINGLE = 256
"""Files that are written to the disk one by one; more, with all of their file system."""


def make_durable(folder: Path, files: Collection[str]) -> None:
    """Write new files of a folder to the disk."""
    if len(files) <= _SINGLE:
        with ThreadPoolExecutor() as pool:  # a file system commits many files at once
            for _ in pool.map(_to_disk, (folder / path for path in (*files, ""))):
                pass
        return
    with _opened(folder) as descriptor:
        sync = getattr(ctypes.CDLL(None), "syncfs", None)
        if sync is None or sync(descriptor):
            os.sync()


def _to_disk(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def settle(target: Path) -> None:
    """Finish a replacement of files in a tree."""
    waits = target / NEXT
    if waits.is_symlink() or not waits.is_dir():
        return
    with Folder(target) as tree:
        old, new = _manifest(tree, FILE), _manifest(tree, f"{NEXT}/{FILE}")
    if old is not None and new is not None:
        _replace(target, old, new)
    else:
        _remove_empty(waits)


def _replace(target: Path, old: Manifest, new: Manifest) -> None:
    """Move the files in `NEXT` to their places, and remove the files without a place."""
    waits = target / NEXT
    with _opened(target) as root, _opened(waits) as source:
        for path in old.files.keys() - new.files.keys():
            _remove(root, path)
        for path in _files_below(waits):
            if path in new.files:
                _move(source, root, path)
    _to_disk(target)
    with suppress(FileNotFoundError):  # another run was quicker
        (waits / FILE).rename(target / FILE)
    _remove_empty(waits)


def _remove_empty(top: Path) -> None:
    for folder, _, _ in os.walk(top, topdown=False):
        with suppress(OSError):  # a foreign file is in it
            os.rmdir(folder)  # noqa: PTH106 - as os.walk names it


def _manifest(tree: Folder, path: str) -> Manifest | None:
    try:
        return parsed(tree.read(path))
    except OSError:
        return None


def _files_below(folder: Path) -> Iterator[str]:
    for above, _, names in os.walk(folder):
        yield from ((Path(above) / name).relative_to(folder).as_posix() for name in names)


def _move(source: int, root: int, path: str) -> None:
    with (
        suppress(FileNotFoundError),  # another run was quicker
        _inside(source, path) as (here, name),
        _inside(root, path, make=True) as (there, _),
    ):
        os.rename(name, name, src_dir_fd=here, dst_dir_fd=there)


def _remove(root: int, path: str) -> None:
    """Remove a file and the folders that are empty then."""
    with suppress(FileNotFoundError, NotADirectoryError), _inside(root, path) as (folder, name):
        os.unlink(name, dir_fd=folder)
    with suppress(OSError):
        while "/" in path:
            path = path.rpartition("/")[0]
            with _inside(root, path) as (folder, name):
                os.rmdir(name, dir_fd=folder)


_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def _opened(place: Path | str, above: int | None = None) -> Iterator[int]:
    descriptor = os.open(place, _FOLDER, dir_fd=above)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _inside(root: int, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """Open the folder of a file without following a link; yield it with the name of the file."""
    *folders, name = path.split("/")
    with ExitStack() as stack:
        for folder in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(folder, dir_fd=root)
            root = stack.enter_context(_opened(folder, root))
        yield root, name


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
    settle(target)
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
