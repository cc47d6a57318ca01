"""Implements `fabricgen summary A B…`, which counts the parts of sites or fabrics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import data_option, designed
from fabricgen.cli.plain import say

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site


@define_verb(
    "summary", examples=("summary intent/lab", "summary intent/rail-only intent/rail-optimized")
)
@click.argument(
    "sites",
    type=click.Path(path_type=Path),
    metavar="SITE...",
    nargs=-1,
    required=True,
    shell_complete=complete_sites,
)
@data_option
def command(sites: tuple[Path, ...], form: str) -> int:
    """Count switches, links, optics and watts by site or fabric.

    Several SITEs have one column each. One SITE has a column per fabric and also lists scale,
    traffic, protocols, loss, latency and redundancy.
    """
    from fabricgen.cli.formats.summary import data, one_site, some_sites
    from fabricgen.plan.sizing.counts import counted

    found: dict[str, Site] = {str(path): designed(path, None).site for path in sites}
    counts = {path: counted(site) for path, site in found.items()}
    if form == "json":
        from fabricgen.cli.formats.document import document

        say(document(data(found, counts)), nl=False)
    elif len(found) == 1:
        ((path, site),) = found.items()
        say(one_site(site, counts[path]), nl=False)
    else:
        say(some_sites(counts), nl=False)
    return 0
