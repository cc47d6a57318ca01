"""A plan from elsewhere and looks of now in; what it claims that does not follow from them, out.

Its hash is no signature: whoever writes a plan by hand can write that, too. What follows from the
intent, from what runs and from what was asked for is computed once more and compared.
"""

from collections.abc import Iterable, Iterator, Sequence

from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.batches.plan import Wish
from fabricgen.operate.deploy.batches.sizes import sizes
from fabricgen.operate.deploy.choreography.step import Course
from fabricgen.operate.deploy.plan.document import Entry, Plan, Split
from fabricgen.operate.deploy.plan.look import Look
from fabricgen.operate.deploy.plan.make import planned, stops


def forged(site: Site, plan: Plan, looks: Iterable[Look], course: Course) -> str:
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
    every = tuple(now.get(entry.switch) or Look(entry) for entry in plan.switches)
    if moved:
        return _unseen(site, plan, every, moved[0])
    return _other(plan, planned(site, every, wish_of(plan), course=course))


def wish_of(plan: Plan) -> Wish:
    """Return what was asked for when a plan was made."""
    return Wish(
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


def _unseen(site: Site, plan: Plan, looks: Sequence[Look], moved: Entry) -> str:
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
