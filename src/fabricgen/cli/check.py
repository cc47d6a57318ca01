"""`fabricgen check SITE`: everything that is wrong with a site, at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.saying import as_option, compiled, format_option, print_findings, site_argument

if TYPE_CHECKING:
    from pathlib import Path


@click.command("check")
@site_argument
@format_option
@as_option
def command(site: Path, form: str, as_platform: str | None) -> int:
    """Load, design and check SITE. Exit code 1 when there are errors."""
    loaded, made = compiled(site, as_platform)
    print_findings(made.findings, loaded.source, form, made.examined)
    return 0 if made.ok else 1
