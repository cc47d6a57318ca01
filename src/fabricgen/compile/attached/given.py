"""A host and the VLANs it stands in, in; the addresses that no file says, and ways out, out."""

from collections import Counter
from collections.abc import Container
from dataclasses import replace

from fabricgen.compile.attached.host import AttachedHost, Endpoint
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.nos.hosts.readback.network import Route, Rule
from fabricgen.nos.hosts.slices import HostSlice

_FIRST_HOST = 10
"""Hosts of a VLAN count from here above the first address of its subnet; gateways are below."""


@record(kw_only=True)
class VlanPlace:
    """Where an address is given: a VLAN on an interface of a host."""

    fabric: str
    vlan: Vlan
    device: str
    table: int
    mtu: int
    way_out: bool


class Given:
    """Gives the addresses that no file says; those of a VLAN go round all its servers."""

    def __init__(self) -> None:
        self._taken: Counter[tuple[str, int]] = Counter()

    def to_server(self, host: AttachedHost, piece: HostSlice) -> None:
        """Give one server its addresses in tenants' VLANs, of the ports that are there."""
        first = piece.way_out or next((each for each in piece.members if each.vlan.gateways), None)
        for side in piece.bridged:
            for each in side.members:
                own = host.of(each.device)
                if own is None or not each.vlan.gateways or first is None:
                    continue
                place = VlanPlace(
                    fabric=side.fabric,
                    vlan=each.vlan,
                    device=each.device,
                    table=each.table,
                    mtu=side.mtu,
                    way_out=each.vlan is first.vlan,
                )
                said = {own.version: own for own in each.addresses}
                for gateway in each.vlan.gateways:
                    address = said.get(gateway.version) or self.next(each.vlan, gateway)
                    if address is not None:
                        give(host, place, address, gateway)

    def next(self, vlan: Vlan, gateway: Ip, taken: Container[int] = ()) -> Ip | None:
        """Return the next free address of one of a VLAN's subnets; None when it is full."""
        first, last = gateway.network
        value = first + _FIRST_HOST + self._taken[vlan.name, gateway.version]
        self._taken[vlan.name, gateway.version] += 1
        if value >= last:
            return None
        if value in taken:
            return self.next(vlan, gateway, taken)
        if value == gateway.value:
            return None
        return Ip(value, gateway.length, gateway.version)


def give(host: AttachedHost, place: VlanPlace, address: Ip, gateway: Ip) -> None:
    """Give a host an address, unless its files have said it, and name it as one to be reached."""
    device, vlan = place.device, place.vlan
    here = next(n for n, each in enumerate(host.interfaces) if each.name == device)
    known = host.interfaces[here].addresses
    if not any((":" in each) == (address.version == 6) for each in known):
        table = 0 if place.way_out else place.table
        host.interfaces[here] = replace(host.interfaces[here], addresses=(*known, str(address)))
        if table:
            host.rules.append(Rule(source=address.host, table=table, priority=table))
            host.routes.append(Route(prefix=address.prefix, via="", device=device, table=table))
        way = Route(prefix="default", via=gateway.host, device=device, table=table)
        host.routes.append(way)
    host.endpoints.append(
        Endpoint(
            name=f"{host.name}/{vlan.name}{'' if gateway is vlan.gateways[0] else ' IPv6'}",
            host=host.name,
            fabric=place.fabric,
            device=device,
            address=address.host,
            gateway=gateway.host,
            group=vlan.vrf or vlan.name,
            segment=vlan.name,
            leaf=host.leaf(device),
            mtu=place.mtu,
        )
    )
