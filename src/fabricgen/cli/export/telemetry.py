"""`fabricgen export telemetry SITE -o DIR`: what the collectors of a site are told."""

from pathlib import Path

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import (
    as_option,
    exported,
    force_option,
    output_option,
    site_argument,
    warned,
)


@click.command("telemetry")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
@as_option
def command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write targets and subscriptions for gnmic, and scrapes and alerts for Prometheus, of SITE."""
    from fabricgen.operate.export.telemetry import collected

    design = warned(site, as_platform)
    made = collected(design.site)
    exported(design, target, made.files, made.left, force=force)
    say(f"{target}: {made.streamed} switches are asked by gNMI, {made.polled} by SNMP v3")
    return 0
