"""Groups the ports, switches and tunnels of a network that must have equal values."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.facts import GLOBAL, Attributes, Key, subject_of
from fabricgen.prove.invariants.bundles import members_of
from fabricgen.prove.invariants.law import SURE, Breach, Law, Member, Spot, at_port, breach, odd
from fabricgen.prove.invariants.network import AnyNetwork, called
from fabricgen.prove.invariants.switch import Switch, one, whole_number
from fabricgen.prove.invariants.tables import cages

_NUMBER = re.compile(r"\d+")
_BUNDLES = ("PortChannel", "Port-Channel")


class Group(NamedTuple):
    """Members whose values should be equal.

    Attributes:
        what: The value, as a noun.
        least: Minimum agreeing members, with exactly one other.
    """

    what: str
    members: Sequence[Member]
    least: int = SURE


def _ports(switch: Switch) -> Iterator[tuple[Key, Attributes]]:
    """Yield the ports of a SONiC switch; other platforms have lanes but not these attributes."""
    for key, own in switch.each("interface"):
        if "lanes" in own and own.keys() & {"alias", "index"}:
            yield key, own


def _fec(network: AnyNetwork) -> Iterator[Group]:
    """Group the ports of a switch by speed and number of lanes."""
    for switch in network.switches:
        groups: dict[object, list[Member]] = defaultdict(list)
        for key, own in _ports(switch) if ("interface", "fec") in switch.about else ():
            kind = own.get("speed"), one(own["lanes"]).count(",")
            groups[kind].append(at_port(switch, key[1], one(own.get("fec")), "fec"))
        yield from (Group(what="FEC", members=each) for each in groups.values())


def _aliases(network: AnyNetwork) -> Iterator[Group]:
    """Group the ports of a switch by the letters of their aliases and their subport."""
    for switch in network.switches:
        letters: dict[str, list[tuple[Key, Attributes, list[str]]]] = defaultdict(list)
        for key, own in _ports(switch):
            alias = one(own.get("alias"))
            letters[_NUMBER.sub("", alias)].append((key, own, _NUMBER.findall(alias)))
        named = [
            at_port(switch, key[1], "one" if text else "", "lanes")
            for text, ports in letters.items()
            for key, _, _ in ports
        ]
        yield Group(what="alias", members=named)
        for ports in letters.values():
            yield from _numbered(switch, ports)


def _numbered(
    switch: Switch, ports: Sequence[tuple[Key, Attributes, list[str]]]
) -> Iterator[Group]:
    """Group ports by the numbers of their aliases, of which one is usually the index."""
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
        groups[own.get("subport")].append(at_port(switch, key[1], shape, "alias"))
    yield from (Group(what="an alias with the numbers", members=m) for m in groups.values())


def _subports(network: AnyNetwork) -> Iterator[Group]:
    """Group the cages of a switch by number of ports, with their subports in order.

    Cages with ports of different widths are omitted: their numbers count lanes.
    """
    for switch in network.switches:
        groups: dict[int, list[Member]] = defaultdict(list)
        for ports in cages(switch).values():
            words = " ".join(one(own.get("subport")) or "none" for _, own in ports)
            if len({one(own.get("lanes")).count(",") for _, own in ports}) == 1:
                groups[len(ports)].append(at_port(switch, ports[0][0][1], words, "subport"))
        yield from (Group(what="the subports", members=each) for each in groups.values())


def _platforms(network: AnyNetwork) -> Iterator[Group]:
    """Group the switches by hwsku, which usually has one platform."""
    groups: dict[str, list[Member]] = defaultdict(list)
    for switch in network.switches:
        own, spot = switch.own(("switch",)), Spot(switch, ("switch",), ("platform",))
        value = one(own.get("platform"))
        groups[one(own.get("hwsku"))].append(Member(spot=spot, name=switch.name, value=value))
    yield from (Group(what="platform", members=each) for sku, each in groups.items() if sku)


def _types(network: AnyNetwork) -> Iterator[Group]:
    """Group the statements about the type of one device: in its file, and in its neighbors'."""
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
        names = {key[1]: one(own.get("name")) for key, own in switch.each("neighbor")}
        named += [
            at_port(switch, key[1], "in DEVICE_NEIGHBOR" if key[1] in names else "", "index")
            for key, own in _ports(switch)
            if own.get("up")
        ]
        types = {key[1] for key, _ in switch.each("peer")}
        for name, port in {name: port for port, name in names.items()}.items():
            spot = Spot(switch, ("neighbor", port), ("name",))
            value = "in DEVICE_NEIGHBOR_METADATA" if name in types else ""
            typed.append(Member(spot=spot, name=f"{switch.name}: {name}", value=value))
    yield from (Group(what="an entry", members=members) for members in (named, typed))


def _bundles(network: AnyNetwork) -> Iterator[Group]:
    """Group port-channels by their ports, and by the neighbor in their description."""
    filled, texts = list[Member](), list[Member]()
    for switch in network.switches:
        for key, own in switch.each("interface"):
            if key[1].startswith(_BUNDLES) and "." not in key[1]:
                ports = members_of(switch, key)
                filled.append(at_port(switch, key[1], "one or more" if ports else "", "mtu"))
                names = {one(switch.own(("neighbor", port)).get("name")) for port in ports}
                text = one(own.get("description"))
                value = "the name of its neighbor" if text in names else text
                texts.append(at_port(switch, key[1], value, "description"))
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


GROUPINGS: tuple[Callable[[AnyNetwork], Iterator[Group]], ...] = (
    _fec,
    _aliases,
    _subports,
    _platforms,
    _types,
    _neighbors,
    _bundles,
    _distinguishers,
    _targets,
)


def _unlike(network: AnyNetwork) -> Iterator[Breach]:
    """Yield the one member of a group that differs from the others."""
    for grouping in GROUPINGS:
        for group in grouping(network):
            for each, usual, many in odd(group.members, lambda member: member.value, group.least):
                said = (
                    f"{each.name} has {group.what} {each.value or 'none'}, but {many} similar ones "
                    f"have {usual.value or 'none'}"
                )
                yield breach(said, each.spot, usual.spot, severity=Severity.NOTE)


LAWS = (
    Law(
        name="ports, switches and tunnels of a kind are equal",
        code=Code.UNLIKE_ITS_CLASS,
        source="no document: one member differs from at least three others, or two lines about "
        "one thing differ",
        needs=frozenset({("interface", "index"), ("vrf", "rd")}),
        breaches=_unlike,
    ),
)
