"""Ports and cables that are not as the design has them are found again as pins, in few words."""

from __future__ import annotations

import random

import pytest
from tests.longer import ALL
from tests.unit.adopt.examples import network, rendered
from tests.unit.adopt.odd_cables import MODELS, Pins, drawn, site
from tests.unit.adopt.told import inventory

from fabricgen.importer.fit import Fit, ImportResult
from fabricgen.importer.sections import sections
from fabricgen.importer.structure import structure
from fabricgen.importer.tree import Tree, at

RUNS = 60 if ALL else 4
"""Sites of each platform."""


def again(tree: Tree) -> ImportResult:
    """Render a site, forget it, and adopt it; every line is rendered again, by keys alone."""
    before, platforms = rendered(tree)
    there = network(before, platforms)
    found = sections(there, structure(there, inventory(tree)).tree)
    adopted = Fit(there.switches).fitted(found)
    assert adopted.remainders == ()
    assert adopted.own == 0
    assert rendered(adopted.tree)[0] == before
    return adopted


def pinned(adopted: ImportResult) -> Pins:
    return at(adopted.tree, "frontend", "switches") or {}


def words(pins: object) -> int:
    """Return how many values some pins have."""
    return sum(map(words, pins.values())) if isinstance(pins, dict) else 1


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize("platform", MODELS)
def test_pins_of_ports_and_links_come_back_as_pins(platform: str, seed: int) -> None:
    pins = drawn(random.Random(f"{platform} {seed}"))
    found = pinned(again(site(platform, pins)))
    assert found.keys() == pins.keys()
    assert words(found) <= words(pins) + len(pins)  # of several dead ports one may say where to


def test_uplinks_and_servers_in_another_order_are_a_word_for_each_cable() -> None:
    ports = {"1/1": {"move_to": "1/3"}, "1/3": {"move_to": "2/1"}, "2/1": {"move_to": "1/1"}}
    links = {
        "29": {"to": "fe-spine2 port 1"},
        "30": {"to": "fe-spine3 port 1"},
        "31": {"to": "fe-spine1 port 1"},
    }
    pins: Pins = {"fe-leaf01": {"ports": ports, "links": links}}
    assert pinned(again(site("eos", pins))) == pins


def test_leafs_that_changed_places_on_a_spine() -> None:
    pins: Pins = {
        "fe-leaf01": {"links": {"30": {"to": "fe-spine2 port 3"}}},
        "fe-leaf03": {"links": {"30": {"to": "fe-spine2 port 1"}}},
    }
    assert pinned(again(site("sonic", pins))) == pins


@pytest.mark.parametrize("platform", MODELS)
def test_a_planned_link_alone_is_a_pin(platform: str) -> None:
    pins: Pins = {"fe-leaf03": {"links": {"31": {"state": "planned"}}}}
    assert pinned(again(site(platform, pins))) == pins


def test_a_dead_cage_is_one_pin() -> None:
    pins: Pins = {"fe-leaf02": {"ports": {"1": {"state": "dead", "move_to": 14}}}}
    assert pinned(again(site("eos", pins))) == pins


@pytest.mark.parametrize("pins", [{"1": {"speed": "10G"}}, {"2": {"speed": "10G"}}])
def test_another_speed_of_a_cage_is_a_word_for_it(pins: dict[str, dict[str, str]]) -> None:
    said: Pins = {"fe-leaf01": {"ports": pins}}
    assert pinned(again(site("eos", said))) == said
