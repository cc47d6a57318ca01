"""Implements `fabricgen cabling SITE`, which writes the physical plan or finds one cable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    answered,
    data_option,
    designed,
    force_option,
    output_option,
    site_argument,
    warned,
)
from fabricgen.cli.plain import say

if TYPE_CHECKING:
    from fabricgen.cli.output import Designed

_END = "cabling needs either `-o DIR` or `--where DEVICE:PORT`"


@define_verb(
    "cabling",
    examples=(
        "cabling intent/full -o cabling-full --force",
        "cabling intent/full --where be-su01-leaf1:Ethernet12",
    ),
)
@site_argument
@output_option("DIR", "Output folder; replaced as a whole.", required=False)
@force_option
@click.option(
    "--where",
    metavar="DEVICE:PORT",
    help="Print only the cables at this port: an interface, a cage or a NIC.",
)
@data_option
def command(*, site: Path, target: Path | None, force: bool, where: str | None, form: str) -> int:
    """Write the cabling plan and bill of materials.

    The plan lists both ends, the length and the parts of every cable of SITE. `--where` prints both
    ends, the panels, the parts and the work orders of the cables at one port.
    """
    if where is not None:
        if target is not None or force:
            raise click.UsageError(_END)
        return _found(designed(site, None), where, form)
    if target is None or form != "text":
        raise click.UsageError(_END if target is None else "`--format` belongs to `--where`")
    from fabricgen.api.cabling import cabling

    plan = cabling(warned(site, None).site)
    plan.write(target, force=force)
    say(f"{target}: {len(plan):,} cables")
    return 0


def _found(design: Designed, where: str, form: str) -> int:
    """Print the cables at a port."""
    from fabricgen.api.cabling import cabling
    from fabricgen.cli.formats.document import document
    from fabricgen.cli.formats.where import text

    with answered(design.source):
        cables = cabling(design.site).at(where)
    data = {"where": where, "cables": cables}
    say(document(data) if form == "json" else text(cables), nl=False)
    return 0
