"""Compares the network that a server's files make with its designed EVPN ports.

The expectation is derived again from the slice: ports, bonds, VLANs and addresses. The default
route must use the one VLAN that the intent names.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vlans import Addressing
from fabricgen.nos.hosts.bridged import LACP, BridgedSide, Member, RoutedLink
from fabricgen.nos.hosts.readback.network import Device, Network
from fabricgen.nos.hosts.slices import HostSlice

_ALL = {4: "0.0.0.0/0", 6: "::/0"}


def faults(host_slice: HostSlice, network: Network) -> Iterator[str]:
    """Yield every difference as a sentence."""
    wanted: dict[str, Device] = {}
    for side in host_slice.bridged:
        wanted |= _devices(host_slice, side)
    for routed in host_slice.routed:
        for port in routed.ports:
            wanted[port.plan.nic.name] = Device(
                mtu=routed.share.mtu, addresses=(str(port.address),)
            )
    for name in sorted(wanted.keys() | network.devices.keys()):
        yield from _differences(name, wanted.get(name), network.devices.get(name))
    ways = sorted(_ways_out(network))
    way = [host_slice.way_out.device] if host_slice.way_out is not None else []
    way += sorted(link.port for link in host_slice.links if link.metric)
    if ways != way:
        yield f"the default route uses {_listed(ways)}, not {_listed(way)}"
    for member in host_slice.members:
        for address in member.addresses:
            yield from _way_back(member, address, network, main=member is host_slice.way_out)
        if member.addresses and member is not host_slice.way_out:
            yield from _reached(member, network)
    for link in host_slice.links:
        yield from _by_leaf(link, network)


def _by_leaf(link: RoutedLink, network: Network) -> Iterator[str]:
    """Report a routed port whose default route does not use its leaf with its metric."""
    own = [f"{r.via} at {r.metric}" for r in network.routes if r.device == link.port]
    wanted = [f"{link.gateway.host} at {link.metric}"] if link.metric else []
    if own != wanted:
        yield f"{link.port} has routes by {_listed(own)}, not by {_listed(wanted)}"


def _devices(host_slice: HostSlice, side: BridgedSide) -> dict[str, Device]:
    """Return the expected interfaces of one side."""
    bond = side.bond.name if side.bond is not None else ""
    every = {port: Device(mtu=side.mtu, bond=bond) for port in side.ports}
    if side.bond is not None:
        options = {"mode": "active-backup", "miimon": "100", "primary": side.bond.primary}
        if side.bond.mode == LACP:
            options = {"mode": "802.3ad", "miimon": "100", "lacp_rate": "fast"}
            options["xmit_hash_policy"] = "layer3+4"
        every[bond] = Device(mtu=side.mtu, members=frozenset(side.ports), options=options)
    for member in side.members:
        below = every[member.below]
        every[member.device] = Device(
            mtu=side.mtu,
            members=frozenset() if member.tagged else below.members,
            options={} if member.tagged else below.options,
            link=member.below if member.tagged else "",
            vlan=member.vlan.id if member.tagged else 0,
            addresses=tuple(map(str, member.addresses)),
            dhcp=member.told.addressing is Addressing.DHCP,
            routes=member.told.addressing is not Addressing.DHCP or member is host_slice.way_out,
            announced=member.told.six is Addressing.ANNOUNCED,
        )
    for link in side.links:
        every[link.port] = Device(mtu=side.mtu, addresses=(str(link.address),))
    return every


def _differences(name: str, wanted: Device | None, read: Device | None) -> Iterator[str]:
    if wanted is None or read is None:
        yield f"{name} is {'not in the design' if wanted is None else 'in no file'}"
        return
    for field in fields(Device):
        there, meant = getattr(read, field.name), getattr(wanted, field.name)
        if there != meant:
            yield f"{field.name} of {name} is {_text(there)}, but the design has {_text(meant)}"


def _text(value: object) -> str:
    if isinstance(value, frozenset | tuple):
        return _listed(sorted(value))
    if isinstance(value, dict):
        return _listed(f"{key} {each}" for key, each in sorted(value.items()))
    return str(value) or "none"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def _ways_out(network: Network) -> set[str]:
    """Return the interfaces of default routes, also those learned from the network."""
    told = {name for name, each in network.devices.items() if each.asks(4) or each.asks(6)}
    main = (route for route in network.routes if route.table == 0 and route.prefix in _ALL.values())
    return told | {route.device for route in main}


def _reached(member: Member, network: Network) -> Iterator[str]:
    """Report prefixes that programs do not reach by their VLAN alone, and others."""
    rules = {rule.to for rule in network.rules if rule.table == member.table and rule.to}
    wanted = {each.prefix for each in member.reached}
    if rules != wanted:
        found = _listed(sorted(rules))
        yield f"{member.device} is the way to {found}, not to {_listed(sorted(wanted))}"
    shut = {rule.table for rule in network.rules if not rule.source and rule.to in wanted}
    closed = {route.table for route in network.routes if route.unreachable and route.table in shut}
    if wanted and (len(shut) != 1 or closed != shut):
        yield f"traffic from another address reaches the subnet of {member.device}"


def _way_back(member: Member, address: Ip, network: Network, *, main: bool) -> Iterator[str]:
    """Report traffic from an address that does not use its own VLAN; `main`: by the main table."""
    gateway = member.vlan.gateway(address.version)
    tables = [rule.table for rule in network.rules if rule.source.partition("/")[0] == address.host]
    tables = [0, *tables] if main else tables
    ways = [
        f"{route.via} of {route.device}"
        for route in network.routes
        if route.table in tables and route.prefix == _ALL[address.version]
    ]
    if gateway is None or len(tables) != 1 or ways != [f"{gateway.host} of {member.device}"]:
        yield f"traffic from {address.host} uses {_listed(ways)}, but must use only its gateway"
