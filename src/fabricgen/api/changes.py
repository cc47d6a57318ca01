"""Reviews the change between a site and another side, as `fabricgen diff` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.api import is_installed

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.review.build import Hits, Orders
    from fabricgen.review.model import Review
    from fabricgen.review.side import Side


def review_of(site: str | Path, side: str) -> Review:
    """Review the change from another side to a site.

    Args:
        site: Folder with the intent, which is the new side.
        side: The old side: a site, a rendered tree, `REV:path` or a folder of saved
            configurations.

    Raises:
        InvalidSite: One of the sides has errors.
    """
    from fabricgen.review.sides import read_sides

    sides = read_sides(side, str(site))
    for each in sides:
        _refuse(each)
    return reviewed(*sides)


def _refuse(side: Side) -> None:
    """Raise the first error of a side, if it has one."""
    from fabricgen.api.errors import InvalidSite
    from fabricgen.core.diagnostics import Diagnostic, Severity

    errors = [each for each in side.findings if each.severity is Severity.ERROR]
    if errors:
        message = f"{side.name} has errors; the first: {errors[0].message}"
        raise InvalidSite(Diagnostic(errors[0].code, message, hint=errors[0].hint))


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
