"""Reads attachments and BGP sessions from routed server ports in a VRF."""

import re
from collections import defaultdict
from collections.abc import Iterator
from ipaddress import IPv4Address, ip_address, ip_network
from typing import NamedTuple

from fabricgen.core.tree.facts import TRUE, Attributes, Key
from fabricgen.importer.attachments import places, spot
from fabricgen.importer.border import clause, limit, permitted
from fabricgen.importer.seats import Floor, Seat
from fabricgen.importer.tree import Fragment, said
from fabricgen.model.fabric.leaks import joinable
from fabricgen.model.settings.sessions import MaxPrefixes
from fabricgen.prove.foreign.switch import number
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.values import text

_LIMIT = MaxPrefixes(count=1000, action="end")
"""BGP defaults of a server: `HostBgp` of the intent."""


_ROOM = 24
"""The length of a proposed pool. The files have only the addresses of the ports."""


class _Linked(NamedTuple):
    ports: tuple[str, str]
    links: str
    bgp: str


class RoutedPorts:
    """The routed ports of one VRF of an EVPN fabric. hosts: BGP with servers, by name."""

    def __init__(self, floor: Floor, vrf: str) -> None:
        """Find the ports."""
        self.floor, self.vrf = floor, vrf
        self.hosts: dict[str, Fragment] = {}
        seats = [each for each in floor.seats if plain(each.port.vrf) == vrf and each.server.kind]
        self.seats = [each for each in seats if each.port.addresses]

    def attachments(self) -> Iterator[Fragment]:
        """Yield the attachments with these ports."""
        every: dict[_Linked, set[tuple[int, int]]] = defaultdict(set)
        for seat in self.seats:
            links = self.pool(seat)
            if links:
                every[_Linked(seat.set_of_ports, links, self.bgp(seat))].add(spot(seat))
        for what, where in sorted(every.items()):
            for place in places(self.floor, what.ports, where):
                yield place | said(vrf=self.vrf, links=what.links, bgp=what.bgp)

    def pool(self, seat: Seat) -> str:
        """Return the pool of a port address. Each server has one part of the pool per port."""
        alike = [each for each in self.floor.seats if each.set_of_ports == seat.set_of_ports]
        ports = max(each.nic.port for each in alike)
        servers = max(each.server.number for each in alike)
        place = (seat.server.number - 1) * ports + seat.nic.port - 1
        first = int(seat.port.addresses[0].ip) - 2 * place
        if first < 0 or seat.port.addresses[0].version != 4:
            return ""
        length = 32 - (2 * ports * servers - 1).bit_length()
        while length > _ROOM and first % (1 << (33 - length)) == 0:
            length -= 1
        network = ip_network(f"{IPv4Address(first)}/{length}", strict=False)
        return str(network) if int(network.network_address) == first else ""

    def bgp(self, seat: Seat) -> str:
        """Return the name of the BGP settings of a server, or an empty text."""
        subnet = seat.port.addresses[0].network
        for key, own in seat.judged.facts.items():
            near = key[0] == "session" and key[1] == seat.port.vrf and _in(key[2], subnet)
            if near:
                words = self.words(own)
                name = self.named(seat, key)
                name = name or next((n for n, known in self.hosts.items() if known == words), "")
                name = name or _free(seat.server.kind, self.hosts)
                self.hosts[name] = words
                return name
        return ""

    def named(self, seat: Seat, key: Key) -> str:
        """Return the list name of a session apart from its VRF. Facts have none."""
        where, found = seat.judged.place(key, "in"), seat.judged.found
        path = next((each for each, shown in found.places.items() if shown == where.file), "")
        near = found.texts.get(path, "").split("\n")[max(where.line - 2, 0) : where.line]
        pattern = rf"\bIN-{re.escape(joinable(self.vrf))}_([a-z][a-z0-9-]{{0,30}})\b"
        return next((each[1] for line in near for each in re.finditer(pattern, line)), "")

    def words(self, own: Attributes) -> Fragment:
        """Return the keys of a session with a server."""
        into = permitted(clause(own.get("in")).get("prefixes"))
        watched = self.floor.fabric.routing.bfd is not None
        return {
            "asn": number(text(own.get("asn"))),
            "accept": [each.partition(",")[0] for each in into],
        } | said(
            max_prefixes=limit(own, _LIMIT),
            bfd=False if watched and own.get("bfd") != TRUE else None,
        )


def _in(peer: str, subnet: object) -> bool:
    try:
        return ip_address(peer) in subnet  # type: ignore[operator]
    except ValueError:
        return False


def _free(name: str, taken: dict[str, Fragment]) -> str:
    several = (f"{name}-{count}" for count in range(2, len(taken) + 3))
    return next(each for each in (name, *several) if each not in taken)
