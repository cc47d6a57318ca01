"""Implements `fabricgen drift SITE`, which lists switches that differ from the rendered files."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.formats.document import document, fenced
from fabricgen.cli.help import define_verb
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


@define_verb(
    "drift",
    examples=("drift intent/full --limit frontend", "drift intent/lab --lab lab --format json"),
    codes={
        0: "All switches run the rendered configuration",
        2: "Some switches differ",
        3: "Some switches were not reached",
    },
)
@asking
@form_option(*FORMATS)
def command(*, asked: SiteSelection, form: str) -> int:
    """List switches that differ from the rendered configuration.

    The verb compares the running configuration of every switch of SITE and changes nothing.
    """
    return compared_live(asked, form)


_live_option = click.option(
    "--live",
    is_flag=True,
    help="Compare site A with the running configuration of its switches instead of B.",
)


_push_option = click.option(
    "--push",
    "push",
    metavar="PUSH-ID",
    help="Show the change of this push from the journal of site A.",
)


def with_switches(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb that compares A with B the options for switches and pushes of A."""

    @functools.wraps(verb)
    def compared(
        *,
        before: str | None,
        after: str | None,
        live: bool,
        push: str | None,
        reach: SwitchSelection,
        form: str,
        **more: Any,
    ) -> int:
        if live and (after is not None or push is not None):
            raise click.UsageError(f"--live cannot be combined with {'B' if after else '--push'}")
        if live and before is not None:
            return compared_live(reach.of(Path(before)), form)
        if reach.limit:
            raise click.UsageError("--limit needs --live")
        more |= {"push": push, "journal": reach.journal}
        return verb(before=before, after=after, form=form, **more)

    return _live_option(_push_option(reach_options(compared)))


@reaching
def compared_live(asked: SiteSelection, form: str) -> int:
    """Print the differences of running and rendered configuration. Return the exit code."""
    from fabricgen.cli.plan import looked_at

    if form not in FORMATS:
        raise click.UsageError(f"--live supports --format {', '.join(FORMATS)}, not {form}")
    entries, step, drained = looked_at(asked)
    between = "; ".join(filter(None, (_between(step), _drained(drained))))
    say(show(entries, form, between), nl=False)
    if any(entry.state not in {"same", "changes"} for entry in entries):
        return UNREACHED
    return CHANGES if any(entry.state == "changes" for entry in entries) else 0


def _between(step: Step | None) -> str:
    """Return the progress of a change with several steps. Empty before its second step."""
    if step is None or step.number == 1:
        return ""
    done = f"{step.number - 1} of {step.number + step.left} steps of a change are done"
    return f"{done}; run `fabricgen plan` for the next step: {step.said}"


def _drained(names: Collection[str]) -> str:
    """Return the sentence about drained switches. Empty without any."""
    if not names:
        return ""
    return f"{', '.join(sorted(names))} drained; run `plan` without --drain to restore traffic"


def show(entries: tuple[Entry, ...], form: str, between: str = "") -> str:
    """Return the differences of all switches in a format. between: the known reason."""
    from fabricgen.cli.formats.plan import kept_lines, release_lines

    if form == "json":
        rows = [
            {"switch": row.switch, "fabric": row.fabric, "state": _state(row), "said": row.said,
             "diff": row.diff, "kept": list(row.kept), "release": row.release}
            for row in entries
        ]  # fmt: skip
        return document({"switches": rows, "between": between})
    lines = []
    for entry in entries:
        if entry.state == "changes":
            body = [clean(line) for line in entry.diff.splitlines()]
            lines += [f"drifted: {entry.switch}", *(body if form == "text" else fenced(body))]
        elif entry.state != "same":
            lines.append(f"{entry.state}: {entry.switch}: {clean(entry.said)}")
    lines += (*kept_lines(entries), *release_lines(entries))
    lines.append(clean(between))
    counts = Counter(_state(entry) for entry in entries)
    states = ", ".join(f"{count} {word}" for word, count in counts.items())
    last = f"{counted(len(entries), 'switch')}: {states}"
    return "\n".join([*(line for line in lines if line), last]) + "\n"


def _state(entry: Entry) -> str:
    return {"same": "as rendered", "changes": "drifted"}.get(entry.state, entry.state)
