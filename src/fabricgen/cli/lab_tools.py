"""`fabricgen lab tools`: unpack the programs that a lab needs, without installing any."""

from __future__ import annotations

import click

from fabricgen.cli.lab_saying import one_line


@click.command("tools")
@one_line
def command() -> int:
    """Fetch Debian's packages of what is missing here and unpack them beside the system's own."""
    from fabricgen.lab.machine.machine import choose
    from fabricgen.lab.tools import Tools, missing_packages, unpack

    tools = Tools.here()
    missing = missing_packages(tools, uml=choose().way == "uml")
    if not missing:
        click.echo("everything that a lab needs is there")
        return 0
    click.echo(f"unpacking {', '.join(missing)} into {tools.folder}", err=True)
    found = unpack(tools, missing)
    click.echo(f"{len(found)} packages unpacked, none installed")
    return 0
