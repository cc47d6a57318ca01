"""Implements `fabricgen lab …`, which runs a site as a network of FRR switches."""

from fabricgen.cli.help import define_verb
from fabricgen.cli.verbs import Verb, Verbs

VERBS = (
    Verb("up", "Boot a site and verify it", "fabricgen.cli.lab.boot"),
    Verb("list", "List the labs on this machine", "fabricgen.cli.lab.list"),
    Verb("status", "Compare a lab with the model", "fabricgen.cli.lab.status"),
    Verb("exec", "Run a command in a lab", "fabricgen.cli.lab.running"),
    Verb("ssh", "Log in to a lab switch", "fabricgen.cli.lab.running"),
    Verb("traffic", "Send test packets and check the results", "fabricgen.cli.lab.traffic"),
    Verb("fail", "Fail a link or a switch", "fabricgen.cli.lab.running"),
    Verb("restore", "Restore failed links and switches", "fabricgen.cli.lab.running"),
    Verb("down", "Stop a lab and delete its files", "fabricgen.cli.lab.boot"),
    Verb("install-tools", "Download required programs", "fabricgen.cli.lab.install_tools"),
    Verb("export", "Export a lab to containerlab", "fabricgen.cli.lab.export"),
)


class LabVerbs(Verbs):
    """The verbs of the lab."""

    verbs = VERBS


@define_verb("lab", cls=LabVerbs, examples=("lab up intent/lab", "lab status"))
def command() -> None:
    """Run a site as FRR switches on this machine.

    Each switch is a network namespace with the rendered files of the site.
    """
