"""Drafts the intent of GPU rails for a fabric whose servers have NICs on consecutive leafs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.importer.choices import Choice
from fabricgen.importer.draft import Draft, of_servers, others, routing, tiers, uplinks
from fabricgen.importer.kinds_of_servers import Ports, sets_of
from fabricgen.importer.tree import at, said

if TYPE_CHECKING:
    from fabricgen.importer.parts import Part
    from fabricgen.importer.tree import Tree
    from fabricgen.prove.foreign.switch import Judged

_DESIGNS = ("rail-only", "rail-optimized", "three-tier")
_ROOM = (1, 2, 4, 8)
"""Factors of the existing size that may have been reserved for growth."""


def drafts(part: Part, name: str) -> Iterator[Draft]:
    """Yield the draft of GPU rails, if the servers are connected as rails."""
    sets = sets_of(part.below)
    if not sets or len(part.tiers) > len(_DESIGNS):
        return
    planes = _planes(part)
    rails = max(max(len(plugs) for plugs in _by_leaf(each)) for each in sets)
    words = said(
        design=_DESIGNS[len(part.tiers) - 1],
        planes=planes if planes > 1 else None,
        scalable_unit={"servers": max(each.most for each in sets)},
        rails_per_leaf=rails if rails > 1 else None,
        links=said(speed=uplinks(part)[0]),
    )
    words |= _counted(part, planes) | routing(part)
    words |= said(switches=others(part, words))
    here = Draft(part=part, name=name, kind="rails", words=words)
    choices = tuple(_choices(here, sets, part))
    yield replace(here, ports=_ports(here, sets, planes), choices=choices)


def _by_leaf(ports: Ports) -> Iterator[list[str]]:
    """Yield the ports of each server by leaf."""
    for plugs in ports.of.values():
        for leaf in {each.switch for each in plugs}:
            yield [each.port for each in plugs if each.switch is leaf]


def _planes(part: Part) -> int:
    """Return the number of planes, if spines connect some of the switches."""
    if len(part.tiers) == 1:
        return 1
    groups: list[set[Judged]] = []
    for leaf in part.leafs:
        mine = {each.to for each in part.plugs.of[leaf] if each.to is not None} | {leaf}
        joined = [group for group in groups if group & mine]
        groups = [group for group in groups if not group & mine]
        groups.append(mine.union(*joined))
    if len(part.tiers) > 2:
        return 1
    return len(groups)


def _counted(part: Part, planes: int) -> Tree:
    """Return tiers with counts: spines per plane or pod, superspines per group."""
    words = tiers(part)
    if len(part.tiers) == 1:
        return words
    words["spine"]["count"] = len(part.tiers[1]) // planes
    if len(part.tiers) > 2:
        leafs = part.leafs
        above = {leaf: {p.to for p in part.plugs.of[leaf] if p.to is not None} for leaf in leafs}
        words["spine"]["count"] = max(len(own) for own in above.values())
        over = set(part.tiers[2])
        each = ({p.to for p in part.plugs.of[spine]} & over for spine in part.tiers[1])
        words["superspine"]["count"] = max(len(own) for own in each)
    return words


def _ports(here: Draft, sets: list[Ports], planes: int) -> Tree:
    ports: Tree = {}
    for each in sets:
        nics = said(nics=each.each // planes, nic_ports=planes if planes > 1 else None)
        words = of_servers(here.name, each) | nics
        ports.setdefault(each.kind, {})[each.network] = words
    return ports


def _choices(here: Draft, sets: list[Ports], part: Part) -> Iterator[Choice]:
    words = here.words
    servers = sum(len(each.of) for each in sets)
    if len(part.tiers) > 1:
        counts = tuple(servers * times for times in _ROOM)
        yield Choice(here.key("growth", "servers"), (None, *counts[1:]))
    if len(part.tiers) > 2:
        spines = words["spine"]["count"]
        leafs = len(part.tiers[1]) // spines
        yield Choice(here.key("growth", "pods"), (None, *(leafs * times for times in _ROOM[1:])))
    for path in (
        ("scalable_unit",),
        ("links", "speed"),
        ("superspine", "count"),
        ("spine", "count"),
    ):
        if value := at(words, *path):
            yield Choice(here.key(*path), (None, value))
