"""The whole set of files of a switch: those that run, a candidate, and those of a checkpoint."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.linux.driver.onswitch import disk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_LIST = "list.json"


class Tree(NamedTuple):
    """files: by path. managed: what fabricgen has written, None where it never wrote."""

    files: Mapping[str, disk.File]
    managed: list[str] | None


def running() -> Tree:
    """Return what is on the switch: what an earlier push wrote, or else what it would write."""
    managed = disk.load(_managed())
    paths = managed if managed is not None else disk.found()
    files = {path: file for path in paths for file in [disk.read(path)] if file is not None}
    return Tree(files, managed)


def changed(before: Tree, after: Tree) -> list[str]:
    """Return the paths that would be written or removed."""
    gone = set(before.managed or ()) - set(after.files)
    written = {
        path
        for path, file in after.files.items()
        if not file.is_like(before.files.get(path) or disk.read(path))
    }
    return sorted(written | {path for path in gone if path in before.files})


def lay(after: Tree, touched: Iterable[str]) -> None:
    """Write and remove files, and note what is managed."""
    for path in touched:
        file = after.files.get(path)
        if file is None:
            disk.remove(path)
        else:
            disk.write(path, file)
    if after.managed is None:
        _managed().unlink(missing_ok=True)
    else:
        disk.dump(_managed(), after.managed)


def _managed() -> Path:
    return disk.own_folder("var/lib/fabricgen") / "files.json"


def store(where: Path, tree: Tree, facts: Mapping[str, Any]) -> None:
    """Keep a tree in a folder: there it is whole, or not at all."""
    new = where.with_name(f".{where.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700, parents=True)
    listed = {}
    for number, (path, file) in enumerate(sorted(tree.files.items())):
        disk.replace(new / str(number), file.data)
        listed[path] = {"in": str(number), "mode": file.mode, "owner": file.owner, "x": file.runs}
    disk.dump(new / _LIST, {**facts, "files": listed, "managed": tree.managed})
    shutil.rmtree(where, ignore_errors=True)
    new.rename(where)
    disk.sync(where.parent)


def stored(where: Path) -> tuple[Tree, dict[str, Any]] | None:
    """Return a kept tree and the facts beside it; None when there is none."""
    facts = disk.load(where / _LIST)
    if facts is None:
        return None
    files = {
        path: disk.File(
            (where / each["in"]).read_bytes(),
            each["mode"],
            None if each["owner"] is None else (each["owner"][0], each["owner"][1]),
            each["x"],
        )
        for path, each in facts["files"].items()
    }
    return Tree(files, facts["managed"]), facts


def note(where: Path, **facts: Any) -> None:
    """Add facts to a kept tree."""
    disk.dump(where / _LIST, {**json.loads((where / _LIST).read_text()), **facts})
