"""Reports the devices that an export omits."""

from collections.abc import Iterator

from fabricgen.compile.checks.tally import listing
from fabricgen.model.fabric.switch import Site

NAMED = 8
"""Names in one sentence."""


def left_out(site: Site, *, servers: bool) -> Iterator[str]:
    """Say which switches, and maybe servers, are planned or dead; nothing where all are there."""
    names = {name: None for fabric in site.fabrics for name in sorted(fabric.absent)}
    if servers:
        every = (each for fabric in site.fabrics for each in fabric.topology.servers)
        names |= {each.name: None for each in every if each.standing is not None}
    if names:
        yield f"planned or dead, and left out: {listing([*names], NAMED)}"
