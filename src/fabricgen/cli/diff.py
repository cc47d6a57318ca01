"""Implements `fabricgen diff A B`, which reviews the change between two sides."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import format_option, print_findings
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import is_installed
from fabricgen.core.diagnostics import has_errors
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabricgen.core.tree.risk import Risk
    from fabricgen.review.model import Review
    from fabricgen.review.sides import Side

CHART = 20
"""Number of boxes in the chart of a comment."""
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
        "diff plan.json",
    ),
    codes={
        0: "No differences",
        1: "Error, or a gate refused the change",
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
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw the touched part of the site as this SVG file, and as Mermaid in Markdown.",
)
@click.option("--full", is_flag=True, help="Print every changed line and every place of it.")
@format_option
def command(
    *,
    before: str | None,
    after: str | None,
    bar: str | None,
    picture: Path | None,
    full: bool,
    form: str,
    push: str | None = None,
    journal: str | None = None,
) -> int:
    """Review the change between sites, trees or git revisions.

    A and B are sites, rendered trees, REV:path in a git repository, or folders of saved
    configurations. A plan is compared without B. The review lists causes, effects, who is hit, and
    the order of a push. Changed lines of equal shape are shown once.
    """
    from fabricgen.cli.reviewing import reviewed
    from fabricgen.cli.sides import sides_of
    from fabricgen.core.tree.risk import named

    sides = sides_of(before, after, push, journal)
    failed = [side for side in sides if has_errors(side.findings)]
    for side in failed:
        print_findings(side.findings, side.source, form if form != "markdown" else "text", err=True)
    if failed:
        return 1
    review = reviewed(*sides)
    if picture is not None and not _drawn(picture, sides, review):
        return 1
    refused = _over(review, named(bar)) if bar is not None else ()
    view = View(form=form, full=full, is_drawn=picture is not None)
    say(_shown(review, sides, refused, view), nl=False, finished=form == "github")
    for sentence in refused:
        say(sentence, err=True)
    unknown = bool(sides[1].unknown)
    return 1 if refused else 3 if unknown else 2 if review.blocks else 0


def _drawn(target: Path, sides: Sequence[Side], review: Review) -> bool:
    """Write the picture of a review. Print an error and return False if that fails."""
    from fabricgen.core.confined import write_whole
    from fabricgen.review.picture import svg

    site = sides[1].site or sides[0].site
    if site is None:
        say("error: --picture needs a side with an intent", err=True)
        return False
    try:
        write_whole(target, svg(sides[0].site, site, review))
    except OSError as error:
        say(f"error: {target}: {error.strerror}", err=True)
        return False
    return True


def _files(sides: Sequence[Side], folder: str, status: str) -> dict[str, str]:
    """Return the files of a new or removed device."""
    files = sides[1 if status == "new" else 0].files
    start = f"{folder}/"
    return {path.removeprefix(start): files[path] for path in files if path.startswith(start)}


def _over(review: Review, bar: Risk) -> tuple[str, ...]:
    """Return the refusal of a change with a risk at or above a bar."""
    number = sum(count for risk, count in review.radius.items() if risk >= bar)
    if not number:
        return ()
    return (f"--fail-on {bar.word}: refused for {number} switches or servers",)


@record()
class View:
    """Form of the printed review."""

    form: str
    full: bool
    is_drawn: bool


def _shown(review: Review, sides: Sequence[Side], refused: Sequence[str], view: View) -> str:
    """Return the review in a format."""
    from fabricgen.cli.formats.review import markdown, text
    from fabricgen.cli.formats.review_json import as_json

    verdict = "; ".join(refused)
    if view.form == "text":
        return text(review, full=view.full, verdict=verdict, texts=partial(_files, sides))
    if view.form == "markdown":
        chart = _chart(sides, review) if view.is_drawn else ""
        return markdown(review, full=view.full, verdict=verdict, picture=chart)
    if view.form == "json":
        return as_json(review, verdict="refused" if refused else "", reasons=refused)
    from fabricgen.cli.formats.findings import FORMATS
    from fabricgen.cli.formats.review_entries import entries

    return FORMATS[view.form](entries(review, refused), [], [])


def _chart(sides: Sequence[Side], review: Review) -> str:
    """Return the Mermaid chart of a review."""
    from fabricgen.review.picture import mermaid

    site = sides[1].site or sides[0].site
    return mermaid(site, review, CHART, before=sides[0].site) if site is not None else ""
