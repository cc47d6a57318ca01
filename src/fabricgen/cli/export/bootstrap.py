"""`fabricgen export bootstrap SITE -o DIR --url URL`: what switches need on their first boot."""

from pathlib import Path

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import (
    exported,
    force_option,
    output_option,
    site_argument,
    warned,
)


def _url(_: click.Context, __: click.Parameter, url: str) -> str:
    if not url.startswith(("http://", "https://")) or any(letter <= " " for letter in url):
        raise click.BadParameter("http:// or https://")
    return url.rstrip("/")


@click.command("bootstrap")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@click.option(
    "--url", required=True, callback=_url, metavar="URL", help="Where DIR is going to be served."
)
@force_option
def command(*, site: Path, target: Path, url: str, force: bool) -> int:
    """Write what the switches of SITE need to become reachable by a push, and DHCP for them."""
    from fabricgen.cli.proof import proven
    from fabricgen.operate.export.bootstrap import KEA, bootstrap

    design = warned(site, None)
    laid = bootstrap(design.site, proven(design.site, design.source), url)
    exported(design, target, laid.files, laid.left, force=force)
    say(f"{target}: first boot of {laid.switches} switches, {laid.reserved} of them in {KEA}")
    return 0
