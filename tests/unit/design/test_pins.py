"""Numbers of single switches that the intent says: taken as they are, or refused with a reason."""

from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.reports.derivations import derivations
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric, SwitchSlice

Words = dict[str, Any]
LEAF = {"model": "7050CX3-32S", "platform": "eos"}
SITE = {"name": "t1", "management": {"subnet": "10.255.0.0/20", "ntp": ["10.255.0.9"] * 2}}
SHOP = {
    "vrfs": {"shop": {"id": 1, "vlans": {"web": {"id": 100, "subnet": "172.20.0.0/24"}}}},
    "attachments": [{"group": "a", "access": "web"}],
}
ALL = {
    "loopback": "10.0.255.11",
    "vtep": "10.0.254.11",
    "router_id": "192.0.2.1",
    "management": "10.255.7.7",
    "asn": 4_250_000_000,
}


def frontend(switches: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two leafs and two spines with a tenant."""
    words = {
        "leaf": LEAF,
        "spine": {**LEAF, "count": 2},
        "leaf_groups": {"a": {"leafs": "1-2", "servers": {"per_leaf": 2, "speed": "100G"}}},
        "switches": switches,
        **more,
    }
    return {"site": SITE, "frontend": words, "tenants": {"shop": SHOP}}


def compiled(site: dict[str, Any]) -> Compiled:
    return compile_site(load_texts({"site.yaml": yaml.safe_dump(site)}))


def fabric(site: dict[str, Any]) -> Fabric:
    made = compiled(site)
    assert made.ok, made.findings
    assert made.site is not None
    return made.site.fabrics[0]


def switch_slice(site: dict[str, Any], name: str) -> SwitchSlice:
    made = fabric(site)
    return next(each for each in Slicer(made).slices() if each.switch.name == name)


def errors(site: dict[str, Any]) -> list[str]:
    return [
        f"{each.code} {each.message}"
        for each in compiled(site).findings
        if each.severity == "error"
    ]


def test_every_number_of_a_switch_may_be_said() -> None:
    own = switch_slice(frontend({"fe-leaf01": ALL}), "fe-leaf01")
    assert str(own.loopback) == "10.0.255.11/32"
    assert str(own.vtep) == "10.0.254.11/32"
    assert str(own.router_id) == "192.0.2.1/32"
    assert str(own.management) == "10.255.7.7/20"
    assert own.asn == 4_250_000_000


def test_all_others_stay_and_know_of_it() -> None:
    far = switch_slice(frontend({"fe-leaf01": ALL}), "fe-leaf02")
    assert str(far.loopback) == "10.64.0.2/32"
    assert far.asn == 4_200_000_001
    spine = switch_slice(frontend({"fe-leaf01": ALL}), "fe-spine1")
    said = {(each.peer.name, each.peer_asn) for each in spine.sessions}
    assert said == {("fe-leaf01", 4_250_000_000), ("fe-leaf02", 4_200_000_001)}


def test_what_no_pool_holds_has_a_line_of_its_own_in_the_lists_by_its_switch() -> None:
    alone = fabric(frontend({"fe-leaf02": {"loopback": "10.0.255.12"}}))
    both = fabric(frontend({"fe-leaf01": ALL, "fe-leaf02": {"loopback": "10.0.255.12"}}))
    rows = [
        [(each.sequence, str(each.prefix)) for each in made.routing.allowed]
        for made in (alone, both)
    ]
    assert rows[0] == [(10, "10.64.0.0/16"), (20, "10.65.0.0/16"), (105, "10.0.255.12/32")]
    assert rows[1] == [
        *rows[0][:2],
        (100, "10.0.254.11/32"),
        (101, "10.0.255.11/32"),
        (105, "10.0.255.12/32"),
    ]


def test_a_pin_in_its_pool_changes_no_list() -> None:
    made = fabric(frontend({"fe-leaf01": {"loopback": "10.64.9.9"}}))
    assert len(made.routing.allowed) == 2


def test_the_reason_of_a_pinned_number_is_the_pin() -> None:
    made = fabric(frontend({"fe-leaf01": ALL}))
    own = next(each for each in Slicer(made).slices() if each.switch.name == "fe-leaf01")
    told = derivations(made, own)
    assert told["10.0.255.11"] == "pinned by `frontend.switches.fe-leaf01.loopback`"
    assert told["4250000000"] == "pinned by `frontend.switches.fe-leaf01.asn`"


def test_two_switches_may_change_places() -> None:
    swapped = frontend(
        {"fe-leaf01": {"loopback": "10.64.0.2"}, "fe-leaf02": {"loopback": "10.64.0.1"}}
    )
    assert str(switch_slice(swapped, "fe-leaf02").loopback) == "10.64.0.1/32"


def test_a_host_name_is_what_a_switch_is_called_everywhere() -> None:
    said = {"fe-leaf01": {"hostname": "osl-r1-1", "loopback": "10.0.255.11", "serial": "S1"}}
    made = fabric(frontend(said))
    assert {each.name: each.key for each in made.topology.switches}["osl-r1-1"] == "fe-leaf01"
    assert made.identities["osl-r1-1"].serial == "S1"
    own = next(each for each in Slicer(made).slices() if each.switch.name == "osl-r1-1")
    assert str(own.loopback) == "10.0.255.11/32"
    spine = switch_slice(frontend(said), "fe-spine1")
    assert {each.peer.name for each in spine.sessions} == {"osl-r1-1", "fe-leaf02"}


def test_no_file_has_the_name_that_a_host_name_replaces() -> None:
    site = compiled(frontend({"fe-leaf01": {"hostname": "osl-r1-1"}})).site
    assert site is not None
    every = [file for _, group in files(site) for file in group]
    assert any("osl-r1-1" in file.path for file in every)
    assert [file.path for file in every if "fe-leaf01" in f"{file.path} {file.text}"] == []


@pytest.mark.parametrize("kind", ["leaf", "spine", "server"])
def test_a_host_name_of_another_is_refused(kind: str) -> None:
    made = fabric(frontend({})).topology
    names = {"leaf": "fe-leaf02", "spine": "fe-spine1", "server": made.servers[-1].name}
    told = errors(frontend({"fe-leaf01": {"hostname": names[kind]}}))
    assert told[0].startswith(f"FG802 fe-leaf01 is named {names[kind]!r}, like another ")


CLASHES: dict[str, tuple[Words, str, str]] = {
    "a computed loopback": (
        {"fe-leaf01": {"loopback": "10.64.0.2"}},
        "fe-leaf01 is pinned to the loopback 10.64.0.2",
        "fe-leaf02 by frontend.addressing.loopbacks",
    ),
    "a pinned loopback": (
        {"fe-leaf01": {"loopback": "10.0.0.1"}, "fe-spine2": {"loopback": "10.0.0.1"}},
        "fe-leaf01 is pinned to the loopback 10.0.0.1",
        "fe-spine2 by frontend.switches.fe-spine2.loopback",
    ),
    "a computed VTEP": (
        {"fe-leaf02": {"vtep": "10.65.0.1"}},
        "fe-leaf02 is pinned to the VTEP 10.65.0.1",
        "fe-leaf01 by frontend.addressing.vteps",
    ),
    "the loopback of another": (
        {"fe-leaf01": {"router_id": "10.64.0.2"}},
        "fe-leaf01 is pinned to the router ID 10.64.0.2",
        "fe-leaf02 by frontend.addressing.loopbacks",
    ),
    "a computed ASN": (
        {"fe-leaf01": {"asn": 4_200_000_001}},
        "fe-leaf01 is pinned to the ASN 4200000001",
        "fe-leaf02 by frontend.underlay.asn",
    ),
    "a computed management address": (
        {"fe-leaf01": {"management": "10.255.0.3"}},
        "fe-leaf01 is pinned to the management address 10.255.0.3",
        "fe-leaf02 by site.management.subnet",
    ),
    "the gateway": (
        {"fe-leaf01": {"management": "10.255.0.1"}},
        "fe-leaf01 is pinned to the management address 10.255.0.1",
        "the gateway by site.management.subnet",
    ),
}


@pytest.mark.parametrize("name", CLASHES)
def test_a_pin_that_is_anothers_is_refused_with_both_places(name: str) -> None:
    switches, pinned, owner = CLASHES[name]
    assert errors(frontend(switches)) == [
        f"FG802 {pinned}, which {owner.replace(' by ', ' already has by ')}"
    ]


PLACES: dict[str, tuple[Words, str]] = {
    "loopback": (
        {"fe-leaf01": {"loopback": "10.65.3.3"}},
        "FG801 10.65.3.3 lies in frontend.addressing.vteps, 10.65.0.0/16, whose addresses ",
    ),
    "management": (
        {"fe-leaf01": {"management": "10.254.0.1"}},
        "FG801 10.254.0.1 is not an address of the management subnet 10.255.0.0/20, which ",
    ),
    "a loopback in the management subnet": (
        {"fe-leaf01": {"loopback": "10.255.9.9"}},
        "FG801 10.255.9.9 lies in site.management.subnet, 10.255.0.0/20",
    ),
    "a loopback that is the own management address": (
        {"fe-leaf01": {"loopback": "10.255.7.7", "management": "10.255.7.7"}},
        (
            "FG801 10.255.7.7 lies in site.management.subnet, 10.255.0.0/20, and is the management "
            "address of fe-leaf01 by frontend.switches.fe-leaf01.management"
        ),
    ),
    "a loopback that is a computed management address": (
        {"fe-leaf01": {"loopback": "10.255.0.3"}},
        (
            "FG801 10.255.0.3 lies in site.management.subnet, 10.255.0.0/20, and is the management "
            "address of fe-leaf02 by site.management.subnet"
        ),
    ),
    "vtep": (
        {"fe-spine1": {"vtep": "10.3.3.3"}},
        "FG801 fe-spine1 is not a tunnel endpoint, because only leafs with tenants are",
    ),
    "asn": ({"fe-leaf01": {"asn": 64_000}}, "FG302 fe-leaf01 has the public ASN 64000"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_pin_where_none_may_be_is_refused(name: str) -> None:
    switches, start = PLACES[name]
    (sentence,) = errors(frontend(switches))
    assert sentence.startswith(start)


def test_what_is_wrong_with_a_pinned_number_stands_at_the_pin() -> None:
    found = compiled(frontend({"fe-leaf01": {"asn": 64_000}})).findings
    places = [each.path for each in found if each.code == "FG302"]
    assert places == [("frontend", "switches", "fe-leaf01", "asn")]


def test_spines_pinned_to_one_asn_are_told_how_they_share_it() -> None:
    alike: Words = {"fe-spine1": {"asn": 65_010}, "fe-spine2": {"asn": 65_010}}
    (clash,) = [each for each in compiled(frontend(alike)).findings if each.code == "FG802"]
    assert clash.hint == "set `underlay: {asn: {scheme: rfc7938}}` if spines share one ASN"


def test_a_switch_without_a_way_up_is_told_as_that() -> None:
    gone: Words = {"fe-leaf01": {"links": {"fe-spine1": "absent", "fe-spine2": "absent"}}}
    (told,) = [each for each in compiled(frontend(gone)).findings if each.code == "FG311"]
    assert told.message.endswith("it has no uplink, so it is isolated")


@pytest.mark.parametrize("text", ["224.0.0.1", "127.0.0.1", "0.1.2.3", "240.0.0.1", "fd00::1"])
def test_no_switch_has_an_address_of_none(text: str) -> None:
    assert errors(frontend({"fe-leaf01": {"loopback": text}}))


def test_switches_that_share_a_number_are_pinned_alike() -> None:
    shared = {"underlay": {"asn": {"scheme": "rfc7938"}}}
    one = {"fe-spine1": {"asn": 4_250_000_000}}
    told = "fe-spine1 is pinned to 4250000000 and fe-spine2 has 4294967293"
    assert errors(frontend(one, **shared)) == [
        f"FG803 fe-spine1 and fe-spine2 share one ASN, but {told} by frontend.underlay.asn"
    ]
    both = one | {"fe-spine2": {"asn": 4_250_000_000}}
    assert switch_slice(frontend(both, **shared), "fe-spine2").asn == 4_250_000_000


def test_pins_of_two_fabrics_are_apart() -> None:
    oob = {
        "kind": "evpn",
        "number": 1,
        "leaf": LEAF,
        "spine": {**LEAF, "count": 2},
        "leaf_groups": {"a": {"leafs": "1-2", "servers": {"per_leaf": 2, "speed": "100G"}}},
        "switches": {"other-leaf01": {"management": "10.255.0.2"}},
    }
    site = frontend({})
    site["tenants"]["shop"]["fabric"] = "frontend"
    assert errors(site | {"fabrics": {"other": oob}}) == [
        (
            "FG802 other-leaf01 is pinned to the management address 10.255.0.2, which "
            "fe-leaf01 already has by site.management.subnet"
        )
    ]
    oob["switches"] = {"other-leaf01": {"loopback": "10.72.0.9"}}
    assert errors(site | {"fabrics": {"other": oob}}) == [
        (
            "FG313 subnets of two fabrics overlap: 10.72.0.0/14 of frontend links and 10.72.0.9/32 "
            "pinned to other-leaf01 (other)"
        )
    ]


def test_what_else_is_said_of_a_switch_is_of_it_by_its_host_name() -> None:
    made = fabric(frontend({"fe-leaf01": {"hostname": "osl-r1-1", "state": "planned"}}))
    assert [*made.states] == ["osl-r1-1"]
    assert made.states["osl-r1-1"].because.main[-2:] == ("fe-leaf01", "state")
