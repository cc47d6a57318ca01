"""Makes both sides of a push from the journal: the switches before it and after it.

The journal has the state of each switch, hashes of its configuration before and after, and for a
month the plan. The difference in the plan counts for a switch if the hashes agree with it.
"""

from collections.abc import Iterable
from datetime import timedelta

from fabricgen.core.units import counted, natural, shortened
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.plans import KEPT
from fabricgen.operate.deploy.journal.records import Kind, Phase, Push, Result, Step
from fabricgen.operate.deploy.plan.document import Entry, Plan, readable
from fabricgen.review.plans import PARTS, Known, change_of, folder_of, pair
from fabricgen.review.saved import UNPLACED
from fabricgen.review.side import Side, failed

_UNTOUCHED = {
    Phase.PLANNED,
    Phase.FAILED,
    Phase.UNREACHABLE,
    Phase.CANCELED,
    Phase.UNLOCKED,
    Phase.ROLLED_BACK,
}
"""Phases after which the configuration from before the push runs."""
_NAMED = 5


def pair_of_push(journal: Journal, push_id: str) -> tuple[Side, Side]:
    """Return both sides of a push or a rollback."""
    push = journal.push(push_id)
    if push is None:
        said = f"no push {push_id} in the journal {journal.name}"
        return failed(push_id, said), failed(push_id, said)
    if push.kind is Kind.UNLOCK:
        said = f"{push_id} released locks and changed no configuration"
        return failed(push_id, said), failed(push_id, said)
    undone = push.intent if push.kind is Kind.ROLLBACK else ""
    identity = undone or push.plan
    plan = readable(journal.plan(identity))
    steps = journal.steps(push_id)
    states = {step.switch: step for step in steps}
    hashes = _hashes(steps)
    earlier = _confirmed(journal, identity) if undone else {}
    known, same = list[Known](), set[str]()
    for name, step in states.items():
        entry = _entry(plan, name)
        place = folder_of(entry) if entry is not None else f"{UNPLACED}/{name}"
        if step.phase in _UNTOUCHED or step.phase is Phase.SKIPPED:
            same.add(place)
        elif step.phase is not Phase.CONFIRMED:
            known.append(Known(folder=place, why=f"the journal ends with {step.phase}"))
        elif entry is None:
            known.append(Known(folder=place, why=_missing(plan, identity)))
        elif undone:
            known.append(_undone(entry, hashes[name], earlier.get(name)))
        else:
            known.append(_applied(entry, hashes[name]))
    names = f"before {push_id}", f"after {push_id}"
    return pair(names, known, frozenset(same), (PARTS, *_notes(push, states.values())))


def _hashes(steps: Iterable[Step]) -> dict[str, tuple[str | None, str | None]]:
    """Return the hashes of the configuration before and after, by switch."""
    found: dict[str, tuple[str | None, str | None]] = {}
    for step in steps:
        before, after = found.get(step.switch, (None, None))
        found[step.switch] = before or step.before, step.after or after
    return found


def _confirmed(journal: Journal, plan: str) -> dict[str, str | None]:
    """Return the hashes of configurations that a plan left on the switches."""
    found: dict[str, str | None] = {}
    for push in reversed(journal.history(plan=plan, limit=None)):
        states = journal.states(push.id) if push.kind is Kind.PUSH else {}
        found |= {n: step.after for n, step in states.items() if step.phase is Phase.CONFIRMED}
    return found


def _entry(plan: Plan | None, name: str) -> Entry | None:
    entries = plan.switches if plan is not None else ()
    return next((each for each in entries if each.switch == name), None)


def _missing(plan: Plan | None, identity: str) -> str:
    if plan is not None:
        return f"plan {identity} does not have this switch"
    days = KEPT // timedelta(days=1)
    return f"the journal does not have plan {identity}; it keeps a plan for {days} days"


def _applied(entry: Entry, hashes: tuple[str | None, str | None]) -> Known:
    """Return the change of a plan, if the switch ran the configuration of the plan."""
    before, _ = hashes
    if before is not None and before != entry.running:
        why = "it ran another configuration before the push than the plan has"
        return Known(folder=folder_of(entry), why=why)
    return change_of(entry)


def _undone(entry: Entry, hashes: tuple[str | None, str | None], left: str | None) -> Known:
    """Return the opposite of a plan's change, if the rollback began and ended with its hashes."""
    change, (before, after) = change_of(entry), hashes
    if change.parts is None:
        return Known(folder=change.folder, why=change.why)
    if before is None or before != left or after != entry.running:
        why = "the rollback did not restore exactly the configuration from before the plan"
        return Known(folder=change.folder, why=why)
    return Known(folder=change.folder, parts=change.parts.reversed)


def _notes(push: Push, states: Iterable[Step]) -> tuple[str, ...]:
    """Return notes about the result and about switches that the push did not change."""
    notes = []
    if push.result is not Result.DONE:
        notes.append(f"{push.id} ended as {push.result or 'not ended'}")
    by_phase: dict[Phase, list[str]] = {}
    for step in states:
        if step.phase in _UNTOUCHED:
            by_phase.setdefault(step.phase, []).append(step.switch)
    for phase, names in by_phase.items():
        listed = shortened(natural(names), _NAMED)
        notes.append(f"{counted(len(names), 'switch')} not changed ({phase}): {listed}")
    return tuple(notes)
