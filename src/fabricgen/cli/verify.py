"""Implements `fabricgen verify SITE`, which compares every running switch with the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import data_option
from fabricgen.cli.plain import console, say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.verify import Verified


@define_verb(
    "verify",
    examples=("verify intent/full --limit frontend", "verify intent/lab --lab lab --settle 60"),
    codes={0: "As designed", 2: "Differences", 3: "Some switches were not read"},
)
@asking
@data_option
@click.option("--settle", default=0, metavar="SECONDS", help="Seconds to wait for convergence.")
@reaching
def command(*, asked: SiteSelection, form: str, settle: int) -> int:
    """Compare the state of switches with the model.

    The verb reads addresses, sessions, routes and queues of every switch of SITE.
    """
    return compared(asked, form, settle)


def compared(asked: SiteSelection, form: str, settle: int) -> int:
    """Print the differences of state and model, and return the exit code."""
    code, facts = looked(asked, form, settle)
    if form == "json":
        say(document(facts), nl=False)
    return code


def looked(
    asked: SiteSelection, form: str, settle: int, drained: Collection[str] = ()
) -> tuple[int, dict[str, object]]:
    """Compare the state with the model. Print it only as text.

    Args:
        asked: Site and switches of the command line.
        form: Output format.
        settle: Seconds to wait for convergence.
        drained: Switches that a plan drained, but not the intent.

    Returns:
        The exit code and the result as data.
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
    """Return a line if the last push was a step of a change that has more steps. Else empty."""
    from fabricgen.cli.formats.plan import stage
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.plan.document import readable

    try:
        with asked.open_journal(make=False) as kept:
            last = next(iter(kept.history(site, limit=1)), None)
            text = kept.plan(last.plan) if last is not None else None
    except JournalFailure:  # verify needs no journal
        return ""
    plan = readable(text)
    if plan is None or plan.step is None or not plan.step.left:
        return ""
    verb = "plan --one-batch" if plan.window else "plan"
    pushed = stage(plan.step, window=plan.window)
    return f"the last push was {pushed}; run `fabricgen {verb}` for the next step\n"


def _print(ready: Deployment, result: Verified) -> None:
    from fabricgen.cli.lab.terminal import table_of

    out = console()
    if result.looks:
        out.print(table_of(result.looks, {}))
    for sentence in result.differences:
        out.print(sentence, markup=False)
    for name, reason in result.unread.items():
        out.print(f"not read: {name}: {reason}", markup=False)
    if result.unversioned:
        said = f"release not compared: {counted(len(result.unversioned), 'switch')}, version unread"
        out.print(said, markup=False)
    for platform, names in result.unasked.items():
        out.print(
            f"not compared: {counted(len(names), 'switch')} of {platform} (state not supported); "
            "`fabricgen drift` compares their configuration",
            markup=False,
        )
    wrong = {name for name, look in result.looks.items() if look.differences}
    out.print(
        f"{len(result.looks) - len(wrong)} of {len(ready.targets)} switches run as designed",
        markup=False,
    )


def _as_json(result: Verified) -> dict[str, object]:
    rows = [found.as_data() for look in result.looks.values() for found in look.differences]
    return {
        "compared": sorted(result.looks),
        "differences": rows,
        "unread": result.unread,
        "unasked": result.unasked,
        "release_unread": result.unversioned,
    }
