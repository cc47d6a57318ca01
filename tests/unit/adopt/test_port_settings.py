"""Profiles of ports and `errdisable` come back from what ports and leafs say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.adopt.odd_cables import MODELS
from tests.unit.adopt.test_cables import again

from fabricgen.importer.tree import at

if TYPE_CHECKING:
    from fabricgen.importer.tree import Tree

STORMS = {"broadcast": 1.0, "multicast": 2.5}
SPANNING: dict[str, Any] = {"portfast": False, "bpdu_guard": False}
ERRDISABLE = {"recover": ["bpduguard", "storm-control"], "after": 600}


def site(platform: str, profiles: Tree, frontend: Tree) -> Tree:
    """Return two kinds of servers, the one with bundles where the platform has such."""
    box = {"model": MODELS[platform], "platform": platform}
    ports = {"fabric": "frontend", "leafs": 1, "bond": "lacp", "ports": 2, "per_leaf": 4}
    sets = {"web": {"group": "a", "speed": "25G"}, "db": {"group": "b", "speed": "100G"}}
    servers = {
        kind: {"count": 8, "ports": {"eth": {**ports, **own, "profile": f"of-{kind}"}}}
        for kind, own in sets.items()
    }
    return {
        "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
        "port_profiles": profiles,
        "servers": servers,
        "frontend": {
            "leaf": box,
            "spine": {**box, "count": 4},
            "leaf_groups": {"a": {"leafs": "1-2"}, "b": {"leafs": "3-4"}},
            **frontend,
        },
        "tenants": {
            "shop": {
                "vlans": {"lan": {"id": 30}},
                "attachments": [{"servers": each, "access": "lan"} for each in sets],
            }
        },
    }


def profiles_of(tree: Tree) -> dict[str, Tree]:
    """Return the settings of the ports of each kind."""
    names = {kind: own["ports"]["eth"].get("profile") for kind, own in tree["servers"].items()}
    return {kind: tree["port_profiles"][name] for kind, name in names.items() if name}


@pytest.mark.parametrize("platform", ["eos", "sonic"])
def test_limits_of_floods_are_profiles_of_the_ports_that_have_them(platform: str) -> None:
    spanning = SPANNING if platform == "eos" else {}
    said = {"of-web": {"storm_control": STORMS, **spanning}, "of-db": {"storm_control": STORMS}}
    tree = site(platform, said, {})
    assert profiles_of(again(tree).tree) == profiles_of(tree)


def test_ports_with_one_setting_have_one_profile() -> None:
    said = {f"of-{kind}": {"bpdu_guard": False} for kind in ("web", "db")}
    tree = again(site("eos", said, {})).tree
    assert list(tree["port_profiles"].values()) == [{"bpdu_guard": False}]


def test_ports_come_back_after_the_causes_that_leafs_name() -> None:
    said = {f"of-{kind}": {"portfast": True} for kind in ("web", "db")}
    tree = again(site("eos", said, {"errdisable": ERRDISABLE})).tree
    assert at(tree, "frontend", "errdisable") == ERRDISABLE
    assert "port_profiles" not in tree
