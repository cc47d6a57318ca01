"""Implements `fabricgen plan SITE`, which shows the changes of a push, their order and their risk.

`drift` and `diff --live` use the same state snapshot of every switch, which changes nothing.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.authorization import to_plan
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import (
    CHANGES,
    REFUSED,
    UNREACHED,
    deployment,
    interruptible,
    reaching,
)
from fabricgen.cli.switch_options import BatchOptions, SiteSelection, asking, key_option, ordering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.operate.deploy.batches.plan import BatchRequest
    from fabricgen.operate.deploy.coordination.agreement import Course, Step
    from fabricgen.operate.deploy.plan.document import Entry, Plan
    from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.team.authorization import Rules


@click.command("plan")
@asking
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), help="Write the plan here."
)
@key_option
@ordering
@form_option("text", "json", "markdown")
@reaching
def command(
    *, asked: SiteSelection, target: Path | None, key: Path | None, order: BatchOptions, form: str
) -> int:
    """Ask every switch of SITE what would change on it. Nothing is changed.

    Exit codes: 0 no changes, 2 changes, 3 some switches were not reached, 4 changes that cannot
    succeed in these batches, or wait for switches that are not asked, 1 errors.
    """
    from fabricgen.cli.formats.plan import show

    ready = deployment(asked)
    rules = to_plan(key, target, asked, ready) if key is not None else None
    plan = planned_as(asked, order, ready)
    if target is not None and not written(plan, target, key, rules):
        return 1
    say(show(plan, form), nl=False)
    return code_of(plan)


def written(plan: Plan, target: Path, key: Path | None, rules: Rules | None) -> bool:
    """Write a plan, and beside it who signed it; say so and return False where that cannot be."""
    from fabricgen.operate.deploy.journal.records import Act
    from fabricgen.operate.deploy.plan.document import write_plan
    from fabricgen.operate.deploy.team.signed import keep

    try:
        write_plan(target, plan)
        if key is not None and rules is not None:
            keep(target, rules.signed(Act.PLAN, plan.sha256, key))
    except OSError as error:
        say(f"error: {target}: {error.strerror}", err=True)
        return False
    return True


def code_of(plan: Plan) -> int:
    """Return the exit code of a plan."""
    if plan.breaking:
        return REFUSED
    if plan.unknown:
        return UNREACHED
    if plan.changing:
        return CHANGES
    waits = plan.step is not None and plan.step.waits
    return REFUSED if waits else 0  # it can only wait for who is not in it


def looked_at(asked: SiteSelection) -> tuple[tuple[Entry, ...], Step | None, set[str]]:
    """Look at every switch that is meant; nothing follows, so any path may be looked at.

    The step comes back that a change is at, and who is drained.
    """
    from fabricgen.operate.deploy.plan.make import drained_now, stepping

    ready = deployment(asked)
    looks = _looked(asked, ready, sys.maxsize, reload=True)
    return tuple(look.entry for look in looks), stepping(ready.site, looks).step, drained_now(looks)


def planned_as(asked: SiteSelection, order: BatchOptions, ready: Deployment) -> Plan:
    """Make the plan of what was asked."""
    from fabricgen.operate.deploy.batches.plan import BatchRequest, refuse_several
    from fabricgen.operate.deploy.batches.sizes import sizes
    from fabricgen.operate.deploy.plan.make import planned

    wish = BatchRequest(
        sizes=sizes(order.batch),
        floor=order.min_available,
        together=order.all_fabrics,
        window=order.one_batch,
        drain=order.drain,
    )
    fabrics = dict.fromkeys(target.fabric for target in ready.targets.values())
    refuse_several(fabrics, wish)  # before anybody is asked: what changes makes no difference
    looks, course = surveyed(asked, ready, wish, reload=order.reload)
    _say_behind(asked, ready.site.name, [look.entry for look in looks])
    _say_gone(asked, ready)
    if not wish.window:  # a window says itself whose turn ends
        _say_drained(looks)
    policy = None if asked.lab else ready.read.policy
    return planned(ready.site, looks, wish, policy, course, _pace(asked, ready.site.name))


def surveyed(
    asked: SiteSelection,
    ready: Deployment,
    wish: BatchRequest,
    silent: Sequence[SwitchPreview] = (),
    *,
    reload: bool,
) -> tuple[tuple[SwitchPreview, ...], Course]:
    """Look at what a plan is made of, and at how it goes on from there: by a step, or straight.

    silent: looks at others that nothing is known of, and that are not asked.
    """
    from fabricgen.operate.deploy.plan.make import course_of

    looks = (*_looked(asked, ready, ready.lens.most, reload=reload), *silent)
    course = course_of(ready.site, looks, wish)
    if course.step is not None and course.step.kept:
        looks = _looked_again(asked, ready, looks, course.step, reload=reload)
    return looks, course


def _looked_again(
    asked: SiteSelection,
    ready: Deployment,
    looks: tuple[SwitchPreview, ...],
    step: Step,
    *,
    reload: bool,
) -> tuple[SwitchPreview, ...]:
    """Look at those that keep something in a step: what changes on them is not the design."""
    lens = ready.lens
    targets = {name: target for name, target in lens.targets.items() if name in step.kept}
    part = replace(
        ready,
        targets=targets,
        lens=replace(lens, texts=lens.texts.keeping(step.kept), targets=targets),
    )
    again = _looked(asked, part, lens.most, reload=reload)
    seen = {look.entry.switch: look for look in again}
    return tuple(seen.get(look.entry.switch, look) for look in looks)


def _say_behind(asked: SiteSelection, site: str, entries: Sequence[Entry]) -> None:
    """Say who is still behind an earlier plan; of who was seen to be no more, the journal hears."""
    from fabricgen.cli.formats.history import behind_text
    from fabricgen.operate.deploy.journal.behind import caught_up
    from fabricgen.operate.deploy.journal.records import JournalFailure, LockHeld
    from fabricgen.operate.deploy.plan.make import operator

    states = {entry.switch: entry.state for entry in entries}
    # it is the journal of pushes: a plan does without
    with suppress(JournalFailure, LockHeld), asked.open_journal(make=False) as kept:
        behind = [each for each in kept.behind(site) if each.step.switch in states]
        left = [each for each in behind if states[each.step.switch] != "same"]
        say(behind_text(left), nl=False, err=True)
        caught_up(kept, site, operator(), [each for each in behind if each not in left])


def _pace(asked: SiteSelection, site: str) -> list[float]:
    """Return how long batches of this site took; nothing where none was pushed."""
    from fabricgen.operate.deploy.journal.records import JournalFailure

    with suppress(JournalFailure), asked.open_journal(make=False) as kept:
        return kept.pace(site)
    return []


def _say_gone(asked: SiteSelection, ready: Deployment) -> None:
    """Say which switches were pushed to before and are not in the intent any more."""
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.plan.revalidation import gone

    if asked.limit or asked.lab is not None:  # a part of the switches; the others are no loss
        return
    present = {name for it in ready.there.values() for name in (it.name, it.previous_name)}
    present.update(name for fabric in ready.site.fabrics for name in fabric.absent)
    with suppress(JournalFailure), asked.open_journal(make=False) as kept:
        for name, plan in gone(kept, ready.site.name, present).items():
            why = f"was pushed to before (plan {plan}) and is not in the intent any more"
            say(f"gone: {name} {why}: it is left as it is", err=True)


def _say_drained(looks: Sequence[SwitchPreview]) -> None:
    """Say who gets its traffic back: somebody may have drained it to work on it."""
    from fabricgen.operate.deploy.plan.make import drained_now

    for name in sorted(drained_now(looks)):
        say(
            f"drained: {name} is drained now, and this plan brings its traffic back; "
            f"with --drain {name} it stays drained",
            err=True,
        )


def _dead(asked: SiteSelection, site: str) -> frozenset[str]:
    """Return the plans whose pushes are over; what they left on switches holds nobody up.

    All that the journal knows, when the lock is free: it is taken for a moment.
    """
    from fabricgen.operate.deploy.journal.records import JournalFailure, LockHeld
    from fabricgen.operate.deploy.plan.make import operator

    with (
        suppress(JournalFailure, LockHeld),
        asked.open_journal(make=False) as kept,
        kept.lock(site, "look", operator()),
    ):
        return frozenset(push.plan for push in kept.history(site, limit=None))
    return frozenset()


def _looked(
    asked: SiteSelection, ready: Deployment, most: int, *, reload: bool
) -> tuple[SwitchPreview, ...]:
    """Look at them; most: lines of a difference that are kept."""
    from fabricgen.cli.formats.push import looking
    from fabricgen.operate.deploy.plan.make import look_at_all

    over = _dead(asked, ready.site.name)
    lens = replace(ready.lens, over=over, most=most, reload=reload)
    with interruptible(ready.fleet.stop), looking(len(ready.targets)) as told:
        looks = look_at_all(ready.fleet, lens, told)
    if ready.fleet.stop.asked:
        raise click.Abort
    return looks
