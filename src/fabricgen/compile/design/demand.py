"""Compare the demand of a fabric with its server ports, its tiers and its external links."""

from collections.abc import Iterable, Iterator
from math import inf

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.fabric import PURPOSES, FabricDemand
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.model.fabric.demand import OUTSIDE, Demand
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Role, Server, Switch


def demand_of(words: AnyFabric) -> Demand | None:
    """Return the demand of a fabric; None if it has none."""
    said = words.unless_refused("demand") if isinstance(words, Frontend | Backend) else None
    if not isinstance(said, FabricDemand) or not said.whole:
        return None
    rates = {name: rate for name in PURPOSES if (rate := getattr(said, name)) is not None}
    return Demand(rates=rates, growth=said.growth, years=said.years, path=words.at("demand"))


def judge_demand(fabric: Fabric, findings: Findings) -> None:
    """Report the narrowest place below the demand now, else the one that growth outruns."""
    demand = fabric.demand
    if demand is None:
        return
    found = [(place.room(demand), place) for place in narrow_places(fabric)]
    room, place = min(found, key=lambda each: each[0], default=(inf, None))
    if place is None:
        return
    asked = demand.text(place.purposes)
    hint = "add or upgrade these links, or lower `demand`"
    if room < 1:
        text = f"the {fabric.name} needs {asked}, but {place}"
        findings.error(Code.DEMAND_ABOVE_CAPACITY, text, demand.path, hint)
    elif room < demand.growth:
        years = demand.reached(room)
        when = f", after {years:.2g} of {demand.years:g} years" if years is not None else ""
        findings.warn(
            Code.GROWTH_ABOVE_CAPACITY,
            f"growth by {demand.growth:g} outruns the {fabric.name}: it needs {asked} now, "
            f"and {place}, which is reached at {room:.3g} times{when}",
            (*demand.path, "growth"),
            hint,
        )


@record(kw_only=True)
class Narrow:
    """A place that some purposes cross, or all. `bits`: the sum of its links in one direction."""

    count: int
    noun: str
    bits: int
    purposes: frozenset[str] | None = None

    def __str__(self) -> str:
        """Return its links and their sum."""
        return f"{self.count:,} {self.noun} carry {BitsPerSecond(self.bits)}"

    def room(self, demand: Demand) -> float:
        """Return how often the place carries the demand; infinity if nothing crosses it."""
        asked = sum(demand.terms(self.purposes).values())
        return self.bits / asked if asked else inf


def narrow_places(fabric: Fabric) -> Iterator[Narrow]:
    """Yield the places that the demand crosses: server ports, tiers, external links."""
    absent = fabric.absent
    links = [
        link
        for link in fabric.topology.links
        if not link.of_pair and link.standing is None and absent.isdisjoint(_ends(link))
    ]
    used = list(_sending(link for link in links if isinstance(link.lower, Server)))
    if used:
        yield Narrow(count=len(used), noun="server ports", bits=sum(it.speed for it in used))
    for role in (Role.LEAF, Role.SPINE):
        up = [
            it
            for it in links
            if isinstance(it.lower, Switch) and it.lower.role is role and it.upper.role is not role
        ]
        if up:
            yield Narrow(count=len(up), noun=f"uplinks of {role}s", bits=sum(it.speed for it in up))
    outside = _outside(fabric)
    if outside:
        yield Narrow(
            count=len(outside),
            noun="external links",
            bits=sum(outside.values()),
            purposes=OUTSIDE,
        )


def _ends(link: Link) -> tuple[str, str]:
    return link.lower.name, link.upper.name


def _sending(links: Iterable[Link]) -> Iterator[Link]:
    """Yield the server links that carry traffic at one time: one of an active-backup bond."""
    bonds = set()
    for link in links:
        nic = link.lower_port
        if isinstance(nic, Nic) and nic.bond == "active-backup":
            bond = (link.lower.name, nic.network)
            if bond in bonds:
                continue
            bonds.add(bond)
        yield link


def _outside(fabric: Fabric) -> dict[tuple[str, str], int]:
    """Return the rate of each port to the outside, by leaf and port."""
    overlay = fabric.overlay
    if overlay is None:
        return {}
    ports = [(each.leaf, port) for each in overlay.edge.values() for port in each.ports]
    ports += [
        (leaf, peer.interface)
        for leaf, peers in overlay.external.items()
        for peer in peers
        if peer.interface.tag is None and not peer.joins and not peer.inside
    ]
    return {(leaf, port.port.label): port.sends for leaf, port in ports}
