"""Finds the ports of a switch that depend on a name in its configuration."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos_of

VLANS = re.compile(r"(?i)(?:vlans?|vids|bridge-access|bridge-pvid|zone6?-)[ |_-]*(\d[\d, -]*)")
"""VLANs in a line: `Vlan10`, `trunk allowed vlan 10-12,20`, `bridge-vids 10 20`, `ZONE-10`."""
VNIS = re.compile(r"(?i)(?:vni|map_)[ |_]*(\d+)")
_SPAN = re.compile(r"(\d+)(?: *- *(\d+))?")
_ADDRESS = re.compile(r"\d+\.\d+\.|[0-9a-fA-F]{0,4}:")
_WORD = re.compile(r"[^\s|,\"'\[\](){}=;%]+")


@dataclass(slots=True, kw_only=True)
class Ports:
    """Ports that depend on one name.

    Attributes:
        labels: Labels of ports of the switch.
        peers: Switches at the other end of sessions between loopbacks.
        exits: VRFs that leave the site by it.
    """

    labels: set[str] = field(default_factory=set)
    peers: set[str] = field(default_factory=set)
    exits: set[str] = field(default_factory=set)

    def add(self, other: "Ports") -> None:
        """Include the ports of another name."""
        self.labels |= other.labels
        self.peers |= other.peers
        self.exits |= other.exits


Table = defaultdict[str, Ports]
_LABELS: dict[tuple[str, str, int], tuple[tuple[Port, ...], dict[str, str]]] = {}


def words_of(text: str) -> list[str]:
    """Return the words of a line, without brackets, quotes and separators."""
    return _WORD.findall(text)


def labels_of(switch: Switch) -> dict[str, str]:
    """Return the label of each port by its spelled name. Switches of one layout share the result.

    The ports are part of the result, so that no other object can get their identity.
    """
    key = (switch.platform, switch.model.name, id(switch.ports))
    if key not in _LABELS:
        _LABELS[key] = switch.ports, {spell(switch, it): it.label for it in switch.ports}
    return _LABELS[key][1]


def numbers_in(pattern: re.Pattern[str], text: str) -> set[str]:
    """Return all numbers that follow the words of a pattern, including those inside ranges."""
    found: set[str] = set()
    for run in pattern.findall(text):
        for first, last in _SPAN.findall(run):
            found.update(map(str, range(int(first), int(last or first) + 1)))
    return found


@dataclass(eq=False)
class Places:
    """Names in the configuration of one switch. Its slice is cut when a name needs it."""

    switch: Switch
    slicer: Slicer

    @cached_property
    def ports(self) -> Mapping[str, str]:
        """Return the label of each port by its spelled name."""
        return labels_of(self.switch)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Return the labels of all ports."""
        return frozenset(self.ports.values())

    @cached_property
    def slice(self) -> SwitchSlice:
        """Return the slice of the switch."""
        return self.slicer.slice(self.switch)

    def bundle(self, word: str) -> Ports | None:
        """Return the members of the LAG with a name, if it is one."""
        return self.bundles.get(word) if self._prefix and word.startswith(self._prefix) else None

    def address(self, word: str) -> Ports | None:
        """Return the ports behind an address, if a word is a known one."""
        return self.addresses.get(word.partition("/")[0]) if _ADDRESS.match(word) else None

    def vrf(self, word: str) -> Ports | None:
        """Return the ports of the VRF with a name, if it is one; SONiC puts `Vrf` before names."""
        overlay = self.slicer.fabric.overlay
        names = {word, word.removeprefix("Vrf"), word.removeprefix("Vrf_")}
        known = names & overlay.vrfs.keys() if overlay is not None else ()
        return next((self.vrfs[name] for name in known if name in self.vrfs), None)

    @cached_property
    def _prefix(self) -> str:
        names = nos_of(self.switch).names
        return names.bundle(0)[:-1] if names is not None else ""

    @cached_property
    def outside(self) -> Mapping[str, set[str]]:
        """Return the VRFs that leave the site by each port, by the label of the port."""
        overlay, found = self.slicer.fabric.overlay, defaultdict[str, set[str]](set)
        for peer in overlay.external.get(self.switch.name, ()) if overlay is not None else ():
            found[peer.interface.port.label].add(peer.vrf)
        return found

    @cached_property
    def bundles(self) -> Table:
        """Return the members of each LAG by its spelled name."""
        names, table = nos_of(self.switch).names, Table(Ports)
        for lag in self.slice.lags if names is not None else ():
            assert names is not None
            table[names.bundle(lag.number)].labels.update(it.port.label for it in lag.members)
        return table

    @cached_property
    def addresses(self) -> Table:
        """Return the ports behind each address of a link, a neighbor or a gateway."""
        table = Table(Ports)
        for item in self.slice.interfaces:
            for address in filter(None, (item.address, item.address6)):
                table[address.host].labels.add(item.port.label)
        for session in self.slice.sessions:
            for address in filter(None, (session.remote, session.local)):
                if session.interface is not None:
                    table[address.host].labels.add(session.interface.port.label)
                elif address is session.remote:
                    table[address.host].peers.add(session.peer.name)
        for peer in (*self.slice.external, *self.slice.speakers):
            for address in (peer.local, peer.remote):
                table[address.host].add(_behind(peer))
        for gateway, vlan in self._gateways():
            table[gateway.host].add(self.vlans[vlan])
        return table

    def _gateways(self) -> list[tuple[Ip, str]]:
        return [(it, str(vlan.id)) for vlan in self.slice.vlans for it in vlan.gateways]

    @cached_property
    def vlans(self) -> Table:
        """Return the ports of each VLAN by its number. A transit VLAN has the ports of its VRF."""
        table = Table(Ports)
        for vlan in self.slice.vlans:
            table[str(vlan.id)].labels |= self._carrying(vlan.id.__eq__)
        for vrf in self.slice.vrfs:
            if not vrf.local:
                table[str(vrf.transit_vlan)].add(self.vrfs[vrf.name])
        return table

    @cached_property
    def vnis(self) -> Table:
        """Return the ports of each VNI by its number."""
        table = Table(Ports)
        for vlan in self.slice.vlans:
            if vlan.vni is not None:
                table[str(vlan.vni)].add(self.vlans[str(vlan.id)])
        for vrf in self.slice.vrfs:
            table[str(vrf.vni)].add(self.vrfs[vrf.name])
        return table

    @cached_property
    def vrfs(self) -> Table:
        """Return the ports of each VRF, and whether it leaves the site here."""
        table = Table(Ports)
        inside = {
            vrf.name: {vlan.id for vlan in self.slice.vlans if vlan.vrf == vrf.name}
            for vrf in self.slice.vrfs
        }
        for name, vlans in inside.items():
            table[name].labels |= self._carrying(vlans.__contains__)
            table[name].labels |= {it.port.label for it in self.slice.interfaces if it.vrf == name}
        for peer in self.slice.external:
            table[peer.vrf].add(_behind(peer))
        return table

    def _carrying(self, has: Callable[[int], bool]) -> set[str]:
        return {
            item.port.label
            for item in self.slice.interfaces
            if item.carries is not None and any(has(vlan.id) for vlan in item.carries.vlans)
        }


def _behind(peer: ExternalPeer) -> Ports:
    """Return what depends on a BGP peer in a VRF: the port of a server, or an exit of its VRF."""
    if peer.inside:
        return Ports(labels={peer.interface.port.label})
    return Ports(exits={peer.vrf})
