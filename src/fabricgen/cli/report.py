"""Implements `fabricgen report SITE -o DIR`, which writes web pages of a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_servers, complete_sites, complete_switches
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    as_option,
    folder_option,
    force_option,
    print_entries,
    site_argument,
)
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Severity

if TYPE_CHECKING:
    from fabricgen.api.site import Site


@define_verb(
    "report",
    examples=(
        "report intent/full -o report",
        "report intent/lab --against HEAD:intent/lab -o report",
    ),
)
@site_argument
@folder_option
@force_option
@click.option(
    "--switch",
    "switches",
    multiple=True,
    shell_complete=complete_switches,
    help="Add the files of this switch. Default: all files, up to 1,000 switches and servers.",
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    shell_complete=complete_servers,
    help="Add the files of this server. Default: all files, up to 1,000 switches and servers.",
)
@click.option(
    "--against",
    metavar="SIDE",
    shell_complete=complete_sites,
    help="Also review the change from this site, tree, REV:PATH or folder of configurations.",
)
@as_option
def command(
    *,
    site: Path,
    target: Path,
    force: bool,
    switches: tuple[str, ...],
    servers: tuple[str, ...],
    against: str | None,
    as_platform: str | None,
) -> int:
    """Write web pages of a site.

    The pages show switches with the reason of each line, servers, lossless numbers, reachability
    and failures of SITE. `--against` adds a review of the change. A browser opens DIR/index.html
    from disk, without a network. A site with errors has one page with its findings.
    """
    if against is not None and as_platform is not None:
        raise click.UsageError("--against cannot be combined with --as")
    from fabricgen.api.site import Site
    from fabricgen.cli.web.report import report_files
    from fabricgen.compile.compiler import File
    from fabricgen.compile.output.tree import write_tree

    loaded = Site.load(site, platform=as_platform)
    named = _named(loaded, switches, servers)
    change = loaded.diff(against) if against is not None and loaded.ok else None
    files = (
        File(path, text, executable=False) for path, text in report_files(loaded, named, change)
    )
    written = write_tree(target, loaded.name, files, force=force)
    errors = [each for each in loaded.findings if each.severity is Severity.ERROR]
    if errors:
        print_entries(errors, err=True)
    say(f"{target / 'index.html'}: {written.files:,} files")
    return 1 if errors else 0


def _named(site: Site, switches: tuple[str, ...], servers: tuple[str, ...]) -> set[str]:
    """Return the names of the options. An unknown name ends the verb."""
    if not site.ok:
        return set()
    return {
        *(site.switches[name].name for name in switches),
        *(site.servers[name].name for name in servers),
    }
