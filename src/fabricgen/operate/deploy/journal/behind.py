"""Records that switches which differed from the plan no longer do."""

from collections.abc import Iterable
from dataclasses import replace

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import PendingSwitch, Phase

_SEEN = "seen to run what is rendered for it"


def caught_up(journal: Journal, site: str, who: str, behind: Iterable[PendingSwitch]) -> None:
    """Write that these run what is rendered for them; LockHeld while somebody pushes."""
    todo = list(behind)
    if not todo:
        return
    with journal.lock(site, "look", who) as lock:
        for each in todo:
            step = replace(each.step, phase=Phase.SKIPPED, message=_SEEN)
            lock.record(each.push.id, [step])
