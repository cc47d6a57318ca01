"""Implements `fabricgen diff A B`, which compares sites, rendered trees or git revisions."""

from collections.abc import Callable

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.output import format_option, print_findings
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import is_installed
from fabricgen.core.diagnostics import has_errors

BARS = ("session-reset", "lossless-disruptive", "reboot")


def _with_switches(verb: Callable[..., int]) -> Callable[..., int]:
    """Add `--live` where the wing that reaches switches is installed."""
    if not is_installed("operate"):
        return verb
    from fabricgen.cli.drift import with_switches

    return with_switches(verb)


@click.command("diff")
@click.argument("before", metavar="A", shell_complete=complete_sites)
@click.argument("after", metavar="[B]", required=False, shell_complete=complete_sites)
@_with_switches
@click.option(
    "--fail-on",
    "bar",
    type=click.Choice(BARS),
    help="Exit 1 when a change is of this risk or a worse one.",
)
@format_option
def command(*, before: str, after: str | None, bar: str | None, form: str) -> int:
    """Compare A and B: each a site, a rendered tree, or REV:path of a git repository.

    Switches whose change is the same are shown once, with its risk and why.

    Exit code 2 when there are differences, 1 when --fail-on refuses them.
    """
    if after is None:
        raise click.UsageError("compare A with B")
    from fabricgen.cli.formats.changes import show
    from fabricgen.compile.output.changes import compare
    from fabricgen.compile.output.sides import read_side
    from fabricgen.core.tree.risk import named

    sides = [read_side(text) for text in (before, after)]
    failed = [side for side in sides if has_errors(side.findings)]
    for side in failed:
        print_findings(side.findings, side.source, form if form != "markdown" else "text", err=True)
    if failed:
        return 1
    changes = compare(sides[0].files, sides[1].files)
    limit = named(bar) if bar else None
    shown = show(changes, form, sides[1].cause, limit)
    say(shown, nl=False, finished=form == "github")
    if limit is not None and (
        refused := sum(n for risk, n in changes.radius.items() if risk >= limit)
    ):
        say(f"--fail-on {bar}: refused for {refused} switches or servers", err=True)
        return 1
    return 2 if changes.groups else 0
