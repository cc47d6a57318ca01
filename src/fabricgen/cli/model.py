"""`fabricgen model SITE`: the vendor-neutral model, for other tools."""

import sys
from pathlib import Path

import click

from fabricgen.cli.saying import as_option, designed, site_argument


@click.command("model")
@site_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(("json",)),
    default="json",
    show_default=True,
    help="How to print.",
)
@as_option
def command(site: Path, form: str, as_platform: str | None) -> int:
    """Print the whole neutral model of SITE; docs/model.md describes it."""
    del form
    from fabricgen.reports.model import write_model

    write_model(designed(site, as_platform).site, sys.stdout)
    return 0
