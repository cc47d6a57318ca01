"""Servers whose names do not count are one kind with pins, and all lines are rendered again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.adopt.examples import network, rendered
from tests.unit.adopt.told import inventory

from fabricgen.importer.fit import Fit
from fabricgen.importer.sections import sections
from fabricgen.importer.structure import structure
from fabricgen.importer.tree import Tree, at

NAMES = ("ora-prod", "sap", "mail", "backup", "ldap-a", "files", "print", "web", "wiki")
PLATFORMS = ("eos", "sonic", "linux")
PINS: Tree = {str(number): {"hostname": name} for number, name in enumerate(NAMES, 1)}


def site(platform: str, pins: Tree, **kind: object) -> Tree:
    pair = {"ports": 2, "leafs": 2, "bond": "lacp"} if platform != "sonic" else {}
    box = {"model": "7050CX3-32S", "platform": platform}
    lan: Tree = {"id": 30, "subnet": "10.110.0.0/24"}
    return {
        "site": {"name": "oslo", "management": {"subnet": "10.255.0.0/24"}},
        "servers": {
            "db": {
                "count": 9,
                "pins": pins,
                **kind,
                "ports": {
                    "front": {"fabric": "frontend", "speed": "100G", "per_leaf": 4, **pair},
                },
            }
        },
        "frontend": {
            "leaf": box,
            "spine": {**box, "count": 2},
            "leaf_groups": {"racks": {"leafs": "1-6" if pair else "1-3"}},
        },
        "tenants": {
            "shop": {
                "vrfs": {"red": {"id": 1, "vlans": {"lan": lan}}},
                "attachments": [{"servers": "db", "access": "lan"}],
            }
        },
    }


def found(tree: Tree) -> Tree:
    """Return what is found of a site by its files and its inventory."""
    there = network(*rendered(tree))
    return sections(there, structure(there, inventory(tree)).tree)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_names_of_no_order_come_back_as_pins_of_one_kind(platform: str) -> None:
    tree = site(platform, PINS)
    again = found(tree)
    assert at(again, "servers", "server", "pins") == PINS
    assert at(again, "servers", "server", "count") == len(NAMES)
    assert rendered(again) == rendered(tree)


def test_a_kind_with_numbers_stands_beside_names_of_no_order() -> None:
    tree = site("eos", PINS)
    tree["servers"]["gpu"] = {
        "count": 3,
        "ports": {"eth": {"fabric": "frontend", "speed": "100G", "first": 5, "per_leaf": 2}},
    }
    tree["tenants"]["shop"]["attachments"].append({"servers": "gpu", "access": "lan"})
    again = found(tree)
    assert again["servers"].keys() == {"server", "gpu"}
    assert rendered(again) == rendered(tree)


def test_two_names_of_no_order_stay_kinds_of_their_own() -> None:
    pins: Tree = {"1": {"hostname": "sap"}, "2": {"hostname": "mail"}}
    again = found(site("eos", pins, count=2))
    assert again["servers"].keys() == {"sap", "mail"}


def test_racks_of_an_inventory_know_them_by_their_names() -> None:
    tree = site("eos", PINS)
    leafs = [{"switches": f"fe-leaf0{number}"} for number in range(1, 7)]
    tops = [{"switches": f"fe-spine{number}"} for number in (1, 2)]
    tree["racks"] = {
        "all": {"count": 1, "contents": [{"servers": "db", "count": 9}, *leafs, *tops]}
    }
    again = found(tree)
    assert rendered(again) == rendered(tree)
    stands = {each.name: (each.rack, each.unit) for each in inventory(tree).devices}
    assert stands["ora-prod"] != (None, None)
    assert {each.name: (each.rack, each.unit) for each in inventory(again).devices} == stands


def test_a_name_that_no_intent_may_have_stays_a_text_or_remains() -> None:
    before, platforms = rendered(site("eos", PINS))
    odd = {
        folder: {path: text.replace("to wiki", "to WIKI") for path, text in own.items()}
        for folder, own in before.items()
    }
    there = network(odd, platforms)
    known = replace(inventory(site("eos", PINS)), cables=())
    again = sections(there, structure(there, known).tree)
    assert at(again, "servers", "server", "pins").keys() == PINS.keys() - {"9"}
    adopted = Fit(there.switches).fitted(again)
    assert at(adopted.tree, "frontend", "switches", "fe-leaf05", "ports")
    assert all("Port-Channel" in each.line for each in adopted.remainders)
