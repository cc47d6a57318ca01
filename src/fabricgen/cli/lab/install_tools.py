"""Implements `fabricgen lab install-tools`, which unpacks the programs that a lab needs."""

import click

from fabricgen.cli.lab.terminal import frr_option, one_line
from fabricgen.cli.plain import say


@click.command("install-tools")
@frr_option
@one_line
def command(frr: str | None) -> int:
    """Download missing Debian packages and unpack them into a folder of their own."""
    from fabricgen.operate.lab.frr import unpack_frr
    from fabricgen.operate.lab.machine.machine import choose
    from fabricgen.operate.lab.tools import Tools, missing_packages, unpack

    tools = Tools.here()
    if frr:
        say(f"unpacking FRR {frr} into {tools.home_of(frr)}", err=True)
        say(f"{len(unpack_frr(tools, frr))} packages unpacked, none installed")
        return 0
    missing = missing_packages(tools, uml=choose().way == "uml", fresh=True)
    if not missing:
        say("everything that a lab needs is there")
        return 0
    say(f"unpacking {', '.join(missing)} into {tools.folder}", err=True)
    unpacked = unpack(tools, missing)
    say(f"{len(unpacked)} packages unpacked, none installed")
    return 0
