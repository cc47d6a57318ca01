"""Drafts the intent of an EVPN fabric: its leaf groups, tiers and servers."""

import re
from dataclasses import replace

from fabricgen.core.record import record
from fabricgen.core.units import spans
from fabricgen.importer.choices import Choice
from fabricgen.importer.draft import Draft, hardware, of_servers, others, routing, tiers, uplinks
from fabricgen.importer.kinds_of_servers import Plug, Ports, sets_of
from fabricgen.importer.parts import Part
from fabricgen.importer.tree import Tree, at, said
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.prove.foreign.switch import Judged

_OWN = re.compile(r"-(?P<stem>.*?)(?P<number>\d+)$")
_LEAF = re.compile(r"leaf(\d+)$")
_USUAL = "{leaf}-s{index:02}"
"""Pattern for names of servers with unknown names."""


@record(eq=False, kw_only=True)
class Group:
    """Leafs with equal servers and hardware. own: ports of servers with the name of their leaf."""

    name: str
    leafs: tuple[Judged, ...]
    own: tuple[Plug, ...]
    sets: tuple[Ports, ...]


def draft(part: Part, name: str) -> Draft:
    """Return the draft of an EVPN fabric."""
    groups = _groups(part)
    words = tiers(part) | _design(part) | routing(part)
    words["leaf_groups"] = {each.name: _group(part, each, words) for each in groups}
    hard = [g for g in groups if "hardware" in words["leaf_groups"][g.name]]
    known = {leaf.name for group in hard for leaf in group.leafs}
    odd = {each: own for each, own in others(part, words).items() if each not in known}
    words |= said(switches=odd)
    ports: Tree = {}
    here = Draft(part=part, name=name, kind="evpn", words=words)
    choices = _choices(here, groups)
    for group in groups:
        for index, each in enumerate(group.sets):
            own, more = _ports(here, group, index, alone=len(groups) == 1)
            ports.setdefault(each.kind, {})[each.network] = own
            choices += more
    seats: dict[str, tuple[str, int]] = {}
    for group in groups:
        most = Ports("", "", list(group.own)).most if group.own else 0
        seats |= {plug.far: _seat(name, group, plug, most) for plug in group.own}
    return replace(here, ports=ports, choices=tuple(choices), seats=seats)


def _seat(name: str, group: Group, plug: Plug, most: int) -> tuple[str, int]:
    """Return the kind and number in its group of a server that is named after its leaf.

    The argument `most` is the largest number of such servers on a leaf.
    """
    match = _OWN.search(plug.far)
    assert match is not None
    before = group.leafs.index(plug.switch) * most
    return f"{name}-{group.name}", before + int(match["number"])


def _number(part: Part, leaf: Judged) -> int:
    """Return the number of a leaf from its name if all leafs have one, else its index."""
    matches = [_LEAF.search(each.name) for each in part.leafs]
    if all(matches):
        match = _LEAF.search(leaf.name)
        assert match is not None
        return int(match[1])
    return part.leafs.index(leaf) + 1


def _groups(part: Part) -> list[Group]:
    groups: list[Group] = []
    for leafs in _alike(part):
        plugs = [each for each in part.below if each.switch in leafs]
        sets = tuple(sets_of(each for each in plugs if not _own(each)))
        name = sets[0].kind if sets else "racks"
        taken = {each.name for each in groups}
        name = next(n for n in (name, *(f"{name}{k}" for k in range(2, 999))) if n not in taken)
        own = tuple(each for each in plugs if _own(each))
        groups.append(Group(name=name, leafs=tuple(leafs), own=own, sets=sets))
    return groups


def _alike(part: Part) -> list[list[Judged]]:
    """Return groups of leafs with common kinds of servers, or with none, and equal hardware."""
    found: list[tuple[set[str], str, list[Judged]]] = []
    for leaf in part.leafs:
        kinds, box = _kinds(part, leaf), str(hardware(part, [leaf]))
        others = [each for each in found if each[1] == box and (each[0] & kinds or not kinds)]
        for each in others:
            found.remove(each)
            kinds |= each[0]
        leafs = [other for each in others for other in each[2]]
        found.append((kinds, box, [*leafs, leaf]))
    return [[each for each in part.leafs if each in leafs] for _, _, leafs in found]


def _kinds(part: Part, leaf: Judged) -> set[str]:
    """Return the servers of a leaf by kind. Servers with a leaf's name are grouped by cabling."""
    plugs = [each for each in part.below if each.switch is leaf]
    own = [each for each in plugs if _own(each)]
    kinds = {each.kind for each in sets_of(each for each in plugs if not _own(each))}
    return kinds | ({f"{Ports('', '', own).like} {len(own)}"} if own else set())


def _own(plug: Plug) -> bool:
    return plug.far.startswith(f"{plug.switch.name}-") and _OWN.search(plug.far) is not None


def _group(part: Part, group: Group, words: Tree) -> Tree:
    numbers = spans(_number(part, each) for each in group.leafs)
    own = hardware(part, group.leafs)
    paired = any(each.tables.pair is not None for each in group.leafs)
    links = len([p for p in part.plugs.of[group.leafs[0]] if p.to in group.leafs])
    return said(
        leafs=numbers if set(numbers) & {",", "-"} else f"{numbers}-{numbers}",
        servers=_servers(group.own) if group.own else None,
        hardware=own if own != words["leaf"] else None,
        multihoming=said(kind="mlag", peer_links=links or None) if paired else None,
    )


def _servers(plugs: tuple[Plug, ...]) -> Tree:
    ports = Ports("", "eth", list(plugs))
    first = plugs[0]
    match = _OWN.fullmatch(first.far.removeprefix(first.switch.name))
    pattern = _USUAL
    if match is not None:
        digits = match["number"]
        number = f"{{index:0{len(digits)}}}" if digits[0] == "0" else "{index}"
        pattern = f"{{leaf}}-{match['stem']}{number}"
    return said(
        per_leaf=ports.most,
        speed=ports.speed,
        links=ports.each if ports.each > 1 else None,
        lag=True if ports.lacp else None,
        names=pattern if pattern != _USUAL else None,
    )


def _design(part: Part) -> Tree:
    speed, each = uplinks(part)
    words: Tree = {}
    if len(part.tiers) == 1:
        links = len([p for p in part.plugs.of[part.leafs[0]] if p.to in part.leafs])
        return {"design": "collapsed", "pair": {"links": links or 2}}
    if len(part.tiers) == 3:
        first = {plug.to for plug in part.plugs.of[part.leafs[0]]} & set(part.tiers[1])
        pod = [leaf for leaf in part.leafs if any(p.to in first for p in part.plugs.of[leaf])]
        words |= {"design": "superspine", "leafs_per_pod": len(pod)}
    return words | said(links_per_spine=each if each > 1 else None, links=said(speed=speed))


def _ports(here: Draft, group: Group, index: int, *, alone: bool) -> tuple[Tree, list[Choice]]:
    """Return the keys of one set of ports. The first places of several sets follow from cages."""
    ports = group.sets[index]
    first, room = _places(here.part, group, index)
    words = of_servers(here.name, ports) | said(
        group=None if alone else group.name,
        ports=ports.each if ports.each > 1 else None,
        leafs=2 if ports.spread > 1 else None,
        bond="lacp" if ports.lacp and ports.each > 1 else None,
        first=first if first > 1 else None,
        per_leaf=ports.most,
    )
    path = ("servers", ports.kind, "ports", ports.network, "per_leaf")
    values = (ports.most, room) if len(group.sets) > 1 else (None, ports.most, room)
    return words, [Choice(path, tuple(dict.fromkeys(values)))]


def _places(part: Part, group: Group, index: int) -> tuple[int, int]:
    """Return the place of a set's first server on its leafs, and the number of places."""
    first = 1
    for before, after in zip(group.sets[:index], group.sets[1 : index + 1], strict=True):
        first += (after.cage - before.cage) * before.plugs[0].subs * before.spread // before.each
    ports = group.sets[index]
    if index + 1 < len(group.sets):
        cages = group.sets[index + 1].cage - ports.cage
    else:
        cages = _banked(part, ports)
    return first, max(ports.most, cages * ports.plugs[0].subs * ports.spread // ports.each)


def _banked(part: Part, ports: Ports) -> int:
    """Return the number of consecutive cages that are split like the first cage of a set."""
    split = ports.plugs[0].subs
    known = part.plugs.ports[ports.plugs[0].switch].values()
    cages = {each.cage for each in known if each.subs == split > 1}
    return next(count for count in range(len(cages) + 1) if ports.cage + count not in cages)


def _choices(here: Draft, groups: list[Group]) -> list[Choice]:
    words = here.words
    choices = [
        Choice(here.key(*path), (None, value))
        for path in (("links", "speed"), ("spine", "count"), ("superspine", "count"))
        if (value := at(words, *path)) is not None
    ]
    kept = _kept(here.part)
    if kept > 1 and len(here.part.tiers) > 1:
        choices.append(Choice(here.key("growth", "spines"), (None, kept)))
    if len(groups) == 1 and groups[0].sets and not groups[0].own:
        group = words["leaf_groups"][groups[0].name]
        choices.append(Choice(here.key("leaf_groups"), (None, {groups[0].name: group})))
    return choices


def _kept(part: Part) -> int:
    """Return the number of spines for which the first leaf has cages after its first uplink."""
    leaf = part.leafs[0]
    up = [plug.place[0] for plug in part.plugs.of[leaf] if plug.to in part.switches]
    known = SHIPPED.switch(part.plugs.models[leaf])
    if not up or known is None:
        return 0
    _, each = uplinks(part)
    return sum(not cage.service and cage.number >= min(up) for cage in known.cages) // each
