"""Record that pending switches run their rendered configuration."""

from collections.abc import Iterable
from dataclasses import replace

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import PendingSwitch, Phase

_SEEN = "runs its rendered configuration"


def caught_up(journal: Journal, site: str, who: str, behind: Iterable[PendingSwitch]) -> None:
    """Record that these switches run their rendered configuration.

    Raises:
        LockHeld: Another push is running.
    """
    todo = list(behind)
    if not todo:
        return
    with journal.lock(site, "look", who) as lock:
        for each in todo:
            step = replace(each.step, phase=Phase.SKIPPED, message=_SEEN)
            lock.record(each.push.id, [step])
