"""Small sites with pins of ports and links, drawn by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

    from fabricgen.importer.tree import Tree

MODELS = {"eos": "7050CX3-32S", "sonic": "SN3700", "linux": "SN3700"}
LEAFS, SPINES, SERVERS = 3, 3, 6
UPLINKS = (29, 30, 31)
FREE = range(12, 20)
"""Cages that nothing is in, on leafs and spines."""
Pins = dict[str, dict[str, Any]]


def site(platform: str, pins: Pins) -> Tree:
    """Return a site of three leafs and spines, its servers in split cages."""
    box = {"model": MODELS[platform], "platform": platform}
    ports = {"fabric": "frontend", "speed": "25G", "per_leaf": SERVERS}
    return {
        "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
        "frontend": {
            "leaf": box,
            "spine": {**box, "count": SPINES},
            "leaf_groups": {"cpu": {"leafs": f"1-{LEAFS}"}},
            "switches": pins,
        },
        "servers": {"web": {"count": LEAFS * SERVERS, "ports": {"eth": ports}}},
    }


def drawn(dice: random.Random) -> Pins:
    """Draw pins: of most switches a few, and of some none."""
    pins: Pins = {}
    for number in range(1, LEAFS + 1):
        own = _leaf(number, dice)
        if own:
            pins[f"fe-leaf{number:02}"] = own
    ports = {str(cage): _noted({}, dice) for cage in dice.sample(FREE, dice.randrange(2))}
    if ports:
        pins["fe-spine1"] = {"ports": ports}
    return pins


def _leaf(number: int, dice: random.Random) -> dict[str, Any]:
    free = dice.sample(FREE, 5)
    ports: dict[str, Any] = {}
    links: dict[str, Any] = {}
    for what in dice.sample(sorted(_DRAW), dice.randrange(4)):
        _DRAW[what](number, free, ports, links, dice)
    return {kind: own for kind, own in (("ports", ports), ("links", links)) if own}


def _noted(words: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    told = {"description": dice.choice(("laser gone", "to: nowhere", "row 3"))}
    state = {"state": dice.choice(("dead", "reserved"))}
    return {**state, **words, **(told if dice.random() < 0.5 else {})}


def _dead_uplink(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if not links and not any(str(each) in ports for each in UPLINKS):
        move_to = {"move_to": free.pop()} if dice.random() < 0.5 else {}
        ports[str(dice.choice(UPLINKS))] = _noted(move_to, dice)


def _dead_server(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    place = dice.randrange(SERVERS)
    if f"{place // 4 + 1}/{place % 4 + 1}" in ports:
        return
    move_to = {"move_to": f"{free.pop()}/{place % 4 + 1}"} if dice.random() < 0.5 else {}
    ports[f"{place // 4 + 1}/{place % 4 + 1}"] = _noted(move_to, dice)


def _kept(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    ports[str(free.pop())] = _noted({}, dice)


def _told(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    ports.setdefault(str(dice.choice((*UPLINKS, free.pop()))), {"description": "patch 14"})


def _absent(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if not links and not any(str(each) in ports for each in UPLINKS):
        links[dice.choice(("fe-spine2", "30"))] = "absent"


def _elsewhere(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if not links and not any(str(each) in ports for each in UPLINKS):
        links["29"] = {"to": f"fe-spine{dice.choice((1, 2))} port {20 + n}"}


def _swapped(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if not links and not any(str(each) in ports for each in UPLINKS):
        order = dice.sample(range(SPINES), SPINES)
        for near, far in zip(range(SPINES), order, strict=True):
            if near != far:
                links[str(UPLINKS[near])] = {"to": f"fe-spine{far + 1} port {n}"}


def _planned(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if "31" not in ports and "fe-spine2" not in links:
        links.setdefault("31", {"state": "planned"})


def _reordered(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if not ports:
        order = dice.sample(range(4), 4)
        for near, far in zip(range(4), order, strict=True):
            if near != far:
                ports[f"1/{near + 1}"] = {"move_to": f"1/{far + 1}"}


def _turned(n: int, free: list[int], ports: Any, links: Any, dice: random.Random) -> None:
    if not links and not any(str(each) in ports for each in UPLINKS):
        ports |= {"29": {"move_to": 30}, "30": {"move_to": 29}}


_DRAW = {
    each.__name__: each
    for each in (
        *(_dead_uplink, _dead_server, _kept, _told, _absent),
        *(_elsewhere, _swapped, _planned, _reordered, _turned),
    )
}
