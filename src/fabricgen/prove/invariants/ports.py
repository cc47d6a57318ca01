"""Checks the laws of the ports of one switch: descriptions, speeds and cages."""

import re
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.facts import Attributes
from fabricgen.prove.invariants.law import (
    SURE,
    Breach,
    Law,
    Member,
    Spot,
    at_port,
    breach,
    grouped,
    unlike,
)
from fabricgen.prove.invariants.links import bits
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Address, one

_OWN_END = re.compile(r"(?P<switch>[\w.-]+):(?P<port>[A-Za-z][\w./-]*\d)(?: |$)")
"""Beginning of a description that names the local switch and port first."""
_CAGE = re.compile(r"Ethernet(?P<cage>\d+)(?:/(?P<lane>\d))?")
_CAGES = 16
"""Minimum cages without a gap before a gap is reported."""
_NUMBER = re.compile(r"\d+")
_BLOCK = {4: 16, 6: 32}
"""Length of the block that contains link subnets, by IP version."""
_RATES = {10**6 * each for each in (10, 100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000)} | {
    10**9 * each for each in (100, 200, 400, 800, 1600)
}
"""Speeds of IEEE 802.3, in bits per second."""
_LANE_RATES = {10**9 * each for each in (10, 25, 50, 100, 200)}
_SWITCH = ("switch",)


def _text(own: Attributes) -> str:
    return one(own.get("description")) or one(own.get("note"))


def _named(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports whose description begins with another switch or port, unlike the others'."""
    for switch in network.switches:
        members = []
        for key, own in switch.each("interface"):
            match = _OWN_END.match(_text(own))
            if match is not None:
                own_end = f"{switch.name}:{key[1]}"
                begin = match[0].strip()
                if any(one in begin.split(":") for one in (switch.name, key[1])):
                    value = "the local switch and port" if begin == own_end else begin
                    members.append(at_port(switch, key[1], value, "description", "note"))
        group = "the described ports"
        yield from unlike(
            "a description that begins with", group, members, sure=SURE, severity=Severity.WARNING
        )


def _blocks(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports whose block of addresses differs from ports with similar descriptions."""
    for switch in network.switches:
        kinds = grouped(
            (_NUMBER.sub("", text), (port.name, each))
            for port in switch.ports.values()
            for each in port.addresses
            for text in [_text(switch.own(("interface", port.name)))]
            if _NUMBER.search(text) and not port.vlan and (switch, port.name) not in network.links
        )
        for ports in kinds.values():
            members = [at_port(switch, name, _block(each), "address") for name, each in ports]
            group = "similar ports"
            yield from unlike("address", group, members, sure=SURE, severity=Severity.NOTE)


def _block(address: Address) -> str:
    """Return the block of an address, and its position in its subnet."""
    length = min(_BLOCK[address.version], address.network.prefixlen)
    place = int(address.ip) - int(address.network.network_address)
    block = address.network.supernet(new_prefix=length)
    return f"number {place} of a /{address.network.prefixlen} in {block}"


def _vlan_names(network: AnyNetwork) -> Iterator[Breach]:
    """Yield routed VLANs whose description is not the VLAN name, if all others have it."""
    members = []
    for switch in network.switches:
        for vlan, port in switch.gateways.items():
            name = one(switch.own(("vlan", str(vlan))).get("name"))
            text = _text(switch.own(("interface", port.name)))
            if name and text:
                value = "the name of its VLAN" if text == name else text
                members.append(at_port(switch, port.name, value, "description", "note"))
    yield from unlike(
        "as description", "the routed VLANs", members, sure=SURE, severity=Severity.NOTE
    )


def _speeds(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports with a total or lane speed that Ethernet does not have."""
    for switch in network.switches:
        for key, own in switch.each("interface"):
            speed, lanes = bits(one(own.get("speed"))), one(own.get("lanes"))
            several = lanes.isdigit() and lanes not in ("0", "1") and "alias" not in own
            lane = speed // int(lanes) if speed and several else 0
            if speed is None or (speed in _RATES and (not lane or lane in _LANE_RATES)):
                continue
            on = f" on {lanes} lanes" if lane else ""
            said = f"{switch.name}:{key[1]} has speed {one(own['speed'])}{on}, which Ethernet lacks"
            yield breach(said, Spot(switch, key, ("speed",)))


def _cages(network: AnyNetwork) -> Iterator[Breach]:
    """Yield a cage that a switch does not list, or whose lane 1 it does not list."""
    for switch in network.switches:
        found = [(_CAGE.fullmatch(key[1]), own) for key, own in switch.each("interface")]
        lanes = grouped((int(at["cage"]), at["lane"] or "1") for at, _ in found if at)
        firsts = {number: f"lane {min(each)}" for number, each in lanes.items()}
        unused = sum("shut" in own for _, own in found)
        members = [
            Member(f"{switch.name}: cage {number}", firsts.get(number, ""), Spot(switch, _SWITCH))
            for number in range(1, max(lanes, default=0) + 1)
        ]
        if unused >= SURE:  # it lists unused ports
            yield from unlike(
                "as first port", "its cages", members, sure=_CAGES, severity=Severity.NOTE
            )


def _breakouts(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports of a split cage with another speed than the rest of the cage."""
    for switch in network.switches:
        lanes = grouped(
            (match["cage"], (key[1], one(own.get("speed"))))
            for key, own in switch.each("interface")
            for match in [_CAGE.fullmatch(key[1])]
            if match is not None and match["lane"]
        )
        for cage, ports in lanes.items():
            if len(ports) in (4, 8):
                members = [at_port(switch, name, speed, "speed") for name, speed in ports]
                group = f"cage {cage}"
                yield from unlike("speed", group, members, sure=SURE, severity=Severity.NOTE)


LAWS = (
    Law(
        name="port descriptions begin with their switch and port",
        code=Code.UNLIKE_ITS_CLASS,
        source="RFC 2863 section 3.1.6, ifAlias: a description distinguishes a port from others",
        needs=frozenset({("interface", "description"), ("interface", "note")}),
        breaches=_named,
        alone=True,
    ),
    Law(
        name="ports to similar servers have addresses of one block",
        code=Code.UNLIKE_ITS_CLASS,
        source="RFC 4632 section 3: addresses of one place are assigned as a block",
        needs=frozenset({("interface", "address")}),
        breaches=_blocks,
    ),
    Law(
        name="descriptions of routed VLANs are their names",
        code=Code.UNLIKE_ITS_CLASS,
        source="IEEE 802.1Q, VLAN name; RFC 2863, ifAlias",
        needs=frozenset({("vlan", "name")}),
        breaches=_vlan_names,
    ),
    Law(
        name="ports have speeds that Ethernet has",
        code=Code.JUDGED_VALUE,
        source="IEEE 802.3 and 802.3df, table of rates and lanes",
        needs=frozenset({("interface", "speed")}),
        breaches=_speeds,
        alone=True,
    ),
    Law(
        name="a switch lists all its cages",
        code=Code.UNLIKE_ITS_CLASS,
        source="EOS manual, `show running-config`: each port of the hardware has its section",
        needs=frozenset({("interface", "lanes")}),
        breaches=_cages,
        alone=True,
    ),
    Law(
        name="ports of a split cage have one speed",
        code=Code.UNLIKE_ITS_CLASS,
        source="EOS manual, Ethernet ports: the lanes of a split cage run at its speed",
        needs=frozenset({("interface", "lanes")}),
        breaches=_breakouts,
        alone=True,
    ),
)
