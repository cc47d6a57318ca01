"""Links between sites of one folder in; their cables in a lab, and the sessions over them, out."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterator

from fabricgen.model.fabric.external import EdgeLink
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.operate.lab.plan import LabCable


def between_sites(site: Site, wanted: Container[str]) -> Iterator[LabCable]:
    """Yield the cables of links with both ends among these switches.

    A bundle whose ends have unlike many cages has as many cables as the smaller end.
    """
    for (leaf, one), (far, other) in _links(site, wanted):
        for near, away in zip(one.cages, other.cages, strict=False):
            yield LabCable(
                a=leaf.name, a_port=spell(leaf, near), b=far.name, b_port=spell(far, away)
            )


def joined(
    site: Site, wanted: Container[str], tunnels: Collection[str]
) -> frozenset[tuple[str, str]]:
    """Return the sessions over these links and through tunnels that are carried.

    They are named by switch and label.
    """
    there = {end[1].name for ends in _links(site, wanted) for end in ends} | {*tunnels}
    return frozenset(
        (leaf, peer.label)
        for fabric in site.fabrics
        if fabric.overlay is not None
        for leaf, peers in fabric.overlay.external.items()
        for peer in peers
        if peer.joins in there
    )


def _links(site: Site, wanted: Container[str]) -> Iterator[list[tuple[Switch, EdgeLink]]]:
    """Yield both ends of each link that is there."""
    ends: dict[str, list[tuple[Switch, EdgeLink]]] = defaultdict(list)
    for fabric in site.fabrics:
        switches = {each.name: each for each in fabric.topology.switches}
        for link in fabric.overlay.edge.values() if fabric.overlay is not None else ():
            if link.because.main[:1] == ("dci",) and link.leaf in wanted:
                ends[link.name].append((switches[link.leaf], link))
    yield from (both for both in ends.values() if len(both) == 2)
