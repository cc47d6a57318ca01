"""Finds the shortest attachments that describe what the ports of servers carry.

Ports that carry the same are one attachment: of a kind by the numbers of its servers, or of a leaf
group by positions in the rack.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.core.units import spans
from fabricgen.importer.seats import Floor, Seat
from fabricgen.importer.tree import Fragment, said


class Carried(NamedTuple):
    """VLANs of a port, and its untagged VLAN (0 for none)."""

    vlans: frozenset[int]
    untagged: int


Placed = dict[tuple[str, str], dict[tuple[int, int], Carried]]
"""VLANs by set of ports: of each server by leaf and place, of a kind by its number."""


def carried(floor: Floor) -> Placed:
    """Return the VLANs of the ports of each server, by majority if ports differ."""
    votes: dict[tuple[str, str], dict[tuple[int, int], Counter[Carried]]] = {}
    for seat in floor.seats:
        port = seat.port
        if port.vlans:
            of = votes.setdefault(seat.set_of_ports, {}).setdefault(spot(seat), Counter())
            of[Carried(port.vlans, port.untagged)] += 1
    return {
        ports: {where: count.most_common(1)[0][0] for where, count in spots.items()}
        for ports, spots in votes.items()
    }


def spot(seat: Seat) -> tuple[int, int]:
    """Return the number of a server of a kind, or its leaf and its place there."""
    of_kind = bool(seat.server.kind)
    return (0, seat.server.number) if of_kind else (seat.leaf.index, seat.place.index)


def attachments(
    floor: Floor, placed: Placed, keys: Mapping[int, str], owners: Mapping[int, str]
) -> list[Fragment]:
    """Return the attachments of one tenant.

    A server has one default route, so only its first tenant gives it addresses. No switch file
    shows the settings on servers.

    The argument `keys` has the keys of the tenant's VLANs by id, `owners` the tenants of VLANs.
    """
    made: list[Fragment] = []
    for ports, spots in placed.items():
        by_words: dict[tuple[Carried, bool], set[tuple[int, int]]] = defaultdict(set)
        for one, every in spots.items():
            mine = every.vlans & frozenset(keys)
            routed = sorted(
                every.vlans & set(owners), key=lambda vlan: (vlan != every.untagged, vlan)
            )
            first = {owners[routed[0]]} if routed else set()
            second = any(owners.get(vlan) not in {None, *first} for vlan in mine)
            if mine:
                what = Carried(mine, every.untagged if every.untagged in mine else 0)
                by_words[what, second].add(one)
        for (what, second), where in sorted(by_words.items(), key=lambda each: min(each[1])):
            words = _words(what, keys) | said(addresses="none" if second else None)
            made += [{**place, **words} for place in places(floor, ports, where)]
    return made


def _words(what: Carried, keys: Mapping[int, str]) -> Fragment:
    names = [keys[number] for number in sorted(what.vlans)]
    if what.untagged and len(names) == 1:
        return {"access": names[0]}
    return said(trunk=names, native=keys[what.untagged] if what.untagged else None)


def places(
    floor: Floor, ports: tuple[str, str], where: Iterable[tuple[int, int]]
) -> Iterator[Fragment]:
    """Yield the keys with which an attachment names these servers of a set of ports."""
    kind, name = ports
    every = {spot(seat) for seat in floor.seats if seat.set_of_ports == ports}
    if kind:
        numbers = {number for _, number in where}
        several = len({each.set_of_ports for each in floor.seats if each.server.kind == kind}) > 1
        all_ = numbers == {number for _, number in every}
        whole = None if all_ else spans(numbers)
        yield {"servers": kind} | said(port=name if several else None, numbers=whole)
        return
    leafs: dict[frozenset[int], set[int]] = defaultdict(set)
    for leaf in {leaf for leaf, _ in where}:
        leafs[frozenset(place for at, place in where if at == leaf)].add(leaf)
    for inside, on in sorted(leafs.items(), key=lambda each: min(each[1])):
        yield {"group": name} | said(
            leafs=None if on == {leaf for leaf, _ in every} else spans(on),
            servers=None if inside == {place for _, place in every} else spans(inside),
        )
