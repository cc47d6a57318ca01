"""The structure of each example is found again from its files, in about as many words."""

from functools import cache

import pytest
from tests.unit.adopt.examples import EXAMPLES, example, network, rendered, tree_of
from tests.unit.adopt.told import inventory

from fabricgen.importer.structure import Structured, structure
from fabricgen.importer.tree import Tree, at


@cache
def found(name: str, as_platform: str | None = None) -> Structured:
    """Return the structure of an example, whose intent is forgotten."""
    return structure(example(name, as_platform), inventory(tree_of(name), as_platform))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_design_of_what_is_found_has_the_same_switches(name: str) -> None:
    off = found(name).apart
    assert set(off.values()) == {0}, off


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
@pytest.mark.parametrize("name", ["tenants", "rail-only", "oob", "four-fabrics"])
def test_on_every_platform(name: str, platform: str) -> None:
    off = found(name, platform).apart
    assert set(off.values()) == {0}, off


def test_what_follows_by_itself_is_not_written() -> None:
    tree = found("rail-optimized").tree
    assert tree["backend"] == {
        "design": "rail-optimized",
        "links": {"speed": "400G"},
        "leaf": {"model": "7060X6-64PE", "platform": "sonic"},
        "spine": {"model": "7060X6-64PE", "platform": "sonic", "count": 16},
    }
    assert tree["servers"] == {
        "gpu": {"count": 128, "ports": {"rdma": {"fabric": "backend", "speed": "400G", "nics": 8}}}
    }


def test_leafs_that_are_alike_are_a_group() -> None:
    groups = at(found("full").tree, "frontend", "leaf_groups")
    assert groups == {"cpu": {"leafs": "5-6"}, "gpu": {"leafs": "1-4,7-10"}}


def test_places_on_a_leaf_follow_from_its_cages() -> None:
    servers = found("pairs").tree["servers"]
    assert servers["web"]["ports"]["front"]["per_leaf"] == 16
    assert servers["build"]["ports"]["front"]["first"] == 17


def test_racks_that_are_alike_are_a_type_and_zones_follow_from_their_cables() -> None:
    tree = found("oob").tree
    assert tree["racks"]["cpu"] == {
        "count": 4,
        "per_row": 2,
        "contents": [{"servers": "cpu", "count": 4}, {"switches": "fe-leaf{rack:02}"}, {"pdus": 2}],
    }
    assert tree["fabrics"]["oob"]["zones"] == {
        "cpu": {"switch": 1, "ports": 12},
        "network": {"switch": 1, "port": 25},
    }


@pytest.mark.parametrize("name", ["rail-optimized", "storage", "three-tier", "rail-only"])
def test_rendering_again_is_no_difference(name: str) -> None:
    original = tree_of(name)
    tree: Tree = {"site": original["site"], "racks": original["racks"]}
    own = found(name).tree
    tree |= {key: own[key] for key in ("servers", "backend", "fabrics") if key in own}
    for key in ("load_balancing", "roce"):  # read by others
        for path in (("backend",), ("fabrics", "storage")):
            said = at(original, *path, key)
            if said is not None:
                at(tree, *path)[key] = said
    assert rendered(tree)[0] == rendered(original)[0]


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
@pytest.mark.parametrize("gone", ["fe-leaf03", "fe-leaf06", "fe-spine2"])
def test_a_switch_whose_files_are_missing_is_no_server(gone: str, platform: str) -> None:
    texts, platforms = rendered(tree_of("tenants"), platform)
    there = network({it: own for it, own in texts.items() if not it.endswith(gone)}, platforms)
    models = {each.name: "7050CX3-32S" for each in there.switches}
    now = structure(there, models=models).tree
    leafs = {"fe-leaf03": {"1-2,4", "5-6"}, "fe-leaf06": {"1-4", "5-5"}}.get(gone, {"1-4", "5-6"})
    assert {each["leafs"] for each in at(now, "frontend", "leaf_groups").values()} == leafs
    assert "servers" not in now
