"""Switches that were behind and are no more in; written beside the pushes that left them so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.deploy.journal.words import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.deploy.journal.journal import Journal
    from fabricgen.deploy.journal.words import Behind

_SEEN = "seen to run what is rendered for it"


def caught_up(journal: Journal, site: str, who: str, behind: Iterable[Behind]) -> None:
    """Write that these run what is rendered for them; LockHeld while somebody pushes."""
    todo = list(behind)
    if not todo:
        return
    with journal.lock(site, "look", who) as lock:
        for each in todo:
            step = replace(each.step, phase=Phase.SKIPPED, message=_SEEN)
            lock.record(each.push.id, [step])
