"""Checks the laws of port-channels on two switches: Ethernet segments and MLAG."""

from collections import defaultdict
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.facts import Attributes, Key
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
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch, one, several

ALIKE = ("lacp-system", "segment-import", "vlans", "untagged", "mtu", "speed")
"""Attributes that both legs of a port-channel share; `speed`: of its member ports."""
Leg = tuple[Switch, Key, Attributes]


def _legs(network: AnyNetwork) -> Iterator[list[Leg]]:
    """Yield the legs of each port-channel of several switches: by its ESI, or its MLAG number."""
    yield from grouped(_ended(network)).values()


def _ended(network: AnyNetwork) -> Iterator[tuple[tuple[str, ...], Leg]]:
    """Yield each leg with the name of its port-channel."""
    for switch in network.switches:
        pair = switch.own(("pair",))
        for key, own in switch.each("interface"):
            if one(own.get("segment")):
                yield ("segment", one(own["segment"]).lower()), (switch, key, own)
            elif one(own.get("mlag")) and pair:
                told = one(pair.get("domain")), switch.vtep or switch.local_as
                yield ("mlag", *told, one(own["mlag"])), (switch, key, own)


def members_of(switch: Switch, key: Key) -> list[str]:
    """Return the ports of a port-channel."""
    own = switch.own(key)
    number = "".join(filter(str.isdigit, key[1]))
    named = several(own.get("members"))
    return list(named) or [
        port[1] for port, said in switch.each("interface") if said.get("bundle") == number
    ]


def _said(leg: Leg, attribute: str) -> str:
    switch, key, own = leg
    if attribute == "speed":
        ports = (switch.own(("interface", each)) for each in members_of(switch, key))
        return ", ".join(sorted({one(each.get("speed")) for each in ports} - {""}))
    return ", ".join(sorted(several(own.get(attribute))))


def _alike(network: AnyNetwork) -> Iterator[Breach]:
    """Yield port-channels whose legs differ."""
    for legs in _legs(network):
        if len({id(switch) for switch, _, _ in legs}) < 2:
            continue
        for attribute in ALIKE:
            spoken = [leg for leg in legs if ("interface", attribute) in leg[0].about]
            members = [_member(leg, attribute, _said(leg, attribute)) for leg in spoken]
            yield from unlike(attribute, "the same port-channel", members)


def _member(leg: Leg, attribute: str, value: str) -> Member:
    return at_port(leg[0], leg[1][1], value, attribute, "segment", "mlag")


def _elected(network: AnyNetwork) -> Iterator[Breach]:
    """Yield port-channels whose preferences differ from others of the same switches."""
    parts = grouped((network.parts[legs[0][0]], legs) for legs in _legs(network) if len(legs) > 1)
    for bundles in parts.values():
        members = [
            _member(
                legs[0], "preference", ", ".join(sorted(_said(leg, "preference") for leg in legs))
            )
            for legs in bundles
        ]
        yield from unlike(
            "designated-forwarder preferences",
            "the port-channels",
            members,
            sure=SURE,
            severity=Severity.NOTE,
        )


def _lonely(network: AnyNetwork) -> Iterator[Breach]:
    """Yield segments that only one switch of a pair has: pairs share LACP systems."""
    systems: dict[str, set[Switch]] = defaultdict(set)
    held: dict[str, list[Leg]] = defaultdict(list)
    for switch in network.switches:
        for key, own in switch.each("interface"):
            if one(own.get("segment")):
                held[one(own["segment"]).lower()].append((switch, key, own))
                systems[one(own.get("lacp-system"))].add(switch)
    for identifier, legs in held.items():
        switch, key, own = legs[0]
        others = systems[one(own.get("lacp-system"))] - {switch}
        if len(legs) == 1 and others and own.get("lacp-system"):
            names = ", ".join(sorted(each.name for each in others))
            said = f"{switch.name}:{key[1]} has segment {identifier}, which {names} lacks"
            yield breach(said, Spot(switch, key, ("segment",)))


def _empty(network: AnyNetwork) -> Iterator[Breach]:
    """Yield port-channels to servers on several switches without a port."""
    for legs in _legs(network):
        members = [_member(leg, "ports", str(len(members_of(*leg[:2])))) for leg in legs]
        ported = [each for each in members if each.value != "0"]
        yield from unlike(
            "number of ports", "the same port-channel", ported, severity=Severity.WARNING
        )
        for each in members:
            if each not in ported:
                yield breach(f"{each.name} is a port-channel without ports", each.spot)


_BOTH = frozenset({("interface", "segment"), ("interface", "mlag")})
LAWS = (
    Law(
        name="legs of a port-channel are equal",
        code=Code.LAW_BUNDLE,
        source="RFC 7432 sections 5, 7.6 and 8.1.1; IEEE 802.1AX, System ID; EOS manual, MLAG",
        needs=_BOTH,
        breaches=_alike,
    ),
    Law(
        name="port-channels of two switches share one pair of preferences",
        code=Code.LAW_BUNDLE,
        source="RFC 9785 section 4.1: the highest preference is the designated forwarder",
        needs=frozenset({("interface", "preference")}),
        breaches=_elected,
    ),
    Law(
        name="Ethernet segments have both legs",
        code=Code.LAW_BUNDLE,
        source="RFC 7432 section 5: all links of a segment have its ESI",
        needs=frozenset({("interface", "segment")}),
        breaches=_lonely,
    ),
    Law(
        name="legs of a port-channel have ports",
        code=Code.LAW_BUNDLE,
        source="IEEE 802.1AX: a port-channel without ports is down",
        needs=_BOTH,
        breaches=_empty,
    ),
)
