"""Lists what a search of a site finds: addresses, AS numbers, VLANs and VRFs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.model.fabric.addressing import Ip
    from fabricgen.model.fabric.overlay import Vrf
    from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
    from fabricgen.model.fabric.vlans import Vlan
    from fabricgen.nos.hosts.slices import HostSlice


class FoundAddress(NamedTuple):
    """An address without its prefix length, the switch or server that has it, and its use."""

    address: str
    owner: str
    use: str


class FoundNumber(NamedTuple):
    """An AS number, the switch that has it or a session with it, and its use."""

    asn: int
    owner: str
    use: str


class NetworkKey(NamedTuple):
    """Names a network. `kind`: vlan or vrf. `number`: of the VLAN or the VRF."""

    fabric: str
    kind: str
    number: int
    name: str


class FoundNetwork(NamedTuple):
    """A VLAN or VRF with its switches. `vrf`: of a VLAN. `gateways`: addresses of a VLAN."""

    key: NetworkKey
    tenant: str
    vni: int | None
    vrf: str
    gateways: tuple[str, ...]
    switches: list[str]


class SearchIndex:
    """Everything besides names that a search of a site finds.

    Attributes:
        addresses: Addresses in the order of their texts, so those with a common start are together.
        numbers: AS numbers of switches and of their neighbors outside.
        networks: VLANs and VRFs, in the order of the fabrics.
    """

    def __init__(self, site: Site) -> None:
        self._networks: dict[NetworkKey, FoundNetwork] = {}
        self._addresses: set[FoundAddress] = set()
        self._numbers: dict[FoundNumber, None] = {}
        for fabric, cut in _switches(site):
            self._add_switch(fabric.name, cut)
        self._addresses.update(_of_servers(site))
        self.addresses: tuple[FoundAddress, ...] = tuple(sorted(self._addresses))
        self.numbers: tuple[FoundNumber, ...] = tuple(self._numbers)
        self.networks: tuple[FoundNetwork, ...] = tuple(self._networks.values())

    def _add_switch(self, fabric: str, cut: SwitchSlice) -> None:
        name = cut.switch.name
        self._numbers[FoundNumber(cut.asn, name, "switch")] = None
        for each in (*cut.external, *cut.speakers):
            if each.peer_asn:
                self._numbers[FoundNumber(each.peer_asn, name, f"neighbor {each.name}")] = None
        self._addresses.update(
            FoundAddress(address.host, name, use) for address, use in _of_switch(cut)
        )
        for vlan in cut.vlans:
            self._join(_vlan(fabric, vlan), name)
        for vrf in cut.vrfs:
            self._join(_vrf(fabric, vrf), name)

    def _join(self, found: FoundNetwork, switch: str) -> None:
        self._networks.setdefault(found.key, found).switches.append(switch)


def _switches(site: Site) -> Iterator[tuple[Fabric, SwitchSlice]]:
    from fabricgen.compile.compiler import slices

    yield from slices(site)


def _vlan(fabric: str, vlan: Vlan) -> FoundNetwork:
    key = NetworkKey(fabric, "vlan", vlan.id, vlan.name)
    gateways = tuple(each.host for each in vlan.gateways)
    return FoundNetwork(key, vlan.tenant, vlan.vni, vlan.vrf or "", gateways, [])


def _vrf(fabric: str, vrf: Vrf) -> FoundNetwork:
    key = NetworkKey(fabric, "vrf", vrf.id, vrf.name)
    return FoundNetwork(key, vrf.tenant, None if vrf.local else vrf.vni, "", (), [])


def _of_switch(cut: SwitchSlice) -> Iterator[tuple[Ip, str]]:
    """Yield the addresses of a switch and of its neighbors outside, with their use."""
    yield cut.loopback, "loopback"
    if cut.router_id.host != cut.loopback.host:
        yield cut.router_id, "router ID"
    if cut.vtep is not None:
        yield cut.vtep, "VTEP"
    yield cut.management, "management"
    for interface in cut.interfaces:
        for address in (interface.address, interface.address6):
            if address is not None:
                yield address, f"port {interface.port.label}"
    for peer in (*cut.external, *cut.speakers):
        yield peer.local, f"port {peer.interface.port.label}"
        yield peer.remote, f"neighbor {peer.name} on port {peer.interface.port.label}"


def _of_servers(site: Site) -> Iterator[FoundAddress]:
    """Yield the addresses of servers on their networks and of management ports."""
    from fabricgen.nos.hosts.slices import HostSlicer

    for cut in HostSlicer(site).slices():
        for address, use in _of_server(cut):
            yield FoundAddress(address.host, cut.server.name, use)
    for fabric in site.fabrics:
        if fabric.managed is not None:
            for port in fabric.managed.each(fabric.topology.places):
                yield FoundAddress(port.address.host, port.server, f"port {port.network}")


def _of_server(cut: HostSlice) -> Iterator[tuple[Ip, str]]:
    for side in cut.routed:
        for port in side.ports:
            yield port.address, f"port {port.plan.name}"
    for member in cut.members:
        for address in member.addresses:
            yield address, f"interface {member.device}"
    for link in cut.links:
        yield link.address, f"port {link.port}"
