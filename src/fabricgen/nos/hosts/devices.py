"""Lower the EVPN sides of a server to its ports, bonds and VLAN interfaces."""

from dataclasses import replace

from fabricgen.model.fabric.vlans import Addressing
from fabricgen.nos.hosts.bridged import MODES, Address, BridgedSide, Member
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.nos.hosts.view import Device


def ports(host_slice: HostSlice) -> tuple[Device, ...]:
    """Return the ports of all bridged sides. A port in a bond has no address."""
    way_out = host_slice.way_out
    return tuple(_port(way_out, side, name) for side in host_slice.bridged for name in side.ports)


def bonds(host_slice: HostSlice) -> tuple[Device, ...]:
    """Return the bonds of all bridged sides."""
    way_out = host_slice.way_out
    return tuple(
        replace(
            _carrier(way_out, side, side.bond.name),
            members=side.ports,
            mode=MODES[side.bond.mode],
            primary=side.bond.primary,
        )
        for side in host_slice.bridged
        if side.bond is not None
    )


def vlans(host_slice: HostSlice) -> tuple[Device, ...]:
    way_out = host_slice.way_out
    return tuple(
        Device(
            name=member.device,
            mtu=side.mtu,
            link=member.below,
            vlan=member.vlan.id,
            addresses=_addresses(way_out, side, member),
            because=side.attached,
        )
        for side in host_slice.bridged
        for member in side.members
        if member.tagged
    )


def _port(way_out: Member | None, side: BridgedSide, name: str) -> Device:
    if side.bond is None:
        return _carrier(way_out, side, name)
    return Device(
        name=name,
        mtu=side.mtu,
        bond=side.bond.name,
        primary=name if name == side.bond.primary else "",
        because=side.because,
    )


def _carrier(way_out: Member | None, side: BridgedSide, name: str) -> Device:
    """Return a port or bond with its VLANs, or a routed port with its address."""
    members = [member for member in side.members if member.below == name]
    addresses: tuple[Address, ...] = tuple(
        replace(link, because=side.attached) for link in side.links if link.port == name
    )
    for member in members:
        if not member.tagged:
            addresses = _addresses(way_out, side, member)
    return Device(
        name=name,
        mtu=side.mtu,
        tagged=tuple(member.device for member in members if member.tagged),
        addresses=addresses,
        because=side.because,
    )


def _addresses(way_out: Member | None, side: BridgedSide, member: Member) -> tuple[Address, ...]:
    """Return the addresses of an interface, IPv4 first."""
    static, goes_out = {own.version: own for own in member.addresses}, member is way_out
    return tuple(
        Address(
            address=static.get(gateway.version),
            gateway=gateway,
            table=0 if goes_out or gateway.version not in static else member.table,
            reached=tuple(each.prefix for each in member.reached if gateway.version == 4),
            closed=member.closed if gateway.version == 4 else 0,
            way_out=goes_out,
            because=side.attached,
        )
        for gateway in member.vlan.gateways
        if member.told.of(gateway.version) is not Addressing.NONE
    )
