"""`fabricgen export …`: a site laid out for other tools."""

import click

from fabricgen.cli.verbs import Verbs

VERBS = {
    "batfish": "write a snapshot that Batfish analyses",
    "bootstrap": "write what switches from the factory need on their first boot",
    "firewalls": "write what whoever configures the firewalls outside has to know",
    "netbox": "write devices, cables and addresses as NetBox imports them",
    "scheduler": "write what Slurm and Kubernetes are told of who is near whom",
    "telemetry": "write what gnmic and Prometheus are told to collect and to alert on",
}


class ExportVerbs(Verbs):
    """The tools that a site is laid out for."""

    verbs = VERBS
    modules = "fabricgen.cli.export."


@click.command("export", cls=ExportVerbs)
def command() -> None:
    """Lay a site out for a tool that others make."""
