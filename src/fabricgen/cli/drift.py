"""Implements `fabricgen drift SITE`, which lists switches that differ from the rendered files."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.formats.document import document, fenced
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import clean, say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, reaching
from fabricgen.cli.switch_options import SiteSelection, SwitchSelection, asking, reach_options
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fabricgen.operate.deploy.coordination.agreement import Step
    from fabricgen.operate.deploy.plan.document import Entry

FORMATS = ("text", "json", "markdown")


@click.command("drift")
@asking
@form_option(*FORMATS)
def command(*, asked: SiteSelection, form: str) -> int:
    """Compare every switch of SITE with what is rendered for it. Nothing is changed.

    Exit codes: 0 all run what is rendered, 2 some do not, 3 some were not reached, 1 errors.
    """
    return compared_live(asked, form)


_live_option = click.option(
    "--live",
    is_flag=True,
    help="Compare what the switches of site A run, instead of B, with what is rendered for them; "
    "exit code 3 when switches were not reached.",
)


def with_switches(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb that compares A with B the options to compare A with its switches instead."""

    @functools.wraps(verb)
    def compared(
        *,
        before: str,
        after: str | None,
        live: bool,
        reach: SwitchSelection,
        form: str,
        **more: Any,
    ) -> int:
        if live == (after is not None):
            raise click.UsageError("compare A with B, or with its switches: --live")
        if live:
            return compared_live(reach.of(Path(before)), form)
        if reach.limit:
            raise click.UsageError("--limit names switches that are asked: with --live")
        return verb(before=before, after=after, form=form, **more)

    return _live_option(reach_options(compared))


@reaching
def compared_live(asked: SiteSelection, form: str) -> int:
    """Print how running switches differ from what is rendered; return the exit code."""
    from fabricgen.cli.plan import looked_at

    if form not in FORMATS:
        raise click.UsageError(f"what runs is compared as {', '.join(FORMATS)}")
    entries, step, drained = looked_at(asked)
    between = "; ".join(filter(None, (_between(step), _drained(drained))))
    say(show(entries, form, between), nl=False)
    if any(entry.state not in {"same", "changes"} for entry in entries):
        return UNREACHED
    return CHANGES if any(entry.state == "changes" for entry in entries) else 0


def _between(step: Step | None) -> str:
    """Say that a change with several steps is between two of them."""
    if step is None or step.number == 1:
        return ""
    done = f"{step.number - 1} of {step.number + step.left} steps of a change are done"
    return f"{done}; `fabricgen plan` has the next one: {step.said}"


def _drained(names: Collection[str]) -> str:
    """Say who is drained, in its turn of a window or by `--drain`."""
    if not names:
        return ""
    who = f"{' and '.join(sorted(names))} {'is' if len(names) == 1 else 'are'} drained"
    return f"{who}, so others take every other way; a plan without --drain brings traffic back"


def show(entries: tuple[Entry, ...], form: str, between: str = "") -> str:
    """Return what every switch differs in, in a format. between: why, where that is known."""
    from fabricgen.cli.formats.plan import kept_lines

    if form == "json":
        rows = [
            {"switch": each.switch, "fabric": each.fabric, "state": _state(each), "said": each.said,
             "diff": each.diff, "kept": list(each.kept)}
            for each in entries
        ]  # fmt: skip
        return document({"switches": rows, "between": between})
    lines = []
    for entry in entries:
        if entry.state == "changes":
            body = [clean(line) for line in entry.diff.splitlines()]
            lines += [f"drifted: {entry.switch}", *(body if form == "text" else fenced(body))]
        elif entry.state != "same":
            lines.append(f"{entry.state}: {entry.switch}: {clean(entry.said)}")
    lines += kept_lines(entries)
    lines.append(clean(between))
    counts = Counter(_state(entry) for entry in entries)
    states = ", ".join(f"{count} {word}" for word, count in counts.items())
    last = f"{counted(len(entries), 'switch')}: {states}"
    return "\n".join([*(line for line in lines if line), last]) + "\n"


def _state(entry: Entry) -> str:
    return {"same": "as rendered", "changes": "drifted"}.get(entry.state, entry.state)
