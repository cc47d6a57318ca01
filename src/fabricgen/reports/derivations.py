"""The numbers of a switch or server in, how each was computed out: pool, coordinates and terms."""

from collections.abc import Mapping

from fabricgen.diagnostics import dotted
from fabricgen.fabric.addressing import Pool, host_text
from fabricgen.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.fabric.qos import Kind
from fabricgen.fabric.switch import Fabric, SwitchSlice, Use
from fabricgen.fabric.topology import Link, Nic, Role, Switch
from fabricgen.hosts.bridged import TABLES
from fabricgen.hosts.routed import LEAF, RAIL, RoutedSide
from fabricgen.hosts.slices import HostSlice
from fabricgen.lossless.marking import Points
from fabricgen.lossless.path import Delay
from fabricgen.lossless.terms import Term


def derivations(fabric: Fabric, piece: SwitchSlice) -> dict[str, str]:
    """Return the terms of every derived number of a switch, by its text as it stands in a file."""
    switch, addresses = piece.switch, fabric.addresses
    sentences = {
        piece.loopback.host: _placed("loopback", addresses.loopbacks, switch),
        piece.management.host: _placed("management address", addresses.management, switch),
        str(piece.asn): _asn(fabric, switch),
    }
    if piece.vtep is not None and addresses.vteps is not None:
        sentences[piece.vtep.host] = _vtep(addresses.vteps, switch)
    for link in fabric.topology.links_at[switch.name]:
        sentences.update(_link(fabric, link))
    for interface in piece.interfaces:
        if interface.use is Use.NIC and interface.address and isinstance(interface.peer_port, Nic):
            sentences[interface.address.host] = (
                _nic(fabric, switch, interface.peer_port)
                if addresses.nics is not None
                else _ROUTED_PORT
            )
    sentences.update(_lossless(fabric, piece))
    return sentences | _pinned(piece)


def _pinned(piece: SwitchSlice) -> dict[str, str]:
    """Return what is said of the numbers that were pinned."""
    if piece.pin is None:
        return {}
    own = {"loopback": piece.loopback, "vtep": piece.vtep, "management": piece.management}
    texts = {key: address.host for key, address in own.items() if address is not None}
    texts |= {"router_id": piece.router_id.host, "asn": str(piece.asn)}
    return {
        text: f"pinned by `{dotted((*piece.pin.path, key))}`"
        for key, text in texts.items()
        if getattr(piece.pin, key) is not None
    }


def host_derivations(fabrics: Mapping[str, Fabric], piece: HostSlice) -> dict[str, str]:
    """Return the terms of a server's addresses, tables and traffic class, by text in a file."""
    sentences = {}
    for member in piece.members:
        sentences[str(member.table)] = f"routing table = {TABLES} + VLAN id {member.vlan.id}"
        for own in member.addresses:
            number = own.value - own.network[0] - member.told.first + 1
            sentences[own.host] = (
                f"address = {own.prefix} + first_host {member.told.first} + server "
                f"number {number} - 1"
            )
    for side in piece.routed:
        sentences |= _rails(fabrics[side.share.fabric], piece.server.name, side)
    return sentences


def _rails(fabric: Fabric, server: str, side: RoutedSide) -> dict[str, str]:
    plan = side.share.plan
    noun, step = ("rail", RAIL) if plan.railed else ("leaf", LEAF)
    sentences = {
        str(port.plan.table): (
            f"routing table of {noun} {port.plan.nic.rail} = {plan.tables} + {step} x "
            f"{port.plan.nic.rail} + port {port.plan.nic.port}"
        )
        for port in side.ports
    }
    contract = side.share.contract
    if contract is not None:
        low = contract.traffic_class & 3
        sentences[str(contract.traffic_class)] = (
            f"traffic class = DSCP {contract.dscp} x 4 + {low} in the two bits of ECN"
        )
    nics = fabric.addresses.nics
    if nics is None or nics.subnet_length is not None:
        return sentences
    for link in fabric.topology.links_at[server]:
        for rail in side.ports:
            if rail.plan.nic == link.lower_port:
                text = _nic(fabric, link.upper, rail.plan.nic, noun)
                sentences |= {rail.address.host: text, rail.gateway.host: text}
    return sentences


def _lossless(fabric: Fabric, piece: SwitchSlice) -> dict[str, str]:
    """Return the terms of headroom and marking points, by the bytes as they stand in a file."""
    sentences: dict[str, str] = {}
    if piece.buffers is not None:
        classes = piece.buffers.classes
        each = f", for each of {classes} lossless classes" if classes > 1 else ""
        for port, _ in piece.buffers.ports:
            sentence = (
                f"headroom of {port.speed} on {port.length} m{each}: {port.rule}; computed "
                f"{int(port.computed.total):,} = {_sum(port.computed.terms)}"
            )
            key = str(int(port.headroom))  # one shipped row may serve several lengths
            sentences[key] = f"{sentences[key]}; and {sentence}" if key in sentences else sentence
        sentences.update(_pools(piece.buffers))
    if fabric.lossless is not None:
        plans = fabric.lossless.plans_of(piece.switch.role)
        for kind, plan in reversed(plans):  # where two are alike, data is named
            at = f"on {plan.speed}" if kind is Kind.LOSSLESS else f"of {kind} on {plan.speed}"
            sentences[str(int(plan.minimum))] = (
                f"Kmin {at}: {_points(fabric.lossless, plan, 'Kmin: ')}"
            )
            sentences[str(int(plan.maximum))] = (
                f"Kmax {at}: {_points(fabric.lossless, plan, 'Kmax: ')}"
            )
    return sentences


def _pools(buffers: SwitchBuffers) -> dict[str, str]:
    """Return where the pools of a switch come from, by their bytes."""
    return {
        str(term.value): f"{term.name}: {term.source}"
        for term in buffers.terms
        if term.value and "pool" in term.name
    }


def _points(lossless: Lossless, plan: Points, start: str) -> str:
    """Spell a marking point with the round trip that its bandwidth-delay product is of."""
    terms = tuple(term for term in plan.terms if term.name.startswith(start))
    if not terms:
        return "as written, or as its profile has it"
    sentence = _sum(terms, start)
    if not any("BDP" in term.name for term in terms):
        return sentence
    trip = _sum(lossless.round_trip.terms)
    return f"{sentence}; BDP = {plan.speed} x {lossless.round_trip.total:,} ns / 8, in ns {trip}"


def _sum(terms: tuple[Term | Delay, ...], start: str = "") -> str:
    """Spell terms as a sum: 20,000 (cable) + 107,000 (turn-round)."""
    shown = [
        f"{'-' if term.value < 0 else '+'} {abs(term.value):,} ({term.name.removeprefix(start)})"
        for term in terms
        if term.value
    ]
    return " ".join(shown).removeprefix("+ ")


def _placed(what: str, pool: Pool, switch: Switch) -> str:
    first = host_text(pool.first, pool.version)
    last = host_text(pool.high(0), pool.version)
    if switch.is_leaf:
        return (
            f"{what} = {first} + leaf number {switch.ordinal + 1}; leafs count up from the bottom"
        )
    step = 2 * switch.ordinal + switch.role.tier - 1
    return (
        f"{what} = {last} - {step} (2 x {switch.role.value} {switch.ordinal} + "
        f"{switch.role.tier - 1}); upper tiers count down from the top"
    )


def _vtep(pool: Pool, switch: Switch) -> str:
    first = host_text(pool.first, pool.version)
    return f"VTEP = {first} + leaf number {switch.shared + 1}{_whose(switch)}"


def _whose(switch: Switch) -> str:
    """Say what leafs count by: by themselves, or as a pair by the first of the two."""
    if switch.domain is None:
        return "; leafs count up from the bottom"
    return ", the first of its MLAG pair, for both"


def _asn(fabric: Fabric, switch: Switch) -> str:
    plan = fabric.routing.asns
    if switch.is_leaf:
        pair = _whose(switch) if switch.domain is not None else ""
        return f"ASN = {plan.first} + leaf {switch.shared}{pair}"
    if not plan.shared:
        tier = int(switch.role is Role.SUPERSPINE)
        return f"ASN = {plan.last} - (2 x {switch.role.value} {switch.ordinal} + {tier})"
    if switch.role is Role.SUPERSPINE:
        return f"ASN = {plan.last}, shared by the superspines (RFC 7938 section 5.2.1)"
    return f"ASN = {plan.last} - pod {switch.pod}, shared by its spines (RFC 7938 section 5.2.1)"


def _link(fabric: Fabric, link: Link) -> dict[str, str]:
    ends = None if link.to_server else fabric.addresses.link(link)
    if ends is None or fabric.addresses.links is None:
        return {}
    pool, step = fabric.addresses.links, 2 * link.slot
    if link.upper.role.tier == 2:
        base = f"{host_text(pool.first, pool.version)} + {step} (2 x link {link.slot})"
    else:
        last = host_text(pool.high(0), pool.version)
        base = f"{last} - {step + 1} (2 x link {link.slot} + 1)"
    return {
        ends[1].host: f"link address = {base}; the upper switch has the first of the pair",
        ends[0].host: f"link address = {base} + 1; the lower switch has the second of the pair",
    }


_ROUTED_PORT = (
    "link = `links` of the attachment + 2 x ((number of the server - 1) x ports of one server + "
    "place of the port from 0); the leaf has the first of the pair, the server the second"
)


def _nic(fabric: Fabric, switch: Switch, nic: Nic, noun: str = "rail") -> str:
    plan = fabric.addresses.nics
    assert plan is not None
    block = plan.block_prefix(nic.rail, switch.plane)
    return (
        f"NIC link = block {block} of {noun} {nic.rail}, plane {switch.plane}, + 2 x (place of the "
        "server in all units - 1); the leaf has the first of the pair, the NIC the second"
    )
