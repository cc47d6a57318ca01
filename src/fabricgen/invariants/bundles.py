"""States the laws of bundles that end on two switches: Ethernet segments and MLAG."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.diagnostics import Code, Severity
from fabricgen.invariants.alike import Member, minority
from fabricgen.invariants.law import Breach, Law, Spot, breach
from fabricgen.invariants.network import AnyNetwork
from fabricgen.invariants.switch import Switch, one, several
from fabricgen.tree.facts import Attributes, Key

ALIKE = ("lacp-system", "segment-import", "vlans", "untagged", "mtu", "speed")
"""Attributes that both legs of a bundle have alike; speed: of its member ports."""
Leg = tuple[Switch, Key, Attributes]


def _legs(network: AnyNetwork) -> Iterator[list[Leg]]:
    """Yield the legs of each bundle of several switches: by its ESI, or the number of its MLAG."""
    found: dict[tuple[object, ...], list[Leg]] = defaultdict(list)
    for switch in network.switches:
        pair = switch.own(("pair",))
        for key, own in switch.each("interface"):
            if one(own.get("segment")):
                found["segment", one(own["segment"]).lower()].append((switch, key, own))
            elif one(own.get("mlag")) and pair:
                told = one(pair.get("domain")), switch.vtep or switch.local_as
                found["mlag", *told, one(own["mlag"])].append((switch, key, own))
    yield from found.values()


def members_of(switch: Switch, key: Key) -> list[str]:
    """Return the ports of a bundle."""
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
    """Yield bundles whose legs differ."""
    for legs in _legs(network):
        if len({id(switch) for switch, _, _ in legs}) < 2:
            continue
        for attribute in ALIKE:
            members = [
                Member(
                    spot=Spot(switch, key, (attribute, "segment", "mlag")),
                    name=f"{switch.name}:{key[1]}",
                    value=_said((switch, key, own), attribute),
                )
                for switch, key, own in legs
                if ("interface", attribute) in switch.about
            ]
            for each, usual, _ in minority(members):
                said = (
                    f"{each.name} has {attribute} {each.value or 'none'}, and {usual.name} of the "
                    f"same bundle {usual.value or 'none'}"
                )
                yield breach(said, each.spot, usual.spot)


def _lonely(network: AnyNetwork) -> Iterator[Breach]:
    """Yield segments that one switch of a pair has alone: pairs share LACP systems."""
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
    """Yield bundles to servers on several switches that have no port."""
    for legs in _legs(network):
        sizes = [len(members_of(switch, key)) for switch, key, _ in legs]
        usual = Counter(sizes).most_common(1)[0][0]
        for (switch, key, _), size in zip(legs, sizes, strict=True):
            if size == 0 or (size != usual and len(legs) > 1):
                said = f"{switch.name}:{key[1]} has {size} ports, other legs of the bundle {usual}"
                spot = Spot(switch, key, ("segment", "mlag"))
                yield breach(said, spot, severity=Severity.WARNING if size else Severity.ERROR)


_BOTH = frozenset({("interface", "segment"), ("interface", "mlag")})
LAWS = (
    Law(
        name="legs of a bundle are alike",
        code=Code.LAW_BUNDLE,
        source="RFC 7432 sections 5, 7.6 and 8.1.1; IEEE 802.1AX, System ID; EOS manual, MLAG",
        needs=_BOTH,
        breaches=_alike,
    ),
    Law(
        name="Ethernet segments have both legs",
        code=Code.LAW_BUNDLE,
        source="RFC 7432 section 5: all links of a segment have its ESI",
        needs=frozenset({("interface", "segment")}),
        breaches=_lonely,
    ),
    Law(
        name="legs of a bundle have ports",
        code=Code.LAW_BUNDLE,
        source="IEEE 802.1AX: a bundle without ports is down",
        needs=_BOTH,
        breaches=_empty,
    ),
)
