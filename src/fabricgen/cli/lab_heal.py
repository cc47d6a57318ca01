"""`fabricgen lab heal [NAME]`: mend what was broken."""

from __future__ import annotations

import click

from fabricgen.cli.lab_saying import lab_option, one_line


@click.command("heal")
@lab_option
@click.argument("name", required=False, metavar="[SWITCH|SWITCH:PORT]")
@one_line
def command(lab: str | None, name: str | None) -> int:
    """Mend one thing, or everything that is broken; switches start again from their files."""
    from fabricgen.lab.client import LabClient
    from fabricgen.lab.place import chosen

    healed = LabClient(chosen(lab).socket).call("heal", name=name)["healed"]
    click.echo("\n".join(f"mended {each}" for each in healed) or "nothing is broken")
    return 0
