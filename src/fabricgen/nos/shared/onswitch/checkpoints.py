"""Keep checkpoints from before each plan on the switch: readable by root only, the last ten."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabricgen.nos.shared.onswitch import disk, store
from fabricgen.nos.shared.onswitch.refusal import CANDIDATE, NO_CHECKPOINT, Refusal

KEPT = 10
_PLAN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_AGAIN = "+"  # never in a plan's name


def folder(name: str) -> Path:
    return disk.own_folder("var/lib/fabricgen/checkpoints") / name


def checked(plan: str) -> str:
    """Return a plan's name; a Refusal if it cannot name a folder."""
    if not _PLAN.fullmatch(plan):
        raise Refusal(CANDIDATE, f"{plan!r} is no plan name")
    return plan


def save(plan: str, kept: store.Tree, facts: Mapping[str, Any]) -> str:
    """Save the configuration from before a plan; return the checkpoint's name.

    That is the configuration before the first kept commit of the plan.
    """
    name, number = plan, 1
    while (store.stored(folder(name)) or (None, {}))[1].get("confirmed"):
        name, number = f"{plan}{_AGAIN}{number}", number + 1
    store.store(folder(name), kept, {**facts, "plan": plan, "when": time.time()})
    _prune(name)
    return name


def confirm(name: str) -> None:
    store.note(folder(name), confirmed=True)


def read(name: str) -> tuple[store.Tree, dict[str, Any]]:
    """Return a checkpoint and its facts; a Refusal if it is missing."""
    kept = store.stored(folder(name))
    if kept is None:
        raise Refusal(NO_CHECKPOINT, f"the switch has no checkpoint from before plan {name}")
    return kept


def plans() -> dict[str, float]:
    """Return the plans with a checkpoint and its time, the oldest first.

    A plan that was committed twice has the time of its first commit.
    """
    plans: dict[str, float] = {}
    for name in names():
        kept = disk.load(folder(name) / "list.json") or {}
        plans.setdefault(kept["plan"], kept["when"])
    return plans


def names() -> list[str]:
    lists = sorted(folder(".").glob("*/list.json"), key=_age)
    return [each.parent.name for each in lists]


def _age(where: Path) -> float:
    return float((disk.load(where) or {}).get("when", 0))


def _prune(newest: str) -> None:
    old = [name for name in names() if name != newest][: -(KEPT - 1)]
    for name in old:
        shutil.rmtree(folder(name), ignore_errors=True)
    for left in folder(".").glob(".*.new"):
        shutil.rmtree(left, ignore_errors=True)
