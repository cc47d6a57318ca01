"""Implements `fabricgen diff A B`, which compares sites, rendered trees or git revisions."""

from collections.abc import Callable

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import format_option, print_findings
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import is_installed
from fabricgen.core.diagnostics import has_errors

BARS = ("session-reset", "lossless-disruptive", "reboot")


def _with_switches(verb: Callable[..., int]) -> Callable[..., int]:
    """Add `--live` if the package that connects to switches is installed."""
    if not is_installed("operate"):
        return verb
    from fabricgen.cli.drift import with_switches

    return with_switches(verb)


@define_verb(
    "diff",
    examples=(
        "diff rendered intent/lab",
        "diff HEAD:intent/lab intent/lab --fail-on session-reset",
    ),
    codes={
        0: "No differences",
        1: "Error, or --fail-on refused a change",
        2: "Differences exist",
        3: "The change of some switches is not known",
    },
)
@click.argument("before", metavar="A", required=False, shell_complete=complete_sites)
@click.argument("after", metavar="[B]", required=False, shell_complete=complete_sites)
@_with_switches
@click.option(
    "--fail-on",
    "bar",
    type=click.Choice(BARS),
    help="Exit with 1 for a change of this risk or a higher one.",
)
@format_option
def command(
    *,
    before: str | None,
    after: str | None,
    bar: str | None,
    form: str,
    push: str | None = None,
    journal: str | None = None,
) -> int:
    """Show configuration changes between sites, trees or git revisions.

    A and B are sites, rendered trees, REV:path in a git repository, or folders of saved
    configurations. A plan is compared without B. Switches with the same change are shown once,
    with its risk and the reason.
    """
    from fabricgen.cli.formats.changes import show
    from fabricgen.cli.sides import print_notes, sides_of
    from fabricgen.compile.output.changes import compare
    from fabricgen.core.tree.risk import named

    sides = sides_of(before, after, push, journal)
    failed = [side for side in sides if has_errors(side.findings)]
    for side in failed:
        print_findings(side.findings, side.source, form if form != "markdown" else "text", err=True)
    if failed:
        return 1
    print_notes(sides[1])
    changes = compare(sides[0].files, sides[1].files, sides[0].unchanged)
    limit = named(bar) if bar else None
    shown = show(changes, form, sides[1].cause, limit)
    say(shown, nl=False, finished=form == "github")
    if limit is not None and (
        refused := sum(n for risk, n in changes.radius.items() if risk >= limit)
    ):
        say(f"--fail-on {bar}: refused for {refused} switches or servers", err=True)
        return 1
    if sides[1].unknown:
        return 3
    return 2 if changes.groups else 0
