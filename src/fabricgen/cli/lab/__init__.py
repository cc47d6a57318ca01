"""Implements `fabricgen lab …`, which runs a site as a network of FRR switches."""

import click

from fabricgen.cli.verbs import Verb, Verbs

VERBS = (
    Verb(
        "up",
        "boot a site, or a part of it, and prove that it runs as designed",
        "fabricgen.cli.lab.boot",
    ),
    Verb("list", "list the labs on this machine, stale ones among them", "fabricgen.cli.lab.list"),
    Verb("status", "compare every running switch with the model", "fabricgen.cli.lab.status"),
    Verb("exec", "run a command on a switch or in a host's network", "fabricgen.cli.lab.running"),
    Verb("ssh", "log in on a switch", "fabricgen.cli.lab.running"),
    Verb(
        "traffic",
        "send real packets and judge by the model what they prove",
        "fabricgen.cli.lab.traffic",
    ),
    Verb("fail", "break a cable or a switch", "fabricgen.cli.lab.running"),
    Verb("heal", "mend what was broken", "fabricgen.cli.lab.running"),
    Verb("down", "end a lab; nothing stays", "fabricgen.cli.lab.boot"),
    Verb(
        "tools",
        "unpack the programs that a lab needs; nothing is installed",
        "fabricgen.cli.lab.tools",
    ),
    Verb(
        "export",
        "write a folder that containerlab deploys with vendors' images",
        "fabricgen.cli.lab.export",
    ),
)


class LabVerbs(Verbs):
    """The verbs of the lab."""

    verbs = VERBS


@click.command("lab", cls=LabVerbs)
def command() -> None:
    """Boot a site as real FRR switches on this machine, or export it for containerlab."""
