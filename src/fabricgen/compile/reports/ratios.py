"""Report the oversubscription of each fabric: bandwidth from below to bandwidth upwards.

It sums the cables and reports the worst switch of a tier. A ratio that the intent allows by a
default is a decision, too.
"""

from collections import defaultdict
from collections.abc import Container, Iterator
from math import inf

from fabricgen.compile.design.demand import narrow_places
from fabricgen.model.fabric.demand import Demand
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch, Topology


def ratio_lines(site: Site) -> Iterator[str]:
    """Yield a line for each fabric: `frontend: leaf 3 : 1`."""
    for fabric in site.fabrics:
        yield ratio_line(fabric)
        if fabric.demand is not None:
            yield demand_line(fabric, fabric.demand)


def ratio_line(fabric: Fabric) -> str:
    """Return the line of one fabric."""
    found = ratios(fabric.topology, fabric.sides)
    tiers = [f"{tier} {ratio:.3g} : 1" for tier, ratio in found.items()]
    told = ", ".join(tiers) or "one tier, nothing goes up"
    return f"{fabric.name} bandwidth, below to above: {told}"


def demand_line(fabric: Fabric, demand: Demand) -> str:
    """Return the demand of a fabric, and how often each place carries it."""
    rooms = ((place.room(demand), place) for place in narrow_places(fabric))
    told = [f"{place.noun} {room:.3g} times" for room, place in rooms if room != inf]
    return f"{fabric.name} demand {demand.text(None)}, carried by {', '.join(told) or 'nothing'}"


def ratios(topology: Topology, sides: Container[str] = ()) -> dict[str, float]:
    """Return the highest ratio of each tier that has one above it, of leafs by side."""
    down: dict[str, int] = defaultdict(int)
    up: dict[str, int] = defaultdict(int)
    for link in topology.links:
        if link.of_pair:
            continue
        down[link.upper.name] += link.speed
        if isinstance(link.lower, Switch):
            up[link.lower.name] += link.speed
    worst: dict[str, float] = {}
    for switch in reversed(topology.switches):
        if up[switch.name]:
            tier = f"{switch.group} {switch.role}" if switch.group in sides else str(switch.role)
            ratio = down[switch.name] / up[switch.name]
            worst[tier] = max(worst.get(tier, 0.0), ratio)
    return worst
