"""A fabric of rails in; its servers by unit and pod, which is how near they are, out.

Servers of a unit share their leafs: one switch between any two of a rail. Those of a pod share its
spines, those of the fabric what is above.
"""

from collections import defaultdict

from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Nic, Server
from fabricgen.record import record


@record(kw_only=True)
class Unit:
    """A scalable unit and its servers, in the order of their names. rails: of each server."""

    number: int
    pod: int
    servers: tuple[str, ...]
    rails: dict[str, int]


def units(fabric: Fabric) -> list[Unit]:
    """Return the units of a fabric, by number."""
    pods: dict[int, int] = {}
    rails: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for link in fabric.topology.links:
        if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic):
            unit = link.upper.unit
            pods[unit] = link.upper.pod
            rails[unit][link.lower.name].add(link.lower_port.rail)
    return [
        Unit(
            number=number,
            pod=pods[number],
            servers=tuple(sorted(rails[number], key=lambda name: (len(name), name))),
            rails={name: len(those) for name, those in rails[number].items()},
        )
        for number in sorted(pods)
    ]
