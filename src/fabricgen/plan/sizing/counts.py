"""Counts the switches, links and bandwidth of a designed fabric.

The design itself is the only source of arithmetic. This module counts the wired switches and
cables, so `fabricgen size` and the rendered site always agree.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabricgen.compile.reports.ratios import ratios
from fabricgen.core.record import record
from fabricgen.model.cabling.cables import cables
from fabricgen.model.cabling.parts import plugged
from fabricgen.model.catalog.optics import Optic
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Role, Server, Switch, Topology
from fabricgen.plan.power import PASSIVE

# Measured from the first leaf of the first plane: all leafs of a fabric are equal.

LIGHT = 5
"""Nanoseconds per meter of fiber: light at two thirds of its speed in vacuum, as in NVIDIA's
cabling guide for DGX SuperPOD (4.5 to 5 ns/m).
"""


@record(kw_only=True)
class Farthest:
    """The longest of the shortest paths between two servers.

    `hops`: its switches. `meters`: of cable. `switches`: nanoseconds in them, None if one latency
    is unknown. `joined`: every leaf of the plane reaches every other.
    """

    hops: int
    meters: int
    switches: int | None
    joined: bool

    @property
    def nanoseconds(self) -> int | None:
        """Return the delay of a packet on the path through idle switches."""
        return None if self.switches is None else self.switches + LIGHT * self.meters


def farthest(topology: Topology) -> Farthest | None:
    """Search the links tier by tier; None for a fabric without leafs."""
    leafs = [switch for switch in topology.switches if switch.role is Role.LEAF]
    if not leafs:
        return None
    start = leafs[0]
    before = _walked(start, _between(topology))
    near = max((link.length for link in topology.links if link.to_server), default=0)
    ends = [leaf for leaf in leafs if leaf.plane == start.plane]
    reached = [leaf for leaf in ends if leaf.name in before]
    paths = [list(_path(leaf, before)) for leaf in reached]
    longest = max(paths, key=lambda path: (len(path), sum(each for _, each in path)))
    latencies = [switch.model.latency for switch, _ in longest]
    return Farthest(
        hops=len(longest),
        meters=2 * near + sum(meters for _, meters in longest),
        switches=sum(each.nanoseconds for each in latencies if each is not None)
        if None not in latencies
        else None,
        joined=len(reached) == len(ends),
    )


def _between(topology: Topology) -> Mapping[str, list[tuple[Switch, int]]]:
    """Return the neighbors of each switch, each with the meters of the cable."""
    found: dict[str, dict[str, tuple[Switch, int]]] = defaultdict(dict)
    for link in topology.links:
        if not isinstance(link.lower, Server):
            found[link.lower.name][link.upper.name] = (link.upper, link.length)
            found[link.upper.name][link.lower.name] = (link.lower, link.length)
    return {name: list(near.values()) for name, near in found.items()}


Before = dict[str, tuple[Switch | None, int]]
"""By switch: its predecessor on the path from the start, and the meters to it."""


def _walked(start: Switch, near: Mapping[str, list[tuple[Switch, int]]]) -> Before:
    before: Before = {start.name: (None, 0)}
    front = [start]
    while front:
        found = []
        for switch in front:
            for other, meters in near.get(switch.name, ()):
                if other.name not in before:
                    before[other.name] = (switch, meters)
                    found.append(other)
        front = found
    return before


def _path(end: Switch, before: Before) -> Iterator[tuple[Switch, int]]:
    """Yield the switches from an end back to the start, each with the meters before it."""
    switch: Switch | None = end
    while switch is not None:
        earlier, meters = before[switch.name]
        yield switch, meters
        switch = earlier


def bisection(topology: Topology) -> int:
    """Return the minimum bits per second between two halves of the servers.

    Half of the tier with least bandwidth: NICs, links above leafs, links above spines.
    """
    below: dict[Role, int] = defaultdict(int)
    for link in topology.links:
        if not link.of_pair:
            below[link.upper.role] += link.speed
    return min(below.values(), default=0) // 2


@dataclass(slots=True, kw_only=True)
class Bought:
    """Parts that join the links of one fabric, by name: transceivers, and cables with fixed ends.

    `watts`: of all ends with known watts. `unpowered`: ends without a source of watts. `unknown`:
    links without a known medium. `blind`: fiber ends at servers with an unknown card, for which no
    part is counted.
    """

    optics: dict[str, int] = field(default_factory=dict)
    cables: dict[str, int] = field(default_factory=dict)
    watts: float = 0
    unpowered: int = 0
    unknown: int = 0
    blind: int = 0

    def draw(self, optic: Optic) -> None:
        """Add the watts of one end; a passive end has none."""
        if optic.kind in PASSIVE:
            return
        if optic.power is None:
            self.unpowered += 1
        else:
            self.watts += optic.power


def bought(site: Site) -> dict[str, Bought]:
    """Count the parts of every fabric, by its name, without cables to the outside."""
    found = {fabric.name: Bought() for fabric in site.fabrics}
    laid = [cable for cable in cables(site) if cable.link is not None]
    for cable in laid:
        found[cable.fabric].unknown += cable.way is None
    fixed: set[str] = set()
    for cable, _, optic in plugged(laid):
        mine = found[cable.fabric]
        if optic is None:
            mine.blind += 1
            continue
        mine.draw(optic)
        if not optic.is_cable:
            mine.optics[optic.name] = mine.optics.get(optic.name, 0) + 1
        elif cable.assembly not in fixed:
            fixed.add(cable.assembly)
            mine.cables[optic.name] = mine.cables.get(optic.name, 0) + 1
    return found


@record(kw_only=True)
class Draw:
    """Watts of switches and optics. `unknown`: models and parts without a source of watts.

    `typical`: switches at usual load without optics, and all optics. `maximum`: including optics;
    None if one model's is unknown.
    """

    typical: float | None
    maximum: float | None
    optics: float
    unknown: tuple[str, ...]


@record(kw_only=True)
class Counts:
    """One fabric, counted. `up`: bits per second above the leafs. `down`: towards the servers.

    `rack_units`: None if the height of one model is unknown. `managed`: out-of-band ports of its
    switches. `ratios`: downlink to uplink bandwidth, by tier.
    """

    fabric: str
    design: str
    switches: dict[str, int]
    models: dict[str, int]
    links: dict[str, int]
    servers: int
    gpus: int
    parts: Bought
    draw: Draw
    rack_units: int | None
    ratios: dict[str, float]
    far: Farthest | None
    bisection: int
    down: int
    up: int

    @property
    def switch_count(self) -> int:
        """Return the number of switches."""
        return sum(self.switches.values())

    @property
    def link_count(self) -> int:
        """Return the number of links."""
        return sum(self.links.values())


_BELOW = {Role.LEAF: "servers", Role.SPINE: "spines", Role.SUPERSPINE: "superspines"}
"""Names of the links that end at a tier."""


def counted(site: Site) -> dict[str, Counts]:
    """Count every fabric of a site, by its name."""
    parts = bought(site)
    return {fabric.name: _counts(fabric, parts[fabric.name]) for fabric in site.fabrics}


def _counts(fabric: Fabric, parts: Bought) -> Counts:
    topology = fabric.topology
    switches = Counter(str(switch.role) for switch in topology.switches)
    models = Counter(switch.model.name for switch in topology.switches)
    links = Counter(_kind(link.of_pair, link.upper.role) for link in topology.links)
    tall = [switch.model.rack_units for switch in topology.switches]
    carried: Counter[bool] = Counter()
    for link in topology.links:
        if link.upper.role is Role.LEAF or link.upper.role is Role.SPINE:
            carried[link.to_server] += 0 if link.of_pair else link.speed
    return Counts(
        fabric=fabric.name,
        design=fabric.design,
        switches=dict(switches),
        models=dict(models),
        links=dict(links),
        servers=len(topology.servers),
        gpus=fabric.gpus,
        parts=parts,
        draw=_draw(fabric, parts),
        rack_units=sum(each for each in tall if each) if None not in tall else None,
        ratios=ratios(topology, fabric.sides),
        far=farthest(topology),
        bisection=bisection(topology),
        down=carried[True],
        up=carried[False],
    )


def _kind(of_pair: bool, upper: Role) -> str:  # noqa: FBT001 - the one thing it spells
    return "between pairs" if of_pair else f"to {_BELOW[upper]}"


def _draw(fabric: Fabric, parts: Bought) -> Draw:
    models = Counter(switch.model for switch in fabric.topology.switches)
    lacking = sorted({model.name for model in models if model.watts is None})
    unknown = [f"watts of {name}" for name in lacking]
    if parts.unpowered:
        unknown.append(f"watts of {parts.unpowered:,} ends of optics or cables")
    if parts.unknown:
        unknown.append(f"medium of {parts.unknown:,} links")
    drawn = [(model.watts, number) for model, number in models.items()]
    switches = _times([(each.typical if each else None, number) for each, number in drawn])
    most = _times([(each.maximum if each else None, number) for each, number in drawn])
    if parts.blind:
        unknown.append(f"optics of {parts.blind:,} server ports without a NIC in the intent")
    return Draw(
        typical=None if switches is None else switches + parts.watts,
        maximum=most,
        optics=parts.watts,
        unknown=tuple(unknown),
    )


def _times(watts: list[tuple[int | None, int]]) -> int | None:
    """Return the sum; None if a term is unknown."""
    known = [each * number for each, number in watts if each is not None]
    return sum(known) if len(known) == len(watts) else None
