"""Implements `fabricgen diff A B`, which reviews the change between two sides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.api import is_installed
from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import format_option
from fabricgen.cli.plain import say
from fabricgen.cli.review_options import replay, review_options, verdict_of, write_evidence
from fabricgen.cli.sides import with_sides

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.cli.review_options import Outcome, ReviewOptions
    from fabricgen.review.model import Review
    from fabricgen.review.side import Side

BARS = ("session-reset", "lossless-disruptive", "reboot")


def _with_switches(verb: Callable[..., int]) -> Callable[..., int]:
    """Add `--live` if the package that connects to switches is installed."""
    if not is_installed("operate"):
        return verb
    from fabricgen.cli.drift import with_switches

    return with_switches(verb)


def _with_lab(verb: Callable[..., int]) -> Callable[..., int]:
    """Add `--in-lab` if the package that boots labs is installed."""
    if not is_installed("operate"):
        return verb
    from fabricgen.cli.review_lab import review_lab_option

    return review_lab_option(verb)


@define_verb(
    "diff",
    examples=(
        "diff rendered intent/lab",
        "diff HEAD:intent/lab intent/lab --fail-on session-reset",
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
@_with_lab
@review_options
@click.option("--full", is_flag=True, help="Print every changed line and every place of it.")
@format_option
@with_sides
def command(
    *,
    sides: tuple[Side, Side],
    bar: str | None,
    picture: Path | None,
    full: bool,
    form: str,
    options: ReviewOptions,
    in_lab: bool = False,
) -> int:
    """Review the change between sites, trees or git revisions.

    A and B are sites, rendered trees, REV:path in a git repository, or folders of saved
    configurations. A plan is compared without B. The review lists causes, effects, who is hit, and
    the order of a push. Changed lines of equal shape are shown once.
    """
    from fabricgen.api.changes import reviewed
    from fabricgen.cli.reviewing import View, drawn, shown

    review = reviewed(*sides)
    if options.declare or options.replay is not None:
        return _instead(review, sides, options)
    outcome = _concluded(review, sides, options, bar)
    if outcome is None or (picture is not None and not drawn(picture, sides, review)):
        return 1
    view = View(form=form, full=full, is_drawn=picture is not None)
    say(shown(review, sides, outcome, view), nl=False, finished=form == "github")
    for sentence in outcome.failures:
        say(sentence, err=True)
    failed, booted = _in_lab(review, sides) if in_lab else (False, ())
    is_written = write_evidence(review, sides, outcome, options, booted)
    if failed or not is_written or not outcome.passes:
        return 1
    return 3 if sides[1].unknown else 2 if review.blocks else 0


def _instead(review: Review, sides: tuple[Side, Side], options: ReviewOptions) -> int:
    """Print a declared change, or compute the verdict of evidence again. Return the exit code."""
    from fabricgen.review.declare import declare

    if options.replay is not None:
        return replay(review, sides, options.replay)
    say(declare(review), nl=False)
    return 2 if review.blocks else 0


def _concluded(
    review: Review, sides: tuple[Side, Side], options: ReviewOptions, bar: str | None
) -> Outcome | None:
    """Return the verdict of the declared change, the gates and the bar."""
    outcome = verdict_of(review, sides, options)
    if outcome is None or bar is None:
        return outcome
    return replace(outcome, refused=(*outcome.refused, *_over(review, bar)))


def _over(review: Review, bar: str) -> tuple[str, ...]:
    """Return the refusal of a change with a risk at or above a bar."""
    from fabricgen.core.tree.risk import named

    number = sum(count for risk, count in review.radius.items() if risk >= named(bar))
    return (f"--fail-on {bar}: refused for {number} switches or servers",) if number else ()


def _in_lab(review: Review, sides: tuple[Side, Side]) -> tuple[bool, tuple[str, ...]]:
    """Boot both sides, and print the comparison. Return whether it failed, and the switches."""
    assert is_installed("operate")
    from fabricgen.cli.review_lab import compare_sides, show_verdict

    one, other = (side.loaded for side in sides)
    if one is None or other is None:
        raise click.UsageError("--in-lab needs two sides with an intent")
    shapes = {
        folder: str(number)
        for number, block in enumerate(review.blocks)
        for folder in block.folders
    }
    verdict = compare_sides(one, other, review.changed, shapes)
    return show_verdict(verdict) == 1, verdict.switches
