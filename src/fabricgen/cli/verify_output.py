"""Prints the results of `fabricgen verify`: incidents, findings, and changes since a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.cli.plain import console, say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.cli.output import Designed
    from fabricgen.cli.switch_options import SiteSelection
    from fabricgen.operate.state.timeline.begun import Began
    from fabricgen.operate.state.timeline.report import Report
    from fabricgen.operate.state.verified import Verified


def code_of(result: Verified) -> int:
    """Return the exit code. Failures count more than unread values."""
    if result.failed:
        return CHANGES
    return UNREACHED if result.incomplete else 0


def show(
    asked: SiteSelection,
    result: Verified,
    design: Designed,
    form: str,
    changes: Report | None = None,
    began: Began | None = None,
) -> None:
    """Print incidents, results and changes in a format. JUnit has the results alone.

    `began`: first times of findings.
    """
    from fabricgen.cli.formats import timeline, verify
    from fabricgen.cli.incidents import grouped

    if form == "junit":
        say(verify.junit(result, design.source), nl=False)
        return
    found = grouped(design.site, result, began)
    if form == "json":
        more: dict[str, object] = {"incidents": found.data}
        if changes is not None:
            more["history"] = timeline.report_data(changes)
        say(verify.as_json(result, design.source, more), nl=False)
    elif form == "markdown":
        say(verify.markdown(result, design.source, found.markdown), nl=False)
        if changes is not None:
            say(f"\n{timeline.report_markdown(changes)}", nl=False)
    else:
        _print(result, design, found.text)
        if changes is not None:
            say(timeline.report_text(changes), nl=False)
        if result.failed:
            say(_between(asked, result.site), nl=False)


def _print(result: Verified, design: Designed, incidents: Iterable[str]) -> None:
    """Print incidents, the table of results and all findings for a terminal."""
    from fabricgen.cli.formats import verify_text

    out = console()
    for line in incidents:
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    if result.results:
        out.print(verify_text.table_of(result))
    for sentence in verify_text.sentences(result, design.source):
        out.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _between(asked: SiteSelection, site: str) -> str:
    """Return a line if the last push was a step of a change that has more steps. Else empty."""
    try:
        from fabricgen.operate.deploy.journal.records import JournalFailure
    except ModuleNotFoundError:  # without SQLAlchemy there was no push from here
        return ""
    from fabricgen.cli.formats.plan import stage
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
