"""States of switches, links and servers that files show come back as states, in as few words."""

from __future__ import annotations

import pytest
from tests.unit.adopt.odd_cables import MODELS
from tests.unit.adopt.test_cables import again

from fabricgen.importer.tree import Tree, at

Words = dict[str, object]
BONDED = {"ports": 2, "leafs": 2, "bond": "lacp"}
SWITCHES: dict[str, dict[str, Words]] = {
    "drained link": {"fe-leaf01": {"links": {"29": {"state": "drained"}}}},
    "drained spine": {"fe-spine1": {"state": "drained"}},
    "planned spine": {"fe-spine1": {"state": "planned"}},
    "planned leaf": {"fe-leaf02": {"state": "planned"}},
    "several": {
        "fe-spine1": {"state": "drained"},
        "fe-spine2": {"state": "planned"},
        "fe-leaf01": {"links": {"29": {"state": "planned"}}},
        "fe-leaf02": {"links": {"32": {"state": "drained"}}},
    },
}


def site(platform: str, switches: dict[str, Words], states: dict[str, str], links: str) -> Tree:
    """Return a site of two leafs and four spines; servers of SONiC have one port."""
    box = {"model": MODELS[platform], "platform": platform}
    ports = {"fabric": "frontend", "group": "a", "speed": "100G", "per_leaf": 4}
    bonds = {} if platform == "sonic" else BONDED
    return {
        "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
        "frontend": {
            "underlay": {"links": links},
            "leaf": box,
            "spine": {**box, "count": 4},
            "leaf_groups": {"a": {"leafs": "1-2"}},
            "switches": switches,
        },
        "servers": {"db": {"count": 4, "states": states, "ports": {"front": {**ports, **bonds}}}},
        "tenants": {
            "shop": {
                "vlans": {"lan": {"id": 30}},
                "attachments": [{"servers": "db", "access": "lan"}],
            }
        },
    }


def found(platform: str, switches: dict[str, Words], states: dict[str, str], links: str) -> None:
    tree = again(site(platform, switches, states, links)).tree
    assert (at(tree, "frontend", "switches") or {}) == switches
    assert (at(tree, "servers", "db", "states") or {}) == states


@pytest.mark.parametrize("platform", MODELS)
@pytest.mark.parametrize("case", SWITCHES)
def test_states_of_switches_and_links(case: str, platform: str) -> None:
    found(platform, SWITCHES[case], {}, "numbered")


@pytest.mark.parametrize("platform", ["sonic", "linux"])
def test_states_where_links_have_no_numbers(platform: str) -> None:
    found(platform, SWITCHES["several"], {}, "unnumbered")


@pytest.mark.parametrize("platform", MODELS)
def test_servers_that_are_to_come(platform: str) -> None:
    found(platform, {}, {"2-3": "planned"}, "numbered")


@pytest.mark.parametrize("platform", MODELS)
def test_a_drained_leaf_and_whether_its_servers_lose_the_network(platform: str) -> None:
    loss: Words = {"accept_loss": True} if platform == "sonic" else {}
    found(platform, {"fe-leaf01": {"state": "drained", **loss}}, {}, "numbered")


def test_states_of_all_at_once() -> None:
    found("eos", SWITCHES["several"], {"1": "planned", "4": "planned"}, "numbered")
