"""Lowers the EVPN sides of a server to its ports, bonds and VLAN interfaces."""

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vlans import Addressing
from fabricgen.nos.hosts.bridged import MODES, BridgedSide, Member
from fabricgen.nos.hosts.peering import address
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.nos.hosts.view import Address, Device

_EVERY = {4: "0.0.0.0/0", 6: "::/0"}


def ports(piece: HostSlice) -> tuple[Device, ...]:
    """Return the ports of all bridged sides; one in a bond carries nothing itself."""
    way_out = piece.way_out
    return tuple(_port(way_out, side, name) for side in piece.bridged for name in side.ports)


def bonds(piece: HostSlice) -> tuple[Device, ...]:
    """Return the bonds of all bridged sides."""
    way_out = piece.way_out
    return tuple(
        Device(
            name=side.bond.name,
            mtu=side.mtu,
            members=side.ports,
            mode=MODES[side.bond.mode],
            primary=side.bond.primary,
            tagged=_tagged(side, side.bond.name),
            addresses=_bare(way_out, side, side.bond.name),
            because=side.because,
        )
        for side in piece.bridged
        if side.bond is not None
    )


def vlans(piece: HostSlice) -> tuple[Device, ...]:
    """Return the interfaces of tagged VLANs."""
    way_out = piece.way_out
    return tuple(
        Device(
            name=member.device,
            mtu=side.mtu,
            link=member.below,
            vlan=member.vlan.id,
            addresses=_addresses(way_out, side, member),
            because=side.attached,
        )
        for side in piece.bridged
        for member in side.members
        if member.tagged
    )


def _port(way_out: Member | None, side: BridgedSide, name: str) -> Device:
    if side.bond is not None:
        return Device(
            name=name,
            mtu=side.mtu,
            bond=side.bond.name,
            primary=name if name == side.bond.primary else "",
            because=side.because,
        )
    return Device(
        name=name,
        mtu=side.mtu,
        tagged=_tagged(side, name),
        addresses=_bare(way_out, side, name) or _routed(side, name),
        because=side.because,
    )


def _routed(side: BridgedSide, device: str) -> tuple[Address, ...]:
    """Return the address of a port that is routed."""
    return tuple(address(link, side.attached) for link in side.links if link.port == device)


def _tagged(side: BridgedSide, device: str) -> tuple[str, ...]:
    """Name the interfaces of tagged VLANs on a device."""
    return tuple(
        member.device for member in side.members if member.tagged and member.below == device
    )


def _bare(way_out: Member | None, side: BridgedSide, device: str) -> tuple[Address, ...]:
    """Return the addresses of the untagged VLAN on a device."""
    for member in side.members:
        if not member.tagged and member.device == device:
            return _addresses(way_out, side, member)
    return ()


def _addresses(way_out: Member | None, side: BridgedSide, member: Member) -> tuple[Address, ...]:
    """Return how an interface has its addresses, IPv4 first."""
    static = {own.version: own for own in member.addresses}
    return tuple(
        _address(way_out, side, member, gateway, static.get(gateway.version))
        for gateway in member.vlan.gateways
        if member.told.of(gateway.version) is not Addressing.NONE
    )


def _address(
    way_out: Member | None, side: BridgedSide, member: Member, gateway: Ip, own: Ip | None
) -> Address:
    goes_out = member is way_out
    return Address(
        dhcp=own is None,
        way_out=goes_out,
        six=gateway.version == 6,
        address=str(own) if own else "",
        host=own.host if own else "",
        source=f"{own.host}/{32 if own.version == 4 else 128}" if own else "",
        gateway=gateway.host,
        subnet=gateway.prefix,
        every=_EVERY[gateway.version],
        table=0 if goes_out or own is None else member.table,
        because=side.attached,
    )
