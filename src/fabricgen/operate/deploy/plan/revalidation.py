"""Compares a plan from a file with new state snapshots and lists removed switches.

The hash of a plan is no signature, because an author of a forged plan can compute it, too. So
everything that follows from the intent, the running state and the options is computed again and
compared.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile

from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.batches.plan import BatchRequest
from fabricgen.operate.deploy.batches.sizes import sizes
from fabricgen.operate.deploy.coordination.agreement import Course
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.plan.document import Entry, Plan, Split, readable
from fabricgen.operate.deploy.plan.make import planned, stops
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview

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


def forged(site: Site, plan: Plan, looks: Iterable[SwitchPreview], course: Course) -> str:
    """Say what a plan claims that is not so; empty where nothing is.

    looks, course: of now, of every switch that it knows. One that does not answer, or runs
    something else by now, is left to its batch, which does not change it.
    """
    now = {look.entry.switch: look for look in looks}
    entries = [entry for entry in plan.switches if entry not in plan.unknown]
    if gone := [entry.switch for entry in entries if entry.switch not in now]:
        return f"it knows {gone[0]}, which this intent does not have"
    moved = []
    for entry in entries:
        seen = now[entry.switch].entry
        if not _comparable(entry, seen):
            moved.append(seen)
        elif words := ", ".join(_otherwise(entry, seen)):
            return f"of {entry.switch} is not so, or a secret is another one now: {words}"
    every = tuple(now.get(entry.switch) or SwitchPreview(entry) for entry in plan.switches)
    if moved:
        return _unseen(site, plan, every, moved[0])
    return _other(plan, planned(site, every, wish_of(plan), course=course))


def wish_of(plan: Plan) -> BatchRequest:
    """Return what was asked for when a plan was made."""
    return BatchRequest(
        sizes=sizes(plan.sizes),
        floor=plan.floor,
        together=plan.together,
        window=plan.window,
        drain=plan.drain,
    )


def _comparable(told: Entry, seen: Entry) -> bool:
    """Tell whether a switch runs what it ran when the plan was made."""
    return seen.state in {"same", "changes"} and seen.running == told.running


def _otherwise(told: Entry, seen: Entry) -> Iterator[str]:
    """Yield the fields that differ. What is kept is another's, who may change it at any time."""
    for name, value in told:
        if name != "kept" and getattr(seen, name) != value:
            yield name


def _unseen(site: Site, plan: Plan, looks: Sequence[SwitchPreview], moved: Entry) -> str:
    """Say what of a plan needs a switch that cannot be seen any more as it was; empty if nothing.

    Who is part of no such thing may be away.
    """
    windows = any(batch.window is not None for batch in plan.batches)
    if windows or plan.step is not None or stops(site, plan, looks):
        why = moved.said or "it runs something else by now"
        return f"what has two ends in it cannot be seen without {moved.switch}: {why}"
    return ""


def _other(plan: Plan, again: Plan) -> str:
    """Say where two plans of the same differ."""
    if (plan.step, plan.bound) != (again.step, again.bound):
        return "another step is the next one"
    for number, (told, meant) in enumerate(zip(plan.batches, again.batches, strict=True), 1):
        if told != meant:
            return f"batch {number} would be {', '.join(meant.switches)} ({meant.why})"
    splits = {*map(_timeless, plan.splits)} ^ {*map(_timeless, again.splits)}
    return f"of {min(split.what for split in splits)} another split is true" if splits else ""


def _timeless(split: Split) -> Split:
    """Leave out how long batches take here, which is measured anew with every push."""
    return split.model_copy(update={"seconds": None})
