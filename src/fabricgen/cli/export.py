"""Implements `fabricgen export …`, which writes a site in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_servers, complete_switches
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    as_option,
    ended,
    exported,
    folder_option,
    force_option,
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
    Verb("anta", "Write a catalog and an inventory for ANTA", __name__),
    Verb("batfish", "Write a Batfish snapshot", __name__),
    Verb("bootstrap", "Write first-boot files and the DHCP configuration", __name__),
    Verb("firewalls", "Write a data sheet for each firewall pair", __name__),
    Verb("hosts", "Write the complete folder of each server", __name__),
    Verb("netbox", "Write CSV files for NetBox", __name__),
    Verb("openconfig", "Write OpenConfig data of each switch", __name__),
    Verb("scheduler", "Write Slurm and Kubernetes topology", __name__),
    Verb("telemetry", "Write gnmic and Prometheus configuration", __name__),
)


class ExportVerbs(Verbs):
    """The tools to which a site can be exported."""

    verbs = VERBS


def _examples(name: str, options: str = "") -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]
        f"export {name} intent/{site} -o {name}-{site}{options}" for site in ("full", "lab")
    )


@define_verb("export", cls=ExportVerbs, examples=(_examples("netbox")[0], _examples("batfish")[1]))
def command() -> None:
    """Export a site to other tools.

    Each verb compiles SITE and replaces the folder of -o.
    """


@define_verb("anta", examples=(_examples("anta")[0], "export anta intent/tenants -o anta-tenants"))
@site_argument
@folder_option
@force_option
def anta_command(*, site: Path, target: Path, force: bool) -> int:
    """Write a catalog and an inventory for ANTA.

    The catalog has tests of the EOS switches of SITE with the values of the model.
    """
    from fabricgen.operate.export.anta import anta

    design = warned(site, None)
    made = anta(design.site)
    exported(design, target, made.files, made.left, force=force)
    say(
        f"{target}: {counted(made.tests, 'test')} of {counted(made.switches, 'switch')}; "
        "ANTA has not run them"
    )
    return 0


@define_verb("batfish", examples=_examples("batfish"))
@site_argument
@folder_option
@force_option
@as_option
def batfish_command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write a Batfish snapshot.

    The snapshot has the configurations, cables, hosts and external announcements of SITE.
    """
    design = warned(site, as_platform)
    laid = _snapshot(design.site, design.source)
    exported(design, target, laid.files, laid.left, force=force)
    say(
        f"{target}: {laid.switches} switches, {laid.hosts} hosts, {laid.edges} cables, "
        f"{laid.announcements} external announcements; Batfish has not analyzed it"
    )
    return 0


def _snapshot(site: Site, source: SourceMap) -> Snapshot:
    """Render the site, prove the files and return them as a snapshot."""
    from fabricgen.cli.proven import proven
    from fabricgen.operate.export.batfish import refusals, snapshot

    refused = refusals(site)
    if refused:
        ended(refused, source)
    return snapshot(site, proven(site, source))


def _url(_: click.Context, __: click.Parameter, url: str) -> str:
    if not url.startswith(("http://", "https://")) or any(letter <= " " for letter in url):
        raise click.BadParameter("give a URL that begins with http:// or https://")
    return url.rstrip("/")


@define_verb("bootstrap", examples=_examples("bootstrap", " --url http://10.0.0.1"))
@site_argument
@folder_option
@click.option(
    "--url", required=True, callback=_url, metavar="URL", help="URL at which DIR will be served."
)
@force_option
def bootstrap_command(*, site: Path, target: Path, url: str, force: bool) -> int:
    """Write first-boot files and the DHCP configuration.

    With these files, new switches of SITE become reachable for `fabricgen push`.
    """
    from fabricgen.cli.proven import proven
    from fabricgen.operate.export.bootstrap import KEA, bootstrap

    design = warned(site, None)
    laid = bootstrap(design.site, proven(design.site, design.source), url)
    exported(design, target, laid.files, laid.left, force=force)
    say(f"{target}: first boot of {laid.switches} switches, {laid.reserved} reserved in {KEA}")
    return 0


@define_verb("firewalls", examples=_examples("firewalls"))
@site_argument
@folder_option
@force_option
def firewalls_command(*, site: Path, target: Path, force: bool) -> int:
    """Write a data sheet for each firewall pair.

    A data sheet has the tags, addresses, ASNs and routes of one pair of SITE.
    """
    from fabricgen.operate.export.firewalls import firewalls

    design = warned(site, None)
    files = list(firewalls(design.site))
    exported(design, target, files, (), force=force)
    say(f"{target}: {counted(len(files), 'data sheet')}")
    return 0


@define_verb("hosts", examples=(_examples("hosts")[0], _examples("hosts", " --server gpu0001")[1]))
@site_argument
@folder_option
@click.option(
    "--server",
    "names",
    multiple=True,
    shell_complete=complete_servers,
    help="Export only this server.",
)
@force_option
def hosts_command(*, site: Path, target: Path, names: tuple[str, ...], force: bool) -> int:
    """Write the complete folder of each server.

    A folder has the layout of the server's file system and all its files. In a rendered tree,
    servers of SITE share folders with equal files.
    """
    from fabricgen.api.errors import Unproven
    from fabricgen.api.proof import proven_servers
    from fabricgen.cli.explain import no_such_owner
    from fabricgen.compile.compiler import HOSTS

    design = warned(site, None)
    try:
        folders = proven_servers(design.site, names)
    except Unproven as unproven:
        ended(unproven.examined.findings, design.source)
    if unknown := [name for name in names if name not in folders]:
        ended([no_such_owner(design.site, HOSTS, name) for name in unknown], design.source)
    exported(design, target, (file for each in folders.values() for file in each), (), force=force)
    say(f"{target}: {counted(len(folders), 'server')}")
    return 0


@define_verb("netbox", examples=_examples("netbox"))
@site_argument
@folder_option
@force_option
def netbox_command(*, site: Path, target: Path, force: bool) -> int:
    """Write CSV files for NetBox.

    NetBox's bulk import reads the devices, interfaces, cables and addresses of SITE.
    """
    from fabricgen.operate.export.netbox import netbox

    design = warned(site, None)
    laid = netbox(design.site)
    exported(design, target, laid.files, (), force=force)
    say(f"{target}: {laid.devices:,} devices, {laid.cables:,} cables; NetBox has not read them")
    return 0


@define_verb(
    "openconfig",
    examples=(_examples("openconfig")[0], _examples("openconfig", " --switch fe-leaf01")[1]),
)
@site_argument
@folder_option
@click.option(
    "--switch",
    "names",
    multiple=True,
    shell_complete=complete_switches,
    help="Export only this switch.",
)
@force_option
def openconfig_command(*, site: Path, target: Path, names: tuple[str, ...], force: bool) -> int:
    """Write OpenConfig data of each switch.

    A file has the design of one switch of SITE by the public models. not-modeled.csv lists the
    parts of the design that the files lack.
    """
    from fabricgen.cli.explain import no_such_owner
    from fabricgen.operate.export.openconfig.files import NOT_MODELED, openconfig

    design = warned(site, None)
    fabrics = design.site.fabrics
    known = {switch.name for fabric in fabrics for switch in fabric.topology.switches}
    if unknown := [name for name in names if name not in known]:
        ended([no_such_owner(design.site, "", name) for name in unknown], design.source)
    made = openconfig(design.site, names)
    exported(design, target, made.files, made.left, force=force)
    say(f"{target}: {counted(made.switches, 'switch')}, and {NOT_MODELED} lists the rest")
    return 0


@define_verb("scheduler", examples=_examples("scheduler"))
@site_argument
@folder_option
@force_option
def scheduler_command(*, site: Path, target: Path, force: bool) -> int:
    """Write Slurm and Kubernetes topology.

    The files are topology.conf, topology.yaml and node labels of each fabric of SITE with GPUs.
    """
    from fabricgen.operate.export.scheduler.files import scheduled

    design = warned(site, None)
    files = list(scheduled(design.site))
    left = [] if files else ["no fabric of this site has GPUs"]
    exported(design, target, files, left, force=force)
    say(f"{target}: {counted(len(files), 'file')}; `fabricgen render` writes NCCL files to hosts/")
    return 0


@define_verb("telemetry", examples=_examples("telemetry"))
@site_argument
@folder_option
@force_option
@as_option
def telemetry_command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
    """Write gnmic and Prometheus configuration.

    gnmic gets targets and subscriptions of SITE. Prometheus gets scrape jobs and alerts.
    """
    from fabricgen.operate.export.telemetry import collected

    design = warned(site, as_platform)
    made = collected(design.site)
    exported(design, target, made.files, made.left, force=force)
    say(f"{target}: {made.streamed} switches by gNMI, {made.polled} switches by SNMP v3")
    return 0
