"""Implements `fabricgen export …`, which writes a site in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.output import (
    as_option,
    ended,
    exported,
    force_option,
    output_option,
    site_argument,
    warned,
)
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import Verb, Verbs
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.export.batfish import Snapshot

VERBS = (
    Verb("batfish", "Write a Batfish snapshot", __name__),
    Verb("bootstrap", "Write first-boot files and the DHCP configuration", __name__),
    Verb("firewalls", "Write a data sheet for each firewall pair", __name__),
    Verb("netbox", "Write CSV files for NetBox", __name__),
    Verb("scheduler", "Write Slurm and Kubernetes topology", __name__),
    Verb("telemetry", "Write gnmic and Prometheus configuration", __name__),
)


class ExportVerbs(Verbs):
    """The tools that a site is laid out for."""

    verbs = VERBS


@click.command("export", cls=ExportVerbs)
def command() -> None:
    """Export a site to other tools."""


@click.command("batfish")
@site_argument
@output_option("DIR", "Folder of the snapshot; replaced as a whole.")
@force_option
@as_option
def batfish_command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write configurations, cables, hosts and outside announcements of SITE for Batfish."""
    design = warned(site, as_platform)
    laid = _snapshot(design.site, design.source)
    exported(design, target, laid.files, laid.left, force=force)
    say(
        f"{target}: {laid.switches} switches, {laid.hosts} hosts, {laid.edges} cables, "
        f"{laid.announcements} announcements from outside; Batfish was not asked"
    )
    return 0


def _snapshot(site: Site, source: SourceMap) -> Snapshot:
    """Render, prove, and lay out."""
    from fabricgen.cli.proof import proven
    from fabricgen.operate.export.batfish import refusals, snapshot

    refused = refusals(site)
    if refused:
        ended(refused, source)
    return snapshot(site, proven(site, source))


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
def bootstrap_command(*, site: Path, target: Path, url: str, force: bool) -> int:
    """Write what the switches of SITE need to become reachable by a push, and DHCP for them."""
    from fabricgen.cli.proof import proven
    from fabricgen.operate.export.bootstrap import KEA, bootstrap

    design = warned(site, None)
    laid = bootstrap(design.site, proven(design.site, design.source), url)
    exported(design, target, laid.files, laid.left, force=force)
    say(f"{target}: first boot of {laid.switches} switches, {laid.reserved} of them in {KEA}")
    return 0


@click.command("firewalls")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def firewalls_command(*, site: Path, target: Path, force: bool) -> int:
    """Write a page for each pair of firewalls of SITE: its tags, addresses, ASNs and routes."""
    from fabricgen.operate.export.firewalls import firewalls

    design = warned(site, None)
    files = list(firewalls(design.site))
    exported(design, target, files, (), force=force)
    say(f"{target}: pairs of firewalls with a page: {len(files)}")
    return 0


@click.command("netbox")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def netbox_command(*, site: Path, target: Path, force: bool) -> int:
    """Write devices, interfaces, cables and addresses of SITE as CSV for NetBox's bulk import."""
    from fabricgen.operate.export.netbox import netbox

    design = warned(site, None)
    laid = netbox(design.site)
    exported(design, target, laid.files, (), force=force)
    say(f"{target}: {laid.devices:,} devices, {laid.cables:,} cables; NetBox was not asked")
    return 0


@click.command("scheduler")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def scheduler_command(*, site: Path, target: Path, force: bool) -> int:
    """Write topology.conf, topology.yaml and node labels of each fabric of SITE that has GPUs."""
    from fabricgen.operate.export.scheduler.files import scheduled

    design = warned(site, None)
    files = list(scheduled(design.site))
    left = [] if files else ["no fabric of this site has GPUs"]
    exported(design, target, files, left, force=force)
    say(f"{target}: {counted(len(files), 'file')}; NCCL's settings are in hosts/ of a render")
    return 0


@click.command("telemetry")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
@as_option
def telemetry_command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write targets and subscriptions for gnmic, and scrapes and alerts for Prometheus, of SITE."""
    from fabricgen.operate.export.telemetry import collected

    design = warned(site, as_platform)
    made = collected(design.site)
    exported(design, target, made.files, made.left, force=force)
    say(f"{target}: {made.streamed} switches are asked by gNMI, {made.polled} by SNMP v3")
    return 0
