"""Implements `fabricgen cabling SITE`, which writes the physical plan or finds one cable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    data_option,
    designed,
    ended,
    exported,
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
    from fabricgen.plan.cabling import Plan
    from fabricgen.plan.documents.plan import plan_files

    design = warned(site, None)
    plan = Plan.of(design.site)
    exported(design, target, list(plan_files(plan)), (), force=force)
    say(f"{target}: {len(plan.laid):,} cables")
    return 0


def _found(design: Designed, where: str, form: str) -> int:
    """Print the cables at a port."""
    from fabricgen.cli.formats.document import document
    from fabricgen.cli.formats.where import text
    from fabricgen.core.diagnostics import Code, Diagnostic
    from fabricgen.plan.cabling import Plan
    from fabricgen.plan.where import cables_at

    answer = cables_at(Plan.of(design.site), where)
    if not answer.cables:
        nothing = Diagnostic(
            Code.NO_SUCH_OBJECT, f"no cable at {where!r} in this site", hint=answer.hint
        )
        ended([nothing], design.source)
    data = {"where": where, "cables": answer.cables}
    say(document(data) if form == "json" else text(answer.cables), nl=False)
    return 0
