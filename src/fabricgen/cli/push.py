"""Implements `fabricgen push SITE`, which applies a plan batch by batch or undoes it."""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.execute_plan import carried_out, not_started
from fabricgen.cli.plain import say
from fabricgen.cli.plan import code_of, planned_as
from fabricgen.cli.switch_connections import (
    REFUSED,
    ROLLED_BACK,
    UNKNOWN,
    UNREACHED,
    deployment,
    reaching,
)
from fabricgen.cli.switch_options import (
    BatchOptions,
    PlanLimits,
    PushOptions,
    SiteSelection,
    asking,
    ordering,
    permitting,
    pushing_manner,
)
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabricgen.operate.deploy.plan.document import Entry, Plan
    from fabricgen.operate.deploy.push.push import Outcome
    from fabricgen.operate.deploy.team.authorization import Beside

    Then = Callable[[], tuple[int, dict[str, object]]]
    """What is looked at after a push that is done: prints its text, returns exit code and facts."""

INTERRUPTED = 130
_OF_PLANS = {"limit", *(field.name for field in fields(BatchOptions))}


@click.command("push")
@asking
@click.option("--plan", "document", type=click.Path(path_type=Path), help="A plan that was made.")
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
@click.option("--steps", is_flag=True, help="Go on through all steps of a change, plan by plan.")
@click.option("--yes", is_flag=True, help="Do not ask; for a plan that nobody has reviewed.")
@ordering
@permitting
@pushing_manner
@reaching
def command(
    *,
    asked: SiteSelection,
    document: Path | None,
    dry_run: bool,
    steps: bool,
    yes: bool,
    order: BatchOptions,
    permit: PlanLimits,
    manner: PushOptions,
) -> int:
    """Carry out a plan of SITE, or make one and carry it out.

    Each batch is committed against the clock of its switches, and confirmed when the network is as
    healthy as before; else it is undone, and nothing follows.

    Exit codes: 0 all done, 1 errors, 2 changes (--dry-run), 3 some switches failed or were not
    reached, 4 the plan is stale or cannot succeed, or somebody else pushes, 5 rolled back,
    6 unknown state left, 130 interrupted.
    """
    from fabricgen.cli.formats.plan import show
    from fabricgen.operate.deploy.plan.document import read_plan
    from fabricgen.operate.deploy.team.signed import kept

    if document is not None:
        _refuse_words(steps=steps)
    beside = None if document is None else tuple(kept(document))
    while True:
        plan = (
            planned_as(asked, order, deployment(asked)) if document is None else read_plan(document)
        )
        if document is None or dry_run:
            machine = manner.form == "json"
            form = "json" if machine and dry_run else "text"
            say(show(plan, form), nl=False, err=machine and not dry_run)
        if dry_run:
            plan.begins(permit.sha)
            return code_of(plan)
        code = pushed(plan, beside, asked, manner, permit, reviewed=yes or document is not None)
        if code or not goes_on(plan, manner.form, steps=steps):
            return code


def _refuse_words(*, steps: bool) -> None:
    """Refuse what a plan says that was made: it would be said in vain."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(str(option.name))
        if option.name in _OF_PLANS and source == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} was said, or not, when the plan was made")
    if steps:
        raise click.UsageError("--steps makes its plans itself")


def pushed(
    plan: Plan,
    beside: Beside | None,
    asked: SiteSelection,
    manner: PushOptions,
    permit: PlanLimits,
    *,
    reviewed: bool,
    then: Then | None = None,
) -> int:
    """Carry out a plan if it may be, and say how it ended; who goes on with one asks the same.

    beside: what people signed of it. reviewed: by somebody before; else whoever sits there is
    asked. then: looked at after all is done.
    """
    plan.begins(permit.sha)
    if why := _why_not(plan, permit.max_age):
        say(f"refused: {why}", err=True)
        return concluded(not_started(plan, why), "json") if manner.form == "json" else REFUSED
    if not plan.changing:
        return concluded(_nothing(plan), manner.form, plan.unknown, then)
    if not reviewed:
        _ask(plan)
    return concluded(carried_out(plan, beside, asked, manner), manner.form, plan.unknown, then)


def _why_not(plan: Plan, hours: int) -> str:
    """Say why a plan is not pushed, whatever switches say; empty when it may be."""
    from fabricgen.cli.formats.plan import hopeless

    if (age := plan.age(datetime.now(UTC))) < -timedelta(minutes=2):
        return f"plan {plan.id} was made at {plan.made}: this machine's clock is behind"
    if age > timedelta(hours=hours):
        old = f"plan {plan.id} is {age / timedelta(hours=1):.0f} hours old"
        return f"{old}: make it anew, or --max-age HOURS"
    return hopeless(plan) if plan.breaking else ""


def goes_on(plan: Plan, form: str, *, steps: bool) -> bool:
    """Say how many steps of a change are left; tell whether to go on with the next one."""
    if plan.step is None or not plan.step.left:
        return False
    left = f"{counted(plan.step.left, 'step')} left"
    if steps and plan.changing:
        return True
    words = "plan --one-batch again" if plan.window else "plan again"
    say(f"{left}: {words}", err=form == "json")
    return False


def _nothing(plan: Plan) -> Outcome:
    """Return how a plan ends that changes no switch: no push begins, and nobody is asked."""
    from fabricgen.operate.deploy.journal.records import Result
    from fabricgen.operate.deploy.push.push import Outcome

    every = counted(len(plan.switches), "switch")
    sentence = f"nothing was pushed: plan {plan.id} changes none of {every}"
    if plan.unknown:
        sentence += f" and does not know {len(plan.unknown)}; make it anew when these can be asked"
    elif plan.step is not None and plan.step.waits:
        waits = f"; step {plan.step.number} waits for {', '.join(plan.step.waits)}"
        return not_started(plan, sentence + waits)
    return Outcome(push="", change=plan.id, result=Result.DONE, said=sentence)


def _ask(plan: Plan) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError("nobody has reviewed this plan: --plan FILE, or --yes")
    them = counted(len(plan.changing), "switch")
    click.confirm(f"push plan {plan.id} to {them}?", abort=True, err=True)


def concluded(
    outcome: Outcome, form: str, unknown: Sequence[Entry] = (), then: Then | None = None
) -> int:
    """Say how it ended, every switch that is not well by name, and return the exit code.

    unknown: switches that the plan knew nothing of, and that were left alone.
    """
    from fabricgen.cli.formats.push import as_json, summary

    code, facts = _code(outcome, unknown), as_json(outcome, unknown)
    if form != "json":
        say(summary(outcome, unknown), nl=False)
    if then is not None and not code:
        code, facts["verify"] = then()
    if form == "json":
        say(json.dumps(facts))
    return code


def _code(outcome: Outcome, unknown: Sequence[Entry]) -> int:
    from fabricgen.operate.deploy.journal.records import Result

    codes = {
        Result.DONE: UNREACHED if unknown else 0,
        Result.FAILED: UNREACHED,
        Result.REFUSED: REFUSED,
        Result.ROLLED_BACK: ROLLED_BACK,
        Result.UNKNOWN: UNKNOWN,
        Result.INTERRUPTED: INTERRUPTED,
    }
    return codes[outcome.result]
