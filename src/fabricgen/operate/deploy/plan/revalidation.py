"""Compare a plan from a file with new state snapshots and list removed switches.

The hash of a plan is no signature, because an author of a forged plan can compute it, too. So
everything that depends on the intent, the running state and the options is computed again and
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
    """Return the switches that the intent no longer contains, with the last plan that changed them.

    A switch is listed until a later push changes the other switches of its plan without it. Reading
    a plan is slow, so only the necessary plans are read.

    Args:
        journal: The journal.
        site: Name of the site.
        present: Current and previous names of all switches.
    """

    @cache
    def known(plan: str) -> dict[str, str]:
        """Return the fabric of each switch in a plan; empty for a plan that is no longer stored."""
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
    """Return a claim of the plan that is wrong now; empty when there is none.

    A switch that does not answer or has changed is left to its batch, which does not change it.

    Args:
        site: The compiled site.
        plan: The plan from a file.
        looks: New previews of all switches of the plan.
        course: New steps.
    """
    now = {look.entry.switch: look for look in looks}
    entries = [entry for entry in plan.switches if entry not in plan.unknown]
    if gone := [entry.switch for entry in entries if entry.switch not in now]:
        return f"switch {gone[0]} is not in this intent"
    moved = []
    for entry in entries:
        seen = now[entry.switch].entry
        if not _comparable(entry, seen):
            moved.append(seen)
        elif words := ", ".join(_otherwise(entry, seen)):
            return f"{entry.switch} differs from the plan ({words}), or a secret has changed"
    every = tuple(now.get(entry.switch) or SwitchPreview(entry) for entry in plan.switches)
    if moved:
        return _unseen(site, plan, every, moved[0])
    return _other(plan, planned(site, every, wish_of(plan), course=course))


def wish_of(plan: Plan) -> BatchRequest:
    """Return the options of a plan."""
    return BatchRequest(
        sizes=sizes(plan.sizes),
        floor=plan.floor,
        together=plan.together,
        window=plan.window,
        drain=plan.drain,
    )


def _comparable(told: Entry, seen: Entry) -> bool:
    """Check whether a switch runs the same configuration as when the plan was created."""
    return seen.state in {"same", "changes"} and seen.running == told.running


def _otherwise(told: Entry, seen: Entry) -> Iterator[str]:
    """Yield the fields that differ. `kept` is skipped: its owner may change it at any time."""
    for name, value in told:
        if name != "kept" and getattr(seen, name) != value:
            yield name


def _unseen(site: Site, plan: Plan, looks: Sequence[SwitchPreview], moved: Entry) -> str:
    """Return a part of the plan that needs a switch whose state changed; empty if there is none.

    A switch that is in no such part may be unavailable.
    """
    windows = any(batch.window is not None for batch in plan.batches)
    if windows or plan.step is not None or stops(site, plan, looks):
        why = moved.said or "its running configuration has changed"
        return (
            f"the plan changes settings with two ends and needs the state of {moved.switch}: {why}"
        )
    return ""


def _other(plan: Plan, again: Plan) -> str:
    """Return a difference between two plans of the same change."""
    if (plan.step, plan.bound) != (again.step, again.bound):
        return "the next step is a different one"
    for number, (told, meant) in enumerate(zip(plan.batches, again.batches, strict=True), 1):
        if told != meant:
            return f"batch {number} would contain {', '.join(meant.switches)} ({meant.why})"
    splits = {*map(_timeless, plan.splits)} ^ {*map(_timeless, again.splits)}
    return f"the interruption of {min(split.what for split in splits)} differs" if splits else ""


def _timeless(split: Split) -> Split:
    """Remove the expected duration, which changes with every push."""
    return split.model_copy(update={"seconds": None})
