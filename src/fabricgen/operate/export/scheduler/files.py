"""A site in; the files of its schedulers out: for Slurm, and for Kubernetes."""

from collections.abc import Iterator

from fabricgen.compile.compiler import File
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.export.scheduler.kubernetes import labels_sh
from fabricgen.operate.export.scheduler.near import units
from fabricgen.operate.export.scheduler.slurm import down_nodes_conf, topology_conf, topology_yaml


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
