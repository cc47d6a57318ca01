"""States which ports, switches and policies are alike in one network, as a group of each."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from fabricgen.diagnostics import Code
from fabricgen.invariants.alike import Group, Member, odd_one
from fabricgen.invariants.bundles import members_of
from fabricgen.invariants.law import Breach, Law, Spot
from fabricgen.invariants.network import AnyNetwork, called, parsed
from fabricgen.invariants.switch import Session, Switch, one, whole_number
from fabricgen.invariants.tables import cages
from fabricgen.tree.facts import GLOBAL, Attributes, Key, spelled, subject_of

_NUMBER = re.compile(r"\d+")
_BUNDLES = ("PortChannel", "Port-Channel")
_DECIDED = ("origins", "community", "communities", "preference", "prepend", "strip")
"""Facts of a clause that do not depend on the address family."""


def _ports(switch: Switch) -> Iterator[tuple[Key, Attributes]]:
    """Yield the ports of a SONiC switch; those of others have lanes, but neither of the words."""
    for key, own in switch.each("interface"):
        if "lanes" in own and own.keys() & {"alias", "index"}:
            yield key, own


def _port(switch: Switch, key: Key, word: str, value: str) -> Member:
    return Member(spot=Spot(switch, key, (word,)), name=f"{switch.name}:{key[1]}", value=value)


def _fec(network: AnyNetwork) -> Iterator[Group]:
    """Group the ports of a switch by speed and number of lanes."""
    for switch in network.switches:
        groups: dict[object, list[Member]] = defaultdict(list)
        for key, own in _ports(switch) if ("interface", "fec") in switch.about else ():
            kind = own.get("speed"), one(own["lanes"]).count(",")
            groups[kind].append(_port(switch, key, "fec", one(own.get("fec"))))
        yield from (Group(what="FEC", members=each) for each in groups.values())


def _aliases(network: AnyNetwork) -> Iterator[Group]:
    """Group the ports of a switch by the letters of their aliases and their subport."""
    for switch in network.switches:
        letters: dict[str, list[tuple[Key, Attributes, list[str]]]] = defaultdict(list)
        for key, own in _ports(switch):
            alias = one(own.get("alias"))
            letters[_NUMBER.sub("", alias)].append((key, own, _NUMBER.findall(alias)))
        named = [
            _port(switch, key, "lanes", "one" if text else "")
            for text, ports in letters.items()
            for key, _, _ in ports
        ]
        yield Group(what="alias", members=named)
        for ports in letters.values():
            yield from _numbered(switch, ports)


def _numbered(
    switch: Switch, ports: Sequence[tuple[Key, Attributes, list[str]]]
) -> Iterator[Group]:
    """Group ports by the numbers of their aliases, of which one is mostly the index."""
    places = [
        place
        for _, own, numbers in ports
        for place, number in enumerate(numbers)
        if number == own.get("index")
    ]
    usual = max(set(places), key=places.count, default=None)
    groups: dict[object, list[Member]] = defaultdict(list)
    for key, own, numbers in ports if usual is not None else ():
        shape = " ".join(
            "index" if (place, number) == (usual, own.get("index")) else number
            for place, number in enumerate(numbers)
        )
        groups[own.get("subport")].append(_port(switch, key, "alias", shape))
    yield from (Group(what="an alias with the numbers", members=m) for m in groups.values())


def _subports(network: AnyNetwork) -> Iterator[Group]:
    """Group the cages of a switch by number of ports: by the subports of these in order.

    Cages with ports of several widths are left out: numbers there count lanes.
    """
    for switch in network.switches:
        groups: dict[int, list[Member]] = defaultdict(list)
        for ports in cages(switch).values():
            words = " ".join(one(own.get("subport")) or "none" for _, own in ports)
            if len({one(own.get("lanes")).count(",") for _, own in ports}) == 1:
                groups[len(ports)].append(_port(switch, ports[0][0], "subport", words))
        yield from (Group(what="the subports", members=each) for each in groups.values())


def _platforms(network: AnyNetwork) -> Iterator[Group]:
    """Group the switches by hwsku: with few exceptions one platform has it."""
    groups: dict[str, list[Member]] = defaultdict(list)
    for switch in network.switches:
        own, spot = switch.own(("switch",)), Spot(switch, ("switch",), ("platform",))
        value = one(own.get("platform"))
        groups[one(own.get("hwsku"))].append(Member(spot=spot, name=switch.name, value=value))
    yield from (Group(what="platform", members=each) for sku, each in groups.items() if sku)


def _types(network: AnyNetwork) -> Iterator[Group]:
    """Group what the files say of the type of one device: its own file, and its neighbors'."""
    groups: dict[str, list[Member]] = defaultdict(list)
    for switch in network.switches:
        said = [(switch.name, ("switch",), switch.own(("switch",)))]
        said += [(key[1], key, own) for key, own in switch.each("peer")]
        for name, key, own in said:
            if "type" in own or "hwsku" in own:
                spot, about = Spot(switch, key, ("type",)), f"{switch.name}: {name}"
                groups[called(name)].append(
                    Member(spot=spot, name=about, value=one(own.get("type")))
                )
    yield from (Group(what="type", members=each, least=1) for each in groups.values())


def _neighbors(network: AnyNetwork) -> Iterator[Group]:
    """Group ports that are up by whether they name a neighbor, and neighbors by their type."""
    named, typed = list[Member](), list[Member]()
    for switch in network.switches:
        names = {key[1]: one(own.get("name")) for key, own in switch.each("neighbour")}
        named += [
            _port(switch, key, "index", "in DEVICE_NEIGHBOR" if key[1] in names else "")
            for key, own in _ports(switch)
            if own.get("up")
        ]
        types = {key[1] for key, _ in switch.each("peer")}
        for name, port in {name: port for port, name in names.items()}.items():
            spot = Spot(switch, ("neighbour", port), ("name",))
            value = "in DEVICE_NEIGHBOR_METADATA" if name in types else ""
            typed.append(Member(spot=spot, name=f"{switch.name}: {name}", value=value))
    yield from (Group(what="an entry", members=members) for members in (named, typed))


def _bundles(network: AnyNetwork) -> Iterator[Group]:
    """Group bundles by whether they have ports, and the name of their neighbor as a text."""
    filled, texts = list[Member](), list[Member]()
    for switch in network.switches:
        for key, own in switch.each("interface"):
            if key[1].startswith(_BUNDLES) and "." not in key[1]:
                ports = members_of(switch, key)
                filled.append(_port(switch, key, "mtu", "one or more" if ports else ""))
                names = {one(switch.own(("neighbour", port)).get("name")) for port in ports}
                text = one(own.get("description"))
                value = "the name of its neighbor" if text in names else text
                texts.append(_port(switch, key, "description", value))
    yield Group(what="ports:", members=filled)
    yield Group(what="description", members=texts)


def _distinguishers(network: AnyNetwork) -> Iterator[Group]:
    """Group route distinguishers: they begin with the router ID of their switch."""
    members = []
    for switch in network.switches:
        router = one(switch.own(("bgp", GLOBAL)).get("router-id"))
        for key, own in switch.facts.items():
            value = one(own.get("rd")) if key[0] in ("vlan", "vni", "vrf") else ""
            if value and router:
                usual = value.rpartition(":")[0] == router
                spot, name = Spot(switch, key, ("rd",)), f"{switch.name}: {subject_of(key)}"
                word = "the router ID" if usual else value
                members.append(Member(spot=spot, name=name, value=word))
    yield Group(what="a route distinguisher with", members=members)


def _targets(network: AnyNetwork) -> Iterator[Group]:
    """Group the VNIs of VLANs by whether their route targets are in the files."""
    groups: dict[object, list[Member]] = defaultdict(list)
    for switch in network.switches:
        transit = {whole_number(own.get("vni")) for _, own in switch.each("vrf")}
        for vlan, vni in switch.vnis.items():
            said = ("vni", str(vni)), ("vlan", str(vlan))
            if vni not in transit and ("vni", "import") in switch.about:
                key = next((k for k in said if "import" in switch.own(k)), ("bgp", GLOBAL))
                spot, name = Spot(switch, key, ("import", "asn")), f"{switch.name}: VNI {vni}"
                value = "in its file" if key in said else ""
                member = Member(spot=spot, name=name, value=value)
                groups[network.parts[switch], vni].append(member)
    yield from (Group(what="route targets", members=m, least=1) for m in groups.values())


def _outside(network: AnyNetwork) -> Iterator[tuple[Switch, Session]]:
    """Yield the external sessions whose other end is not here."""
    for switch in network.switches:
        for session in switch.sessions:
            external = session.asn not in ("internal", switch.local_as)
            where = parsed(session.peer)
            if external and where is not None and where not in network.holders:
                yield switch, session


def _clauses(session: Session, way: str) -> list[dict[str, object]]:
    """Return the clauses of a policy of a session; none where it is not known."""
    policy = session.own.get(way)
    return [dict(each) for each in policy] if isinstance(policy, tuple) else []


def _families(network: AnyNetwork) -> Iterator[Group]:
    """Group the IPv4 and the IPv6 session to one router: their policies decide alike."""
    groups: dict[object, list[tuple[Switch, Session]]] = defaultdict(list)
    for switch, session in _outside(network):
        groups[switch, session.vrf, session.asn, session.own.get("peer")].append((switch, session))
    for held in groups.values():
        if {":" in session.peer for _, session in held} == {False, True} and len(held) == 2:
            yield from (group for way in ("in", "out") for group in _decided(held, way))
            for word in ("local-as", "hides-private"):
                own = [_member(*each, word, one(each[1].own.get(word))) for each in held]
                yield Group(what=word, members=own, least=1)


def _decided(held: list[tuple[Switch, Session]], way: str) -> Iterator[Group]:
    """Yield a group for each thing that two policies decide, clause by clause."""
    policies = [_clauses(session, way) for _, session in held]
    if len(policies[0]) != len(policies[1]):
        return
    for attribute in _DECIDED:
        values = [spelled(tuple(c.get(attribute, "") for c in each)) for each in policies]
        yield Group(
            what=f"{attribute} of its policy ({way})",
            members=[_member(*each, way, value) for each, value in zip(held, values, strict=True)],
            least=1,
        )


def _member(switch: Switch, session: Session, way: str, value: str) -> Member:
    spot = Spot(switch, session.key, (way, "asn"))
    return Member(spot=spot, name=f"{switch.name} to {session.peer}", value=value)


def _stripped(network: AnyNetwork) -> Iterator[Group]:
    """Group the policies towards routers outside by what becomes of communities of others."""
    for way in ("in", "out"):
        for kind in ("community", "extcommunity"):
            members = [
                _member(switch, session, way, "" if kept else f"{kind} removed")
                for switch, session in _outside(network)
                for permits in ([c for c in _clauses(session, way) if c.get("action") == "permit"],)
                if permits
                for kept in (any(_keeps(clause, kind) for clause in permits),)
            ]
            yield Group(what=f"in its policy ({way})", members=members)


def _keeps(clause: dict[str, object], kind: str) -> bool:
    """Tell whether a clause keeps the communities of a route; FRR: `set community` replaces."""
    strip = clause.get("strip", ())
    replaced = kind == "community" and "communities" in clause
    return not replaced and kind not in (strip if isinstance(strip, tuple) else (strip,))


GROUPINGS: tuple[Callable[[AnyNetwork], Iterator[Group]], ...] = (
    *(
        _fec,
        _aliases,
        _subports,
        _platforms,
        _types,
        _neighbors,
        _bundles,
        _distinguishers,
        _targets,
    ),
    *(_families, _stripped),
)


def _unlike(network: AnyNetwork) -> Iterator[Breach]:
    """Yield the one member of a group that is unlike the others."""
    for grouping in GROUPINGS:
        for group in grouping(network):
            yield from odd_one(group)


LAWS = (
    Law(
        name="ports, switches and policies of a kind are alike",
        code=Code.UNLIKE_ITS_CLASS,
        source="no document: one member differs from at least three others, or two lines about "
        "one thing differ; RFC 7454 section 11 for communities of others",
        needs=frozenset({("interface", "index"), ("session", "in"), ("vrf", "rd")}),
        breaches=_unlike,
    ),
)
