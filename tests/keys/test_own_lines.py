"""Own lines at every place that may have some reach the switches of that place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.keys.case import at
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.design.site import design_site
from fabricgen.intent.load import load_texts

if TYPE_CHECKING:
    from fabricgen.model.fabric.own_lines import OwnPlan

CUSTOM_CONFIG = {"custom_config": {"eos": "ip dhcp snooping"}}
LEAF = {"model": "7050CX3-32S", "platform": "eos"}
EVERY, LEAFS, SPINES, ONE = "every switch", "leafs", "spines", "one switch"
PLACES = [
    ("tenants", ("site",), EVERY),
    ("tenants", ("frontend",), EVERY),
    ("tenants", ("frontend", "leaf"), LEAFS),
    ("tenants", ("frontend", "spine"), SPINES),
    ("rails", ("backend",), EVERY),
    ("rails", ("backend", "leaf"), LEAFS),
    ("rails", ("backend", "spine"), SPINES),
    ("storage", ("fabrics", "storage"), EVERY),
    ("storage", ("fabrics", "storage", "leaf"), LEAFS),
    ("storage", ("fabrics", "storage", "spine"), SPINES),
    ("access", ("fabrics", "oob"), EVERY),
    ("access", ("fabrics", "oob", "leaf"), LEAFS),
    ("access", ("fabrics", "oob", "spine"), SPINES),
]


def designed(name: str, *path: str, words: dict[str, Any]) -> list[tuple[OwnPlan, dict[str, str]]]:
    """Return the plan of each fabric, and the role of each of its switches."""
    loaded = load_texts({"site.yaml": json.dumps(laid(SITES[name], at(*path, words=words)))})
    assert loaded.intent is not None, loaded.findings
    site, _ = design_site(loaded.intent)
    roles = ({s.name: s.role.value for s in each.topology.switches} for each in site.fabrics)
    return [(each.own, own) for each, own in zip(site.fabrics, roles, strict=True)]


@pytest.mark.parametrize(("site", "path", "whose"), PLACES, ids=str)
def test_a_place_is_heard(site: str, path: tuple[str, ...], whose: str) -> None:
    (plan, roles), *_ = (
        each for each in designed(site, *path, words=CUSTOM_CONFIG) if each[0].switches
    )
    heard = {roles[name] for name in plan.switches}
    wanted = {EVERY: set(roles.values()), LEAFS: {"leaf"}, SPINES: {"spine"}}[whose]
    assert heard == wanted
    assert whose is not EVERY or plan.switches.keys() == roles.keys()


def test_a_group_is_heard_alone() -> None:
    groups = {"racks": {"leafs": "1-1"}, "bonded": {"leafs": "2-2", **CUSTOM_CONFIG}}
    ((plan, _), *_) = designed("tenants", "frontend", words={"leaf_groups": groups})
    assert list(plan.switches) == ["fe-leaf02"]


def test_other_hardware_of_a_group_has_lines_of_its_own() -> None:
    groups = {
        "racks": {"leafs": "1-1"},
        "bonded": {"leafs": "2-2", "hardware": {**LEAF, **CUSTOM_CONFIG}},
    }
    ((plan, _), *_) = designed("tenants", "frontend", words={"leaf_groups": groups})
    assert list(plan.switches) == ["fe-leaf02"]


def test_a_switch_is_heard_alone_and_last() -> None:
    words = {"switches": {"fe-leaf01": CUSTOM_CONFIG}, **CUSTOM_CONFIG}
    ((plan, _), *_) = designed("tenants", "frontend", words=words)
    places = [text.because.main for text in plan.switches["fe-leaf01"]]
    assert places == [
        ("frontend", "custom_config", "eos"),
        ("frontend", "switches", "fe-leaf01", "custom_config", "eos"),
    ]
    assert len(plan.switches["fe-leaf02"]) == 1


def test_a_tenant_is_heard_where_it_is() -> None:
    ((plan, _), *_) = designed("tenants", "tenants", "red", words=CUSTOM_CONFIG)
    assert plan.of("fe-leaf01", {"red"})
    assert not plan.of("fe-leaf01", {"blue"})
