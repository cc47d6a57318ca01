"""Finds stations that no walk can distinguish, from the facts that a walk reads.

Stations of a class have leafs of one class, equal ports and server files, and addresses in the same
prefixes of every table, policy and access list.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from fabricgen.prove.walk.leafs import Scene, frozen, is_outer, leaf_classes, relations
from fabricgen.prove.walk.packet import Interface, Prefix, Prefixes, Station, interface
from fabricgen.prove.walk.pairs import torn
from fabricgen.prove.walk.policies import Policy
from fabricgen.prove.walk.tables import Tables

_WITHIN = frozenset(("name", "segment", "mlag", "bundle"))
"""Facts of a station's port that a walk compares with the station's other ports only."""


class Kin(NamedTuple):
    """The class of a station, and the switches by which its members differ."""

    key: int
    places: tuple[str, ...]


class Likeness:
    """The classes of the stations of a walk."""

    def __init__(self, scene: Scene) -> None:
        """Find the classes of leafs, and the prefixes that decide about addresses."""
        self._scene, self._switches = scene, scene.exchange.switches
        self.partners = scene.exchange.partners
        self._numbers: dict[Hashable, int] = {}
        self._servers: dict[str, int] = {}
        self._targets = sorted(int(own.ip) for each in scene.stations for own in addresses(each))
        self._prefixes = Prefixes()
        for prefix in _prefixes(scene):
            self._prefixes.add(prefix.version, int(prefix.network_address), prefix.prefixlen)
        self._leafs = leaf_classes(scene)

    def kin(self, station: Station) -> Kin:
        """Return the class of a station, and its switches."""
        near, server = [station], 0
        if station.told and station.node in self._scene.hosts:
            near += self._scene.nodes[station.node]
            if station.node not in self._servers:
                self._servers[station.node] = self._number(self._server(station.node))
            server = self._servers[station.node]
        places = tuple(dict.fromkeys(end.switch for each in near for end in each.ends))
        leafs = tuple(self._leafs[place] for place in places)
        inner = relations(places, places, self.partners)
        key = (self._station(station), station.device if server else "", server, leafs, inner)
        return Kin(self._number(key), places)

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def _station(self, station: Station) -> Hashable:
        """Return the facts of one interface of a station."""
        if self._is_alone(station):
            return id(station)
        return (
            station.tag,
            station.told,
            bool(torn(station, self._switches, self.partners)),
            tuple(
                (self._leafs[switch], frozen(self._switches[switch].ports.get(port), _WITHIN))
                for switch, port, _ in station.ends
            ),
            tuple(
                (str(own.network), self._prefixes.around(own.version, int(own.ip)))
                for own in addresses(station)
            ),
        )

    def _is_alone(self, station: Station) -> bool:
        """Return whether a station is external, behind a static route, or at a routed port."""
        if is_outer(station):
            return True
        for end in station.ends:
            ports = self._switches[end.switch].ports
            port = ports.get(end.port)
            whole = ports.get(port.bundle) if port is not None else None
            if any(each is not None and each.addresses for each in (port, whole)):
                return True
        return False

    def _server(self, node: str) -> Hashable:
        """Return the files of a server, without routes to targets that no packet has."""
        files, mine = self._scene.hosts[node], self._scene.nodes[node]
        own = [address for station in mine for address in addresses(station)]
        return (
            tuple(
                (
                    *(name, each.asks(4), each.asks(6), each.dhcp, each.announced),
                    *(interface(address).version for address in each.addresses),
                )
                for name, each in files.devices.items()
            ),
            tuple(
                (
                    tuple(not each.source or _holds(each.source, address) for address in own),
                    (each.to, ":" in each.source + each.to, each.table, each.priority),
                )
                for each in files.rules
            ),
            tuple(
                (each.prefix, each.device, each.table, each.unreachable, each.metric)
                for each in files.routes
                if self._is_target(interface(each.prefix).network, own)
            ),
            tuple((each.device, self._station(each)) for each in mine),
        )

    def _is_target(self, prefix: Prefix, own: list[Interface]) -> bool:
        """Return whether a prefix contains an address of another server."""
        first, last = int(prefix[0]), int(prefix[-1])
        every = bisect_left(self._targets, last + 1) - bisect_left(self._targets, first)
        return every > sum(first <= int(each.ip) <= last for each in own)


def addresses(station: Station) -> Iterator[Interface]:
    """Return the addresses of a station."""
    return map(interface, station.addresses)


def _holds(prefix: str, address: Interface) -> bool:
    return address.ip in interface(prefix).network


def _prefixes(scene: Scene) -> Iterator[Prefix]:
    """Yield every prefix that may decide about the source or target of a packet."""
    for switch in scene.exchange.switches.values():
        yield from (prefix for vrf in switch.subnets.values() for prefix in vrf)
        for address in (own for port in switch.ports.values() for own in port.addresses):
            yield from (address.network, interface(str(address.ip)).network)
        for static in switch.statics:
            yield from (static.prefix.network, interface(static.via).network)
        listed = {id(policy): policy for policy in _policies(switch)}
        yield from (prefix for policy in listed.values() for prefix in _listed(policy))
        lists = {id(each): each for port in switch.ports.values() for each in port.filters}
        for rule in (rule for each in lists.values() for rule in each.rules):
            yield from (prefix for prefix in (rule.source, rule.target) if prefix is not None)
    for station in scene.stations:
        yield from (own.network for own in addresses(station))
    for files in scene.hosts.values():
        texts = (*(rule.to for rule in files.rules), *(route.prefix for route in files.routes))
        yield from (interface(text).network for text in texts if text)


def _policies(switch: Tables) -> Iterator[Policy]:
    """Yield the policies of a switch."""
    for table in switch.tables.values():
        for every in (table.connected, table.taken, table.told):
            yield from every.values()
    for session in switch.sessions:
        yield from (each for each in session.policies.values() if each is not None)


def _listed(policy: Policy) -> Iterator[Prefix]:
    """Yield the prefixes of a policy, and the shorter ones that an entry may permit."""
    for clause in policy:
        for base, shortest, _ in clause.prefixes or ():
            yield base.network
            for length in range(shortest, base.network.prefixlen):
                yield base.network.supernet(new_prefix=length)
