"""`fabricgen export …`: a site laid out for other tools."""

import click

from fabricgen.cli.verbs import Verb, Verbs

VERBS = (
    Verb("batfish", "write a snapshot that Batfish analyses", "fabricgen.cli.export.batfish"),
    Verb(
        "bootstrap",
        "write what switches from the factory need on their first boot",
        "fabricgen.cli.export.bootstrap",
    ),
    Verb(
        "firewalls",
        "write what whoever configures the firewalls outside has to know",
        "fabricgen.cli.export.firewalls",
    ),
    Verb(
        "netbox",
        "write devices, cables and addresses as NetBox imports them",
        "fabricgen.cli.export.netbox",
    ),
    Verb(
        "scheduler",
        "write what Slurm and Kubernetes are told of who is near whom",
        "fabricgen.cli.export.scheduler",
    ),
    Verb(
        "telemetry",
        "write what gnmic and Prometheus are told to collect and to alert on",
        "fabricgen.cli.export.telemetry",
    ),
)


class ExportVerbs(Verbs):
    """The tools that a site is laid out for."""

    verbs = VERBS


@click.command("export", cls=ExportVerbs)
def command() -> None:
    """Lay a site out for a tool that others make."""
