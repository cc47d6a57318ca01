"""`fabricgen export batfish SITE -o DIR`: a site as a snapshot for Batfish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import (
    as_option,
    designed,
    ended,
    force_option,
    output_option,
    print_findings,
    site_argument,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.fabric.switch import Site
    from fabricgen.intent.source import SourceMap
    from fabricgen.reports.batfish import Snapshot


@click.command("batfish")
@site_argument
@output_option("DIR", "Folder of the snapshot; replaced as a whole.")
@force_option
@as_option
def command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write configurations, cables, hosts and outside announcements of SITE for Batfish."""
    from fabricgen.output.tree import write_tree

    design = designed(site, as_platform)
    if design.findings:
        print_findings(design.findings, design.source, err=True)
    laid = _made(design.site, design.source)
    write_tree(target, design.site.name, laid.files, force=force)
    for sentence in laid.left:
        say(f"warning: {sentence}", err=True)
    say(
        f"{target}: {laid.switches} switches, {laid.hosts} hosts, {laid.edges} cables, "
        f"{laid.announcements} announcements from outside; Batfish was not asked"
    )
    return 0


def _made(site: Site, source: SourceMap) -> Snapshot:
    """Render, prove, and lay out."""
    from fabricgen.cli.proof import proven
    from fabricgen.reports.batfish import refusals, snapshot

    refused = refusals(site)
    if refused:
        ended(refused, source)
    return snapshot(site, proven(site, source))
