"""Reviews the change between two sites with everything that this installation can compute."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed
from fabricgen.core.units import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fabricgen.review.build import Hits, Orders
    from fabricgen.review.model import Block, Cause, Effect, Hit, Order, Review
    from fabricgen.review.side import Side
    from fabricgen.review.sides import IntentSource

_REASONS = 5
"""Reasons of a verdict in one line."""


class SiteDiff:
    """The change from one side to a site.

    Attributes:
        refused: Why the gates of the first side refuse the change. Empty if they do not.
    """

    def __init__(self, review: Review, refused: tuple[str, ...]) -> None:
        self._review, self.refused = review, refused

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Return the changed keys of the intent, and other causes."""
        return self._review.causes

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Return the effects on the network, the worst first."""
        return self._review.effects

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Return the changed text by shape. It is empty if no file changes."""
        return self._review.blocks

    @property
    def hits(self) -> tuple[Hit, ...] | None:
        """Return who loses something, the worst first. None: it is not known."""
        return self._review.hits

    @property
    def order(self) -> Order | None:
        """Return the order of a push. None: it is not known."""
        return self._review.order

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the limits of the comparison, in sentences."""
        return self._review.notes

    @property
    def risk(self) -> str:
        """Return the worst risk of all devices, such as `session-reset`, or an empty text."""
        found = [each for each, count in self._review.radius.items() if count]
        return max(found).word if found else ""

    def sentences(self) -> dict[str, Any]:
        """Return what changes, who is hit and the risk, in sentences."""
        from fabricgen.api import review_words

        return {
            "what": review_words.what(self._review),
            "who": review_words.who(self._review),
            "risk": review_words.risk(self._review),
        }

    def as_data(self) -> dict[str, Any]:
        """Return the review as data, with the keys of `fabricgen diff --format json`."""
        from fabricgen.api.review_data import data

        return data(self._review, verdict=self._word, reasons=self.refused)

    def as_markdown(self, *, full: bool = False) -> str:
        """Return a pull-request comment. full: with every template, up to the limit of forges."""
        from fabricgen.api.review_comment import markdown

        return markdown(self._review, full=full, verdict=worded(self._word, self.refused))

    @property
    def _word(self) -> str:
        return "refused" if self.refused else ""

    def __repr__(self) -> str:
        """Return both sides and the risk."""
        from fabricgen.api.review_words import risk

        return f"<SiteDiff {self._review.before} to {self._review.after}: {risk(self._review)}>"

    def _repr_html_(self) -> str:
        from fabricgen.api.review_words import effect, risk, risk_of

        rows = "".join(
            f"<tr><td>{escape(risk_of(each))}<td>{escape(effect(each))}</tr>"
            for each in self.effects
        )
        head = f"<caption>{escape(risk(self._review))}</caption><tr><th>risk<th>effect</tr>"
        return f"<table>{head}{rows}</table>"


def diff(before: str | Path | IntentSource, after: IntentSource) -> SiteDiff:
    """Review the change between two sides, with the gates of the first one.

    Raises:
        InvalidSite: A side cannot be read, or has errors.
    """
    from fabricgen.api.errors import InvalidSite
    from fabricgen.core.diagnostics import Severity
    from fabricgen.review.gates import refused, rules_of
    from fabricgen.review.sides import IntentSource, read_sides

    sides = read_sides(before if isinstance(before, IntentSource) else str(before), after)
    for side in sides:
        for found in side.findings:
            if found.severity is Severity.ERROR:
                raise InvalidSite(found)
    review = reviewed(*sides)
    return SiteDiff(review, refused(review, rules_of(sides[0])))


def worded(verdict: str, reasons: Sequence[str]) -> str:
    """Return a verdict with its reasons in one line."""
    return ": ".join(filter(None, (verdict, shortened(reasons, _REASONS))))


def reviewed(before: Side, after: Side) -> Review:
    """Return the review of two sides.

    An installation without failure analysis does not know who is hit. One without deployment does
    not know the order.
    """
    from fabricgen.review.build import review

    return review(before, after, _hits(), _order())


def _hits() -> Hits | None:
    if not is_installed("prove.failures"):
        return None
    from fabricgen.review.hits import hits

    return hits


def _order() -> Orders | None:
    if not is_installed("operate"):
        return None
    from fabricgen.review.order import order

    return order
