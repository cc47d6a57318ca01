"""Adds rack units and serial numbers from the inventory to a tree."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.floor.rack_placement import SERVER, SWITCH, UNSAID, stands_of
from fabricgen.importer.distance import Drawn
from fabricgen.importer.inventory.model import Inventory
from fabricgen.importer.pins import Guess, with_pins
from fabricgen.importer.places import own_place
from fabricgen.importer.tree import Fragment, Tree, at, loaded, merged
from fabricgen.intent.model.hardware import SERIAL
from fabricgen.model.fabric.floor import Stand
from fabricgen.model.fabric.switch import Fabric

HEIGHT = 42
"""Rack units of a rack without a `units` key."""
Units = Mapping[str, int]


def stocked(tree: Tree, inventory: Inventory) -> Tree:
    """Return the tree with rack units and serial numbers of an inventory."""
    drawn = Drawn(tree)
    if drawn.site is None or not inventory.devices:
        return tree
    pins = (
        Guess(kind="serial", path=(*own_place(drawn, name), "serial"), value=serial)
        for name in drawn.switches
        if (serial := _serial(inventory, name))
    )
    units = {each.name: each.unit for each in inventory.devices if each.unit is not None}
    tall = _at_height(tree, units, drawn.site.fabrics) if at(tree, "racks") and units else tree
    return with_pins(tall, pins)


def _serial(inventory: Inventory, name: str) -> str:
    device = inventory.named.get(name.lower())
    serial = (device.serial if device is not None else None) or ""
    return serial if re.fullmatch(SERIAL, serial) else ""


def _at_height(tree: Tree, units: Units, fabrics: Sequence[Fabric]) -> Tree:
    """Add unusual units: of a kind by its first device, then by name."""
    tree = merged(tree, _heights(tree, _stands(tree, tree["racks"], fabrics), units))
    types = merged(tree["racks"])
    for kind, top in _tops(_stands(tree, types, fabrics), units).items():
        if top > HEIGHT:
            types[kind].setdefault("height", top)
    for say in (_lowest, _by_name):
        for stand in _stands(tree, types, fabrics):
            if stand.kind in {SERVER, SWITCH} and units.get(stand.name) not in {None, stand.unit}:
                say(types[stand.rack.type], stand, units)
    return {**tree, "racks": types}


def _heights(tree: Tree, stands: Sequence[Stand], units: Units) -> Fragment:
    """Return the heights of servers: of evenly spaced kinds, at most their distance."""
    columns: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for stand in stands:
        if stand.kind == SERVER and stand.name in units:
            kind = tree["racks"][stand.rack.type]["contents"][stand.path[3]]["servers"]
            columns[kind][stand.rack.name].append(units[stand.name])
    found: Fragment = {}
    for kind, own in columns.items():
        apart = {above - below for each in own.values() for below, above in pairwise(sorted(each))}
        if len(apart) == 1 and kind in tree.get("servers", {}) and apart != {UNSAID}:
            found[kind] = {"height": apart.pop()}
    return {"servers": found} if found else {}


def _stands(tree: Tree, types: Tree, fabrics: Sequence[Fabric]) -> list[Stand]:
    intent = loaded({**tree, "racks": types}).intent
    return [*stands_of(intent, fabrics, Findings())[1].values()] if intent is not None else []


def _tops(stands: Sequence[Stand], units: Units) -> dict[str, int]:
    """Return the highest used unit in racks of each type."""
    tops: dict[str, int] = defaultdict(int)
    for stand in stands:
        top = units.get(stand.name, 1) + stand.units - 1
        tops[stand.rack.type] = max(tops[stand.rack.type], top)
    return tops


def _lowest(words: Tree, stand: Stand, units: Units) -> None:
    """Add the units of the first devices of an entry, from the first equal rack."""
    if stand.rack.number == 1:
        held = words["contents"][stand.path[3]]
        held["unit"] = min(held.get("unit", units[stand.name]), units[stand.name])


def _by_name(words: Tree, stand: Stand, units: Units) -> None:
    words.setdefault("units", {})[stand.name] = units[stand.name]
