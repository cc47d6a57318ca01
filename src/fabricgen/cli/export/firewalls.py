"""`fabricgen export firewalls SITE -o DIR`: what whoever configures the firewalls is told."""

from pathlib import Path

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import exported, force_option, output_option, site_argument, warned


@click.command("firewalls")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def command(*, site: Path, target: Path, force: bool) -> int:
    """Write a page for each pair of firewalls of SITE: its tags, addresses, ASNs and routes."""
    from fabricgen.operate.export.firewalls import firewalls

    design = warned(site, None)
    files = list(firewalls(design.site))
    exported(design, target, files, (), force=force)
    say(f"{target}: pairs of firewalls with a page: {len(files)}")
    return 0
