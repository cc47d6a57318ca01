"""A collapsed pair: two leafs joined by links, which tell each other all routes, without spines."""

from typing import Any

import pytest
import yaml
from tests.property.growing import facts, lost
from tests.unit.design.sites import Keys, counts, fabric, intent, only, switches

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, has_errors
from fabricgen.intent.load import load_texts
from fabricgen.nos.registry import platforms

LEAF = "7050CX3-32S"


def pair(**more: Any) -> Keys:
    words = {
        "design": "collapsed",
        "leaf": switches(LEAF),
        "leaf_groups": {"racks": {"leafs": "1-2", "servers": {"per_leaf": 4, "speed": "25G"}}},
    }
    return {"frontend": {**words, **more}}


@pytest.mark.parametrize(("more", "links"), [({}, 2), ({"pair": {"links": 4}}, 4)])
def test_two_leafs_are_joined_and_nothing_stands_above(more: Keys, links: int) -> None:
    made = fabric(pair(**more)).topology
    assert counts(made) == (2, 0, 0)
    between = [link for link in made.links if not link.to_server]
    assert len(between) == links
    assert {(link.lower.name, link.upper.name) for link in between} == {("fe-leaf01", "fe-leaf02")}


def test_each_leaf_has_the_other_as_neighbor_of_both_kinds() -> None:
    for switch_slice in Slicer(fabric(pair())).slices():
        told = [(session.overlay, session.peer.name) for session in switch_slice.sessions]
        other = "fe-leaf02" if switch_slice.switch.name == "fe-leaf01" else "fe-leaf01"
        assert sorted(told) == [(False, other), (False, other), (True, other)]
        assert len({session.up for session in switch_slice.sessions}) == 1


def test_addresses_of_the_links_are_of_no_other() -> None:
    made = fabric(pair(pair={"links": 4}))
    ends = [made.addresses.link(link) for link in made.topology.links if not link.to_server]
    assert len({str(end) for both in ends if both for end in both}) == 8


@pytest.mark.parametrize("platform", platforms())
def test_every_platform_carries_a_tenant_over_it(platform: str) -> None:
    vlans = {"web": {"id": 110, "subnet": "172.20.0.0/24"}}
    red = {
        "vrfs": {"red": {"id": 1, "vlans": vlans}},
        "attachments": [{"group": "racks", "access": "web"}],
    }
    keys = pair(leaf={"model": LEAF, "platform": platform}) | {"tenants": {"red": red}}
    site = {"name": "lab", "management": {"subnet": "10.255.0.0/22"}}
    done = compile_site(load_texts({"site.yaml": yaml.safe_dump({"site": site, **keys})}))
    assert not has_errors(done.findings), done.findings


def test_more_servers_move_nothing() -> None:
    racks = {"leafs": "1-2", "servers": {"per_leaf": 9, "speed": "25G"}}
    few, many = (
        design_site(intent(pair(**more)))[0] for more in ({}, {"leaf_groups": {"racks": racks}})
    )
    assert lost(facts(few), facts(many)) == []


REFUSED: list[tuple[Keys, Code, tuple[str, ...], str]] = [
    (
        {"leaf_groups": {"racks": {"leafs": "1-3"}}},
        Code.BAD_VALUE,
        ("design",),
        "a collapsed pair has two leafs, but the groups of the frontend have 3",
    ),
    (
        {"leaf_groups": {"racks": {"leafs": "1-2", "servers": {"per_leaf": 31, "speed": "100G"}}}},
        Code.PORTS_EXHAUSTED,
        ("leaf_groups", "racks", "servers", "per_leaf"),
        "31 server ports need 31 cages and 2 links between the pair need 2, but 7050CX3-32S has 32",
    ),
    (
        {"spine": switches(LEAF)},
        Code.BAD_VALUE,
        ("spine",),
        "a collapsed frontend has no spines, so this key has no effect",
    ),
    (
        {"design": "leaf-spine"},
        Code.MISSING_KEY,
        (),
        "a leaf-spine frontend needs `spine`",
    ),
]


@pytest.mark.parametrize(("more", "code", "path", "said"), REFUSED)
def test_what_is_no_pair_is_said(more: Keys, code: Code, path: tuple[str, ...], said: str) -> None:
    found = only(pair(**more))
    assert (found.code, found.path, found.message) == (code, ("frontend", *path), said)


def test_links_between_a_pair_mean_nothing_where_there_are_spines() -> None:
    found = only(pair(design="leaf-spine", spine=switches(LEAF), pair={"links": 3}))
    assert (found.code, found.path) == (Code.BAD_VALUE, ("frontend", "pair"))
