"""Write the files of a site's schedulers, Slurm and Kubernetes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import File
from fabricgen.core.record import record
from fabricgen.core.units import spans
from fabricgen.model.fabric.jobs import JobPlan
from fabricgen.model.fabric.state import State
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Nic, Server

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# Slurm's tree has one switch above each node, so a unit, whose servers share eight leafs or more,
# is one switch there: only the distance counts. Forms: topology.conf(5) and topology.yaml(5) of
# Slurm 25.05 (SchedMD/slurm doc/man/man5). Slurm reads the latter first, and then ignores the
# former. Neither can declare an absent node. `DownNodes=` of slurm.conf can (slurm.conf(5), DOWN
# NODE CONFIGURATION), where a FUTURE node is "defined for future use and need not exist".


@record(kw_only=True)
class Unit:
    """A scalable unit and its servers, sorted by name. rails: number of rails by server.

    away: the state of absent servers.
    """

    number: int
    pod: int
    servers: tuple[str, ...]
    rails: dict[str, int]
    away: Mapping[str, State] = field(default_factory=dict)


def units(fabric: Fabric) -> list[Unit]:
    """Return the units of a fabric, by number."""
    pods: dict[int, int] = {}
    rails: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    away: dict[int, dict[str, State]] = defaultdict(dict)
    for link in fabric.topology.links:
        if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic):
            unit = link.upper.unit
            pods[unit] = link.upper.pod
            rails[unit][link.lower.name].add(link.lower_port.rail)
            if link.lower.standing is not None:
                away[unit][link.lower.name] = link.lower.standing.state
    return [
        Unit(
            number=number,
            pod=pods[number],
            servers=tuple(sorted(rails[number], key=_place)),
            rails={name: len(those) for name, those in rails[number].items()},
            away=away[number],
        )
        for number in sorted(pods)
    ]


def absent(units: Iterable[Unit], state: State) -> list[str]:
    """Return the absent servers with one state, sorted by name."""
    every = {name: own for unit in units for name, own in unit.away.items()}
    return sorted((name for name, own in every.items() if own is state), key=_place)


def _place(name: str) -> tuple[int, str]:
    return len(name), name


_STATES = {State.PLANNED: "FUTURE", State.DEAD: "DOWN"}
_NUMBERED = re.compile(r"(.*?)([0-9]+)\Z")


def topology_conf(fabric: str, units: Sequence[Unit]) -> str:
    """Return the tree as topology.conf, for TopologyPlugin=topology/tree."""
    lines = [f"# Fabric {fabric}. In slurm.conf: TopologyPlugin=topology/tree"]
    for name, kind, members in tree(fabric, units):
        lines.append(f"SwitchName={name} {kind.capitalize()}={hostlist(members)}")
    return "\n".join(lines) + "\n"


def topology_yaml(fabric: str, units: Sequence[Unit]) -> str:
    """Return the tree with units as blocks next to it: a partition selects one of them."""
    lines = [f"- topology: {fabric}", "  cluster_default: true", "  tree:", "    switches:"]
    for name, kind, members in tree(fabric, units):
        key = "nodes" if kind == "nodes" else "children"
        lines += [f"    - switch: {name}", f"      {key}: {hostlist(members)}"]
    least = min(len(unit.servers) for unit in units)
    lines += [f"- topology: {fabric}-units", "  cluster_default: false", "  block:"]
    lines += ["    block_sizes:", f"      - {least}", "    blocks:"]
    for unit in units:
        lines += [f"    - block: {_unit(fabric, unit)}", f"      nodes: {hostlist(unit.servers)}"]
    return "\n".join(lines) + "\n"


def down_nodes_conf(fabric: str, units: Sequence[Unit]) -> str:
    """Return the absent nodes as an include file of slurm.conf, possibly empty."""
    lines = [f"# Fabric {fabric}, servers that are not there. In slurm.conf: include FILE"]
    for state, word in _STATES.items():
        if names := absent(units, state):
            lines.append(f'DownNodes={hostlist(names)} State={word} Reason="{state} in the intent"')
    return "\n".join(lines) + "\n"


def tree(fabric: str, units: Sequence[Unit]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield the switches of the tree: name, kind of the children, and their names."""
    for unit in units:
        yield _unit(fabric, unit), "nodes", unit.servers
    if len(units) == 1:
        return
    pods = {
        number: [_unit(fabric, unit) for unit in some]
        for number, some in groupby(units, lambda unit: unit.pod)
    }
    if len(pods) == 1:
        yield fabric, "switches", next(iter(pods.values()))
        return
    for number, names in pods.items():
        yield f"{fabric}-pod{number:02}", "switches", names
    yield fabric, "switches", [f"{fabric}-pod{number:02}" for number in pods]


def _unit(fabric: str, unit: Unit) -> str:
    return f"{fabric}-su{unit.number:03}"


def hostlist(names: Sequence[str]) -> str:
    """Format names as Slurm's hostlist expression: gpu[0001-0032], as its man pages do."""
    parts = []
    for (stem, width), some in groupby(names, _stem):
        those = list(some)
        if not width or len(those) == 1:
            parts += those
            continue
        runs = spans(int(name[len(stem) :]) for name in those).split(",")
        ends = (run.split("-") for run in runs)
        told = ",".join("-".join(end.zfill(width) for end in run) for run in ends)
        parts.append(f"{stem}[{told}]")
    return ",".join(parts)


def _stem(name: str) -> tuple[str, int]:
    """Return the text before the number of a name, and the digits of the number."""
    found = _NUMBERED.match(name)
    return (found[1], len(found[2])) if found else (name, 0)


# slurm.conf(5), NODESET CONFIGURATION: a partition selects a node set by its name.
def jobs_conf(fabric: str, jobs: Sequence[JobPlan]) -> str:
    """Return the node set of each job as an include file of slurm.conf."""
    lines = [f"# Fabric {fabric}, the nodes of each job. In slurm.conf: include FILE"]
    lines += [f"NodeSet={job.name} Nodes={hostlist(job.servers)}" for job in jobs]
    return "\n".join(lines) + "\n"


def jobs_json(jobs: Sequence[JobPlan]) -> str:
    """Return networks and placement of each job, as a hint for its parallelism.

    Tensor parallelism fits into a server. Data parallelism has one rank for each server on a rail.
    """
    told = {
        job.name: {
            "pool": job.pool,
            "fabrics": [name for name in (job.fabric, job.rails, job.storage) if name],
            "servers": list(job.servers),
            "gpus": job.gpus * len(job.servers),
            "tensor_parallel": job.gpus,
            "data_parallel": len(job.servers),
            "units": list(job.spread),
            "all_to_all": {
                "percent_leaving_a_unit": round(100 * job.leaving),
                "servers_to_uplinks": round(job.ratio, 3),
            },
        }
        for job in jobs
    }
    return json.dumps(told, indent=2) + "\n"


# `kubectl label` fails on an absent node, and a manifest of nodes would create it. The script ends
# at the first failure, so it omits servers that are planned or dead. Keys of
# network.topology.nvidia.com are those that NVIDIA's Topograph writes and KAI and Run:ai read
# (docs.nvidia.com/topograph, node labels). Keys without a prefix belong to the user, as in
# Kubernetes (kubernetes.io/docs/concepts/overview/working-with-objects/labels: 63 characters of
# letters, digits, `-`, `_` and `.`).
TOPOGRAPH = "network.topology.nvidia.com"


def labels_sh(fabric: str, units: Sequence[Unit], jobs: Mapping[str, str] | None = None) -> str:
    """Return the script with one line per node; it may run repeatedly.

    jobs: the job of each node, if the fabric has jobs. A node without a job loses the label
    (kubectl label, "KEY-").
    """
    lines = [
        "#!/bin/sh -eu",
        f"# Labels of the nodes of fabric {fabric}: topology units. Names are those of servers.",
        *(
            f"kubectl label --overwrite node {name} "
            + " ".join((*_labels(fabric, unit, name), *_job(name, jobs)))
            for unit in units
            for name in unit.servers
            if name not in unit.away
        ),
    ]
    return "\n".join(lines) + "\n"


def _job(name: str, jobs: Mapping[str, str] | None) -> Iterator[str]:
    if jobs is not None:
        yield f"fabric-job={jobs[name]}" if name in jobs else "fabric-job-"


def _labels(fabric: str, unit: Unit, name: str) -> Iterator[str]:
    yield f"{TOPOGRAPH}/leaf={fabric}-su{unit.number:03}"
    yield f"{TOPOGRAPH}/spine={fabric}-pod{unit.pod:02}"
    yield f"{TOPOGRAPH}/core={fabric}"
    yield f"fabric-unit={unit.number}"
    yield f"fabric-pod={unit.pod}"
    yield f"fabric-rails={unit.rails[name]}"


def scheduled(site: Site) -> Iterator[File]:
    """Yield the files of every fabric with GPUs, below its name."""
    for fabric in site.fabrics:
        if not fabric.gpus:
            continue
        those, jobs = units(fabric), [job for job in site.jobs if job.rails == fabric.name]
        made = (
            ("topology.conf", topology_conf),
            ("topology.yaml", topology_yaml),
            ("down-nodes.conf", down_nodes_conf),
        )
        for name, make in made:
            yield File(f"{fabric.name}/{name}", make(fabric.name, those), executable=False)
        owned = {name: job.name for job in jobs for name in job.servers} if jobs else None
        labels = labels_sh(fabric.name, those, owned)
        yield File(f"{fabric.name}/labels.sh", labels, executable=True)
        if jobs:
            yield File(f"{fabric.name}/jobs.conf", jobs_conf(fabric.name, jobs), executable=False)
            yield File(f"{fabric.name}/jobs.json", jobs_json(jobs), executable=False)
