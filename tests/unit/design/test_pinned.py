"""Route distinguishers and targets as people have them: each stands, and no other moves."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.design.sites import Keys, fabric, frontend, only

from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.overlay import EvpnRules, Overlay
from fabricgen.model.fabric.pinned import Instance, route_distinguisher

LOOPBACK = Ip(0x0A400001, 32)


def site(web: Keys | None = None, red: Keys | None = None, **blue: object) -> Keys:
    vlans = {"web": {"id": 110, "subnet": "10.110.0.0/24", **(web or {})}}
    other = {"id": 2, "vlans": {"db": {"id": 120, "subnet": "10.120.0.0/24"}}, **blue}
    vrfs = {"Web_Prod": {"id": 1, "vlans": vlans, **(red or {})}, "blue": other}
    return frontend() | {"tenants": {"red": {"vrfs": vrfs}}}


def both(*targets: str) -> Keys:
    return {"route_targets": {"imports": list(targets), "exports": list(targets)}}


def designed(keys: Keys) -> tuple[Overlay, EvpnRules]:
    overlay = fabric(keys).overlay
    assert overlay is not None
    assert overlay.rules is not None
    return overlay, overlay.rules


def numbers(keys: Keys) -> dict[str, tuple[object, ...]]:
    """Return what every instance is known by."""
    overlay, rules = designed(keys)
    each: list[tuple[str, Instance]] = [(vlan.name, vlan) for vlan in overlay.vlans.values()]
    each += overlay.vrfs.items()
    return {
        name: (of.vni, route_distinguisher(LOOPBACK, of), rules.imported(of), rules.exported(of))
        for name, of in each
    }


def test_a_distinguisher_is_whole_or_the_half_beside_the_loopback() -> None:
    told = numbers(site({"rd": 10_110}, {"rd": "65000:1"}))
    assert told["red-web"][1] == "10.64.0.1:10110"
    assert told["Web_Prod"][1] == "65000:1"
    assert told["red-db"][1] == "10.64.0.1:120"


def test_targets_are_sorted_and_each_way_has_its_own() -> None:
    targets = {"imports": ["65000:2", "65000:1"], "exports": ["65000:1"]}
    told = numbers(site(red={"route_targets": targets}))
    assert told["Web_Prod"][2:] == (("65000:1", "65000:2"), ("65000:1",))


def test_what_is_taken_by_a_list_is_not_imported_whole() -> None:
    targets = {"imports": ["64999:50002", "65000:1"], "exports": ["65000:1"]}
    red = {"import_routes": {"blue": ["10.120.0.0/24"]}, "route_targets": targets}
    assert numbers(site(red=red))["Web_Prod"][2] == ("65000:1",)


def test_the_reason_names_the_line_of_the_pin() -> None:
    overlay, _ = designed(site({"rd": 5}, both("65000:1")))
    here = ("tenants", "red", "vrfs", "Web_Prod")
    assert (*here, "vlans", "web", "rd") in overlay.vlans[110].because.paths
    assert (*here, "route_targets") in overlay.vrfs["Web_Prod"].because.paths


def test_a_vlan_of_a_bundle_has_no_instance_to_pin() -> None:
    keys = site({"rd": 5})
    keys["frontend"]["overlay"] = {"service": "vlan-aware"}
    assert only(keys).path == ("tenants", "red", "vrfs", "Web_Prod", "vlans", "web", "rd")


@pytest.mark.parametrize(
    "text", ["65000", "0:1", "65536:65536", "10.0.0.256:1", "10.0.0.1:65536", "a:1", "1:-1", "1:01"]
)
def test_what_is_no_distinguisher_is_refused(text: str) -> None:
    text = json.dumps({"site": {"name": "lab"}, **site({"rd": text})})
    found = load_texts({"site.yaml": text}).findings
    assert Code.BAD_VALUE in {item.code for item in found}


@pytest.mark.parametrize("text", ["65000:1", "1:4294967295", "4200000000:65535", "10.0.0.1:5"])
def test_each_form_of_a_distinguisher_is_taken(text: str) -> None:
    assert numbers(site({"rd": text}))["red-web"][1] == text


@settings(max_examples=25, deadline=None)
@given(
    rd=st.none() | st.integers(1, 65_535) | st.just("65000:7"),
    target=st.none() | st.integers(1, 65_535).map(lambda n: f"65001:{n}"),
    vni=st.none() | st.integers(1_000_000, 2_000_000),
)
def test_a_pin_changes_only_what_it_names(
    rd: int | str | None, target: str | None, vni: int | None
) -> None:
    pins = {"rd": rd, "vni": vni} | (both(target) if target else {})
    bare, pinned = numbers(site()), numbers(site({k: v for k, v in pins.items() if v is not None}))
    assert {name: bare[name] for name in bare if name != "red-web"} == {
        name: pinned[name] for name in pinned if name != "red-web"
    }
