"""Every address belongs to one owner in its routing table, and used subnets do not overlap.

A second owner of an address is silent: some pings answer, some sessions come up, the rest is luck.
Fix it by giving the pools named in the message distinct prefixes, or the VLAN another subnet. The
tables are: global (one per fabric: loopbacks, VTEPs, links, NICs, rail gateways), each VRF
(anycast gateways; one VLAN has one gateway on all leafs), and management (all fabrics, with the
gateway). Neighbours in one sorted sweep suffice: prefixes nest or are disjoint.
"""

from __future__ import annotations

from ipaddress import ip_address
from itertools import pairwise

from fabricgen.checks import ends
from fabricgen.checks.tally import Tally, path_of
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.addressing import Ip, host_text
from fabricgen.fabric.overlay import Vlan
from fabricgen.fabric.switch import Fabric, Interface, Site, SwitchSlice, Use
from fabricgen.fabric.topology import Switch

_OWNER, _KIND = 22, 3  # bits: 4 million owners; the kinds below
_DETAIL = 16  # bits: cage and interface, or a VLAN id
_SEGMENT = _OWNER + _KIND + _DETAIL
_LENGTH = 8
_LOOPBACK, _VTEP, _LINK, _NIC, _GATEWAY, _MANAGEMENT, _ROUTER = range(7)
_MASK = (1 << _SEGMENT) - 1
_HINT = "give each pool and each VLAN a prefix of its own"


class _Table:
    """One routing table: address, length and segment (who shares one subnet) packed in one int."""

    def __init__(self, name: str, version: int, path: IntentPath) -> None:
        self.name, self.version, self.path = name, version, path
        self.entries: list[int] = []

    def add(self, ip: Ip, segment: int) -> None:
        self.entries.append((ip.value << _LENGTH | ip.length) << _SEGMENT | segment)

    def subnet(self, entry: int) -> tuple[int, int]:
        """Return the subnet of an entry as (its leading bits, bits left for hosts)."""
        host = (32 if self.version == 4 else 128) - (entry >> _SEGMENT & 255)
        return entry >> _SEGMENT + _LENGTH + host, host


class Addresses:
    """Collects every address the slices tell, sweeps each table once at the end."""

    name = "addresses"

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tally = Tally(self.name, Code.ADDRESS_OVERLAP, "addresses")
        self.tables: dict[tuple[str, int], _Table] = {}
        self.owners: dict[str, int] = {}
        self.names: list[str] = []
        self.seen: set[tuple[str, int, Ip]] = set()
        for fabric in site.fabrics:
            for vlan in fabric.overlay.vlans.values() if fabric.overlay else ():
                self.gateway(fabric, vlan)

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Take down every address of one switch."""
        own, where = self.owner(piece.switch.name), fabric.name
        self.put(where, piece.loopback, own, _LOOPBACK)
        if piece.vtep is not None:
            self.put(where, piece.vtep, own, _VTEP)
        if not self.tables.get(("management", 4)):
            router = ip_address(piece.services.gateway)
            ip = Ip(int(router), piece.management.length, router.version)
            self.put("management", ip, own, _ROUTER)
        self.put("management", piece.management, own, _MANAGEMENT)
        for vlan in piece.vlans:
            self.gateway(fabric, vlan, own)
        table = None
        for interface in piece.interfaces:
            ip = interface.address
            if ip is not None:
                if table is None or table.version != ip.version:
                    table = self.table(where, ip.version)
                table.add(ip, self.segment(interface, own))

    def owner(self, name: str) -> int:
        """Return the number of an owner; numbers keep the tables small."""
        number = self.owners.get(name)
        if number is None:
            number = self.owners[name] = len(self.names)
            self.names.append(name)
        return number

    def table(self, name: str, version: int) -> _Table:
        table = self.tables.get((name, version))
        if table is None:
            path: IntentPath = (name, "addressing")
            if name == "management":
                path = ("site", "management", "subnet")
            table = self.tables[name, version] = _Table(name, version, path)
        return table

    def put(self, table: str, ip: Ip, owner: int, kind: int, detail: int = 0) -> None:
        segment = (owner << _KIND | kind) << _DETAIL | detail
        self.table(table, ip.version).add(ip, segment)

    def segment(self, interface: Interface, own: int) -> int:
        """Name a cable by one of its ends, the same from both sides."""
        owner, port, kind = own, interface.port, _NIC
        if interface.use is Use.FABRIC and isinstance(interface.peer, Switch):
            kind, other = _LINK, self.owner(interface.peer.name)
            if other < own and interface.peer_port is not None:
                owner, port = other, interface.peer_port  # type: ignore[assignment]
        return (owner << _KIND | kind) << _DETAIL | ends.key(port)

    def gateway(self, fabric: Fabric, vlan: Vlan, own: int | None = None) -> None:
        """Take down a gateway: an anycast one once, a leaf's own one for that leaf."""
        if vlan.gateway is None:
            return
        if vlan.vni is None:
            self.put(fabric.name, vlan.gateway, own or 0, _GATEWAY, vlan.id)
            return
        name = f"VRF {vlan.vrf}"
        if (name, vlan.id, vlan.gateway) not in self.seen:
            self.seen.add((name, vlan.id, vlan.gateway))
            self.table(name, vlan.gateway.version).path = path_of(vlan.because)
            self.put(name, vlan.gateway, self.owner(f"VLAN {vlan.id}"), _GATEWAY, vlan.id)

    def result(self) -> ...:
        ...
