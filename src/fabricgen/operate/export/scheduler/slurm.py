"""The units of a fabric in; Slurm's topology.conf, topology.yaml and down-nodes.conf out.

Slurm's tree has one switch above each node, so a unit, whose servers share eight leafs or more, is
one there: what counts is who is near whom. Forms: topology.conf(5) and topology.yaml(5) of Slurm
25.05 (SchedMD/slurm doc/man/man5); the latter is read first, and the former then not at all.
Neither has a word for a node that is not there; `DownNodes=` of slurm.conf has (slurm.conf(5),
DOWN NODE CONFIGURATION), where a FUTURE node is "defined for future use and need not exist".
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from fabricgen.core.units import spans
from fabricgen.model.fabric.state import State
from fabricgen.operate.export.scheduler.near import absent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.operate.export.scheduler.near import Unit

_STATES = {State.PLANNED: "FUTURE", State.DEAD: "DOWN"}
_NUMBERED = re.compile(r"(.*?)([0-9]+)\Z")


def topology_conf(fabric: str, units: Sequence[Unit]) -> str:
    """Return the tree as topology.conf, for TopologyPlugin=topology/tree."""
    lines = [f"# Fabric {fabric}. In slurm.conf: TopologyPlugin=topology/tree"]
    for name, kind, members in tree(fabric, units):
        lines.append(f"SwitchName={name} {kind.capitalize()}={hostlist(members)}")
    return "\n".join(lines) + "\n"


def topology_yaml(fabric: str, units: Sequence[Unit]) -> str:
    """Return the tree, and units as blocks beside it: a partition names the one that it uses."""
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
    """Return which nodes are not there, for slurm.conf to include; none is a comment alone."""
    lines = [f"# Fabric {fabric}, servers that are not there. In slurm.conf: include FILE"]
    for state, word in _STATES.items():
        if names := absent(units, state):
            lines.append(f'DownNodes={hostlist(names)} State={word} Reason="{state} in the intent"')
    return "\n".join(lines) + "\n"


def tree(fabric: str, units: Sequence[Unit]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield the switches of the tree: a name, what its children are, and their names."""
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
    """Spell names as Slurm's hostlist expression: gpu[0001-0032], as its man pages do."""
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
    """Return what stands before the number of a name, and how many digits that has."""
    found = _NUMBERED.match(name)
    return (found[1], len(found[2])) if found else (name, 0)
