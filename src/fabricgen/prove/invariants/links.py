"""Checks the laws of links: both ends agree on MTU, speed, FEC and identity."""

import re
from collections.abc import Iterator
from decimal import Decimal

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.units import counted
from fabricgen.prove.invariants.law import Breach, Law, Spot, at_port, breach, unlike
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch, one

_PAM4 = 50 * 10**9
"""Minimum bits per second of PAM4 lanes, all with FEC, by IEEE 802.3."""
_FEC_BY_DEFAULT = 100 * 10**9
_SPEED = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)([MGT]?)")
_UNITS = {"": 10**6, "M": 10**6, "G": 10**9, "T": 10**12}
_VIRTUAL = "kvm"
"""Part of the platform name of a virtual switch, which has no FEC."""


def _name(switch: Switch, port: str) -> str:
    return f"{switch.name}:{port}"


def _mtu(switch: Switch, port: str) -> str:
    """Return the configured MTU, or the default of the platform; empty if unknown."""
    written = one(switch.own(("interface", port)).get("mtu"))
    qos = switch.qos.ports.get(port) if not written else None
    return written or str(qos.mtu if qos is not None and qos.mtu is not None else "")


def _ends(network: AnyNetwork) -> Iterator[Breach]:
    """Yield links whose ends differ in MTU, speed or FEC."""
    for near, far in network.pairs:
        values = {"MTU": (_mtu(*near), _mtu(*far))}
        own = [switch.own(("interface", port)) for switch, port in (near, far)]
        values["speed"] = one(own[0].get("speed")), one(own[1].get("speed"))
        if all(("interface", "fec") in switch.about for switch, _ in (near, far)):
            values["FEC"] = one(own[0].get("fec")) or "none", one(own[1].get("fec")) or "none"
        for word, (here, there) in values.items():
            if here and there:
                ends = (far, there), (near, here)
                members = [at_port(*end, value, word.lower()) for end, value in ends]
                yield from unlike(word, "the same link", members)


def _fec(network: AnyNetwork) -> Iterator[Breach]:
    """Yield switches with fast ports without a line about FEC."""
    for switch in network.switches:
        if ("interface", "fec") not in switch.about or _VIRTUAL in _platform(switch):
            continue
        bare = [
            port.name
            for port in switch.ports.values()
            if port.up and "fec" not in switch.own(("interface", port.name))
            if _needs_fec(switch, port.name)
        ]
        if bare:
            more = f" (and {counted(len(bare) - 1, 'more port')})" if len(bare) > 1 else ""
            said = f"{switch.name}: fast port {bare[0]}{more} has no line about FEC"
            yield breach(said, Spot(switch, ("interface", bare[0]), ("speed",)))


def _platform(switch: Switch) -> str:
    own = switch.own(("switch",))
    return one(own.get("platform"))


def _needs_fec(switch: Switch, port: str) -> bool:
    own = switch.own(("interface", port))
    lanes = one(own.get("lanes"))
    speed = bits(one(own.get("speed")))
    if not lanes or speed is None:
        return False
    count = len(lanes.split(","))
    return speed >= _FEC_BY_DEFAULT or speed // count >= _PAM4


def bits(speed: str) -> int | None:
    """Return a speed as bits per second; None for other text."""
    match = _SPEED.fullmatch(speed.upper())
    return int(Decimal(match[1]) * _UNITS[match[2]]) if match else None


def _swapped(network: AnyNetwork) -> Iterator[Breach]:
    """Yield links whose subnet joins other ports than LLDP neighbors or descriptions name."""
    for near, far in network.addressed.items():
        told = network.far(*near)
        if told is None or told == far or told not in network.addressed:
            continue
        agreed = network.far(*told) == near
        said = (
            f"{_name(*near)} is described as cabled to {_name(*told)}, but shares a subnet with "
            f"{_name(*far)}"
        )
        keys = ("interface", near[1]), ("interface", far[1])
        spots = Spot(near[0], keys[0], ("address",)), Spot(far[0], keys[1], ("address",))
        yield breach(said, *spots, severity=Severity.ERROR if agreed else Severity.WARNING)


LAWS = (
    Law(
        name="MTU, speed and FEC are equal at both ends of a link",
        code=Code.JUDGED_LINK,
        source="IEEE 802.3 clauses 73 and 91; RFC 4459 for the MTU",
        needs=frozenset({("interface", "mtu"), ("interface", "speed")}),
        breaches=_ends,
    ),
    Law(
        name="ports of 100G and more have FEC",
        code=Code.LAW_FEC,
        source="IEEE 802.3 clauses 91, 119 and 134; sonic-buildimage src/sonic-config-engine/"
        "minigraph.py and portconfig.py write it from 100G and from 50G lanes up",
        needs=frozenset({("interface", "fec")}),
        breaches=_fec,
        alone=True,
    ),
    Law(
        name="subnets of links join the ports that descriptions and LLDP neighbors name",
        code=Code.LAW_SWAPPED,
        source="RFC 3021: a /31 has its two ends on one link",
        needs=frozenset({("interface", "address")}),
        breaches=_swapped,
    ),
)
