"""The plans that a journal keeps and the switches of now in; who was pushed to and is gone, out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.deploy.plan.document import readable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fabricgen.deploy.journal.journal import Journal
    from fabricgen.deploy.plan.document import Plan

_REACHED = {"same", "changes"}


def gone(journal: Journal, site: str, present: Collection[str]) -> dict[str, str]:
    """Return the switches that the intent has no more, with the last plan that they were in.

    present: all names of now, and of before. A switch is said until the others of its plan were
    pushed to without it.
    """
    found: dict[str, str] = {}
    newer: dict[str, list[set[str]]] = defaultdict(list)
    for plan in _pushed(journal, site):
        fabrics: dict[str, set[str]] = defaultdict(set)
        for entry in plan.switches:
            if entry.state in _REACHED:
                fabrics[entry.fabric].add(entry.switch)
        for fabric, names in fabrics.items():
            others = names.intersection(present)
            if not any(others <= later for later in newer[fabric]):
                found = dict.fromkeys(sorted(names - others), plan.id) | found
            newer[fabric].append(names)
    return found


def _pushed(journal: Journal, site: str) -> Iterator[Plan]:
    """Yield the plans that were pushed, the newest first; those that are kept and readable."""
    for identity in dict.fromkeys(push.plan for push in journal.history(site, limit=None)):
        plan = readable(journal.plan(identity))
        if plan is not None:
            yield plan
