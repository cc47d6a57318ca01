"""Write the Prometheus jobs for Linux switches: node_exporter and frr_exporter.

Ports: their defaults, 9100 (prometheus/node_exporter) and 9342 (tynany/frr_exporter). Debian has
both as packages; fabricgen installs neither.
"""

from collections.abc import Sequence
from typing import Any

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.switch import Site

EXPORTERS = (("node", 9100), ("frr", 9342))
_PLATFORM = "linux"


def linux_jobs(site: Site) -> list[dict[str, Any]]:
    """Return a job for each exporter, with every Linux switch under its own name."""
    hosts = {
        switch_slice.switch.name: switch_slice.management.host
        for fabric, switch_slice in slices(site)
        if switch_slice.switch.platform == _PLATFORM
        and switch_slice.switch.name not in fabric.absent
    }
    if not hosts:
        return []
    return [
        {
            "job_name": f"linux-{name}",
            "static_configs": [
                {"targets": [f"{host}:{port}"], "labels": {"source": switch}}
                for switch, host in hosts.items()
            ],
        }
        for name, port in EXPORTERS
    ]


def needed(jobs: Sequence[dict[str, Any]]) -> list[str]:
    """Return what a person installs on the Linux switches, as a sentence."""
    if not jobs:
        return []
    each = jobs[0]["static_configs"]
    sentence = (
        "linux: install prometheus-node-exporter and prometheus-frr-exporter in the management VRF "
        f"of {len(each)} switches, first {each[0]['labels']['source']}"
    )
    return [sentence]
