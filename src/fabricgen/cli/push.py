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
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import confirm
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
    PUSH_CODES,
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
    """Verification after a complete push: prints its text, returns an exit code and facts."""

INTERRUPTED = 130
_OF_PLANS = {"limit", *(field.name for field in fields(BatchOptions))}


@define_verb(
    "push",
    examples=("push intent/full --plan plan.json", "push intent/lab --lab lab --dry-run"),
    codes=PUSH_CODES | {2: "Changes (--dry-run)"},
)
@asking
@click.option(
    "--plan",
    "document",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Apply this plan. Default: make a plan and ask.",
)
@click.option("--dry-run", is_flag=True, help="Show the changes without applying them.")
@click.option("--steps", is_flag=True, help="Plan and apply all steps of a change in sequence.")
@click.option("--yes", is_flag=True, help="Push an unreviewed plan without a question.")
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
    """Apply a plan in batches and roll back unhealthy batches.

    Each switch commits with a confirm timer. A batch is confirmed when the network is as healthy as
    before. Otherwise the switches roll back, and the push stops. Ctrl-C stops between two steps.
    """
    from fabricgen.cli.formats.plan import show
    from fabricgen.operate.deploy.plan.document import read_plan
    from fabricgen.operate.deploy.team.signed import kept

    if document is not None:
        _refuse_words(steps=steps)
    signatures = None if document is None else tuple(kept(document))
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
        code = pushed(plan, signatures, asked, manner, permit, reviewed=yes or document is not None)
        if code or not goes_on(plan, manner.form, steps=steps):
            return code


def _refuse_words(*, steps: bool) -> None:
    """Refuse options that an existing plan already contains."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(str(option.name))
        if option.name in _OF_PLANS and source == click.core.ParameterSource.COMMANDLINE:
            contains = "the plan already contains it"
            raise click.UsageError(f"{option.opts[0]} cannot be combined with --plan: {contains}")
    if steps:
        raise click.UsageError("--steps cannot be combined with --plan: it makes its plans")


def pushed(
    plan: Plan,
    signatures: Beside | None,
    asked: SiteSelection,
    manner: PushOptions,
    permit: PlanLimits,
    *,
    reviewed: bool,
    then: Then | None = None,
) -> int:
    """Apply a plan if it is allowed, and print the outcome.

    Args:
        plan: The plan.
        signatures: Signatures of the plan. None if the plan is not from a file.
        asked: Site and switches of the command line.
        manner: Options of the push.
        permit: Limits on the plan.
        reviewed: Whether the plan was reviewed before. Otherwise the user is asked.
        then: Verification after a complete push.

    Returns:
        The exit code.
    """
    plan.begins(permit.sha)
    if why := _why_not(plan, permit.max_age):
        say(f"refused: {why}", err=True)
        return concluded(not_started(plan, why), "json") if manner.form == "json" else REFUSED
    if not plan.changing:
        return concluded(_nothing(plan), manner.form, plan.unknown, then)
    if not reviewed:
        _ask(plan)
    return concluded(carried_out(plan, signatures, asked, manner), manner.form, plan.unknown, then)


def _why_not(plan: Plan, hours: int) -> str:
    """Return why a plan is refused regardless of the switches. Empty if it is not."""
    from fabricgen.cli.formats.plan import hopeless

    if (age := plan.age(datetime.now(UTC))) < -timedelta(minutes=2):
        dated = f"plan {plan.id} is dated {plan.made}, in the future"
        return f"{dated}: check the clock of this machine"
    if age > timedelta(hours=hours):
        old = f"plan {plan.id} is {age / timedelta(hours=1):.0f} hours old"
        return f"{old}: create a new plan, or raise --max-age (now {hours})"
    if plan.declared is not None and not plan.declared.passes:
        return (
            f"plan {plan.id} is {plan.declared.verdict} ({plan.declared.name}): create a new plan"
        )
    return hopeless(plan) if plan.breaking else ""


def goes_on(plan: Plan, form: str, *, steps: bool) -> bool:
    """Print the number of steps that are left. Return whether to apply the next one now."""
    if plan.step is None or not plan.step.left:
        return False
    if steps and plan.changing:
        return True
    verb = "plan --one-batch" if plan.window else "plan"
    left = counted(plan.step.left, "step")
    say(f"{left} left: run `fabricgen {verb}` again for the next one", err=form == "json")
    return False


def _nothing(plan: Plan) -> Outcome:
    """Return the outcome of a plan without changes. It starts no push and asks nothing."""
    from fabricgen.operate.deploy.journal.records import Result
    from fabricgen.operate.deploy.push.push import Outcome

    total = counted(len(plan.switches), "switch")
    sentence = f"nothing was pushed: plan {plan.id} changes none of {total}"
    if plan.unknown:
        unknown = counted(len(plan.unknown), "switch")
        sentence += f"; {unknown} not reached, create a new plan when reachable"
    elif plan.step is not None and plan.step.waits:
        waits = f"; step {plan.step.number} waits for {', '.join(plan.step.waits)}"
        return not_started(plan, sentence + waits)
    return Outcome(push="", change=plan.id, result=Result.DONE, said=sentence)


def _ask(plan: Plan) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError(
            "plan not reviewed: pass a reviewed plan with --plan FILE, or use --yes"
        )
    confirm(f"push plan {plan.id} to {counted(len(plan.changing), 'switch')}?")


def concluded(
    outcome: Outcome, form: str, unknown: Sequence[Entry] = (), then: Then | None = None
) -> int:
    """Print the outcome and each failed switch, and return the exit code.

    Args:
        outcome: The outcome of the push.
        form: Output format.
        unknown: Switches that the plan could not reach and the push skipped.
        then: Verification after a complete push.
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
