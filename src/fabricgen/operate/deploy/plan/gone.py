"""A journal and the switches of now in; who was pushed to and is gone, out."""

from collections.abc import Collection
from functools import cache
from itertools import takewhile

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.plan.document import readable

_REACHED = {"same", "changes"}


def gone(journal: Journal, site: str, present: Collection[str]) -> dict[str, str]:
    """Return the switches that the intent has no more, with the last plan that changed them.

    present: all names of now, and of before. A switch is said until the others of its plan were
    pushed to without it. Reading a plan takes a while: only those that tell of it are.
    """

    @cache
    def known(plan: str) -> dict[str, str]:
        """Return the fabric of each switch that a plan knew; nothing of one that is not kept."""
        document = readable(journal.plan(plan))
        entries = document.switches if document is not None else ()
        return {each.switch: each.fabric for each in entries if each.state in _REACHED}

    def left(name: str, plan: str) -> bool:
        before = known(plan)
        others = {it for it in before.keys() & present if before[it] == before.get(name)}
        later = map(known, takewhile(lambda each: each != plan, pushed))
        return name in before and not any(name not in it and others <= it.keys() for it in later)

    away = {name: plan for name, plan in journal.changed(site).items() if name not in present}
    pushed = [push.plan for push in journal.history(site, limit=None)] if away else []
    return {name: plan for name, plan in sorted(away.items()) if left(name, plan)}
