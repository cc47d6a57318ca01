"""A fabric with tunnels in; the intent of its leaf groups, tiers and servers, out."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.adopt.choices import Choice
from fabricgen.adopt.draft import Draft, hardware, of_servers, others, routing, tiers, uplinks
from fabricgen.adopt.kinds_of_servers import Ports, sets_of
from fabricgen.adopt.models import ports as ports_of_model
from fabricgen.record import record
from fabricgen.units import spans

if TYPE_CHECKING:
    from fabricgen.adopt.parts import Part
    from fabricgen.adopt.plugs import Plug
    from fabricgen.adopt.tree import Tree
    from fabricgen.judge.switch import Judged

_OWN = re.compile(r"-(?P<stem>.*?)(?P<number>\d+)$")
_LEAF = re.compile(r"leaf(\d+)$")


@record(eq=False, kw_only=True)
class Group:
    """Leafs that are alike. own: plugs of servers that are called after their leaf."""

    name: str
    leafs: tuple[Judged, ...]
    own: tuple[Plug, ...]
    sets: tuple[Ports, ...]


def draft(part: Part, name: str) -> Draft:
    """Return the draft of an evpn fabric."""
    groups = _groups(part)
    words = tiers(part) | {"leaf": hardware(part, part.leafs)}
    words |= _design(part) | routing(part)
    words["leaf_groups"] = {each.name: _group(part, each, words) for each in groups}
    odd = others(part, words)
    grouped = {leaf.name for g in groups if "hardware" in words["leaf_groups"][g.name] for leaf in g.leafs}
    odd = {switch: own for switch, own in odd.items() if switch not in grouped}
    words |= {"switches": odd} if odd else {}
    ports: Tree = {}
    here = Draft(name=name, kind="evpn", words=words)
    choices = list(_choices(here, groups))
    for group in groups:
        for index, each in enumerate(group.sets):
            own, more = _ports(part, here, group, index, alone=len(groups) == 1)
            ports.setdefault(each.kind, {})[each.network] = own
            choices += more
    return Draft(name=name, kind="evpn", words=words, ports=ports, choices=tuple(choices))


def _number(part: Part, leaf: Judged) -> int:
    """Return the number of a leaf: that of its name where all have one, else its place."""
    matches = [_LEAF.search(each.name) for each in part.leafs]
    if all(matches):
        match = _LEAF.search(leaf.name)
        assert match is not None
        return int(match[1])
    return part.leafs.index(leaf) + 1


def _groups(part: Part) -> list[Group]:
    alike: dict[object, list[Judged]] = defaultdict(list)
    for leaf in part.leafs:
        plugs = [each for each in part.below if each.switch is leaf]
        own = [each for each in plugs if _own(each)]
        shape = {(each.speed, each.bundle) for each in own}, len({each.far for each in own}), len(own)
        kinds = {each.kind for each in sets_of(each for each in plugs if not _own(each))}
        alike[str((sorted(shape[0]), shape[1:], sorted(kinds), hardware(part, [leaf])))].append(leaf)
    groups: list[Group] = []
    for leafs in alike.values():
        plugs = [each for each in part.below if each.switch in leafs]
        sets = tuple(sets_of(each for each in plugs if not _own(each)))
        name = sets[0].kind if sets else "racks"
        taken = {each.name for each in groups}
        name = next(n for n in (name, *(f"{name}{k}" for k in range(2, 99))) if n not in taken)
        own = tuple(each for each in plugs if _own(each))
        groups.append(Group(name=name, leafs=tuple(leafs), own=own, sets=sets))
    return groups


def _own(plug: Plug) -> bool:
    return plug.far.startswith(f"{plug.switch.name}-") and _OWN.search(plug.far) is not None


def _group(part: Part, group: Group, words: Tree) -> Tree:
    numbers = spans(_number(part, each) for each in group.leafs)
    said: Tree = {"leafs": numbers if set(numbers) & {",", "-"} else f"{numbers}-{numbers}"}
    if group.own:
        said["servers"] = _servers(group.own)
    own = hardware(part, group.leafs)
    if own != words["leaf"]:
        said["hardware"] = own
    pairs = [each.tables.pair for each in group.leafs if each.tables.pair is not None]
    if pairs:
        links = len([p for p in part.plugs.of[group.leafs[0]] if p.to in group.leafs])
        said["multihoming"] = {"kind": "mlag"} | ({"peer_links": links} if links else {})
    return said


def _servers(plugs: tuple[Plug, ...]) -> Tree:
    ports = Ports("", "eth", list(plugs))
    first = plugs[0]
    match = _OWN.fullmatch(first.far.removeprefix(first.switch.name))
    words: Tree = {"per_leaf": ports.most, "speed": ports.speed}
    if ports.each > 1:
        words["links"] = ports.each
    if ports.lacp:
        words["lag"] = True
    if match is not None:
        digits = match["number"]
        number = f"{{index:0{len(digits)}}}" if digits[0] == "0" else "{index}"
        pattern = f"{{leaf}}-{match['stem']}{number}"
        words |= {"names": pattern} if pattern != "{leaf}-s{index:02}" else {}
    return words


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
    words |= {"links_per_spine": each} if each > 1 else {}
    return words | ({"links": {"speed": speed}} if speed else {})


def _ports(
    part: Part, here: Draft, group: Group, index: int, *, alone: bool
) -> tuple[Tree, list[Choice]]:
    """Return the words of one set of ports. Where places of several begin follows from cages."""
    ports = group.sets[index]
    words = of_servers(here.name, ports)
    if not alone:
        words["group"] = group.name
    if ports.each > 1:
        words["ports"] = ports.each
    if ports.spread > 1:
        words["leafs"] = 2
    if ports.lacp and ports.each > 1:
        words["bond"] = "lacp"
    first, room = _places(part, group, index)
    words |= {"first": first} if first > 1 else {}
    words["per_leaf"] = ports.most
    path = ("servers", ports.kind, "ports", ports.network, "per_leaf")
    values = (ports.most, room) if len(group.sets) > 1 else (None, ports.most, room)
    return words, [Choice(path, tuple(dict.fromkeys(values)))]


def _places(part: Part, group: Group, index: int) -> tuple[int, int]:
    """Return the place of a set's first server on its leafs, and how many have room there."""
    first = 1
    for before, after in zip(group.sets[:index], group.sets[1 : index + 1], strict=True):
        first += (after.cage - before.cage) * _split(part, before) * before.spread // before.each
    ports = group.sets[index]
    if index + 1 < len(group.sets):
        cages = group.sets[index + 1].cage - ports.cage
    else:
        cages = _banked(part, ports)
    return first, max(ports.most, cages * _split(part, ports) * ports.spread // ports.each)


def _split(part: Part, ports: Ports) -> int:
    """Return into how many ports the cages of a set are split."""
    plug = ports.plugs[0]
    known = ports_of_model(part.plugs.models[plug.switch], plug.switch.platform)
    fits = [each for each in known[plug.port] if each.speed == plug.speed]
    return fits[0].subs if fits else 1


def _banked(part: Part, ports: Ports) -> int:
    """Return how many cages from its first on are split as those of a set, used or not."""
    switch = ports.plugs[0].switch
    split = _split(part, ports)
    known = ports_of_model(part.plugs.models[switch], switch.platform)
    cages: dict[int, int] = defaultdict(int)
    for name in switch.tables.ports:
        places = {(each.cage, each.sub) for each in known.get(name, ())}
        for cage, _ in places:
            cages[cage] += 1
    count = 0
    while cages.get(ports.cage + count) == split:
        count += 1
    return count


def _choices(here: Draft, groups: list[Group]) -> list[Choice]:
    words = here.words
    choices = [
        Choice(here.key(*path), (None, value))
        for path, value in (
            (("links", "speed"), words.get("links", {}).get("speed")),
            (("spine", "count"), words.get("spine", {}).get("count")),
            (("superspine", "count"), words.get("superspine", {}).get("count")),
        )
        if value is not None
    ]
    if len(groups) == 1 and groups[0].sets and not groups[0].own:
        group = words["leaf_groups"][groups[0].name]
        choices.append(Choice(here.key("leaf_groups"), (None, {groups[0].name: group})))
    return choices
