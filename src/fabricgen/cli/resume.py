"""Implements `fabricgen resume PUSH-ID SITE`, which continues an incomplete push."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.formats.document import document
from fabricgen.cli.formats.history import resumable_data, resumable_text
from fabricgen.cli.history import site_and_push, site_name
from fabricgen.cli.plain import say
from fabricgen.cli.push import goes_on, pushed
from fabricgen.cli.switch_connections import reaching
from fabricgen.cli.switch_options import (
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


@click.command("resume")
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
    """Go on with a push of SITE that was cut off, undone, or left switches behind.

    The journal keeps its plan, so any machine with that journal can. Switches that run what was
    planned are skipped, those in between are undone first, the rest follows in the batches of the
    plan. All that push asks of a plan is asked again: its age, the intent, what every switch runs.
    Without PUSH-ID the pushes that can go on are listed.

    Exit codes: as of push.
    """
    from fabricgen.operate.deploy.team.authorization import once_more

    site, identity = site_and_push(words)
    asked = reach.of(Path(site or "."))
    with asked.open_journal(make=False) as journal:
        name = site_name(str(asked.site))
        if identity is None:
            return _listed(journal, name, manner.form)
        plan = _kept(journal, name, identity)
        beside = once_more(journal.signed(identity))
    code = pushed(plan, beside, asked, manner, permit, reviewed=True)
    if not code:
        goes_on(plan, manner.form, steps=False)
    return code


def _listed(journal: Journal, site: str | None, form: str) -> int:
    behind = journal.behind(site)
    ends = {push.id: _ends(journal, push) for push in (each.push for each in behind)}
    if form == "json":
        say(document(resumable_data(behind, ends)), nl=False)
    else:
        say(resumable_text(behind, ends), nl=False)
    return 0


def _ends(journal: Journal, push: Push) -> str:
    """Return why a push cannot go on, and what else to do; nothing where it can."""
    from fabricgen.operate.deploy.journal.records import Kind

    if push.kind is Kind.ROLLBACK:
        return "it was a rollback; `rollback` once more goes on with it"
    if push.kind is not Kind.PUSH:
        return "it brought nothing"
    if journal.plan(push.plan) is None:
        return (
            f"the journal keeps plan {push.plan} no more: `push --plan FILE` goes on with it "
            f"where the file is, else make a plan anew"
        )
    return ""


def _kept(journal: Journal, site: str | None, identity: str) -> Plan:
    """Return the plan of a push; what else to do where it cannot go on."""
    from fabricgen.operate.deploy.plan.document import BadPlan, plan_of

    push = journal.push(identity)
    if push is None or push.site != site:
        raise click.ClickException(f"no {identity} of {site} is in the journal {journal.name}")
    if why := _ends(journal, push):
        raise click.ClickException(f"{identity} cannot go on: {why}")
    plan = plan_of(str(journal.plan(push.plan)), f"plan {push.plan} in the journal {journal.name}")
    if (plan.id, plan.site) != (push.plan, push.site):
        raise BadPlan(f"the journal {journal.name} has another plan than that of {identity}")
    return plan
