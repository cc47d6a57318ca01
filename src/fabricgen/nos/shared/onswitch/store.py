"""Store a set of files and facts in a folder atomically and read it back."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk

_LIST = "list.json"


class Tree(NamedTuple):
    """Files by path. `managed` lists files that fabricgen wrote; None if it never wrote any."""

    files: Mapping[str, disk.File]
    managed: list[str] | None = None


def store(where: Path, tree: Tree, facts: Mapping[str, Any]) -> None:
    """Store a tree in a folder, completely or not at all."""
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
    """Return a stored tree and its facts; None without any."""
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
    disk.dump(where / _LIST, {**disk.load(where / _LIST), **facts})
