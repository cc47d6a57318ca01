"""Implements `fabricgen resume PUSH-ID SITE`, which continues an incomplete push."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.formats.document import document
from fabricgen.cli.formats.history import resumable_data, resumable_text
from fabricgen.cli.help import define_verb
from fabricgen.cli.history import site_and_push, site_name
from fabricgen.cli.plain import say
from fabricgen.cli.push import goes_on, pushed
from fabricgen.cli.switch_connections import reaching
from fabricgen.cli.switch_options import (
    PUSH_CODES,
    PlanLimits,
    PushOptions,
    SwitchSelection,
    permitting,
    pushing_manner,
    whole_reach,
)

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.journal.records import Push
    from fabricgen.operate.deploy.plan.document import Plan


@define_verb(
    "resume",
    examples=("resume intent/full", "resume push-7d102dd94f intent/full"),
    codes=PUSH_CODES,
)
@click.argument(
    "words", nargs=-1, required=True, metavar="[PUSH-ID] SITE", shell_complete=complete_sites
)
@whole_reach
@permitting
@pushing_manner
@reaching
def command(
    *, words: tuple[str, ...], reach: SwitchSelection, permit: PlanLimits, manner: PushOptions
) -> int:
    """Resume an interrupted push.

    The journal keeps the plan of each push of SITE. The verb skips finished switches, undoes
    unfinished ones and then applies the rest of the plan. It repeats all checks of `push`. Without
    PUSH-ID, it lists the pushes that can be resumed.
    """
    from fabricgen.operate.deploy.team.authorization import once_more

    site, identity = site_and_push(words)
    asked = reach.of(Path(site or "."))
    with asked.open_journal(make=False) as journal:
        name = site_name(str(asked.site))
        if identity is None:
            return _listed(journal, name, manner.form)
        plan = _kept(journal, name, identity)
        signatures = once_more(journal.signed(identity))
    code = pushed(plan, signatures, asked, manner, permit, reviewed=True)
    if not code:
        goes_on(plan, manner.form, steps=False)
    return code


def _listed(journal: Journal, site: str | None, form: str) -> int:
    behind = journal.behind(site)
    ends = {pending.push.id: _ends(journal, pending.push) for pending in behind}
    if form == "json":
        say(document(resumable_data(behind, ends)), nl=False)
    else:
        say(resumable_text(behind, ends), nl=False)
    return 0


def _ends(journal: Journal, push: Push) -> str:
    """Return why a push cannot be resumed, with the alternative. Empty if it can."""
    from fabricgen.operate.deploy.journal.records import Kind

    if push.kind is Kind.ROLLBACK:
        return "it was a rollback: run the same `rollback` again to continue"
    if push.kind is not Kind.PUSH:
        return "it changed no configuration"
    if journal.plan(push.plan) is None:
        return (
            f"plan {push.plan} is no longer in the journal: use `push --plan FILE`, or create a "
            "new plan"
        )
    return ""


def _kept(journal: Journal, site: str | None, identity: str) -> Plan:
    """Return the plan of a push.

    Raises:
        click.ClickException: The push is unknown or cannot be resumed.
        BadPlan: The journal has another plan.
    """
    from fabricgen.operate.deploy.plan.document import BadPlan, plan_of

    push = journal.push(identity)
    if push is None or push.site != site:
        raise click.ClickException(f"no push {identity} of {site} in the journal {journal.name}")
    if why := _ends(journal, push):
        raise click.ClickException(f"cannot resume {identity}: {why}")
    plan = plan_of(str(journal.plan(push.plan)), f"plan {push.plan} in the journal {journal.name}")
    if (plan.id, plan.site) != (push.plan, push.site):
        raise BadPlan(f"the plan of {identity} in the journal {journal.name} is another plan")
    return plan
