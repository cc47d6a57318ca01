"""Decides whether a change goes from the leafs up or down to them, and finds moved cables.

Support comes before use. A larger MTU goes downwards, so that upper switches accept what a leaf
sends. A removal goes upwards: leafs stop sending larger frames or a VLAN before upper switches stop
carrying them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.coordination.terms import CABLES, MTU, VLAN, VNI, VRF, Changed, Item

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.deploy.coordination.terms import Changed


# A link that moves to other ports is down from the batch of one end to that of the other. Where all
# uplinks of a switch move at the same time, no redundant path carries their traffic.

Span = tuple[int, int]
"""The batch of the first end of a link that moves, and that of the last."""


def cut_off(site: Site, looks: Mapping[str, Changed], when: Mapping[str, int]) -> str:
    """Say which switches have no uplink between two batches; empty where all have one.

    looks: what changes. when: the batch of each switch that changes.
    """
    new = {name: _new(changes) for name, changes in looks.items()}
    spans: dict[str, list[Span]] = defaultdict(list)
    for link in (link for fabric in site.fabrics for link in fabric.topology.links):
        if isinstance(link.lower, Switch) and isinstance(link.lower_port, Port):
            ends = (link.lower, link.lower_port), (link.upper, link.upper_port)
            moving = [
                when[switch.name]
                for switch, port in ends
                if switch.name in when and spell(switch, port) in new.get(switch.name, ())
            ]
            spans[link.lower.name].append((min(moving), max(moving)) if moving else (0, 0))
    cut = {name: (max(own)[0], min(last for _, last in own)) for name, own in spans.items()}
    lost = [(begins, name) for name, (begins, ends) in cut.items() if 0 < begins < ends]
    if not lost:
        return ""
    begins, name = min(lost)
    more = f" and {len(lost) - 1} more have" if len(lost) > 1 else " has"
    return (
        f"after batch {begins} {name}{more} no link upwards, as all of them go to other ports: one "
        "spine after the other, each drained before (`speed` of a switch)"
    )


def _new(changes: Changed) -> frozenset[str]:
    """Return the ports of a switch that get a session which another port had."""
    was, will = changes.get(Item(CABLES, "", CABLES), ((), ()))
    return frozenset(map(str, will or ())) - frozenset(map(str, was or ()))


@record()
class Direction:
    """The order of tiers. why: in a sentence, empty where nothing asks for one."""

    upwards: bool
    why: str = ""


def direction_of(looks: Iterable[Changed]) -> Direction:
    """Return in which order tiers go; downwards where both are asked for, and said so."""
    asked = {each for changes in looks for each in _asked(changes)}
    up = [why for upwards, why in sorted(asked) if upwards]
    down = [why for upwards, why in sorted(asked) if not upwards]
    if up and down:
        both = f"{' and '.join(up)}, which would go upwards, and {' and '.join(down)}"
        return Direction(upwards=False, why=f"downwards: {both}; a plan of each has its own order")
    if up:
        return Direction(upwards=True, why=f"from the leafs up: {' and '.join(up)}")
    return Direction(upwards=False, why=f"down to the leafs: {' and '.join(down)}" if down else "")


def _asked(changes: Changed) -> Iterator[tuple[bool, str]]:
    for item, (was, will) in changes.items():
        if item.word == MTU and str(was).isdecimal() and str(will).isdecimal():
            lowered = int(str(will)) < int(str(was))
            yield lowered, f"an MTU is {'lowered' if lowered else 'raised'}"
        elif item.kind in (VLAN, VRF) and item.word == VNI and will is None:
            yield True, f"a {item.kind.upper()} is removed"
