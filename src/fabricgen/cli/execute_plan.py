"""Pushes an approved plan and shows its progress.

The current intent and the running state are compared with the plan before any switch changes.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.cli.notifications import About, Reached, telling
from fabricgen.cli.plan import surveyed
from fabricgen.cli.switch_connections import deployment, interruptible
from fabricgen.core import VERSION
from fabricgen.core.units import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from fabricgen.cli.switch_options import PushOptions, SiteSelection
    from fabricgen.operate.deploy.batches.judge import Joins
    from fabricgen.operate.deploy.plan.document import Plan
    from fabricgen.operate.deploy.push.change import Change
    from fabricgen.operate.deploy.push.push import Outcome
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.team.authorization import Authorization, Beside


def not_started(plan: Plan, why: str) -> Outcome:
    """Return the outcome of a plan that is refused before its push begins."""
    from fabricgen.operate.deploy.journal.records import Result
    from fabricgen.operate.deploy.push.push import Outcome

    return Outcome(push="", change=plan.id, result=Result.REFUSED, said=why)


def carried_out(
    plan: Plan, signatures: Beside | None, asked: SiteSelection, manner: PushOptions
) -> Outcome:
    """Push a plan.

    Args:
        plan: The plan.
        signatures: Signatures of the plan. None if the plan is not from a file.
        asked: Site and switches of the command line.
        manner: Options of the push.
    """
    from fabricgen.cli.authorization import to_push
    from fabricgen.operate.deploy.batches.judge import judge_batch

    known = frozenset(it.switch for it in plan.switches) - {it.switch for it in plan.unknown}
    design = deployment(asked, slowest=manner.timer, only=known)
    leave = to_push(plan, signatures, asked, manner, design)
    ready = _towards(plan, design)
    if why := _of_another_intent(plan, ready):
        return not_started(plan, why)
    if signatures is not None and not leave.approved and (why := _forged(plan, asked, design)):
        return not_started(plan, why)
    windows = _windows(plan)

    def judge(names: Sequence[str], gone: Collection[str]) -> Sequence[str]:
        window = windows.get(tuple(names))
        return judge_batch(ready.site, names, plan.floor, plan.reloads, window, gone)

    reached = Reached(ready.site.name, ready.fleet, ready.read)
    change = _change(plan, ready, tuple(windows), known)
    batches = [batch.switches for batch in plan.batches]
    return run(reached, asked, manner, change, batches, judge, leave)


def _towards(plan: Plan, design: Deployment) -> Deployment:
    """Return the deployment with the files of the plan's step, if the plan has one."""
    if plan.step is None:
        return design
    texts = design.lens.texts.keeping(plan.step.transitions)
    return replace(design, lens=replace(design.lens, texts=texts))


def _of_another_intent(plan: Plan, ready: Deployment) -> str:
    """Return why a plan is stale: the switches whose rendered files changed since. Else empty."""
    moved = sorted(it.switch for it in plan.changing if not _as_planned(plan, it.switch, ready))
    if not moved:
        return ""
    changed = f"the rendered configuration of {shortened(moved)} differs from the plan"
    return f"plan {plan.id} is stale: {changed}; create a new plan"


def _windows(plan: Plan) -> dict[tuple[str, ...], Joins]:
    """Return the common objects of the switches in each batch that is a window."""
    from fabricgen.operate.deploy.batches.judge import Joins

    return {
        batch.switches: Joins(
            vlans={*batch.window.vlans}, vrfs={*batch.window.vrfs}, cables=batch.window.cables
        )
        for batch in plan.batches
        if batch.window is not None
    }


def _change(
    plan: Plan, ready: Deployment, whole: Collection[tuple[str, ...]], known: Collection[str]
) -> Change:
    """Return the change of a plan.

    Args:
        plan: The plan.
        ready: The deployment.
        whole: Batches of the plan that are windows.
        known: Switches that may be asked during a batch.
    """
    from fabricgen.operate.deploy.push.change import PlanChange
    from fabricgen.operate.deploy.push.model import Model
    from fabricgen.operate.deploy.push.neighbors import NeighborScope

    lens = ready.lens
    model = Model(ready.site, lens.texts, frozenset(ready.there))
    return PlanChange(
        id=plan.id,
        plan=plan,
        whole=whole,
        texts=lens.texts,
        reveal=lens.reveal,
        hide=lens.hide,
        present=model.present,
        around=NeighborScope(model, frozenset(known).intersection(ready.targets)),
    )


def _forged(plan: Plan, asked: SiteSelection, ready: Deployment) -> str:
    """Return why a plan file does not match the switches. Empty if its push began before.

    The journal keeps the plans of earlier pushes, which were compared at their start.
    """
    from fabricgen.operate.deploy.journal.records import NoJournal
    from fabricgen.operate.deploy.plan.document import as_text
    from fabricgen.operate.deploy.plan.revalidation import forged, wish_of
    from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview

    with suppress(NoJournal), asked.open_journal(make=False) as kept:
        if kept.plan(plan.id) == as_text(plan):
            return ""
    silent = tuple(map(SwitchPreview, plan.unknown))
    looks, course = surveyed(asked, ready, wish_of(plan), silent, reload=bool(plan.reloads))
    if not (why := forged(ready.site, plan, looks, course)):
        return ""
    other = f" (of fabricgen {plan.tool}, this is {VERSION})"
    tool = other if plan.tool != VERSION else ""
    return (
        f"plan {plan.id}{tool} does not match the running configuration: {why}; create a new plan"
    )


def _as_planned(plan: Plan, name: str, ready: Deployment) -> bool:
    """Check whether the site still renders the planned files of a switch."""
    rendered = plan.entry(name).rendered
    return name in ready.targets and ready.lens.texts.of(name).sha256 == rendered


def run(
    reached: Reached,
    asked: SiteSelection,
    manner: PushOptions,
    change: Change,
    batches: Sequence[tuple[str, ...]],
    judge: Callable[[Sequence[str], Collection[str]], Sequence[str]],
    leave: Authorization,
    dead: frozenset[str] = frozenset(),
) -> Outcome:
    """Apply a change to its switches under the lock of the site, and show its progress.

    `Terms` describes the arguments `judge` and `dead`.
    """
    from fabricgen.cli.formats.push import pushing
    from fabricgen.cli.look_notes import note_of_push
    from fabricgen.operate.deploy.plan.make import operator
    from fabricgen.operate.deploy.push.push import Push, Terms

    terms = Terms(
        timer=manner.timer,
        patience=manner.health_timeout,
        probe=manner.probe,
        judge=judge,
        dead=dead,
        hold=leave.hold,
        signed=leave.signed,
        note=note_of_push(asked, reached),
    )
    site, fleet = reached.site, reached.fleet
    about = About(reached=reached, change=change, who=operator(), leave=leave)
    with (
        asked.open_journal() as kept,
        interruptible(fleet.stop),
        pushing(manner.form, sum(map(len, batches))) as shown,
        telling(about, asked, manner, shown) as (tell, ends),
    ):
        push = Push(site=site, fleet=fleet, journal=kept, terms=terms, tell=tell)
        outcome = push.run(change, batches, about.who)
        ends.append(outcome)
    if asked.lab is not None:
        _noted(asked.lab, asked.site, change, outcome)
    return outcome


def _noted(lab: str, site: Path, change: Change, outcome: Outcome) -> None:
    """Report the changed switches to a lab. `lab status` compares them with the new intent."""
    from fabricgen.operate.deploy.journal.records import Phase
    from fabricgen.operate.lab.given import note
    from fabricgen.operate.lab.place import chosen

    kept = {Phase.CONFIRMED, Phase.SKIPPED}
    names = [name for name, ended in outcome.ended.items() if ended.phase in kept]
    note(chosen(lab), change.id, site, names, change.undoes or None)
