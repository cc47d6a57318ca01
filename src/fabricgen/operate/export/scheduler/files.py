"""A site in; the files of its schedulers out: for Slurm, and for Kubernetes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import File
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.export.scheduler.near import units
from fabricgen.operate.export.scheduler.slurm import down_nodes_conf, topology_conf, topology_yaml

if TYPE_CHECKING:
    from fabricgen.operate.export.scheduler.near import Unit


# `kubectl label` fails on a node that is not there, where a manifest of nodes would make it; so the
# script, which ends at the first failure, has no server that is planned or dead. Keys of
# network.topology.nvidia.com are those that NVIDIA's Topograph writes and KAI and Run:ai read
# (docs.nvidia.com/topograph, node labels); those without a prefix are the user's own, as
# Kubernetes has it (kubernetes.io/docs/concepts/overview/working-with-objects/labels: 63
# characters of letters, digits, `-`, `_` and `.`).
TOPOGRAPH = "network.topology.nvidia.com"


def labels_sh(fabric: str, units: Sequence[Unit]) -> str:
    """Return the script: one line a node, which may run again."""
    lines = [
        "#!/bin/sh -eu",
        f"# Labels of the nodes of fabric {fabric}: who is near whom. Names are those of servers.",
        *(
            f"kubectl label --overwrite node {name} {' '.join(_labels(fabric, unit, name))}"
            for unit in units
            for name in unit.servers
            if name not in unit.away
        ),
    ]
    return "\n".join(lines) + "\n"


def _labels(fabric: str, unit: Unit, name: str) -> Iterator[str]:
    yield f"{TOPOGRAPH}/leaf={fabric}-su{unit.number:03}"
    yield f"{TOPOGRAPH}/spine={fabric}-pod{unit.pod:02}"
    yield f"{TOPOGRAPH}/core={fabric}"
    yield f"fabric-unit={unit.number}"
    yield f"fabric-pod={unit.pod}"
    yield f"fabric-rails={unit.rails[name]}"


def scheduled(site: Site) -> Iterator[File]:
    """Yield the files of every fabric that has GPUs, below its name."""
    for fabric in site.fabrics:
        if not fabric.gpus:
            continue
        those = units(fabric)
        made = (
            ("topology.conf", topology_conf, False),
            ("topology.yaml", topology_yaml, False),
            ("down-nodes.conf", down_nodes_conf, False),
            ("labels.sh", labels_sh, True),
        )
        for name, make, executable in made:
            yield File(f"{fabric.name}/{name}", make(fabric.name, those), executable=executable)
