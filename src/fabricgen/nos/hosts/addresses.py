"""Find conflicts of server addresses, in VLANs and towards their gateways.

The server's number or a pin decides the position of a static address in the subnet. That position
can be taken.
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
    """Return what is wrong, once for each attachment and VLAN."""
    judge, slicer = _Judge(), HostSlicer(site)
    overlays = [fabric.overlay for fabric in site.fabrics if fabric.overlay is not None]
    if any(overlay.ports or overlay.routed for overlay in overlays):
        for host_slice in slicer.attached():
            judge.see(host_slice)
    return [*judge.findings.values(), *_astray(site, slicer)]


def _astray(site: Site, slicer: HostSlicer) -> Iterator[Diagnostic]:
    """Yield the pinned addresses that come to nothing: where they lie a server has none, or two."""
    every = {each.name: each for fabric in site.fabrics for each in fabric.topology.servers}
    for server in every.values():
        if server.pin is None or not server.pin.addresses:
            continue
        own = {(ip.version, ip.value) for each in slicer.members(server) for ip in each.addresses}
        for place, (version, value) in enumerate(server.pin.addresses):
            if (version, value) not in own:
                yield Diagnostic(
                    Code.PIN_OUT_OF_PLACE,
                    f"{server.name} has no static address in the subnet of "
                    f"{host_text(value, version)}, or has one by another pin",
                    path=(*server.pin.path, "addresses", place),
                    hint="`addresses: static` in the attachment; addresses of NICs follow from "
                    "`numbering`",
                )


@record()
class _Kind:
    """The findings of which one is enough. vlan: its id, 0 for routed ports."""

    place: IntentPath
    vlan: int
    code: str


@record()
class _Claim:
    """One address in a VLAN, or in the VNI that several sites may share."""

    network: Vlan | int
    value: int


@dataclass(slots=True)
class _Judge:
    """Sees server after server."""

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
                f"the default route of {name} would go by {ways[0].vlan.name} and by "
                f"{first.vlan.name}",
                "name one VLAN in one `default_route` of the server's attachments",
            )
        for member in host_slice.members:
            # what is announced where the default route does not go brings one
            if member.told.six is Addressing.ANNOUNCED and member is not host_slice.way_out:
                self.refuse(
                    member,
                    f"{name} would take the IPv6 default route that VLAN {member.vlan.name} "
                    "announces, and its own goes by another",
                    "say `addresses6: none` there, or name that VLAN in `default_route`",
                    "addresses6",
                )
        if ways and host_slice.links:
            self.refuse(
                ways[0],
                f"the default route of {name} goes by {host_slice.links[0].port}, which is "
                "routed, and "
                f"would go by {ways[0].vlan.name}, too",
                "leave `default_route` out",
                "default_route",
            )

    def routed(self, host_slice: HostSlice) -> None:
        """Judge that one set of a server's ports is routed, by which its default route goes."""
        sides = [side for side in host_slice.bridged if side.links]
        for side in sides[1:]:
            path, both = side.attached.main, f"{sides[0].ports[0]} and {side.ports[0]}"
            message = f"{both} of {host_slice.server.name} are routed, and of two sets"
            hint = "one set of a server's ports is routed: give it more `ports`"
            self.keep(Diagnostic(Code.BAD_VALUE, message, path=path, hint=hint), path)

    def tables(self, host_slice: HostSlice) -> None:
        """Judge that two networks of a server do not share a table, that of a VLAN's id."""
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
                    f"VLAN {member.vlan.id}, so what is sent from either would go by one routing "
                    f"table, {member.table}",
                    "give the VLANs different ids, or one of them `addresses: dhcp`",
                    "addresses",
                )

    def address(self, server: Server, member: Member, own: Ip) -> None:
        """Judge one static address: in its subnet, not the gateway's, and one server's alone."""
        gateway = member.vlan.gateway(own.version)
        assert gateway is not None
        first, last = gateway.network
        if not first < own.value < last:
            place, room = own.value - first, last - first - 1
            message = (
                f"{server.name} would have place {place} of {gateway.prefix}, which has {room}"
            )
            length = own.bits - (place + 1).bit_length()
            hint = f"a subnet of /{length}, or `addresses: dhcp`"
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
        """Say that two have one address: of one that is pinned, both places."""
        one, far = (other, mine) if other.pinned and not mine.pinned else (mine, other)
        path, code = one.path, Code.PIN_CLASH if one.pinned else Code.ADDRESS_OVERLAP
        message = f"{own.host} of {one.name} is also that of {far.name}"
        hint = "use another `first_host`; a server with several ports needs a bond of them"
        if one.pinned:
            message += f" by {dotted(far.path)}"
            hint = "" if far.name == _GATEWAY else "pin the other one, too"
        self.keep(Diagnostic(code, message, path=path, hint=hint), path, member.vlan.id)


@record()
class _Holder:
    """Who has an address. path: the place that says so."""

    name: str
    path: IntentPath
    pinned: bool = False


def _holder(server: Server, member: Member, own: Ip) -> _Holder:
    name, said = f"{server.name} {member.device}", (own.version, own.value)
    if server.pin is not None and said in server.pin.addresses:
        place = server.pin.addresses.index(said)
        return _Holder(name, (*server.pin.path, "addresses", place), pinned=True)
    return _Holder(name, (*member.told.path, "addresses"))
