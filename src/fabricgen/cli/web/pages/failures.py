"""Makes the data of the failure page: what each failure costs, worst first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Site


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the failure analysis, if this installation has it."""
    if is_installed("prove.failures"):
        yield "failures", partial(_failures, site)


def _failures(site: Site) -> dict[str, object]:
    return site.failures().as_data()
