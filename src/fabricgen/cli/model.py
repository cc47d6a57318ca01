"""Implements `fabricgen model SITE`, which prints the vendor-neutral model."""

import sys
from pathlib import Path

import click

from fabricgen.cli.output import as_option, designed, form_option, site_argument


@click.command("model")
@site_argument
@form_option("json")
@as_option
def command(site: Path, form: str, as_platform: str | None) -> int:
    """Print the whole neutral model of SITE; docs/reference/model.md describes it."""
    del form
    from fabricgen.compile.reports.model import write_model

    write_model(designed(site, as_platform).site, sys.stdout)
    return 0
