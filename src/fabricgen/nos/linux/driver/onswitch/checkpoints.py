"""What ran before each plan: kept on the switch, readable by root alone; the last ten stay."""

from __future__ import annotations

import re
import shutil
import time
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import disk, frr, interfaces, kernel, tree
from fabricgen.nos.linux.driver.onswitch.refusal import CANDIDATE, NO_CHECKPOINT, Refusal

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 10
_PLAN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_AGAIN = "+"  # in no plan's name


def folder(name: str) -> Path:
    """Return the folder of a checkpoint."""
    return disk.own_folder("var/lib/fabricgen/checkpoints") / name


def checked(plan: str) -> str:
    """Return a plan's name; a Refusal when it cannot be that of a folder."""
    if not _PLAN.fullmatch(plan):
        raise Refusal(CANDIDATE, f"{plan!r} is no name of a plan")
    return plan


def save(plan: str, candidate: tree.Tree, touched: list[str]) -> str:
    """Keep everything that a commit may change; return the checkpoint's name.

    What ran before a plan is what ran before its first commit that was kept.
    """
    name, number = plan, 1
    while (tree.stored(folder(name)) or (None, {}))[1].get("confirmed"):
        name, number = f"{plan}{_AGAIN}{number}", number + 1
    before = tree.running()
    paths = sorted({*before.files, *candidate.files, *touched})
    files = {path: file for path in paths for file in [disk.read(path)] if file is not None}
    facts: dict[str, Any] = {
        "plan": plan,
        "when": time.time(),
        "touched": touched,
        "running": _unsaved(),
        "kernel": kernel.values(kernel.settings(_sysctls(files, candidate, touched))),
    }
    if interfaces.CONF in touched:
        text = files[interfaces.CONF].data.decode() if interfaces.CONF in files else ""
        facts["failures"] = sorted(interfaces.failures())
        facts["strays"] = sorted(interfaces.strays(text))
    tree.store(folder(name), tree.Tree(files, before.managed), facts)
    _prune(name)
    return name


def _unsaved() -> str | None:
    """Return what FRR runs where its file says something else."""
    where = disk.place(frr.CONF)
    if where.exists() and not frr.difference(where):
        return None
    return frr.running()


def _sysctls(files: Any, candidate: tree.Tree, touched: list[str]) -> list[str]:
    """Return the texts of changed kernel settings, before and after."""
    return [
        source[path].data.decode()
        for path in touched
        for source in (files, candidate.files)
        if path.startswith(kernel.FOLDER) and path in source
    ]


def confirm(name: str) -> None:
    """Note that the commit of a checkpoint was kept."""
    tree.note(folder(name), confirmed=True)


def as_candidate(plan: str) -> tree.Tree:
    """Return what ran before a plan, as files."""
    found = tree.stored(folder(checked(plan)))
    if found is None:
        raise Refusal(NO_CHECKPOINT, f"the switch keeps nothing from before plan {plan}")
    kept, facts = found
    if facts["running"] is None:
        return kept
    files = dict(kept.files)
    before = files.get(frr.CONF)
    text = facts["running"].encode()
    files[frr.CONF] = disk.File(text) if before is None else before._replace(data=text)
    return tree.Tree(files, kept.managed)


def names() -> list[str]:
    """Return the checkpoints that are kept, the oldest first."""
    found = list(folder(".").glob("*/list.json"))
    return [each.parent.name for each in sorted(found, key=_age)]


def _age(where: Path) -> float:
    return float((disk.load(where) or {}).get("when", 0))


def _prune(newest: str) -> None:
    old = [name for name in names() if name != newest][: -(KEPT - 1)]
    for name in old:
        shutil.rmtree(folder(name), ignore_errors=True)
    for left in folder(".").glob(".*.new"):
        shutil.rmtree(left, ignore_errors=True)
