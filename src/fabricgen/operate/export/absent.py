"""Report the devices that an export omits."""

from collections.abc import Iterator

from fabricgen.compile.checks.tally import listing
from fabricgen.model.fabric.switch import Site

NAMED = 8
"""Number of names in one sentence."""


def left_out(site: Site, *, servers: bool) -> Iterator[str]:
    """Yield a sentence about planned or dead switches, and optionally servers."""
    names = {name: None for fabric in site.fabrics for name in sorted(fabric.absent)}
    if servers:
        every = (each for fabric in site.fabrics for each in fabric.topology.servers)
        names |= {each.name: None for each in every if each.standing is not None}
    if names:
        yield f"omitted because planned or dead: {listing([*names], NAMED)}"
