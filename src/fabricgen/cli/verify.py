"""Implements `fabricgen verify SITE`, which compares every running switch with the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.output import data_option
from fabricgen.cli.plain import console, say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.verify import Verified


@click.command("verify")
@asking
@data_option
@click.option("--settle", default=0, metavar="SECONDS", help="Seconds to wait for convergence.")
@reaching
def command(*, asked: SiteSelection, form: str, settle: int) -> int:
    """Compare what every switch of SITE runs with the model: addresses, sessions, routes, queues.

    Exit codes: 0 all as designed, 2 something differs, 3 some could not be read, 1 errors.
    """
    return compared(asked, form, settle)


def compared(asked: SiteSelection, form: str, settle: int) -> int:
    """Print how switches run beside the model, and return the exit code."""
    code, facts = looked(asked, form, settle)
    if form == "json":
        say(document(facts), nl=False)
    return code


def looked(
    asked: SiteSelection, form: str, settle: int, drained: Collection[str] = ()
) -> tuple[int, dict[str, object]]:
    """Return the exit code and the facts of how switches run beside the model; print text alone.

    drained: switches that a plan drained, and not the intent.
    """
    from fabricgen.operate.deploy.verify import verified

    ready = deployment(asked, files=False)
    result = verified(ready, settle, drained)
    if form != "json":
        _print(ready, result)
        if result.differences:
            say(_between(asked, ready.site.name), nl=False)
    code = CHANGES if result.differences else 0
    return UNREACHED if result.unread or result.unasked else code, _as_json(result)


def _between(asked: SiteSelection, site: str) -> str:
    """Return a line where the last push was a step of a change, and others follow; else nothing."""
    from fabricgen.cli.formats.plan import stage
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.plan.document import readable

    try:
        with asked.open_journal(make=False) as kept:
            last = next(iter(kept.history(site, limit=1)), None)
            text = kept.plan(last.plan) if last is not None else None
    except JournalFailure:  # it is the journal of pushes: verify does without
        return ""
    plan = readable(text)
    if plan is None or plan.step is None or not plan.step.left:
        return ""
    verb = "plan --one-batch" if plan.window else "plan"
    pushed = stage(plan.step, window=plan.window)
    return f"the last push was {pushed}; `fabricgen {verb}` has the next one\n"


def _print(ready: Deployment, result: Verified) -> None:
    from fabricgen.cli.lab.terminal import table_of

    out = console()
    if result.looks:
        out.print(table_of(result.looks, {}))
    for sentence in result.differences:
        out.print(sentence, markup=False)
    for name, reason in result.unread.items():
        out.print(f"not read: {name}: {reason}", markup=False)
    for platform, names in result.unasked.items():
        out.print(
            f"not compared: {counted(len(names), 'switch')} of {platform}, whose running state no "
            "reader here reads; `fabricgen drift` compares their configuration",
            markup=False,
        )
    wrong = {name for name, look in result.looks.items() if look.differences}
    out.print(
        f"{len(result.looks) - len(wrong)} of {len(ready.targets)} switches run as designed",
        markup=False,
    )


def _as_json(result: Verified) -> dict[str, object]:
    rows = [each.as_data() for look in result.looks.values() for each in look.differences]
    return {
        "compared": sorted(result.looks),
        "differences": rows,
        "unread": result.unread,
        "unasked": result.unasked,
    }
