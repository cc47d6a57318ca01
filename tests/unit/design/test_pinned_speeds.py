"""A port to a server at another speed: its cable follows, and nothing else moves."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.design.test_pinned_ports import cables, moved

from fabricgen.compile.compiler import Compiled, compile_site, files_of, slices
from fabricgen.compile.sandbox import renderer
from fabricgen.core.diagnostics import Code
from fabricgen.importer.tree import loaded, merged
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Link
from fabricgen.prove.written import prove

MODELS = {"eos": "7050CX3-32S", "sonic": "7050CX3-32S", "linux": "SN3700"}
FABRIC: dict[str, Any] = {
    "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
    "tenants": {
        "shop": {
            "vrfs": {"red": {"id": 1, "vlans": {"lan": {"id": 30, "subnet": "10.110.0.0/24"}}}},
            "attachments": [{"servers": "db", "access": "lan"}],
        }
    },
}


def tree(platform: str, pins: Any, speed: str = "100G", **kind: Any) -> dict[str, Any]:
    box = {"model": MODELS[platform], "platform": platform}
    front = {"fabric": "frontend", "speed": speed, "per_leaf": 4, **kind}
    said = {"switches": {"fe-leaf01": {"ports": pins}}} if pins else {}
    frontend = {"leaf": box, "spine": {**box, "count": 2}, "leaf_groups": {"a": {"leafs": "1-2"}}}
    return {
        **FABRIC,
        "servers": {"db": {"count": 4, "ports": {"front": front}}},
        "frontend": {**frontend, **said},
    }


def compiled(keys: dict[str, Any]) -> Compiled:
    return compile_site(loaded(keys))


def made(keys: dict[str, Any]) -> Site:
    result = compiled(keys)
    assert result.ok, result.findings
    assert result.site is not None
    return result.site


def links(site: Site) -> dict[str, Link]:
    every = site.fabrics[0].topology.links
    return {f"{it.upper.name} {it.upper_port.label}": it for it in every if it.to_server}


def texts(site: Site) -> dict[str, dict[str, str]]:
    return {
        switch_slice.switch.name: {
            file.path: file.text for file in files_of(switch_slice, renderer(()))
        }
        for _, switch_slice in slices(site)
    }


@pytest.mark.parametrize("platform", ["eos", "sonic"])
def test_the_port_and_its_cable_run_so_and_nothing_else_changes(platform: str) -> None:
    before, after = made(tree(platform, {})), made(tree(platform, {"3": {"speed": "40G"}}))
    assert not moved(cables(before.fabrics[0].topology), cables(after.fabrics[0].topology))
    odd = {name for name, it in links(after).items() if str(it.speed) != "100G"}
    assert odd == {"fe-leaf01 3"}
    assert str(links(after)["fe-leaf01 3"].upper_port.speed) == "40G"
    changed = {name for name, own in texts(after).items() if own != texts(before)[name]}
    assert changed == {"fe-leaf01"}
    for _, switch_slice in slices(after):
        own = {
            path.split("/", 2)[2]: text
            for path, text in texts(after)[switch_slice.switch.name].items()
        }
        assert prove(switch_slice, own).findings == ()


def test_all_ports_of_a_split_cage_run_so() -> None:
    site = made(tree("eos", {"1": {"speed": "10G"}}, "25G"))
    slow = {name for name, it in links(site).items() if str(it.speed) == "10G"}
    assert slow == {f"fe-leaf01 1/{number}" for number in range(1, 5)}


def test_several_cages_may_be_named_at_once() -> None:
    site = made(tree("eos", {"2-3": {"speed": "40G"}}))
    slow = {name for name, it in links(site).items() if str(it.speed) == "40G"}
    assert slow == {"fe-leaf01 2", "fe-leaf01 3"}


def test_the_cable_may_be_at_another_port_as_well() -> None:
    site = made(tree("eos", {"3": {"speed": "40G", "move_to": 12}}))
    assert str(links(site)["fe-leaf01 12"].speed) == "40G"
    assert links(site)["fe-leaf01 12"].lower.name == "db0003"


ROCE = {"frontend": {"roce": {"profile": "computed"}}}
PAIR: dict[str, Any] = {"ports": 2, "leafs": 2, "bond": "lacp"}


@pytest.mark.parametrize(
    ("ports", "more", "said"),
    [
        ({"3": {"speed": "33G"}}, {}, "port 3 of fe-leaf01 does not run at 33G on 7050CX3-32S"),
        ({"29": {"speed": "40G"}}, {}, "port 29 of fe-leaf01 leads to fe-spine1"),
        ({"20": {"speed": "40G"}}, {}, "port 20 of fe-leaf01 has no cable"),
        ({"3": {"speed": "40G"}}, ROCE, "port 3 of fe-leaf01 pauses"),
    ],
)
def test_what_has_no_speed_of_its_own_is_said(ports: Any, more: Any, said: str) -> None:
    findings = compiled(merged(tree("eos", ports), more)).findings
    assert [it.code for it in findings if it.message.startswith(said)] == [Code.PORT_PINNED]


def test_one_port_of_a_split_cage_has_no_speed_of_its_own() -> None:
    findings = compiled(tree("eos", {"1/2": {"speed": "10G"}}, "25G")).findings
    assert any("is one of 4 of its cage" in it.message for it in findings)


def test_a_bond_with_ports_of_two_speeds_is_an_error() -> None:
    findings = compiled(tree("eos", {"3": {"speed": "40G"}}, **PAIR)).findings
    assert any("has links of 40G and 100G" in it.message for it in findings)


def test_a_port_that_is_dead_has_no_speed() -> None:
    findings = compiled(tree("eos", {"3": {"state": "dead", "speed": "40G"}})).findings
    assert any(
        "a port with state dead has no speed; remove `speed`" in it.message for it in findings
    )
