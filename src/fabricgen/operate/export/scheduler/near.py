"""A fabric of rails in; its servers by unit and pod, which is how near they are, out.

Servers of a unit share their leafs: one switch between any two of a rail. Those of a pod share its
spines, those of the fabric what is above.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.model.fabric.state import State
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Server


@record(kw_only=True)
class Unit:
    """A scalable unit and its servers, in the order of their names. rails: of each server.

    away: the state of those that are not there.
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
    """Return the servers of one state that are not there, in the order of their names."""
    every = {name: own for unit in units for name, own in unit.away.items()}
    return sorted((name for name, own in every.items() if own is state), key=_place)


def _place(name: str) -> tuple[int, str]:
    return len(name), name
