"""Makes the data of the review of a change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen.review.model import Review


def chunks(review: Review) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the chunk of a review."""
    yield "review", partial(_review, review)


def _review(review: Review) -> dict[str, Any]:
    """Return the data of `diff --format json`, with the sentences of its text."""
    from fabricgen.cli.formats import review_text
    from fabricgen.cli.formats.review_json import data

    return {
        **data(review),
        "what": review_text.what(review),
        "who": review_text.who(review),
        "risk": review_text.risk(review),
    }
