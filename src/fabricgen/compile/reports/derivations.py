"""List how each number of a switch or server was computed: pool, coordinates and terms."""

from collections.abc import Callable, Mapping

from fabricgen.core.diagnostics import dotted
from fabricgen.model.fabric.addressing import NicPlan, host_text
from fabricgen.model.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.numbering import Formula, berth_of, run_of, seat_of
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Link, Role, Switch
from fabricgen.model.lossless.marking import Points
from fabricgen.model.lossless.path import Delay
from fabricgen.model.lossless.terms import Term
from fabricgen.nos.hosts.bridged import TABLES
from fabricgen.nos.hosts.routed import LEAF, RAIL, RoutedSide
from fabricgen.nos.hosts.slices import HostSlice


def derivations(fabric: Fabric, switch_slice: SwitchSlice) -> dict[str, str]:
    """Return the terms of every derived number of a switch, by its text in a file."""
    switch, addresses = switch_slice.switch, fabric.addresses
    sentences = {
        switch_slice.loopback.host: _placed(
            "loopback", addresses.formula("loopbacks", switch.role), switch
        ),
        switch_slice.management.host: _placed(
            "management address", addresses.formula("management", switch.role), switch
        ),
        str(switch_slice.asn): _asn(fabric, switch),
    }
    if switch_slice.vtep is not None and addresses.vteps is not None:
        formula = addresses.tunnel(addresses.vteps)
        sentences[switch_slice.vtep.host] = _shared("VTEP", formula, switch, _four)
    nics = addresses.nics
    for link in fabric.topology.links_at[switch.name]:
        sentences.update(_link(fabric, link))
        if link.to_server and nics is not None and nics.subnet_length is None:
            sentences.update(_nic(nics, link))
    for interface in switch_slice.interfaces:
        if interface.use is Use.NIC and interface.address and nics is None:
            sentences[interface.address.host] = _ROUTED_PORT
    sentences.update(_lossless(fabric, switch_slice))
    return sentences | _pinned(switch_slice)


def _pinned(switch_slice: SwitchSlice) -> dict[str, str]:
    """Return the sentences about pinned numbers."""
    if switch_slice.pin is None:
        return {}
    own = {
        "loopback": switch_slice.loopback,
        "vtep": switch_slice.vtep,
        "management": switch_slice.management,
    }
    texts = {key: address.host for key, address in own.items() if address is not None}
    texts |= {"router_id": switch_slice.router_id.host, "asn": str(switch_slice.asn)}
    return {
        text: f"pinned by `{dotted((*switch_slice.pin.path, key))}`"
        for key, text in texts.items()
        if getattr(switch_slice.pin, key) is not None
    }


def host_derivations(fabrics: Mapping[str, Fabric], host_slice: HostSlice) -> dict[str, str]:
    """Return the terms of a server's addresses, tables and traffic class, by text in a file."""
    sentences = {}
    for member in host_slice.members:
        sentences[str(member.table)] = f"routing table = {TABLES} + VLAN id {member.vlan.id}"
        pin = host_slice.server.pin
        for own in member.addresses:
            if pin is not None and (own.version, own.value) in pin.addresses:
                sentences[own.host] = f"pinned by `{dotted((*pin.path, 'addresses'))}`"
                continue
            number = own.value - own.network[0] - member.told.first + 1
            sentences[own.host] = (
                f"address = {own.prefix} + first_host {member.told.first} + server "
                f"number {number} - 1"
            )
    for side in host_slice.routed:
        sentences |= _rails(fabrics[side.share.fabric], host_slice.server.name, side)
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
    mine = {port.plan.nic for port in side.ports}
    for link in fabric.topology.links_at[server]:
        if link.lower_port in mine:
            sentences |= _nic(nics, link)
    return sentences


def _lossless(fabric: Fabric, switch_slice: SwitchSlice) -> dict[str, str]:
    """Return the terms of headroom and marking points, by the bytes in a file."""
    sentences: dict[str, str] = {}
    if switch_slice.buffers is not None:
        classes = switch_slice.buffers.classes
        each = f", for each of {classes} lossless classes" if classes > 1 else ""
        for port, _ in switch_slice.buffers.ports:
            sentence = (
                f"headroom of {port.speed} on {port.length} m{each}: {port.rule}; computed "
                f"{int(port.computed.total):,} = {_sum(port.computed.terms)}"
            )
            key = str(int(port.headroom))  # one shipped row may serve several lengths
            sentences[key] = f"{sentences[key]}; and {sentence}" if key in sentences else sentence
        sentences.update(_pools(switch_slice.buffers))
    if fabric.lossless is not None:
        plans = fabric.lossless.plans_of(switch_slice.switch.role)
        for kind, plan in reversed(plans):  # if both are equal, data is named
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
        return "set by the intent or by its profile"
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


def _placed(what: str, formula: Formula, switch: Switch) -> str:
    return f"{what} = {formula.terms(seat_of(switch), _four)}{_by(formula)}"


def _shared(what: str, formula: Formula, switch: Switch, spelled: Callable[[int], str]) -> str:
    """Spell a number that the leafs of an MLAG pair share."""
    pair = "" if switch.domain is None else ", by the first of its MLAG pair"
    return f"{what} = {formula.terms(seat_of(switch, shared=True), spelled)}{_by(formula)}{pair}"


def _by(formula: Formula) -> str:
    return f"; by `{dotted(formula.said)}`" if formula.said else ""


def _four(value: int) -> str:
    return host_text(value, 4)


def _asn(fabric: Fabric, switch: Switch) -> str:
    plan, role = fabric.routing.asns, switch.role
    alike = "the superspines" if role is Role.SUPERSPINE else f"the spines of pod {switch.pod}"
    tier = f", shared by {alike} (RFC 7938 section 5.2.1)" if plan.shares(role) else ""
    return f"{_shared('ASN', plan.formula(role), switch, str)}{tier}"


def _link(fabric: Fabric, link: Link) -> dict[str, str]:
    pool = fabric.addresses.links
    ends = None if link.to_server else fabric.addresses.link(link)
    if ends is None or pool is None:
        return {}
    formula = fabric.addresses.run(pool, Role.LEAF if link.upper.role.tier == 2 else Role.SPINE)
    terms = formula.terms(run_of(link), lambda value: host_text(value, pool.version))
    own = f"link address = {terms}{_by(formula)}"
    return {
        ends[0].host: own,
        ends[1].host: (f"the other address of the pair of {ends[0].host}: {own}"),
    }


_ROUTED_PORT = (
    "link = `links` of the attachment + 2 x ((number of the server - 1) x ports of one server + "
    "place of the port from 0); the leaf has the first address of the pair, the server the "
    "second"
)


def _nic(plan: NicPlan, link: Link) -> dict[str, str]:
    """Return the terms of both addresses of a NIC's /31."""
    nic, leaf = plan.ends(link)
    terms = f"NIC address = {plan.formula.terms(berth_of(link), _four)}{_by(plan.formula)}"
    return {nic.host: terms, leaf.host: f"the other address of the pair of {nic.host}: {terms}"}
