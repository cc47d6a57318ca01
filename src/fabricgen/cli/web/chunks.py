"""Lists the chunks of data of a site's pages, each made when a page asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.cli.web.pages import devices, failures, lossless, overview, plan, tenants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Site

PAGES = (overview, devices, lossless, tenants, failures, plan)
"""Modules of pages. `chunks(site)` of each one yields the name and the maker of its chunks."""


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the name and the maker of each chunk of a site, in the order of the pages.

    A site with errors has the overview with its findings alone.
    """
    for page in PAGES if site.ok else (overview,):
        yield from page.chunks(site)
