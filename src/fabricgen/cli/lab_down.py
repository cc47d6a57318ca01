"""`fabricgen lab down`: end a lab; nothing of it stays."""

from __future__ import annotations

import click

from fabricgen.cli.lab_saying import lab_option, one_line


@click.command("down")
@lab_option
@one_line
def command(lab: str | None) -> int:
    """End a lab with everything in it."""
    from fabricgen.lab.client import LabClient
    from fabricgen.lab.place import chosen

    place = chosen(lab)
    LabClient(place.socket).call("down")
    place.clear()
    click.echo(f"lab {place.name} is down")
    return 0
