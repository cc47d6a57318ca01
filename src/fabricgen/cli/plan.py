"""Implements `fabricgen plan SITE`, which shows the changes of a push, their order and their risk.

`drift` and `diff --live` use the same state snapshot of every switch, which changes nothing.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.authorization import to_plan
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import say
from fabricgen.cli.review_options import declared_option
from fabricgen.cli.switch_connections import (
    CHANGES,
    REFUSED,
    UNREACHED,
    deployment,
    interruptible,
    reaching,
)
from fabricgen.cli.switch_options import (
    BatchOptions,
    SiteSelection,
    asking,
    key_option,
    ordering,
    plan_output_option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabricgen.cli.plan_declared import Promise
    from fabricgen.operate.deploy.batches.plan import BatchRequest
    from fabricgen.operate.deploy.coordination.agreement import Course, Step
    from fabricgen.operate.deploy.plan.document import Entry, Plan
    from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.team.authorization import Rules
    from fabricgen.review.diff_parts import Parts


@define_verb(
    "plan",
    examples=("plan intent/full -o plan.json", "plan intent/lab --lab lab --batch 1,25%"),
    codes={
        0: "No changes",
        2: "Changes",
        3: "Some switches were not reached",
        4: "The plan cannot succeed, or waits for switches outside --limit",
    },
)
@asking
@plan_output_option
@key_option
@ordering
@declared_option
@click.option(
    "--base",
    metavar="A",
    help="Side A of the reviewed change, with --declared: a site, tree or REV:path.",
)
@form_option("text", "json", "markdown")
@reaching
def command(
    *,
    asked: SiteSelection,
    target: Path | None,
    key: Path | None,
    order: BatchOptions,
    declared: str | None,
    base: str | None,
    form: str,
) -> int:
    """Compare with the switches and plan the change.

    The verb asks every switch of SITE for the difference to the rendered configuration and changes
    nothing. The plan lists the changes, their risks and their batches.
    """
    from fabricgen.cli.formats.plan import show
    from fabricgen.cli.plan_declared import promise_of

    promise = promise_of(declared, base, asked.site)
    ready = deployment(asked)
    rules = to_plan(key, target, asked, ready) if key is not None else None
    plan = planned_as(asked, order, ready, promise)
    if target is not None and not written(plan, target, key, rules):
        return 1
    say(show(plan, form), nl=False)
    return code_of(plan)


def written(plan: Plan, target: Path, key: Path | None, rules: Rules | None) -> bool:
    """Write a plan and the signature of its author. Print an error and return False on failure."""
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
    if plan.breaking or (plan.declared is not None and not plan.declared.passes):
        return REFUSED
    if plan.unknown:
        return UNREACHED
    if plan.changing:
        return CHANGES
    waits = plan.step is not None and plan.step.waits
    return REFUSED if waits else 0  # a plan waits only for switches outside it


def planned_as(
    asked: SiteSelection,
    order: BatchOptions,
    ready: Deployment,
    promise: Promise | None = None,
) -> Plan:
    """Make the plan for the selected switches. `promise`: the declared change of the plan."""
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
    files: Mapping[str, Parts] = {}
    if promise is not None:
        from fabricgen.review.live import storing

        lens = storing(ready.lens)
        ready, files = replace(ready, lens=lens), lens.files
    refuse_several(fabrics, wish)  # before the slow question to each switch
    looks, course = surveyed(asked, ready, wish, reload=order.reload)
    _say_behind(asked, ready.site.name, [look.entry for look in looks])
    _say_gone(asked, ready)
    if not wish.window:  # a window reports drained switches itself
        _say_drained(looks)
    policy = None if asked.lab else ready.read.policy
    plan = planned(ready.site, looks, wish, policy, course, _pace(asked, ready.site.name))
    return plan if promise is None else promise.added(plan, looks, files)


def surveyed(
    asked: SiteSelection,
    ready: Deployment,
    wish: BatchRequest,
    silent: Sequence[SwitchPreview] = (),
    *,
    reload: bool,
) -> tuple[tuple[SwitchPreview, ...], Course]:
    """Compare the switches of a plan, and choose its course: one step or the complete change.

    Args:
        asked: Site and switches of the command line.
        ready: The deployment.
        wish: The requested batches.
        silent: Previews of switches in unknown state, which are not asked.
        reload: Whether switches may restart services.
    """
    from fabricgen.operate.deploy.plan.make import course_of

    looks = (*looked(asked, ready, ready.lens.most, reload=reload), *silent)
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
    """Compare again the switches whose files in this step differ from the design."""
    lens = ready.lens
    targets = {name: target for name, target in lens.targets.items() if name in step.kept}
    part = replace(
        ready,
        targets=targets,
        lens=replace(lens, texts=lens.texts.keeping(step.kept), targets=targets),
    )
    again = looked(asked, part, lens.most, reload=reload)
    seen = {look.entry.switch: look for look in again}
    return tuple(seen.get(look.entry.switch, look) for look in looks)


def _say_behind(asked: SiteSelection, site: str, entries: Sequence[Entry]) -> None:
    """Print the switches that miss an earlier plan. Record in the journal which caught up."""
    from fabricgen.cli.formats.history import behind_text
    from fabricgen.operate.deploy.journal.behind import caught_up
    from fabricgen.operate.deploy.journal.records import JournalFailure, LockHeld
    from fabricgen.operate.deploy.plan.make import operator

    states = {entry.switch: entry.state for entry in entries}
    # a plan needs no journal
    with suppress(JournalFailure, LockHeld), asked.open_journal(make=False) as kept:
        behind = [pending for pending in kept.behind(site) if pending.step.switch in states]
        left = [pending for pending in behind if states[pending.step.switch] != "same"]
        say(behind_text(left), nl=False, err=True)
        caught_up(kept, site, operator(), [pending for pending in behind if pending not in left])


def _pace(asked: SiteSelection, site: str) -> list[float]:
    """Return the seconds that earlier batches of this site took."""
    from fabricgen.operate.deploy.journal.records import JournalFailure

    with suppress(JournalFailure), asked.open_journal(make=False) as kept:
        return kept.pace(site)
    return []


def _say_gone(asked: SiteSelection, ready: Deployment) -> None:
    """Print the switches of earlier pushes that the intent no longer has."""
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.plan.revalidation import gone

    if asked.limit or asked.lab is not None:  # other switches are absent on purpose
        return
    present = {name for it in ready.there.values() for name in (it.name, it.previous_name)}
    present.update(name for fabric in ready.site.fabrics for name in fabric.absent)
    with suppress(JournalFailure), asked.open_journal(make=False) as kept:
        for name, plan in gone(kept, ready.site.name, present).items():
            say(f"removed: plan {plan} changed {name}, which is not in the intent", err=True)


def _say_drained(looks: Sequence[SwitchPreview]) -> None:
    """Print the drained switches that a plan restores: work on them may not be done yet."""
    from fabricgen.operate.deploy.plan.make import drained_now

    for name in sorted(drained_now(looks)):
        say(
            f"drained: this plan restores the traffic of {name}; use --drain {name} to keep it "
            "drained",
            err=True,
        )


def _dead(asked: SiteSelection, site: str) -> frozenset[str]:
    """Return the plans whose pushes have ended. Their remains on switches block no push.

    These are all plans of the journal if its lock is free. The lock is held for a moment.
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


def looked(
    asked: SiteSelection, ready: Deployment, most: int, *, reload: bool
) -> tuple[SwitchPreview, ...]:
    """Compare the switches. most: number of lines that are kept of each difference."""
    from fabricgen.cli.formats.push import looking
    from fabricgen.operate.deploy.plan.make import look_at_all

    over = _dead(asked, ready.site.name)
    lens = replace(ready.lens, over=over, most=most, reload=reload)
    with interruptible(ready.fleet.stop), looking(len(ready.targets)) as tell:
        looks = look_at_all(ready.fleet, lens, tell)
    if ready.fleet.stop.asked:
        raise click.Abort
    return looks
