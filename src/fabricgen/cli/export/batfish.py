"""`fabricgen export batfish SITE -o DIR`: a site as a snapshot for Batfish."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.saying import as_option, designed, ended, print_findings, site_argument

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Site
    from fabricgen.intent.source import SourceMap
    from fabricgen.reports.batfish import Snapshot


@click.command("batfish")
@site_argument
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder of the snapshot; replaced as a whole.",
)
@click.option("--force", is_flag=True, help="Overwrite files that were changed by hand.")
@as_option
def command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write configurations, cables, hosts and outside announcements of SITE for Batfish."""
    from fabricgen.output.tree import write_tree

    made = designed(site, as_platform)
    if made.findings:
        print_findings(made.findings, made.source, err=True)
    laid = _made(made.site, made.source)
    write_tree(target, made.site.name, laid.files, force=force)
    for sentence in laid.left:
        click.echo(f"warning: {sentence}", err=True)
    click.echo(
        f"{target}: {laid.switches} switches, {laid.hosts} hosts, {laid.edges} cables, "
        f"{laid.announcements} announcements from outside; Batfish was not asked"
    )
    return 0


def _made(site: Site, source: SourceMap) -> Snapshot:
    """Render, prove, and lay out."""
    from fabricgen.cli.proof import Bench, Unproven
    from fabricgen.reports.batfish import refusals, snapshot

    refused = refusals(site)
    if refused:
        ended(refused, source)
    try:
        return snapshot(site, Bench(site).insisted())
    except Unproven as unproven:
        ended(unproven.examined.findings, source)
