"""Selects the interface by which each server sends, from its network files."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from fabricgen.nos.hosts.readback.network import UNREACHABLE, Lookup, Network
from fabricgen.prove.walk.packet import Packet, Station, Verdict, interface, stops


class Sending:
    """Routing of servers; without files, or for a BMC, by the interface with the address."""

    def __init__(self, stations: Iterable[Station], hosts: Mapping[str, Network]) -> None:
        """Index the stations by interface and by server."""
        stations = list(stations)
        self._behind: dict[tuple[str, str], list[Station]] = defaultdict(list)
        for each in stations:
            self._behind[each.node, each.device].append(each)
        self.nodes: dict[str, list[Station]] = defaultdict(list)
        for each in dict.fromkeys(stations):
            self.nodes[each.node].append(each)
        self.hosts = hosts
        self._hosts = {
            name: (each, {version: Lookup(each, version) for version in (4, 6)})
            for name, each in hosts.items()
        }

    def leaving(self, one: Station, packet: Packet) -> Station | Verdict:
        """Return the station of the interface that a server uses, or the result of the packet."""
        if not one.told or one.node not in self._hosts:
            return one
        network, _ = self._hosts[one.node]
        own, near = network.devices.get(one.device), one.address(packet.target.version)
        if own is None:
            return stops(f"the files of {one.node} have no interface {one.device}")
        version = packet.target.version
        numbered = any(interface(each).version == version for each in own.addresses)
        if near is None or not (numbered or (own.dhcp if version == 4 else own.announced)):
            return one  # its addresses are not in the intent
        return self._by_rules(one, packet, on_link=packet.target in near.network)

    def _by_rules(self, one: Station, packet: Packet, *, on_link: bool) -> Station | Verdict:
        """Look up a packet's path as the server's kernel does."""
        network, lookups = self._hosts[one.node]
        way = lookups[packet.target.version].way(int(packet.source), int(packet.target))
        if way == UNREACHABLE:
            return stops(f"{one.node} has no route from {packet.source} to {packet.target}")
        if way not in network.devices:  # the kernel's own routes, or learned ones
            version = packet.target.version
            asking = [name for name, each in network.devices.items() if each.asks(version)]
            if on_link or one.device in asking:
                return one
            if len(asking) != 1:
                return stops(f"{one.node} has no default route")
            way = asking[0]
        behind = self._behind.get((one.node, way), [])
        if one in behind or not behind:
            return one if behind else stops(f"{one.node} {way} has no cable of the site")
        return behind[0]
