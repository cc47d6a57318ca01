"""A whole site in; the same with more of something out, by the rules of growing.

A step that a site has no room for, or no place, is None: the docs say what stays reserved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.property.whole_sites import (
    ACCESS,
    EVPN,
    KINDS,
    LAST,
    MOST,
    NAMES,
    RAILS,
    ROUTED,
    SERVERS,
    Drawing,
    Whole,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.property.whole_sites import Draw

    Step = Callable[[Drawing], bool]


def servers(drawing: Drawing) -> bool:
    """Add servers of a kind."""
    kind = drawing.words["servers"][drawing.one(*drawing.words["servers"])]
    kind["count"] += drawing.one(*range(MOST + 1 - kind["count"]))
    return True


def kind(drawing: Drawing) -> bool:
    """Add another kind of servers."""
    name = drawing.one(*SERVERS[KINDS - 1])
    drawing.kind(name, KINDS - 1)
    plugged = [drawing.plug(name, fabric) for fabric in drawing.some([*drawing.words["fabrics"]])]
    return any(plugged)


def network(drawing: Drawing) -> bool:
    """Give a kind a set of ports on a fabric that it is not on."""
    known = drawing.words["fabrics"]
    return any(drawing.plug(name, fabric) for name in drawing.words["servers"] for fabric in known)


def rails(drawing: Drawing) -> bool:
    """Add rails, with the ports of kinds that are there."""
    return _fabric(drawing, RAILS)


def evpn(drawing: Drawing) -> bool:
    """Add a leaf-spine with tenants, and the ports of kinds that are there."""
    return _fabric(drawing, EVPN)


def routed(drawing: Drawing) -> bool:
    """Add a storage fabric, and the ports of kinds that are there."""
    return _fabric(drawing, ROUTED)


def access(drawing: Drawing) -> bool:
    """Add an out-of-band network where there is none, with racks."""
    taken = any(words["kind"] == ACCESS for words in drawing.words["fabrics"].values())
    return not taken and _fabric(drawing, ACCESS)


def _fabric(drawing: Drawing, sort: str) -> bool:
    """Add a fabric whose name is in front of all others or behind them."""
    name = drawing.one(f"a{NAMES[sort][0][0]}", f"z{NAMES[sort][0][0]}")
    drawing.words["fabrics"][name] = drawing.fabric(sort, LAST)
    plugged = [drawing.plug(each, name) for each in drawing.some([*drawing.words["servers"]])]
    return any(plugged)


def racks(drawing: Drawing) -> bool:
    """Add a rack to each type."""
    for each in drawing.words["racks"].values():
        each["count"] += 1
    return bool(drawing.words["racks"])


def type_of_racks(drawing: Drawing) -> bool:
    """Add racks of another type, in front of the others by name and in the file."""
    for words in drawing.words["fabrics"].values():
        if words["kind"] == ACCESS:
            words["zones"] = {"aaa": {"switch": 1 + 5 * KINDS}, **words["zones"]}
            more = {"aaa": {"row": 901, "contents": [{"pdus": 3}]}}
            drawing.words["racks"] = {**more, **drawing.words["racks"]}
            return True
    return False


def tenant(drawing: Drawing) -> bool:
    """Add a tenant to each fabric that has some."""
    for number, (name, words) in enumerate(drawing.words["fabrics"].items(), 50):
        if words["kind"] == EVPN:
            drawing.tenant(f"a{number}", number, name)
    return any(words["kind"] == EVPN for words in drawing.words["fabrics"].values())


def vlan(drawing: Drawing) -> bool:
    """Add a VLAN to each tenant, in front of its others; nothing carries it yet."""
    for name, words in drawing.words["tenants"].items():
        words["vrfs"][name]["vlans"] = {"a": drawing.vlan(), **words["vrfs"][name]["vlans"]}
    return bool(drawing.words["tenants"])


def leafs(drawing: Drawing) -> bool:
    """Add leafs to each leaf-spine of tenants."""
    grows = [
        words["leaf_groups"]["racks"]
        for words in drawing.words["fabrics"].values()
        if words["kind"] == EVPN and words.get("design") != "collapsed"
    ]
    for group in grows:
        group["leafs"] = "1-4,7-8"
    return bool(grows)


def spines(drawing: Drawing) -> bool:
    """Add a spine wherever they are counted."""
    grows = [
        words["spine"]
        for words in drawing.words["fabrics"].values()
        if "count" in words.get("spine", {})
    ]
    for spine in grows:
        spine["count"] += 1
    return bool(grows)


STEPS: tuple[Step, ...] = (
    servers,
    kind,
    network,
    rails,
    evpn,
    routed,
    access,
    racks,
    type_of_racks,
    tenant,
    vlan,
    leafs,
    spines,
)


def grown(whole: Whole, step: Step, draw: Draw) -> Whole | None:
    """Return a site after a step, None where it has no place there."""
    drawing = Drawing(draw, whole)
    return drawing.whole if step(drawing) else None
