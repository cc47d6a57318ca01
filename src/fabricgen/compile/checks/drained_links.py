"""Nothing goes over a drained link: slices in; what is reached by it alone out.

Its two ends make every way over it longer than others are, so it is still used where no other is
left: by the last link of a leaf, or where two leafs have no spine in common but by drained links.
Then traffic is lost when people touch the cable. Drain them one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.deadlock.told import Told, lit
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.topology import Port, Switch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.compile.checks.deadlock.network import Network
    from fabricgen.compile.checks.deadlock.routes import Hops
    from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
    from fabricgen.model.fabric.topology import Link

_HINT = "drain links one after the other; with the last one, drain its switch"


class DrainedLinks(Tallied):
    """Computes, in fabrics with a drained link, the ways to what is below one."""

    name, code, noun = "drained links", Code.NO_OTHER_LINK, "switches"

    def __init__(self, site: Site) -> None:
        """Look which fabrics have a drained link."""
        super().__init__(site)
        self.told = {
            fabric.name: (fabric, Told())
            for fabric in site.fabrics
            if any(link.drained for link in fabric.topology.links)
        }

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Take a slice where it matters."""
        self.tally.objects += 1
        if fabric.name in self.told and piece.switch.name not in fabric.absent:
            self.told[fabric.name][1].add(lit(piece))

    def result(self) -> Examined:
        """Follow the packets to each leaf below a drained link."""
        for fabric, told in self.told.values():
            for link, leaf in _used(fabric, told):
                assert link.standing is not None
                text = f"{ends.cable(link)} cannot be drained: {leaf} is not reached without it"
                self.tally.add("links that are still used", text, link.standing.because, _HINT)
        return self.tally.result()


def _used(fabric: Fabric, told: Told) -> Iterator[tuple[Link, str]]:
    """Yield each drained link that packets between leafs take, and one that they go to."""
    from fabricgen.compile.checks.deadlock.network import network  # noqa: PLC0415  # rarely needed
    from fabricgen.compile.checks.deadlock.routes import Destination, hops  # noqa: PLC0415

    net, links = network(told), [it for it in fabric.topology.links if it.drained]
    leafs = [it.name for it in fabric.topology.switches if it.is_leaf and it.name in told]
    below = dict.fromkeys(leaf for link in links for leaf in _leafs(fabric, link.lower.name))
    for leaf in filter(leafs.__contains__, below):
        to = hops(net, Destination(told.number(leaf)), frozenset())
        sent = _sent(net, to, [told.number(each) for each in leafs if each != leaf])
        used = [link for link in links if not sent.isdisjoint(_ends(told, link))]
        yield from ((link, leaf) for link in used)
        links = [link for link in links if link not in used]


def _leafs(fabric: Fabric, name: str) -> Iterator[str]:
    """Yield the leafs at or below a switch."""
    links = [it for it in fabric.topology.links_at[name] if it.upper.name == name]
    lower = [it.lower for it in links if isinstance(it.lower, Switch) and not it.of_pair]
    if not lower:
        yield name
    for switch in lower:
        yield from _leafs(fabric, switch.name)


def _sent(net: Network, to: Hops, begin: list[int]) -> set[tuple[int, int]]:
    """Return the ports by which packets from some switches go, by switch."""
    seen, left, sent = set(begin), begin, set[tuple[int, int]]()
    while left:
        here = left.pop()
        for way in map(net.ways.__getitem__, to.get(here, ())):
            sent.update((here, own) for own, _ in way.ports)
            if way.there not in seen:
                seen.add(way.there)
                left.append(way.there)
    return sent


def _ends(told: Told, link: Link) -> set[tuple[int, int]]:
    """Return both ends of a link, as they are packed."""
    assert isinstance(link.lower_port, Port)
    return {
        (told.number(link.lower.name), ends.key(link.lower_port)),
        (told.number(link.upper.name), ends.key(link.upper_port)),
    }
