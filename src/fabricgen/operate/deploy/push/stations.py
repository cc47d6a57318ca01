"""Choose the servers that the switches of a batch and their neighbors ping, with the source.

The source is the diagnostic address of the leaf in the VRF. Without one it is the gateway of the
server's VLAN. Only the leaf of the server is sure to get the answer to that gateway.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key
from fabricgen.model.fabric.addressing import address_of
from fabricgen.model.fabric.overlay import Overlay, Vrf
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Server
from fabricgen.model.fabric.vrfs import NUMBER
from fabricgen.nos.health import Health
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.nos.traffic import End, Kind, Station, drawn
from fabricgen.operate.deploy.push.model import Model

_Named = TypeVar("_Named", End, Station)
MINE, FAR, OTHERS, APART = 16, 16, 4, 2
"""Servers that a switch pings in a VRF: at its own ports, at other leafs, in reachable VRFs, and in
forbidden VRFs.
"""
MOST = 128
"""Limit of pings per snapshot: 1.3 s of packets when all servers answer."""
_ALONE = "so each leaf pings only the servers at its own ports"
_BARE = f"has no diagnostic addresses (`diagnostics` of the VRF), {_ALONE}"
_FRESH = f"gets its diagnostic address on {{}} with this batch, {_ALONE}"


@record(kw_only=True)
class Pings:
    """Pings before a batch.

    Attributes:
        ends: Destinations by switch.
        alone: Sentences about VRFs in which leafs ping only the servers at their own ports.
    """

    ends: Mapping[str, tuple[End, ...]]
    alone: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Chooser:
    """Chooses the pings of one batch.

    Attributes:
        model: The design of the push.
        looks: Snapshots of the switches and neighbors before the batch.
        batch: The switches that change.
        changed: Changed objects by switch.
        seed: Seed of the sample.
    """

    model: Model
    looks: Mapping[str, Health]
    batch: Collection[str]
    changed: Mapping[str, Collection[Key]]
    seed: str

    def pings(self) -> Pings:
        """Return the destinations of each switch."""
        ends = {name: tuple(self._ends(name)) for name in self.looks}
        drawn_of = {name: self._drawn(f"{name} ", each, MOST) for name, each in ends.items()}
        return Pings(ends={k: each for k, each in drawn_of.items() if each}, alone=self._alone())

    def _alone(self) -> tuple[str, ...]:
        """Report VRFs of the batch with servers but without diagnostic addresses."""
        known = {each.vrf for stations in self._known.values() for each in stations}
        said = dict[str, None]()
        for name in sorted(self.batch):
            switch_slice = self.model.texts.slice(name)
            for vrf in switch_slice.vrfs if switch_slice.vtep is not None else ():
                if vrf.name in known and not self._source(switch_slice, vrf):
                    why = _BARE if vrf.diagnostics is None else _FRESH.format(name)
                    said[f"VRF {vrf.name} {why}"] = None
        return tuple(said)

    def _source(self, switch_slice: SwitchSlice, vrf: Vrf) -> str:
        """Return the diagnostic address of a leaf; empty without one, or while it changes."""
        names = nos(switch_slice.switch.platform).names
        if vrf.diagnostics is None or names is None or names.diagnostic is None:
            return ""
        fresh = ("interface", names.diagnostic(vrf)) in self.changed.get(
            switch_slice.switch.name, ()
        )
        return "" if fresh else vrf.diagnostics.address(switch_slice.switch).host

    def _ends(self, name: str) -> Iterator[End]:
        """Yield the destinations of a switch, VRF by VRF."""
        switch_slice = self.model.texts.slice(name)
        fabric = self._fabrics[switch_slice.switch.fabric]
        overlay = fabric.overlay
        for vrf in switch_slice.vrfs if overlay is not None else ():
            source = self._source(switch_slice, vrf)
            stations = self._known[fabric.name]
            mine = [each for each in stations if each.leaf == name and each.vrf == vrf.name]
            for each in self._drawn(f"{name} {vrf.name} own ", mine, MINE):
                yield _end(Kind.ROUTED, vrf, each, source or self._gateway(name, each))
            if source:
                far = [each for each in stations if each.leaf != name]
                yield from self._far(name, vrf, overlay, far, source)

    def _far(
        self, name: str, vrf: Vrf, overlay: Overlay | None, far: list[Station], source: str
    ) -> Iterator[End]:
        """Yield servers of other leafs in this VRF, in reachable VRFs and in forbidden VRFs.

        A neighbor pings the servers of the batch first.
        """
        assert overlay is not None
        word = f"{name} {vrf.name} "
        near = [each for each in far if each.leaf in self.batch or name in self.batch]
        same = [each for each in near if each.vrf == vrf.name]
        for each in self._drawn(word, same, FAR):
            yield _end(Kind.ROUTED, vrf, each, source)
        shared = [each for each in near if _shared(vrf, overlay.vrfs[each.vrf], each.address)]
        for each in self._drawn(word, shared, OTHERS):
            yield _end(Kind.ROUTED, vrf, each, source)
        forbidden = [each for each in near if _apart(vrf, overlay.vrfs[each.vrf], overlay)]
        for each in self._drawn(word, forbidden, APART):
            yield _end(Kind.APART, vrf, each, source)

    def _drawn(self, word: str, of: Iterable[_Named], most: int) -> tuple[_Named, ...]:
        """Return a random sample of limited size, by the seed and a word."""
        named = {" ".join(map(str, each)): each for each in of}
        return tuple(named[it] for it in drawn(named, most, f"{self.seed} {word}"))

    def _gateway(self, name: str, station: Station) -> str:
        """Return the gateway address of a server: from the switch, otherwise from the design."""
        seen = self.looks[name].traffic.vlans[station.vlan].gateway.partition(" ")[0]
        vlans = (each for each in self.model.texts.slice(name).vlans if each.id == station.vlan)
        own = next((gateway for vlan in vlans if (gateway := vlan.gateway(4))), None)
        return seen or (own.host if own is not None else "")

    @cached_property
    def _fabrics(self) -> dict[str, Fabric]:
        return {fabric.name: fabric for fabric in self.model.site.fabrics}

    @cached_property
    def _known(self) -> dict[str, list[Station]]:
        """Return the known servers by fabric, those at local ports first."""
        found: dict[str, dict[tuple[str, str], Station]] = defaultdict(dict)
        for way in (self._here, self._behind):
            for name in self.looks:
                fabric = self._fabrics[self.model.texts.slice(name).switch.fabric]
                for each in way(name, fabric) if fabric.overlay is not None else ():
                    found[fabric.name].setdefault((each.vrf, each.address), each)
        return defaultdict(list, {name: [*each.values()] for name, each in found.items()})

    def _here(self, name: str, fabric: Fabric) -> Iterator[Station]:
        """Yield the servers at the ports of a switch."""
        for number, own in self.looks[name].traffic.vlans.items():
            vlan = fabric.overlay.vlans.get(number) if fabric.overlay is not None else None
            if vlan is None or vlan.vrf is None:
                continue
            for address in own.servers:
                server, port = self._placed(name, number, own.ports.get(address, ""))
                yield Station(server, address, number, vlan.vrf, name, port)

    def _behind(self, name: str, fabric: Fabric) -> Iterator[Station]:
        """Yield the servers in host routes of a switch, with the leaf of each."""
        leafs = {
            vtep.host: switch.name
            for switch in fabric.topology.switches
            if (vtep := fabric.addresses.vtep(switch)) is not None
        }
        for vrf, own in self.looks[name].traffic.vrfs.items():
            for address, far in own.servers.items():
                vlan = _vlan_of(fabric, vrf, address)
                if vlan is not None and far in leafs:
                    server, port = self._placed(leafs[far], vlan)
                    yield Station(server, address, vlan, vrf, leafs[far], port)

    def _placed(self, leaf: str, vlan: int, port: str = "") -> tuple[str, str]:
        """Return the name of a server and its port on a leaf; empty where they are uncertain.

        A bridge forgets the MAC address of a silent server. The port is still certain if no other
        port carries the VLAN.
        """
        ports = self._ports(leaf)
        if port in ports:
            return ports[port][0], port
        carrying = [(own, at) for at, (own, vlans) in ports.items() if vlan in vlans]
        return carrying[0] if len(carrying) == 1 else ("", "")

    def _ports(self, name: str) -> dict[str, tuple[str, frozenset[int]]]:
        """Return the server and the VLANs at each port and LAG of a switch."""
        switch_slice = self.model.texts.slice(name)
        names = nos(switch_slice.switch.platform).names
        found = [
            (spell(switch_slice.switch, each.port), each.peer.name, each.carries)
            for each in switch_slice.interfaces
            if isinstance(each.peer, Server) and each.lag is None
        ]
        found += [
            (names.bundle(lag.number), lag.server.name, lag.carries)
            for lag in switch_slice.lags
            if lag.server is not None and names is not None
        ]
        return {
            port: (server, frozenset(vlan.id for vlan in carries.vlans) if carries else frozenset())
            for port, server, carries in found
        }


def _end(kind: Kind, vrf: Vrf, station: Station, source: str) -> End:
    return End(kind, vrf.name, station.address, station, source)


def _shared(vrf: Vrf, other: Vrf, address: str) -> bool:
    """Check whether two VRFs have routes to each other for a server."""
    if vrf is other or vrf.diagnostics is None:
        return False
    at = address_of(address)
    there = (rule for each in vrf.takes if each.source == other.name for rule in each.prefixes)
    back = any(each.source == vrf.name and each.of_number(NUMBER) for each in other.takes)
    return back and any(rule.holds(at.value, at.version) for rule in there)


def _apart(vrf: Vrf, other: Vrf, overlay: Overlay) -> bool:
    """Check whether two VRFs must be isolated: no shared route and no exit."""
    exits = {peer.vrf for peer in overlay.peers} | {route.vrf for route in overlay.routes}
    joined = {(each.name, taken.source) for each in (vrf, other) for taken in each.takes}
    return vrf is not other and vrf.name not in exits and other.name not in exits and not joined


def _vlan_of(fabric: Fabric, vrf: str, address: str) -> int | None:
    """Return the VLAN of an address in a VRF."""
    at = address_of(address)
    for vlan in fabric.overlay.vlans.values() if fabric.overlay is not None else ():
        if vlan.vrf == vrf and any(gateway.subnet.holds(at) for gateway in vlan.gateways):
            return vlan.id
    return None
