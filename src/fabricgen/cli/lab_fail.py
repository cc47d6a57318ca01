"""`fabricgen lab fail NAME`: break a cable or a switch of a running lab."""

from __future__ import annotations

import click

from fabricgen.cli.lab_saying import lab_option, one_line


@click.command("fail")
@lab_option
@click.option("--silent", is_flag=True, help="Lose packets, but keep the light on.")
@click.argument("name", metavar="SWITCH|SWITCH:PORT")
@one_line
def command(lab: str | None, silent: bool, name: str) -> int:  # noqa: FBT001 - click's way
    """Break a cable, named by the switch and port at one end, or a whole switch."""
    from fabricgen.lab.client import LabClient
    from fabricgen.lab.place import chosen

    done = LabClient(chosen(lab).socket).call("fail", name=name, silent=silent)
    for cable in done["cables"]:
        click.echo(f"{'silent' if silent else 'down'}: {cable}")
    click.echo(f"mend it: fabricgen lab heal {name}")
    return 0
