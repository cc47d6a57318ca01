"""Find conflicts of server addresses, in VLANs and towards their gateways.

The server's number or an override decides the position of a static address in the subnet. That
position can be taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, dotted
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip, host_text
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Server
from fabricgen.model.fabric.vlans import Addressing, Vlan
from fabricgen.nos.hosts.bridged import Member
from fabricgen.nos.hosts.slices import HostSlice, HostSlicer

_GATEWAY = "the gateway"


def address_gaps(site: Site) -> list[Diagnostic]:
    """Return the conflicts, once for each attachment and VLAN."""
    judge, slicer = _Judge(), HostSlicer(site)
    overlays = [fabric.overlay for fabric in site.fabrics if fabric.overlay is not None]
    if any(overlay.ports or overlay.routed for overlay in overlays):
        for host_slice in slicer.attached():
            judge.see(host_slice)
    return [*judge.findings.values(), *_astray(site, slicer)]


def _astray(site: Site, slicer: HostSlicer) -> Iterator[Diagnostic]:
    """Yield address overrides without effect: no subnet of the server has them, or two have."""
    every = {each.name: each for fabric in site.fabrics for each in fabric.topology.servers}
    for server in every.values():
        if server.pin is None or not server.pin.addresses:
            continue
        own = {(ip.version, ip.value) for each in slicer.members(server) for ip in each.addresses}
        for place, (version, value) in enumerate(server.pin.addresses):
            if (version, value) not in own:
                yield Diagnostic(
                    Code.PIN_OUT_OF_PLACE,
                    f"no static address of {server.name} is in the subnet of "
                    f"{host_text(value, version)}, or another override sets it",
                    path=(*server.pin.path, "addresses", place),
                    hint="set `addresses: static` in the attachment; addresses of NICs follow from "
                    "`numbering`",
                )


@record()
class _Kind:
    """Key of findings that are reported once. `vlan`: its id, 0 for routed ports."""

    place: IntentPath
    vlan: int
    code: str


@record()
class _Claim:
    """One address in a VLAN, or in a VNI that several sites may share."""

    network: Vlan | int
    value: int


@dataclass(slots=True)
class _Judge:
    findings: dict[_Kind, Diagnostic] = field(default_factory=dict)
    taken: dict[_Claim, "_Holder"] = field(default_factory=dict)

    def see(self, host_slice: HostSlice) -> None:
        self.ways_out(host_slice)
        self.tables(host_slice)
        self.routed(host_slice)
        for member in host_slice.members:
            for own in member.addresses:
                self.address(host_slice.server, member, own)

    def keep(self, fault: Diagnostic, place: IntentPath, vlan: int = 0) -> None:
        """Keep the first finding of its kind."""
        self.findings.setdefault(_Kind(place, vlan, fault.code), fault)

    def refuse(
        self, member: Member, message: str, hint: str, *keys: str, code: Code = Code.BAD_VALUE
    ) -> None:
        """Keep a finding about keys of an attachment."""
        fault = Diagnostic(code, message, path=(*member.told.path, *keys), hint=hint)
        self.keep(fault, member.told.path, member.vlan.id)

    def ways_out(self, host_slice: HostSlice) -> None:
        ways, name = host_slice.ways_out(), host_slice.server.name
        first = next((way for way in ways if way.vlan is not ways[0].vlan), None)
        if first is not None:
            self.refuse(
                first,
                f"the default route of {name} would use both {ways[0].vlan.name} and "
                f"{first.vlan.name}",
                "set `default_route` to one VLAN in one of the server's attachments",
            )
        for member in host_slice.members:
            # a router advertisement of another VLAN brings a default route
            if member.told.six is Addressing.ANNOUNCED and member is not host_slice.way_out:
                self.refuse(
                    member,
                    f"{name} would accept the IPv6 default route that VLAN {member.vlan.name} "
                    "advertises, but its default route uses another VLAN",
                    "set `addresses6: none` there, or name that VLAN in `default_route`",
                    "addresses6",
                )
        if ways and host_slice.links:
            self.refuse(
                ways[0],
                f"the default route of {name} uses the routed port {host_slice.links[0].port} "
                "and "
                f"would use {ways[0].vlan.name}, too",
                "remove `default_route`",
                "default_route",
            )

    def routed(self, host_slice: HostSlice) -> None:
        """Check that only one set of a server's ports is routed, which has its default route."""
        sides = [side for side in host_slice.bridged if side.links]
        for side in sides[1:]:
            path, both = side.attached.main, f"{sides[0].ports[0]} and {side.ports[0]}"
            message = f"{both} of {host_slice.server.name} are routed, but in two sets"
            hint = "only one set of a server's ports can be routed: add `ports` to it"
            self.keep(Diagnostic(Code.BAD_VALUE, message, path=path, hint=hint), path)

    def tables(self, host_slice: HostSlice) -> None:
        """Check that no two networks of a server share a routing table, which has the VLAN's id."""
        first: dict[int, Member] = {}
        for member in host_slice.members:
            if not member.addresses or member is host_slice.way_out:
                continue
            other = first.setdefault(member.table, member)
            if other.vlan is not member.vlan:
                self.refuse(
                    member,
                    f"{other.vlan.name} and {member.vlan.name} of {host_slice.server.name} "
                    "are both "
                    f"VLAN {member.vlan.id}, so packets from both would use one routing "
                    f"table, {member.table}",
                    "use different VLAN ids, or `addresses: dhcp` for one of the VLANs",
                    "addresses",
                )

    def address(self, server: Server, member: Member, own: Ip) -> None:
        """Check a static address: in its subnet, not the gateway's, and unique."""
        gateway = member.vlan.gateway(own.version)
        assert gateway is not None
        first, last = gateway.network
        if not first < own.value < last:
            place, room = own.value - first, last - first - 1
            message = (
                f"{server.name} would have position {place} in {gateway.prefix}, which has {room}"
            )
            length = own.bits - (place + 1).bit_length()
            hint = f"use a subnet of /{length}, or `addresses: dhcp`"
            self.refuse(member, message, hint, "addresses", code=Code.POOL_TOO_SMALL)
            return
        claim = _Claim(member.vlan.vni or member.vlan, own.value)
        mine = _holder(server, member, own)
        if own.value == gateway.value:
            self.shared(mine, _Holder(_GATEWAY, member.vlan.because.main), member, own)
            return
        other = self.taken.setdefault(claim, mine)
        if other.name != mine.name:
            self.shared(mine, other, member, own)

    def shared(self, mine: "_Holder", other: "_Holder", member: Member, own: Ip) -> None:
        """Report that two servers have one address, with both places if one is an override."""
        one, far = (other, mine) if other.pinned and not mine.pinned else (mine, other)
        path, code = one.path, Code.PIN_CLASH if one.pinned else Code.ADDRESS_OVERLAP
        message = f"{own.host} of {one.name} is also used by {far.name}"
        hint = "use another `first_host`; several ports of a server need a bond"
        if one.pinned:
            message += f" (set by {dotted(far.path)})"
            hint = "" if far.name == _GATEWAY else "override the other address, too"
        self.keep(Diagnostic(code, message, path=path, hint=hint), path, member.vlan.id)


@record()
class _Holder:
    """The owner of an address. `path`: the intent path that sets it."""

    name: str
    path: IntentPath
    pinned: bool = False


def _holder(server: Server, member: Member, own: Ip) -> _Holder:
    name, said = f"{server.name} {member.device}", (own.version, own.value)
    if server.pin is not None and said in server.pin.addresses:
        place = server.pin.addresses.index(said)
        return _Holder(name, (*server.pin.path, "addresses", place), pinned=True)
    return _Holder(name, (*member.told.path, "addresses"))
