"""Implements `fabricgen report SITE -o DIR`, which writes web pages of a site."""

from __future__ import annotations

from pathlib import Path

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


@define_verb("report", examples=("report intent/lab -o report", "report intent/full -o report"))
@site_argument
@folder_option
@force_option
@as_option
def command(*, site: Path, target: Path, force: bool, as_platform: str | None) -> int:
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
    files = (File(path, text, executable=False) for path, text in report_files(loaded))
    written = write_tree(target, loaded.name, files, force=force)
    errors = [each for each in loaded.findings if each.severity is Severity.ERROR]
    if errors:
        print_entries(errors, err=True)
    say(f"{target / 'index.html'}: {written.files:,} files")
    return 1 if errors else 0
