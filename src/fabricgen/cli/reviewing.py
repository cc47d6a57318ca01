"""Reviews two sides with everything that this installation can compute, and prints the review."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.api.changes import reviewed
from fabricgen.cli.plain import say
from fabricgen.core.record import record
from fabricgen.core.units import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.cli.review_options import Outcome
    from fabricgen.review.model import Review
    from fabricgen.review.sides import Side


__all__ = ["CHART", "View", "drawn", "reviewed", "shown"]

CHART = 20
"""Number of boxes in the chart of a comment."""
_REASONS = 5


def drawn(target: Path, sides: Sequence[Side], review: Review) -> bool:
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


@record()
class View:
    """Form of the printed review."""

    form: str
    full: bool
    is_drawn: bool


def shown(review: Review, sides: Sequence[Side], outcome: Outcome, view: View) -> str:
    """Return the review in a format, with its verdict."""
    from fabricgen.cli.formats.review import markdown, text
    from fabricgen.cli.formats.review_json import as_json

    verdict = ": ".join(filter(None, (outcome.word, shortened(outcome.reasons, _REASONS))))
    if view.form == "text":
        return text(review, full=view.full, verdict=verdict, texts=partial(_files, sides))
    if view.form == "markdown":
        chart = _chart(sides, review) if view.is_drawn else ""
        return markdown(review, full=view.full, verdict=verdict, picture=chart)
    if view.form == "json":
        return as_json(review, verdict=outcome.word, reasons=outcome.reasons)
    from fabricgen.cli.formats.findings import FORMATS
    from fabricgen.cli.formats.review_entries import entries

    return FORMATS[view.form](entries(review, outcome.failures), [], [])


def _chart(sides: Sequence[Side], review: Review) -> str:
    """Return the Mermaid chart of a review."""
    from fabricgen.review.picture import mermaid

    site = sides[1].site or sides[0].site
    return mermaid(site, review, CHART, before=sides[0].site) if site is not None else ""
