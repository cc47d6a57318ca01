"""Implements `fabricgen report SITE -o DIR`, which writes web pages of a site."""

from __future__ import annotations

from pathlib import Path

import click

from fabricgen.cli.candidates import complete_sites
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
@as_option
@click.option(
    "--against",
    metavar="SIDE",
    shell_complete=complete_sites,
    help="Also review the change from this site, tree, REV:path or folder of configurations.",
)
def command(
    *, site: Path, target: Path, force: bool, as_platform: str | None, against: str | None
) -> int:
    """Write web pages of a site.

    The pages show switches with the reason of each line, servers, lossless numbers, reachability
    and failures of SITE. `--against` adds a review of the change. A browser opens DIR/index.html
    from disk, without a network. A site with errors has one page with its findings.
    """
    if against is not None and as_platform is not None:
        raise click.UsageError("--against cannot be combined with --as")
    from fabricgen.api.changes import review_of
    from fabricgen.api.site import Site
    from fabricgen.cli.web.report import report_files
    from fabricgen.compile.output.tree import write_tree

    loaded = Site.load(site, platform=as_platform)
    change = review_of(site, against) if against is not None and loaded.ok else None
    written = write_tree(target, loaded.name, report_files(loaded, change), force=force)
    errors = [each for each in loaded.findings if each.severity is Severity.ERROR]
    if errors:
        print_entries(errors, err=True)
    say(f"{target / 'index.html'}: {written.files:,} files")
    return 1 if errors else 0
