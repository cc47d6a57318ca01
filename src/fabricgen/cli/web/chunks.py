"""Lists the chunks of data of a site's pages, each made when a page asks for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.cli.web.pages import (
    devices,
    failures,
    lossless,
    overview,
    plan,
    review,
    search,
    tenants,
    topology,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Site, SiteDiff

PAGES = (overview, devices, lossless, tenants, failures, topology, search, plan)
"""Modules of pages. `chunks(site)` of each one yields the name and the maker of its chunks."""


def chunks(site: Site, change: SiteDiff | None = None) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the name and the maker of each chunk of a site, in the order of the pages.

    A site with errors has the overview with its findings alone.

    Args:
        site: The site.
        change: The review of its change, for a page of its own.
    """
    for page in PAGES if site.ok else (overview,):
        for name, make in page.chunks(site):
            yield name, partial(_compared, make) if change and name == "site" else make
    if change is not None:
        yield from review.chunks(change)


def _compared(make: Callable[[], Any]) -> dict[str, Any]:
    """Return the overview of a site with a review."""
    return {**make(), "reviewed": True}
