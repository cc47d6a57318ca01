"""A fabric in, the address ranges that it has for itself and those it may announce out."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.core.diagnostics import IntentPath
from fabricgen.model.fabric.addressing import Ip, Pool
from fabricgen.model.fabric.switch import Fabric


class Block(NamedTuple):
    """One range: its IP version, first and last address, and its name for a person."""

    version: int
    first: int
    last: int
    text: str
    path: IntentPath

    def holds(self, other: "Block") -> bool:
        """Tell whether the other range lies inside this one."""
        inside = self.first <= other.first and other.last <= self.last
        return inside and self.version == other.version

    def meets(self, other: "Block") -> bool:
        """Tell whether the ranges have an address in common."""
        apart = self.last < other.first or other.last < self.first
        return self.version == other.version and not apart


def own_blocks(fabric: Fabric) -> Iterator[Block]:
    """Yield the pools and pins of a fabric, the subnets of its tenants and of external links."""
    addresses = fabric.addresses
    nics = addresses.nics.pool if addresses.nics else None
    for pool in (addresses.loopbacks, addresses.vteps, addresses.links, nics):
        if pool is not None:
            yield _pool(fabric, pool)
    yield from _pinned(fabric)
    for vlan in fabric.overlay.vlans.values() if fabric.overlay else ():
        for gateway in vlan.gateways:
            text = f"{gateway.prefix} of VLAN {vlan.name} ({fabric.name})"
            yield block_of(gateway, text, vlan.because.main)
    for vrf in fabric.overlay.vrfs.values() if fabric.overlay else ():
        for relay in vrf.relays:
            whole = relay.sources.whole
            text = f"{whole.prefix} of the DHCP relay of {relay.vrf} ({fabric.name})"
            yield block_of(whole, text, relay.because.main)
        if vrf.diagnostics is not None:
            whole = vrf.diagnostics.sources.whole
            text = f"{whole.prefix} of the diagnostic addresses of {vrf.name} ({fabric.name})"
            yield block_of(whole, text, vrf.diagnostics.because.main)
    for leaf, peers in fabric.overlay.external.items() if fabric.overlay else ():
        for peer in peers:
            text = f"{peer.local.prefix} of {leaf} to the outside ({fabric.name})"
            yield block_of(peer.local, text, peer.because.main)


def _pool(fabric: Fabric, pool: Pool) -> Block:
    path: IntentPath = (*fabric.place, "addressing", pool.name)
    text = f"{pool.text} of {fabric.name} {pool.name}"
    return Block(pool.version, pool.first, pool.high(0), text, path)


def _pinned(fabric: Fabric) -> Iterator[Block]:
    """Yield the addresses that single switches were given beside the pools."""
    pools = [each for each in (fabric.addresses.loopbacks, fabric.addresses.vteps) if each]
    for name, pin in fabric.addresses.pins.every.items():
        for key, value in (("loopback", pin.loopback), ("vtep", pin.vtep)):
            address = Ip(value or 0, 32)
            if value is not None and not any(pool.whole.holds(address) for pool in pools):
                text = f"{address} pinned to {name} ({fabric.name})"
                yield block_of(address, text, (*pin.path, key))


def allowed_blocks(fabric: Fabric) -> list[Block]:
    """Return what a fabric may announce, in the order of its routing."""
    path: IntentPath = (*fabric.place, "addressing")
    return [
        block_of(item.prefix, f"{item.prefix} allowed in the {fabric.name}", path)
        for item in fabric.routing.allowed
    ]


def block_of(ip: Ip, text: str, path: IntentPath) -> Block:
    """Return the subnet of an address, under a name for a person."""
    first, last = ip.network
    return Block(ip.version, first, last, text, path)
