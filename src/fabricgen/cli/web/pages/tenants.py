"""Makes the data of the reachability matrix of all networks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Site


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the matrix, if this installation has the reachability engines."""
    if is_installed("prove.reach"):
        yield "matrix", partial(_matrix, site)


def _matrix(site: Site) -> dict[str, Any]:
    found = site.matrix()
    cases = {
        f"{sender} {receiver}": {
            str(outcome): {
                "packet": case.name,
                "hops": [[hop.node, hop.act] for hop in case.written.hops],
                "stops": case.written.rule,
            }
            for outcome, case in cell.first.items()
        }
        for (sender, receiver), cell in found.cells.items()
    }
    return {**found.as_data(), "ok": found.ok, "examples": cases}
