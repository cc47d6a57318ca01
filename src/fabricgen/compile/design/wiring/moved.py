"""A set of ports and the leafs of its group in; which of its servers stand where, out.

Server n stands where its number says, or where the intent moved it. The place that it left stays
free, and the one that it takes is nobody's, so no other server moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.design.seating import servers_of
from fabricgen.core.diagnostics import Code

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.compile.design.findings import Findings
    from fabricgen.compile.design.wiring.leaf_ports import Laid
    from fabricgen.intent.model.fabric import KindPorts
    from fabricgen.intent.model.servers import Moved
    from fabricgen.model.fabric.topology import Server


def seated(
    kind: KindPorts, laid: Laid, head: int, pair: int, site: str
) -> list[tuple[int, Server]]:
    """Return the servers of a kind on a leaf or pair, with their places.

    head: number of its first leaf. pair: how many of its group are before it.
    """
    servers, moved = servers_of(kind, site), laid.rack.moved
    first = pair * laid.per_leaf
    own = [
        (place, server)
        for place, server in enumerate(servers[first : first + laid.per_leaf], laid.rack.first)
        if server.number not in moved
    ]
    come = [(to.place, servers[n - 1]) for n, to in moved.items() if to.leaf == head]
    return sorted([*own, *come], key=lambda seat: seat[0])


def judge_moved(laid: Laid, leafs: Sequence[int], end: int | None, findings: Findings) -> bool:
    """Stop where a server cannot stand where it was moved to; True where all can.

    leafs: numbers of those of the group. end: the first place that is another set's.
    """
    kind = laid.rack.kind
    for number, to in laid.rack.moved.items() if kind else ():
        assert kind is not None
        for code, key, wrong in _wrong(kind, laid, number, to, leafs, end):
            path = (*kind.at("moved"), str(number), *key)
            raise findings.stop(code, f"server {number} of {kind.kind}: {wrong}", path)
    return True


def _wrong(
    kind: KindPorts, laid: Laid, number: int, to: Moved, leafs: Sequence[int], end: int | None
) -> Iterator[tuple[Code, tuple[str, ...], str]]:
    """Yield what is wrong with where a server was moved, the reason of the next one first."""
    rack, spread = laid.rack, laid.rack.spread
    heads = list(leafs)[::spread]
    if number > kind.servers.count:
        yield Code.UNKNOWN_REFERENCE, (), f"there are {kind.servers.count}"
        return
    if to.leaf not in heads:
        what = "pair with the first leaf" if spread > 1 else "leaf"
        yield Code.UNKNOWN_REFERENCE, ("leaf",), f"its group has no {what} {to.leaf}"
        return
    if to.place < rack.first or (end is not None and to.place >= end):
        yield Code.PORT_USED_TWICE, ("place",), f"place {to.place} is of another set of ports"
    at = heads.index(to.leaf) * laid.per_leaf + to.place - rack.first + 1
    stays = to.place < rack.first + laid.per_leaf and at <= kind.servers.count
    if stays and at not in rack.moved:
        yield Code.PORT_USED_TWICE, ("place",), f"server {at} stands at place {to.place} there"
    others = (n for n, other in rack.moved.items() if n < number and other == to)
    for other in others:
        yield Code.PORT_USED_TWICE, ("place",), f"server {other} is moved there as well"
