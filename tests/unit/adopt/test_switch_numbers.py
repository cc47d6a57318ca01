"""Names and numbers that are otherwise than computed: a pattern, a pool, a plan, or pins."""

import pytest
from tests.unit.adopt.examples import network, rendered, tree_of
from tests.unit.adopt.told import inventory

from fabricgen.importer.structure import Structured, structure
from fabricgen.importer.tree import Tree, merged, without

PLANNED: Tree = {
    "frontend": {
        "names": {"leaf": "osl-r{index}-tor1", "spine": "osl-core{index}"},
        "addressing": {
            "loopbacks": "10.99.0.0/24",
            "vteps": "10.99.1.0/24",
            "links": "10.99.2.0/24",
        },
        "underlay": {"asn": {"first": 64512, "last": 65534}},
        "numbering": {
            "asn": {"leaf": "65101 + 1 per number", "spine": "65100"},
            "loopbacks": {
                "leaf": "10.99.0.3 + 1 per number",
                "spine": "10.99.0.1 + 1 per number",
            },
            "vteps": "10.99.1.3 + 1 per number",
            "links": {"leaf": "10.99.2.1 + 4 per number + 2 per upper"},
        },
    }
}


def _again(tree: Tree) -> Structured:
    return structure(network(*rendered(tree)), inventory(tree))


def _bare(name: str) -> Tree:
    """Return an example without racks, which would name switches by other names."""
    return {key: words for key, words in tree_of(name).items() if key != "racks"}


def _rails() -> Tree:
    """Return the backend of the lab: four rails and two spines."""
    tree = _bare("lab")
    servers = without(tree["servers"], "gpu", "ports", "eth")
    return {"site": tree["site"], "servers": servers, "backend": tree["backend"]}


def test_a_plan_is_found_as_a_plan() -> None:
    found = _again(merged(_bare("tenants"), PLANNED))
    assert found.apart == {"frontend": 0}
    own = found.tree["frontend"]
    assert {key: own.get(key) for key in PLANNED["frontend"]} == PLANNED["frontend"]


def test_names_without_a_pattern_are_pins() -> None:
    names = {"fe-leaf01": "ape", "fe-leaf02": "bee", "fe-leaf03": "cat", "fe-leaf04": "dog"}
    names |= {"fe-leaf05": "eel", "fe-leaf06": "fox"}
    pins: Tree = {name: {"hostname": other} for name, other in names.items()}
    found = _again(merged(_bare("tenants"), {"frontend": {"switches": pins}}))
    assert found.apart == {"frontend": 0}
    assert found.tree["frontend"]["switches"] == pins
    assert "names" not in found.tree["frontend"]


@pytest.mark.parametrize("key", ["loopbacks", "links", "nics"])
def test_a_pool_that_is_elsewhere_is_found_by_where_it_is_written(key: str) -> None:
    pool = {"loopbacks": "10.9.0.0/16", "links": "10.44.0.0/14", "nics": "10.16.0.0/12"}[key]
    found = _again(merged(_rails(), {"backend": {"addressing": {key: pool}}}))
    assert found.apart == {"backend": 0}
    assert set(found.tree["backend"]["addressing"]) == {key}
