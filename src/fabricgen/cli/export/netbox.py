"""`fabricgen export netbox SITE -o DIR`: a site as files that NetBox imports."""

from pathlib import Path

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import exported, force_option, output_option, site_argument, warned


@click.command("netbox")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def command(*, site: Path, target: Path, force: bool) -> int:
    """Write devices, interfaces, cables and addresses of SITE as CSV for NetBox's bulk import."""
    from fabricgen.operate.export.netbox import netbox

    design = warned(site, None)
    laid = netbox(design.site)
    exported(design, target, laid.files, (), force=force)
    say(f"{target}: {laid.devices:,} devices, {laid.cables:,} cables; NetBox was not asked")
    return 0
