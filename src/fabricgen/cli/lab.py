"""`fabricgen lab …`: a site as a running network."""

from __future__ import annotations

import click

from fabricgen.cli.lab_export import export


@click.group("lab")
def command() -> None:
    """Boot a site as real FRR switches on this machine, or export it for containerlab."""


command.add_command(export)
