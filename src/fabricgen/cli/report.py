"""Implements `fabricgen report SITE -o DIR`, which writes web pages of a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_servers, complete_switches
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


@define_verb("report", examples=("report intent/lab -o report", "report intent/full -o report"))
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
@as_option
def command(
    *,
    site: Path,
    target: Path,
    force: bool,
    switches: tuple[str, ...],
    servers: tuple[str, ...],
    as_platform: str | None,
) -> int:
    """Write web pages of a site.

    The pages show switches with the reason of each line, servers, lossless numbers, reachability
    and failures of SITE. A browser opens DIR/index.html from disk, without a network. A site with
    errors has one page with its findings.
    """
    from fabricgen.api.site import Site
    from fabricgen.cli.web.report import report_files
    from fabricgen.compile.compiler import File
    from fabricgen.compile.output.tree import write_tree

    loaded = Site.load(site, platform=as_platform)
    named = _named(loaded, switches, servers)
    files = (File(path, text, executable=False) for path, text in report_files(loaded, named))
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
