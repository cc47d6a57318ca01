"""Tenants and ways out are found again in rendered files: of each example, on each platform."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from tests.unit.adopt.examples import EXAMPLES, network, rendered, tree_of
from tests.unit.adopt.forgetting import lifted

from fabricgen.importer import edge, tenants
from fabricgen.importer.tree import Fragment, Tree, merged
from fabricgen.nos.registry import platforms

OURS = ("tenants", "jobs", "dci", "gateways", "zones", "flows", "services")
BELOW = ("edge", "firewalls", "overlay")
ACCEPTED = ("local-users", "cloudvision", "sflow", "gnmi", "tacacs", "management-access")
"""What an example's site asks for that other platforms than its own lack."""


def placed(name: str, platform: str | None) -> Tree:
    """Return an example, with its frontend on a platform."""
    tree = tree_of(name)
    if platform is not None:
        keys = [key for key in ("frontend", "servers") if key in tree]
        tree = {**tree, **{key: lifted(tree[key], platform) for key in keys}}
        known = tree["site"].get("accept_unsupported", [])
        site = {
            **tree["site"],
            "accept_unsupported": [*known, *(each for each in ACCEPTED if each not in known)],
        }
        tree = {**tree, "site": site}
    return tree


def bare(tree: Tree) -> Tree:
    """Return a tree without what is read here."""
    less = {key: deepcopy(own) for key, own in tree.items() if key not in OURS}
    for fabric in (less.get("frontend"), *less.get("fabrics", {}).values()):
        for key in BELOW if fabric else ():
            fabric.pop(key, None)
    return less


def read(tree: Tree) -> tuple[Fragment, Tree]:
    """Render a tree, and read what is ours from its files; also the tree with it."""
    found, less = network(*rendered(tree)), bare(tree)
    fragment = tenants.read(found, less)
    fragment = merged(fragment, edge.read(found, merged(less, fragment)))
    return fragment, merged(less, fragment)


def lines(words: Any) -> int:
    """Return how many values a tree has."""
    if isinstance(words, dict):
        return sum(map(lines, words.values())) or 1
    return 1


def carried(name: str, platform: str | None) -> bool:
    """Tell whether an example has tenants, and its frontend may be on a platform."""
    tree = placed(name, platform)
    if "tenants" not in tree:
        return False
    try:
        rendered(tree)
    except AssertionError:
        return False
    return True


CASES = [
    (name, platform)
    for name in EXAMPLES
    if "tenants" in tree_of(name)
    for platform in (None, *platforms())
]
REFUSED = {("pairs", "sonic")}
"""What a platform refuses: segments of servers on two leafs."""


@pytest.mark.parametrize(("name", "platform"), CASES)
def test_tenants_come_back_and_are_no_longer(name: str, platform: str | None) -> None:
    tree = placed(name, platform)
    assert carried(name, platform) is ((name, platform) not in REFUSED)
    if (name, platform) in REFUSED:
        return
    fragment, again = read(tree)
    assert rendered(again) == rendered(tree)
    said = {key: tree[key] for key in OURS if key in tree}
    edges = tree.get("frontend", {}).get("edge", {})
    assert lines(fragment) <= 2 * (lines(said) + lines(edges))


def test_names_of_tenants_and_vlans_come_back_where_switches_have_them() -> None:
    tree = tree_of("tenants")
    fragment, _ = read(tree)
    assert fragment["tenants"] == tree["tenants"]


def test_what_a_tree_has_is_kept() -> None:
    tree = tree_of("edge")
    found = network(*rendered(tree))
    assert tenants.read(found, tree) == {}
    assert edge.read(found, tree) == {}


ROUTE = "ip route vrf red 10.200.0.0/16 10.110.0.50"


@pytest.mark.parametrize(("leafs", "found"), [("1", False), ("12", False), ("123", True)])
def test_a_route_that_few_leafs_have_is_their_own(leafs: str, *, found: bool) -> None:
    texts, platforms_ = rendered(tree_of("tenants"))
    for each in leafs:
        own = texts[f"frontend/fe-leaf0{each}"]
        own["eos.cfg"] = own["eos.cfg"].replace("!\nend", f"!\n{ROUTE}\nend")
    fragment = tenants.read(network(texts, platforms_), bare(tree_of("tenants")))
    said = [{"to": "10.200.0.0/16", "by": "10.110.0.50"}] if found else None
    assert fragment["tenants"]["red"]["vrfs"]["red"].get("routes") == said


def test_a_vlan_that_is_on_no_port_is_no_tenants() -> None:
    texts, platforms_ = rendered(tree_of("tenants"))
    own = texts["frontend/fe-leaf05"]
    own["eos.cfg"] = own["eos.cfg"].replace("!\nend", "!\nvlan 777\n   name Old_Printers\nend")
    fragment = tenants.read(network(texts, platforms_), bare(tree_of("tenants")))
    assert fragment["tenants"].keys() == {"red", "blue"}
    assert "Old_Printers" not in str(fragment)
