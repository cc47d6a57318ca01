"""`fabricgen lab …`: a site as a running network."""

from collections.abc import Mapping

import click

from fabricgen.cli.verbs import Verbs

VERBS = {
    "up": "boot a site, or a part of it, and prove that it runs as designed",
    "list": "list the labs on this machine, stale ones among them",
    "status": "compare every running switch with the model",
    "exec": "run a command on a switch or in a host's network",
    "ssh": "log in on a switch",
    "traffic": "send real packets and judge by the model what they prove",
    "fail": "break a cable or a switch",
    "heal": "mend what was broken",
    "down": "end a lab; nothing stays",
    "tools": "unpack the programs that a lab needs; nothing is installed",
    "export": "write a folder that containerlab deploys with vendors' images",
}


class LabVerbs(Verbs):
    """The verbs of the lab."""

    verbs = VERBS
    modules = "fabricgen.cli.lab."
    homes: Mapping[str, str] = {
        **dict.fromkeys(("up", "down"), "boot"),
        **dict.fromkeys(("exec", "ssh", "fail", "heal"), "running"),
    }


@click.command("lab", cls=LabVerbs)
def command() -> None:
    """Boot a site as real FRR switches on this machine, or export it for containerlab."""
