"""Adds declared changes, gates and evidence of a review to a verb, and computes its verdict."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.output import print_findings
from fabricgen.cli.plain import say
from fabricgen.core.plain_text import clean
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from fabricgen.intent.declared import Declaration
    from fabricgen.review.declared import Verdict
    from fabricgen.review.model import Review
    from fabricgen.review.side import Side


@record(kw_only=True)
class ReviewOptions:
    """Options of a review.

    Attributes:
        declared: Path of the declared change, or REV:path.
        by_trailer: Whether the commit of side B names the declared change.
        declare: Whether to print a declared change instead of the review.
        owners: Owners who approved.
        evidence: Target of the evidence.
        replay: Evidence to compute again.
    """

    declared: str | None
    by_trailer: bool
    declare: bool
    owners: tuple[str, ...]
    evidence: Path | None
    replay: Path | None


@record(kw_only=True)
class Outcome:
    """Verdict of a review with its declared change, and the refusals of the gates."""

    verdict: Verdict | None
    refused: tuple[str, ...]
    declared: Declaration | None = None

    @property
    def passes(self) -> bool:
        """Return whether the gates and the verdict permit the change."""
        return not self.refused and (self.verdict is None or self.verdict.passes)

    @property
    def word(self) -> str:
        """Return the word of the verdict; without a declared change empty, or `refused`."""
        if self.verdict is not None and not (self.refused and self.verdict.passes):
            return self.verdict.word.value
        return "refused" if self.refused else ""

    @property
    def failures(self) -> tuple[str, ...]:
        """Return why the change is refused; empty if it passes."""
        return () if self.passes else self.reasons

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the reasons of the gates, then the reasons of the verdict."""
        return (*self.refused, *(self.verdict.texts if self.verdict is not None else ()))


declared_option = click.option(
    "--declared",
    metavar="FILE",
    help="Fail on every effect that this declared change (FILE or REV:path) does not name.",
)
_OPTIONS = (
    declared_option,
    click.option(
        "--declared-trailer",
        "by_trailer",
        is_flag=True,
        help="As --declared, with the file of side A that the `Declared-change` trailer names.",
    ),
    click.option(
        "--declare", is_flag=True, help="Print a declared change with all effects, for editing."
    ),
    click.option(
        "--owner",
        "owners",
        metavar="@NAME",
        multiple=True,
        help="Owner who approved the change, for `review.owners` of side A.",
    ),
    click.option(
        "--evidence",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write digests, labels of changed lines and the verdict to this file.",
    ),
    click.option(
        "--replay",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Compute the verdict of this evidence again from A and B.",
    ),
)


def review_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of a review as `options`."""

    @functools.wraps(verb)
    def taking(
        *,
        declared: str | None,
        by_trailer: bool,
        declare: bool,
        owners: tuple[str, ...],
        evidence: Path | None,
        replay: Path | None,
        **more: Any,
    ) -> int:
        given = [declared is not None, by_trailer, declare, replay is not None]
        if sum(given) > 1:
            names = "--declared, --declared-trailer, --declare and --replay"
            raise click.UsageError(f"{names} cannot be combined")
        if evidence is not None and (declare or replay is not None):
            raise click.UsageError("--evidence cannot be combined with --declare or --replay")
        if replay is not None and owners:
            raise click.UsageError("--owner cannot be combined with --replay: the file has them")
        options = ReviewOptions(
            declared=declared,
            by_trailer=by_trailer,
            declare=declare,
            owners=owners,
            evidence=evidence,
            replay=replay,
        )
        return verb(options=options, **more)

    for option in reversed(_OPTIONS):
        taking = option(taking)
    return taking


def verdict_of(
    review: Review,
    sides: tuple[Side, Side],
    options: ReviewOptions,
    names: tuple[str, str] | None = None,
) -> Outcome | None:
    """Return the verdict of a review; None after a message about the declared change.

    Args:
        review: The review.
        sides: Both sides.
        options: Options of the command line.
        names: A and B on the command line. Default: the names of the sides.
    """
    from fabricgen.review.gates import rules_of
    from fabricgen.review.provided import own_declaration, read_provided, trailer

    names = names or (sides[0].name, sides[1].name)
    name = trailer(*names) if options.by_trailer else options.declared
    if options.by_trailer and not name:
        say(
            "error: --declared-trailer needs A as REV:path, and one `Declared-change` trailer in "
            "the commit of B",
            err=True,
        )
        return None
    declared = read_provided(name) if name is not None else None
    if declared is not None and declared.change is None:
        print_findings(declared.findings, declared.source, err=True)
        return None
    rules = rules_of(sides[0])
    own = "" if declared is None else own_declaration(declared, names, rules, options.owners)
    return _concluded(review, sides, declared, options.owners, (own,) if own else ())


def _concluded(
    review: Review,
    sides: tuple[Side, Side],
    declared: Declaration | None,
    owners: Collection[str],
    refused: tuple[str, ...] = (),
) -> Outcome:
    from fabricgen.review.declared import verdict
    from fabricgen.review.gates import refused as by_gates
    from fabricgen.review.gates import rules_of

    return Outcome(
        verdict=None if declared is None else verdict(review, declared, _unread(sides)),
        refused=(*refused, *by_gates(review, rules_of(sides[0]), owners)),
        declared=declared,
    )


def _unread(sides: tuple[Side, Side]) -> Iterator[str]:
    """Yield the devices whose change is not known."""
    unknown = {**sides[0].unknown, **sides[1].unknown}
    yield from (f"{folder}: {why}" for folder, why in unknown.items())


def write_evidence(
    review: Review,
    sides: tuple[Side, Side],
    outcome: Outcome,
    options: ReviewOptions,
    lab: Collection[str] = (),
) -> bool:
    """Write the evidence. Print an error and return False if that fails.

    Args:
        review: The review.
        sides: Both sides.
        outcome: The verdict.
        options: Options of the command line, with the target.
        lab: Names of the devices that a lab run compared on both sides.
    """
    from fabricgen.core.confined import write_whole
    from fabricgen.review.declared import without_declaration
    from fabricgen.review.evidence import evidence
    from fabricgen.review.evidence_file import as_text

    if options.evidence is None:
        return True
    verdict = outcome.verdict or without_declaration(review)
    made = evidence(review, sides, verdict, outcome.refused, outcome.declared, options.owners, lab)
    try:
        write_whole(options.evidence, as_text(made))
    except OSError as error:
        say(f"error: {options.evidence}: {error.strerror}", err=True)
        return False
    return True


def replay(review: Review, sides: tuple[Side, Side], file: Path) -> int:
    """Compute the verdict of evidence again, and print whether it is the same.

    Returns:
        The exit code: 0 for the same verdict, 1 otherwise.
    """
    from fabricgen.core.confined import read_file
    from fabricgen.intent.declared import read_declaration
    from fabricgen.review.declared import without_declaration
    from fabricgen.review.evidence import SAME, evidence, replayed
    from fabricgen.review.evidence_file import MAX_BYTES, BadEvidence, evidence_of

    try:
        old = evidence_of(read_file(file, MAX_BYTES), str(file))
    except BadEvidence as error:
        say(f"error: {clean(str(error))}", err=True)
        return 1
    except OSError as error:
        say(f"error: {file}: {error.strerror or error}", err=True)
        return 1
    declared = None
    if old.declared is not None:
        declared = read_declaration(old.declared.name, old.declared.text)
        if declared.change is None:
            print_findings(declared.findings, declared.source, err=True)
            return 1
    outcome = _concluded(review, sides, declared, old.approvers)
    verdict = outcome.verdict or without_declaration(review)
    new = evidence(review, sides, verdict, outcome.refused, declared, old.approvers, old.lab)
    differ = replayed(old, new)
    say(f"{SAME}: {clean(new.verdict)}" if not differ else "not the same verdict")
    for each in differ:
        say(f"  {clean(each)}")
    return 1 if differ else 0
