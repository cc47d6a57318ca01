"""`fabricgen export batfish SITE -o DIR`: a site as a snapshot for Batfish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import (
    as_option,
    ended,
    exported,
    force_option,
    output_option,
    site_argument,
    warned,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.export.batfish import Snapshot


@click.command("batfish")
@site_argument
@output_option("DIR", "Folder of the snapshot; replaced as a whole.")
@force_option
@as_option
def command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write configurations, cables, hosts and outside announcements of SITE for Batfish."""
    design = warned(site, as_platform)
    laid = _made(design.site, design.source)
    exported(design, target, laid.files, laid.left, force=force)
    say(
        f"{target}: {laid.switches} switches, {laid.hosts} hosts, {laid.edges} cables, "
        f"{laid.announcements} announcements from outside; Batfish was not asked"
    )
    return 0


def _made(site: Site, source: SourceMap) -> Snapshot:
    """Render, prove, and lay out."""
    from fabricgen.cli.proof import proven
    from fabricgen.operate.export.batfish import refusals, snapshot

    refused = refusals(site)
    if refused:
        ended(refused, source)
    return snapshot(site, proven(site, source))
