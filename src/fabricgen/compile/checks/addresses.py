"""Check that addresses are unique and that every routing table has the routes to them."""

from collections.abc import Iterator
from enum import IntEnum
from ipaddress import ip_address
from itertools import chain, pairwise

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, IntentPath
from fabricgen.model.fabric.addressing import Ip, host_text
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.model.fabric.vlans import Vlan

# Addresses are packed, sorted and compared only with their neighbor, so half a million of them take
# a second. The neighbor is enough: prefixes nest or are disjoint, so an address between two hosts
# of a subnet belongs to that subnet. A segment is a set that may share a subnet: one cable or one
# VLAN.

_OWNER, _KIND, _LENGTH = 24, 3, 8  # bits
_SEGMENT = _OWNER + _KIND + ends.BITS
_VALUE = _SEGMENT + _LENGTH
_MASK = (1 << _SEGMENT) - 1


class Kind(IntEnum):
    """The object that has an address. Only cables and VLANs have more than one end."""

    LOOPBACK = 0
    VTEP = 1
    LINK = 2
    NIC = 3
    GATEWAY = 4
    MANAGEMENT = 5
    ROUTER = 6
    EXTERNAL = 7


# Faults of an address, as a finding words them.
TWICE, OVERLAP = "addresses used twice", "overlapping subnets"
APART, TWO_GATEWAYS = "link ends in different subnets", "VLANs with two gateways"
_ONE_SUBNET = (Kind.MANAGEMENT, Kind.ROUTER)


class RoutingTable:
    """Addresses of one routing table and one IP version."""

    def __init__(self, name: str, version: int, path: IntentPath) -> None:
        self.name, self.version, self.path = name, version, path
        self.bits = 32 if version == 4 else 128
        self.entries: list[int] = []

    def add(self, ip: Ip, kind: int, owner: int, detail: int = 0) -> None:
        """Add one address; `detail` is a port's key or a VLAN id."""
        segment = (owner << _KIND | kind) << ends.BITS | detail
        self.entries.append((ip.value << _LENGTH | ip.length) << _SEGMENT | segment)

    def clashes(self) -> Iterator[tuple[str, int, int]]:
        """Yield (fault, one entry, the other); the other is -1 for a single link end.

        For an address that is used twice, the overlap of its two subnets is not reported
        again.
        """
        self.entries.sort()
        alone, before = True, ""
        for one, other in pairwise(chain(self.entries, (-1,))):
            kind = one >> ends.BITS & 7
            wrong = self._wrong(one, other, kind) if other >= 0 else ""
            if wrong and not (wrong == OVERLAP and before == TWICE):
                yield wrong, one, other
            before = wrong
            related = bool(wrong) or not (one ^ other) & _MASK
            if alone and not related and kind == Kind.LINK:
                yield APART, one, -1
            alone = not related

    def _wrong(self, one: int, other: int, kind: int) -> str:
        differing = (one >> _VALUE ^ other >> _VALUE).bit_length()
        if not differing:
            return TWICE
        lengths = one >> _SEGMENT & 255, other >> _SEGMENT & 255
        if (one ^ other) & _MASK == 0:
            if differing > self.bits - max(lengths):
                return APART
            return TWO_GATEWAYS if kind == Kind.GATEWAY else ""
        if differing > self.bits - min(lengths) or kind in _ONE_SUBNET:
            return ""
        return OVERLAP

    def ip(self, entry: int) -> Ip:
        """Return the address of an entry."""
        return Ip(entry >> _VALUE, entry >> _SEGMENT & 255, self.version)

    def host(self, entry: int) -> str:
        """Return the address of an entry as text, without its length."""
        return host_text(entry >> _VALUE, self.version)

    def segment(self, entry: int) -> tuple[int, int, int]:
        """Return (kind, owner, detail) of what has this address."""
        owner = entry >> ends.BITS + _KIND & (1 << _OWNER) - 1
        return entry >> ends.BITS & 7, owner, entry & (1 << ends.BITS) - 1


# Two owners of one address cause partial failures: some pings answer and some sessions come up.
# Give the pools or VLANs in the message their own prefixes. Tables: one global table per fabric
# (loopbacks, VTEPs, links, rail gateways and NICs), each VRF (anycast gateways and both ends of
# links to external peers), and one management table for the site with its gateway.

_MANAGEMENT = "management"
_LINK, _NIC, _EXTERNAL = int(Kind.LINK), int(Kind.NIC), int(Kind.EXTERNAL)
_ON = {
    Kind.LOOPBACK: "the loopback of {}",
    Kind.VTEP: "the VTEP of {}",
    Kind.GATEWAY: "{} VLAN {}",
    Kind.MANAGEMENT: "the management port of {}",
    Kind.ROUTER: "{}",
}
_HINT = "give each pool and each VLAN its own prefix"


class Addresses(Tallied):
    """Addresses of all slices, compared when all slices are known."""

    name, code, noun = "addresses", Code.ADDRESS_OVERLAP, "addresses"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.places = {fabric.name: fabric.place for fabric in site.fabrics}
        self.tables: dict[tuple[str, int], RoutingTable] = {}
        self.numbers: dict[str, int] = {}
        self.shares: dict[tuple[int, int], int] = {}  # of ports to the outside, by key and tag
        self.gateways: set[tuple[str, int, Ip]] = set()
        self.anycast: set[Vlan] = set()
        for fabric in site.fabrics:
            for vlan in fabric.overlay.vlans.values() if fabric.overlay else ():
                self.gateway(fabric, vlan, fabric.name)

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record the addresses of one switch."""
        name, own = switch_slice.switch.name, self.number(switch_slice.switch.name)
        self.table(fabric.name, switch_slice.loopback).add(
            switch_slice.loopback, Kind.LOOPBACK, own
        )
        switch = switch_slice.switch
        if (
            switch_slice.vtep is not None and switch.shared == switch.ordinal
        ):  # a pair has one together
            self.table(fabric.name, switch_slice.vtep).add(switch_slice.vtep, Kind.VTEP, own)
        self.management(switch_slice, own)
        for vlan in switch_slice.vlans:
            self.gateway(fabric, vlan, name)
        self.probing(fabric, switch_slice, own)
        table: RoutingTable | None = None
        for interface in switch_slice.interfaces:
            ip = interface.address
            if ip is None or interface.use is Use.EXTERNAL:
                continue
            if fabric.addresses.nics is None and interface.vrf is not None:
                routed = f"{fabric.name} VRF {interface.vrf}"
                self.cabled(self.table(routed, ip, interface.because.main), ip, interface, own)
            else:
                if table is None or table.version != ip.version:
                    table = self.table(fabric.name, ip)
                self.cabled(table, ip, interface, own)
        for peer in switch_slice.external:
            self.outside(fabric, peer, own)

    def probing(self, fabric: Fabric, switch_slice: SwitchSlice, own: int) -> None:
        """Record the source addresses of a leaf for DHCP relay and diagnostics."""
        asked = [
            (each.vrf, each.source(switch_slice.switch), each.because)
            for each in switch_slice.relays
        ]
        asked += [
            (vrf.name, vrf.diagnostics.address(switch_slice.switch), vrf.diagnostics.because)
            for vrf in switch_slice.vrfs
            if vrf.diagnostics is not None
        ]
        for name, source, because in asked:
            table = self.table(f"{fabric.name} VRF {name}", source, because.main)
            table.add(source, Kind.LOOPBACK, own)

    def cabled(self, table: RoutingTable, ip: Ip, interface: Interface, own: int) -> None:
        """Record one end of a cable in the same segment as its other end."""
        if isinstance(interface.peer, Switch):
            other = self.number(interface.peer.name)
            if other < own and isinstance(interface.peer_port, Port):
                table.add(ip, _LINK, other, ends.key(interface.peer_port))
            else:
                table.add(ip, _LINK, own, ends.key(interface.port))
        else:
            table.add(ip, _NIC, own, ends.key(interface.port))

    def outside(self, fabric: Fabric, peer: ExternalPeer, own: int) -> None:
        """Record both ends of a link to an external peer in one segment."""
        table = self.table(f"{fabric.name} VRF {peer.vrf}", peer.local, peer.because.main)
        share = ends.key(peer.interface.port), peer.interface.tag or 0
        segment = self.shares.setdefault(share, len(self.shares))
        alike = (ip for ip in peer.interface.addresses if ip.version == peer.version)
        for ip in (next(alike, peer.local), peer.remote):
            table.add(ip, _EXTERNAL, own, segment)

    def management(self, switch_slice: SwitchSlice, own: int) -> None:
        known = (_MANAGEMENT, switch_slice.management.version) in self.tables
        table = self.table(_MANAGEMENT, switch_slice.management)
        table.add(switch_slice.management, Kind.MANAGEMENT, own)
        router = ip_address(switch_slice.services.gateway)
        if not known and router.version == table.version:
            ip = Ip(int(router), switch_slice.management.length, table.version)
            table.add(ip, Kind.ROUTER, self.number("the management gateway"))

    def gateway(self, fabric: Fabric, vlan: Vlan, leaf: str) -> None:
        """Record gateways: an anycast gateway once, a rail gateway on its leaf."""
        if vlan in self.anycast:
            return
        if vlan.vni is not None:
            self.anycast.add(vlan)
        where = fabric.name if vlan.vrf is None else f"{fabric.name} VRF {vlan.vrf}"
        owner = leaf if vlan.vni is None else vlan.name
        for gateway in vlan.gateways:
            seen = (f"{where} {owner}", vlan.id, gateway)
            if seen not in self.gateways:
                self.gateways.add(seen)
                table = self.table(where, gateway, vlan.because.main)
                table.add(gateway, Kind.GATEWAY, self.number(owner), vlan.id)

    def number(self, name: str) -> int:
        """Return a small number for an owner's name."""
        return self.numbers.setdefault(name, len(self.numbers))

    def table(self, name: str, ip: Ip, path: IntentPath = ()) -> RoutingTable:
        table = self.tables.get((name, ip.version))
        if table is None:
            if not path and name == _MANAGEMENT:
                path = ("site", "management", "subnet")
            table = RoutingTable(name, ip.version, path or (*self.places[name], "addressing"))
            self.tables[name, ip.version] = table
        return table

    def result(self) -> Examined:
        for table in self.tables.values():
            self.tally.objects += len(table.entries)
            for wrong, one, other in table.clashes():
                if not self.tally.enough(wrong):
                    text = self.told(table, wrong, one, other)
                    self.tally.add(wrong, f"{text} ({table.name} table)", table.path, _HINT)
        return self.tally.result()

    def told(self, table: RoutingTable, wrong: str, one: int, other: int) -> str:
        """Report one clash."""
        first = self.on(table, one)
        if wrong == APART:
            return f"{table.ip(one)} on {first}: the other end has an address of another subnet"
        second = self.on(table, other)
        if wrong == TWICE:
            return f"{table.host(one)} is on {first} and on {second}"
        return f"{wrong}: {table.ip(one)} on {first} and {table.ip(other)} on {second}"

    def on(self, table: RoutingTable, entry: int) -> str:
        """Return the owner of an address as text; a cable is named with both ends."""
        kind, number, detail = table.segment(entry)
        owner = list(self.numbers)[number]
        if kind == Kind.EXTERNAL:
            port, _ = list(self.shares)[detail]
            return f"the external link of {owner} port {ends.label(port)}"
        if kind not in (Kind.LINK, Kind.NIC):
            return _ON[Kind(kind)].format(owner, detail)
        for fabric in self.site.fabrics:
            for link in fabric.topology.links_at.get(owner, ()):
                near = ends.port_at(link, owner)
                if near is not None and ends.key(near) == detail:
                    return f"the cable {ends.cable(link)}"
        return f"{owner} port {ends.label(detail)}"
