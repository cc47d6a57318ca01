"""Implements `fabricgen cabling SITE -o DIR`, which writes the physical plan."""

from pathlib import Path

import click

from fabricgen.cli.output import exported, force_option, output_option, site_argument, warned
from fabricgen.cli.plain import say


@click.command("cabling")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def command(*, site: Path, target: Path, force: bool) -> int:
    """Write where every cable of SITE begins and ends, how long it is and what it is made of."""
    from fabricgen.plan.cabling import Plan
    from fabricgen.plan.documents.plan import plan_files

    design = warned(site, None)
    plan = Plan.of(design.site)
    exported(design, target, list(plan_files(plan)), (), force=force)
    say(f"{target}: {len(plan.laid):,} cables")
    return 0
