"""Drafts the two sides of a routed storage fabric, which has no tunnels."""

from collections.abc import Iterator
from dataclasses import replace

from fabricgen.importer.choices import Choice
from fabricgen.importer.draft import Draft, of_servers, others, routing, tiers, uplinks
from fabricgen.importer.kinds_of_servers import Ports, sets_of
from fabricgen.importer.parts import Part
from fabricgen.importer.tree import Tree, said
from fabricgen.intent.model.routed import SIDES

_RATIOS = (1, 1.5, 2, 3, 4)
_ROOM = (2, 4, 8)
_SPREAD = 2
"""Leafs per server, if the number of its ports is even."""


def drafts(part: Part, name: str) -> Iterator[Draft]:
    """Yield drafts of a routed fabric. Trials decide the side of each server."""
    sets = sets_of(part.below)
    if len(part.tiers) != len(SIDES) or not 0 < len(sets) <= len(SIDES):
        return
    sets.sort(key=lambda each: -len(each.of))
    named = [leaf.name.removeprefix(part.prefix) for leaf in sets[0].at]
    order = SIDES[::-1] if all(SIDES[1] in each for each in named) else SIDES
    for sides in (order, order[::-1]):
        yield _draft(part, name, dict(zip(sides, sets, strict=False)))


def _draft(part: Part, name: str, sides: dict[str, Ports]) -> Draft:
    words = tiers(part) | routing(part) | said(links=said(speed=uplinks(part)[0]))
    words["sides"] = {side: {"per_leaf": sides[side].most} for side in SIDES if side in sides}
    words |= said(switches=others(part, words))
    here = Draft(part=part, name=name, kind="routed", words=words)
    ports: Tree = {}
    for side, each in sides.items():
        own = of_servers(name, each) | {"group": side, "ports": each.each}
        if each.spread != (_SPREAD if each.each % 2 == 0 else 1):
            own["leafs"] = each.spread
        ports.setdefault(each.kind, {})[each.network] = own
    return replace(here, ports=ports, choices=tuple(_choices(part, here, sides)))


def _choices(part: Part, here: Draft, sides: dict[str, Ports]) -> Iterator[Choice]:
    for side, each in sides.items():
        yield Choice(here.key("sides", side), tuple(_loads(part, each)))
    for side, each in sides.items():
        counts = tuple(len(each.of) * times for times in _ROOM)
        yield Choice(here.key("growth", side), (None, *counts))
    yield Choice(here.key("growth", "spines"), (None, 2, 4, 8))
    for path in (("links", "speed"), ("spine", "count")):
        value = here.words[path[0]].get(path[1])
        yield Choice(here.key(*path), (None, value))


def _loads(part: Part, ports: Ports) -> Iterator[Tree]:
    """Yield the possible keys of a side: a ratio, and the servers that its uplinks allow."""
    leaf = ports.plugs[0].switch
    up = sum(each.speed for each in part.plugs.of[leaf] if each.to in part.tiers[1])
    each = ports.plugs[0].speed * ports.each // ports.spread
    ratios: list[Tree] = [{"ratio": ratio} if ratio != 1 else {} for ratio in _RATIOS]
    yield from ratios
    for ratio, own in zip(_RATIOS, ratios, strict=True):
        full = int(up * ratio // each)
        yield from ({"per_leaf": n, **own} for n in dict.fromkeys((full, ports.most)) if n)
