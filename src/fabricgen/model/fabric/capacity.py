"""Counts the places of a fabric that a demand crosses: server ports, tiers, external links."""

from collections.abc import Iterable, Iterator
from math import inf

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.demand import OUTSIDE, Demand
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Role, Server, Switch


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
