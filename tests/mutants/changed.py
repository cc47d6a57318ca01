"""A git tree in; the rooms that changed since it left main out, and in words, since when."""

import os
import subprocess
from pathlib import Path

from tests.mutants.rooms import PACKAGE, room_of

BASE = "FABRICGEN_MUTANTS_BASE"


def changed_rooms(tree: Path) -> tuple[set[str] | None, str]:
    """Return the rooms, None for all of them, and the sentence that says why these."""
    base = _base(tree)
    if base is None:
        return None, "no earlier commit is here to compare with (a shallow clone?): all rooms"
    names = _git(tree, "diff", "--name-only", "--no-renames", base, "--", PACKAGE) or ""
    rooms = {
        room_of(name) for name in names.splitlines() if name.endswith(".py") and _there(tree, name)
    }
    return rooms, f"changed since {base[:12]}: {', '.join(sorted(rooms)) or 'no room'}"


def _base(tree: Path) -> str | None:
    """Return where this branch left main; on main, the commit before this one."""
    head = _git(tree, "rev-parse", "HEAD")
    for name in (os.environ.get(BASE), "origin/main", "main"):
        base = _git(tree, "merge-base", "HEAD", name) if name else None
        if base is not None and base != head:
            return base
    return _git(tree, "rev-parse", "--verify", "--quiet", "HEAD^")


def head(tree: Path) -> str:
    """Return the commit that is checked out, for a seed; `none` where there is no git."""
    return _git(tree, "rev-parse", "HEAD") or "none"


def _there(tree: Path, name: str) -> bool:
    return (tree / name).is_file()


def _git(tree: Path, *words: str) -> str | None:
    """Return what git says; None when it cannot, or is not there."""
    try:
        ran = subprocess.run(["git", *words], cwd=tree, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return ran.stdout.strip() if ran.returncode == 0 else None
