"""The units of a fabric in; a script that labels the nodes of Kubernetes out.

`kubectl label` fails on a node that is not there, where a manifest of nodes would make it; so the
script, which ends at the first failure, has no server that is planned or dead. Keys of
network.topology.nvidia.com are those that NVIDIA's Topograph writes and KAI and Run:ai read (docs.
nvidia.com/topograph, node labels); those without a prefix are the user's own, as Kubernetes has it
(kubernetes.io/docs/concepts/overview/working-with-objects/labels: 63 characters of letters, digits,
`-`, `_` and `.`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.operate.export.scheduler.near import Unit

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
