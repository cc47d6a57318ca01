"""What only an inventory says of boxes is found: their rack units and serial numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.adopt.examples import EXAMPLES, tree_of
from tests.unit.adopt.netbox import inventory_of

from fabricgen.compile.design.site import design_site
from fabricgen.importer.inventory.model import EMPTY, Inventory
from fabricgen.importer.stocked import stocked
from fabricgen.importer.tree import Tree, loaded
from fabricgen.model.fabric.switch import Site


def site_of(tree: Tree) -> Site:
    intent = loaded(tree).intent
    assert intent is not None
    return design_site(intent)[0]


def places(site: Site) -> dict[str, tuple[str, int | None]]:
    stands = site.floor.stands.values()
    return {each.name: (each.rack.name, each.unit) for each in stands if each.kind != "panels"}


def bare(tree: Tree) -> Tree:
    """Return a tree that says no heights."""
    racks = {
        name: {
            **{key: value for key, value in words.items() if key not in {"units", "height"}},
            "contents": [
                {k: v for k, v in held.items() if k != "unit"} for held in words["contents"]
            ],
        }
        for name, words in tree["racks"].items()
    }
    servers = {
        kind: {key: value for key, value in words.items() if key != "height"}
        for kind, words in tree.get("servers", {}).items()
    }
    return {**tree, "racks": racks, **({"servers": servers} if servers else {})}


@pytest.mark.parametrize("name", EXAMPLES)
def test_everything_stands_where_the_inventory_has_it(name: str) -> None:
    tree = tree_of(name)
    site = site_of(tree)
    again = stocked(bare(tree), inventory_of(site))
    assert places(site_of(again)) == places(site)
    assert stocked(tree, inventory_of(site)) == tree


def test_a_box_that_stands_alone_has_its_unit_by_name() -> None:
    tree = tree_of("pairs")
    site = site_of(tree)
    inventory = inventory_of(site)
    moved = [
        replace(each, unit=20) if each.name == "db0001" else each for each in inventory.devices
    ]
    again = stocked(tree, Inventory(devices=tuple(moved)))
    stand = site_of(again).floor.stands["db0001"]
    assert stand.unit == 20


def test_serial_numbers_are_those_of_switches() -> None:
    tree = tree_of("lab")
    device = inventory_of(site_of(tree)).named["fe-leaf01"]
    other = inventory_of(site_of(tree)).named["fe-spine1"]
    odd = replace(other, serial="not a serial")
    known = replace(device, serial="JPE19151234")
    again = stocked(tree, Inventory(devices=(known, odd)))
    assert again["frontend"]["switches"] == {"fe-leaf01": {"serial": "JPE19151234"}}
    assert stocked(tree, EMPTY) == tree
