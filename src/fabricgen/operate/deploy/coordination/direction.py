"""Decide whether a change goes from the leafs up or down to them, and find moved cables.

Support comes before use. A larger MTU goes downwards, so that upper switches accept the frames of a
leaf. A removal goes upwards: leafs stop sending larger frames or a VLAN before upper switches stop
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


# A link that moves to other ports is down from the batch of one end to that of the other. If all
# uplinks of a switch move at the same time, no redundant path carries their traffic.

Span = tuple[int, int]
"""Batches of the first and the last end of a link that moves."""


def cut_off(site: Site, looks: Mapping[str, Changed], when: Mapping[str, int]) -> str:
    """Return the switches without an uplink between two batches; empty when there are none.

    Args:
        site: The site.
        looks: Changed settings by switch.
        when: Batch of each switch that changes.
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
        f"{name}{more} no uplink after batch {begins}, because all links move to other "
        "ports; move one spine after the other and drain each spine first (`speed` of a "
        "switch)"
    )


def _new(changes: Changed) -> frozenset[str]:
    """Return the ports of a switch that get a session from another port."""
    was, will = changes.get(Item(CABLES, "", CABLES), ((), ()))
    return frozenset(map(str, will or ())) - frozenset(map(str, was or ()))


@record()
class Direction:
    """The order of tiers.

    Attributes:
        why: The reason, or an empty text for the default order.
        conflict: Whether another change asks for the other order.
    """

    upwards: bool
    why: str = ""
    conflict: bool = False


def direction_of(looks: Iterable[Changed]) -> Direction:
    """Return the order of tiers; conflicting requirements result in downwards with a reason."""
    asked = {each for changes in looks for each in _asked(changes)}
    up = [why for upwards, why in sorted(asked) if upwards]
    down = [why for upwards, why in sorted(asked) if not upwards]
    if up and down:
        both = f"{' and '.join(up)} (upwards) and {' and '.join(down)} (downwards)"
        return Direction(
            upwards=False,
            why=f"downwards: {both}; use two plans to give each change its order",
            conflict=True,
        )
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
