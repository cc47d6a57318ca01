"""Makes the data of the lossless page: headroom terms, packet memory and ECN points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Site


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the chunks of a site with a lossless fabric."""
    if any(fabric.is_lossless for fabric in site.fabrics.values()):
        yield "lossless", partial(_lossless, site)
        yield "whatif", partial(_what_if, site)


def _lossless(site: Site) -> dict[str, Any]:
    report = site.lossless()
    return {**report.as_data(), "pictures": dict(report.pictures())}


def _what_if(site: Site) -> dict[str, Any]:
    return site.lossless().what_if_grids()
