"""`fabricgen export bootstrap SITE -o DIR --url URL`: what switches need on their first boot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import (
    designed,
    force_option,
    output_option,
    print_findings,
    site_argument,
)

if TYPE_CHECKING:
    from pathlib import Path


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
    from fabricgen.output.tree import write_tree
    from fabricgen.reports.bootstrap import KEA, bootstrap

    design = designed(site, None)
    if design.findings:
        print_findings(design.findings, design.source, err=True)
    laid = bootstrap(design.site, proven(design.site, design.source), url)
    write_tree(target, design.site.name, laid.files, force=force)
    for sentence in laid.left:
        say(f"warning: {sentence}", err=True)
    say(f"{target}: first boot of {laid.switches} switches, {laid.reserved} of them in {KEA}")
    return 0
