"""From leafs that servers share: MC-LAG on a vendor's image, Ethernet segments on master."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.calling import call
from tests.conftest import MODELS
from tests.nos.claims import printed
from tests.nos.sonic.test_yang import needs_models, needs_yanglint
from tests.switches import files_of_switches

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.features import Feature, Supported, Unsupported
from fabricgen.nos.models import Candidate
from fabricgen.nos.sonic.nos import NOS
from fabricgen.nos.sonic.yang.judge import refusals
from fabricgen.prove.written import prove

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1]}}
servers:
  db: {count: 3, ports: {front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 100G}}}
frontend:
  leaf_groups: {racks: {leafs: 1-4, multihoming: {kind: mlag, domain: "hall-{pair}"}}}
  leaf: {model: 7060DX5-64S, platform: sonic, release: RELEASE}
  spine: {model: 7060DX5-64S, platform: sonic, count: 2}
  underlay: {password: "env:BGP"}
  links: {speed: 400G}
tenants:
  red:
    VLANS
    attachments: [{servers: db, trunk: [web, db], native: web}]
"""
FLAT = "vlans: {web: {id: 110}, db: {id: 111}}"
ROUTED = (
    "vrfs: {red: {id: 1, vlans: {web: {id: 110, subnet: 10.110.0.0/24}, "
    "db: {id: 111, subnet: 10.111.0.0/24}}}}"
)
SEGMENTED = SITE.replace(', domain: "hall-{pair}"', "").replace("kind: mlag", "kind: esi")
PAIRS = {
    "bridged": (SITE, FLAT, "202505+iccpd"),
    "routed": (SITE, ROUTED, "master+iccpd-sag"),
    "segments": (SEGMENTED, ROUTED, "master"),
}
Switch = tuple[SwitchSlice, dict[str, str]]


def spelled(text: str, vlans: str, release: str) -> str:
    return text.replace("RELEASE", release).replace("VLANS", vlans)


@cache
def switches(name: str) -> dict[str, Switch]:
    """Return every switch of a site by name, with its files by path."""
    made = compile_site(load_texts({"site.yaml": spelled(*PAIRS[name])}))
    assert made.site is not None
    errors = [each for each in made.findings if each.severity is Severity.ERROR]
    assert errors == []
    files = {
        owner.name: {file.path.rpartition("/")[2]: file.text for file in group}
        for owner, group in files_of_switches(made.site)
    }
    return {
        switch_slice.switch.name: (switch_slice, files[switch_slice.switch.name])
        for _, switch_slice in slices(made.site)
    }


def tables(name: str, switch: str) -> dict[str, Any]:
    return dict(json.loads(switches(name)[switch][1]["config_db.json"]))


def found(text: str, vlans: str, release: str) -> list[Diagnostic]:
    """Return what a site is told about support."""
    made = compile_site(load_texts({"site.yaml": spelled(text, vlans, release)}))
    return [each for each in made.findings if each.code is Code.UNSUPPORTED]


def errors(*site: str) -> list[str]:
    return [each.message for each in found(*site) if each.severity is Severity.ERROR]


@pytest.mark.parametrize("name", PAIRS)
def test_every_line_of_every_switch_says_what_was_designed(name: str) -> None:
    for switch_slice, files in switches(name).values():
        assert prove(switch_slice, files).findings == ()


@needs_models
@needs_yanglint
@pytest.mark.parametrize("name", PAIRS)
def test_the_models_of_the_release_accept_every_file(name: str) -> None:
    judged = [
        Candidate(switch, item.switch.release or NOS.release, files["config_db.json"])
        for switch, (item, files) in switches(name).items()
    ]
    assert list(refusals(Path(os.environ[MODELS]), judged)) == []


def test_both_leafs_name_one_domain_and_each_other() -> None:
    first, second = (tables("bridged", name) for name in ("fe-leaf01", "fe-leaf02"))
    (one,), (other,) = (leaf["MCLAG_DOMAIN"].items() for leaf in (first, second))
    assert one[0] == other[0] == "1"
    assert one[1] == {
        "source_ip": other[1]["peer_ip"],
        "peer_ip": other[1]["source_ip"],
        "peer_link": "PortChannel1000",
    }
    bundles = {"1|PortChannel1", "1|PortChannel2", "1|PortChannel3"}
    assert first["MCLAG_INTERFACE"].keys() == second["MCLAG_INTERFACE"].keys() == bundles
    assert first["VXLAN_TUNNEL"] == second["VXLAN_TUNNEL"]
    assert tables("bridged", "fe-leaf03")["MCLAG_DOMAIN"].keys() == {"3"}


def test_the_session_has_an_address_of_each_leaf_in_a_vlan_of_the_peer_link() -> None:
    leaf = tables("bridged", "fe-leaf01")
    assert leaf["MCLAG_UNIQUE_IP"] == {"Vlan4094": {"unique_ip": "enable"}}
    assert "Vlan4094|169.254.0.0/31" in leaf["VLAN_INTERFACE"]
    assert leaf["VLAN"]["Vlan4094"]["description"] == "MLAG pair hall-1"
    members = {key for key in leaf["PORTCHANNEL_MEMBER"] if key.startswith("PortChannel1000|")}
    assert len(members) == 2
    spine = tables("bridged", "fe-spine1")
    assert not {"MCLAG_DOMAIN", "MCLAG_INTERFACE", "MCLAG_UNIQUE_IP"} & spine.keys()


def test_the_peer_link_carries_every_vlan_and_those_of_vrfs() -> None:
    """Packets to the shared endpoint arrive at either leaf, so both need one router MAC."""
    leaf = tables("routed", "fe-leaf01")
    crossing = [key for key in leaf["VLAN_MEMBER"] if key.endswith("|PortChannel1000")]
    assert crossing == [f"Vlan{vlan}|PortChannel1000" for vlan in (110, 111, 3001, 4094)]
    assert all(leaf["VLAN_MEMBER"][key]["tagging_mode"] == "tagged" for key in crossing)


def test_an_image_with_sag_has_the_mac_of_gateways_once() -> None:
    leaf = tables("routed", "fe-leaf01")
    assert leaf["SAG"] == {"GLOBAL": {"gateway_mac": "00:1c:73:00:00:99"}}
    assert leaf["VLAN_INTERFACE"]["Vlan110"]["static_anycast_gateway"] == "true"
    assert "static_anycast_gateway" not in leaf["VLAN_INTERFACE"]["Vlan3001"]
    assert not [name for name, vlan in leaf["VLAN"].items() if "mac" in vlan]
    other = tables("segments", "fe-leaf01")
    assert "SAG" not in other
    assert other["VLAN"]["Vlan110"]["mac"] == "00:1c:73:00:00:99"


def test_a_leaf_without_uplinks_is_reached_by_the_other_leaf() -> None:
    """Seen with FRR 8.4.4: with both uplinks down, all routes lead to Vlan4094."""
    lines = switches("bridged")["fe-leaf02"][1]["frr.conf"].splitlines()
    asn = switches("bridged")["fe-leaf02"][0].asn
    assert f" neighbor 169.254.0.0 remote-as {asn}" in lines
    at = lines.index("  neighbor PEER activate")
    assert lines[at + 1 : at + 4] == [
        "  neighbor PEER next-hop-self",
        "  neighbor PEER route-map FROM-PEER in",
        "  neighbor PEER route-map TO-PEER out",
    ]
    at = lines.index("route-map FROM-PEER permit 10")
    assert lines[at + 1 : at + 3] == [
        " match ip address prefix-list ALLOWED",
        " set origin incomplete",
    ]
    assert any(line.startswith(" neighbor PEER password ") for line in lines)


def test_a_segment_is_the_same_in_both_files_and_on_both_leafs() -> None:
    first, second = (tables("segments", name) for name in ("fe-leaf01", "fe-leaf02"))
    ours, theirs = (leaf["EVPN_ETHERNET_SEGMENT"] for leaf in (first, second))
    assert [each["esi"] for each in ours.values()] == [each["esi"] for each in theirs.values()]
    for name, own in ours.items():
        assert own["type"] == "TYPE_0_OPERATOR_CONFIGURED"
        assert {own["df_pref"], theirs[name]["df_pref"]} == {"100", "200"}
        system = own["esi"].removeprefix("00:")[:17]
        assert first["PORTCHANNEL"][name]["system_mac"] == system
        lines = switches("segments")["fe-leaf01"][1]["frr.conf"].splitlines()
        at = lines.index(f"interface {name}")
        assert lines[at + 1 : at + 3] == [
            f" evpn mh es-df-pref {own['df_pref']}",
            f" evpn mh es-id {own['esi']}",
        ]
        assert "evpn mh redirect-off" not in lines  # of a kernel that forwards itself


@pytest.mark.parametrize(
    ("name", "switch", "old", "new"),
    [
        ("bridged", "fe-leaf01", '"peer_ip": "169.254.0.1"', '"peer_ip": "169.254.0.5"'),
        ("bridged", "fe-leaf01", '"1|PortChannel2": {', '"2|PortChannel2": {'),
        ("bridged", "fe-leaf01", '"peer_link": "PortChannel1000"', '"peer_link": "PortChannel1"'),
        ("bridged", "fe-leaf01", '"unique_ip": "enable"', '"unique_ip": "disable"'),
        ("bridged", "fe-leaf01", '"Vlan111|PortChannel1000"', '"Vlan111|PortChannel1001"'),
        ("routed", "fe-leaf01", '"gateway_mac": "00:1c:73', '"gateway_mac": "00:1c:74'),
        ("segments", "fe-leaf01", '"esi": "00:02', '"esi": "00:03'),
        ("segments", "fe-leaf01", '"df_pref": "100"', '"df_pref": "101"'),
        ("segments", "fe-leaf01", '"system_mac": "02:fc', '"system_mac": "02:fd'),
    ],
)
def test_another_value_in_the_file_is_found(name: str, switch: str, old: str, new: str) -> None:
    switch_slice, files = switches(name)[switch]
    text = files["config_db.json"]
    assert old in text
    changed = {**files, "config_db.json": text.replace(old, new, 1)}
    assert prove(switch_slice, changed).findings


@pytest.mark.parametrize("release", [*NOS.releases])
def test_no_release_alone_has_pairs(release: str) -> None:
    (said,) = errors(SITE, FLAT, f'"{release}"')
    assert said.startswith(f"sonic {release} does not support mlag: ")
    assert "202505+iccpd" in said


ACCEPTING = SITE.replace("{name: lab,", "{name: lab, accept_unsupported: [mlag],")


@pytest.mark.parametrize("vlans", [FLAT, ROUTED])
def test_an_image_without_iccpd_has_no_table_of_it(vlans: str, tmp_path: Path) -> None:
    """The peer link and BGP stay: both leafs have one tunnel endpoint."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/site.yaml").write_text(spelled(ACCEPTING, vlans, '"202505"'))
    said = call("render", str(tmp_path / "site"), "-o", str(tmp_path / "files"))
    assert said.code == 0, said
    leaf = json.loads(next(tmp_path.glob("files/**/fe-leaf01/config_db.json")).read_text())
    assert not [name for name in leaf if name.startswith("MCLAG")]
    assert "Vlan4094|169.254.0.0/31" in leaf["VLAN_INTERFACE"]
    assert "Vlan110|PortChannel1000" in leaf["VLAN_MEMBER"]


def test_a_table_of_iccpd_is_strange_on_an_image_without_it() -> None:
    made = compile_site(load_texts({"site.yaml": spelled(ACCEPTING, FLAT, '"202505"')}))
    assert made.site is not None
    plain = {item.switch.name: item for _, item in slices(made.site)}["fe-leaf01"]
    said = [each.message for each in prove(plain, switches("bridged")["fe-leaf01"][1]).findings]
    for what in ("pair: domain is 1", "PortChannel1: mlag is 1", "Vlan4094: own address is true"):
        assert [each for each in said if f"{what}, but it is not in the design" in each]


@pytest.mark.parametrize("release", [*NOS.releases])
def test_segments_came_with_master(release: str) -> None:
    said = errors(SEGMENTED, ROUTED, f'"{release}"')
    assert bool(said) == (release != "master")
    why = "evpn-multihoming: its models have no EVPN_ETHERNET_SEGMENT"
    assert all(why in each for each in said)


def test_a_release_before_segments_has_no_table_of_them() -> None:
    accepting = SEGMENTED.replace(
        "{name: lab,", "{name: lab, accept_unsupported: [evpn-multihoming],"
    )
    made = compile_site(load_texts({"site.yaml": spelled(accepting, ROUTED, '"202605"')}))
    assert made.site is not None
    for _, group in files_of_switches(made.site):
        for file in group:
            assert not any(word in file.text for word in ("EVPN_ETHERNET", "system_mac", "es-id"))


def test_a_pair_is_warned_of_the_disabled_container() -> None:
    (said,) = found(SITE, FLAT, "202505+iccpd")
    assert said.severity is Severity.WARNING
    assert "config feature state iccpd enabled" in said.hint


def test_a_segment_is_warned_of_the_sai() -> None:
    (said,) = found(SEGMENTED, ROUTED, "master")
    assert said.severity is Severity.WARNING
    assert "issue 4783" in said.message


def test_a_gateway_needs_an_image_that_keeps_its_mac() -> None:
    (said,) = [
        each for each in found(SITE, ROUTED, "202511+iccpd") if each.severity is Severity.ERROR
    ]
    assert "iccpd replaces the MAC of a gateway" in said.message
    assert said.hint.endswith("`release: 202511+iccpd-sag`")
    assert errors(SITE, ROUTED, "202511+iccpd-sag") == []


@pytest.mark.parametrize(
    "more",
    [
        "diagnostics: {subnet: 10.97.1.0/24}",
        "external: {isp: {leaf: 2, cage: 58, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}}",
    ],
)
def test_a_part_of_a_vrf_on_one_leaf_is_refused(more: str) -> None:
    site = SITE.replace("release: RELEASE", "release: RELEASE, reserve: 1")
    vlans = ROUTED.replace("id: 1,", f"id: 1, {more},", 1)
    accepting = site.replace("{name: lab,", "{name: lab, accept_unsupported: [mlag],")
    for said in (errors(site, vlans, "master+iccpd-sag"), errors(accepting, vlans, "master")):
        (one,) = said
        assert one.startswith("SONiC: VRF red has a port, a route or an address on one leaf")


@pytest.mark.parametrize(
    ("release", "message", "hint"),
    [
        ("202505+icpd", "sonic has no image 'icpd'", "did you mean 'iccpd'?"),
        ("202505+x", "sonic has no image 'x'", "known: iccpd, iccpd-sag"),
        ("202504+iccpd", "must be '202405', ", ""),
        ("202505+", "must be a release of ", ""),
        ("+iccpd", "must be a release of ", ""),
        ("202505+iccpd+sag", "must be a release of ", ""),
    ],
)
def test_a_wrong_word_is_refused(release: str, message: str, hint: str) -> None:
    loaded = load_texts({"site.yaml": spelled(SITE, FLAT, f'"{release}"')})
    said = [
        each
        for each in (*loaded.findings, *compile_site(loaded).findings)
        if each.path == ("frontend", "leaf", "release")
    ]
    assert message in said[0].message
    assert said[0].code is Code.BAD_VALUE
    assert hint in said[0].hint


def test_a_platform_without_images_refuses_every_word() -> None:
    text = spelled(SITE, FLAT, "4.34+iccpd").replace("platform: sonic", "platform: eos")
    said = compile_site(load_texts({"site.yaml": text})).findings
    assert [each.hint for each in said if "has no image 'iccpd'" in each.message] == [
        "name the release alone"
    ]


def test_leafs_of_two_systems_are_no_pair() -> None:
    text = SITE.replace(
        "  links: {speed: 400G}", "  links: {speed: 400G}\n  switches: {fe-leaf02: {platform: eos}}"
    )
    made = compile_site(load_texts({"site.yaml": spelled(text, FLAT, "202505+iccpd")}))
    said = [each.message for each in made.findings if each.code is Code.PAIR_DISAGREES]
    assert said == [
        "the MLAG domain hall-1 differs in its network OS: sonic on fe-leaf01, eos on fe-leaf02"
    ]


@pytest.mark.parametrize(
    ("feature", "release", "name"),
    [
        (Feature.MLAG, "202505+iccpd", "bridged"),
        (Feature.MLAG, "master+iccpd-sag", "routed"),
        (Feature.ANYCAST_GATEWAY, "master+iccpd-sag", "routed"),
        (Feature.MULTIHOMING, "master", "segments"),
    ],
)
def test_a_claim_of_an_image_is_in_the_files(feature: Feature, release: str, name: str) -> None:
    answer = NOS.answer(feature, release)
    assert isinstance(answer, Supported)
    assert printed(answer.section, switches(name)["fe-leaf01"][1])
    assert not printed(answer.section, switches(name)["fe-spine1"][1])


def test_an_image_answers_before_its_release() -> None:
    assert isinstance(NOS.answer(Feature.MLAG, "202405"), Unsupported)
    assert isinstance(NOS.answer(Feature.MLAG, "202405+iccpd"), Supported)
    assert isinstance(NOS.answer(Feature.DOMAIN, "202405+iccpd"), Unsupported)
    assert NOS.label("202405+iccpd") == "sonic 202405+iccpd"
    assert NOS.branch("202405+iccpd") == "202405"
    assert NOS.branch("") == NOS.release


def test_capabilities_show_what_an_image_adds() -> None:
    told = json.loads(call("capabilities", "--format", "json").out)
    assert told["releases"]["sonic"]["images"] == ["iccpd", "iccpd-sag"]
    assert "images" not in told["releases"]["eos"]
    mlag = told["features"]["mlag"]["sonic"]
    assert mlag["supported"] is False
    assert {word: each["supported"] for word, each in mlag["images"].items()} == {
        "iccpd": True,
        "iccpd-sag": True,
    }
    assert "sonic +iccpd, +iccpd-sag mlag: the container iccpd" in call("capabilities").out


def test_a_design_moves_to_an_image(tmp_path: Path) -> None:
    text = spelled(SITE, FLAT, '"202505"')
    (tmp_path / "site.yaml").write_text(text)
    assert call("check", str(tmp_path)).code == 1
    assert call("check", str(tmp_path), "--as", "sonic:202505+iccpd").code == 0
    wrong = call("check", str(tmp_path), "--as", "sonic:202505+iccp")
    assert (wrong.code, "+iccpd, +iccpd-sag" in wrong.err) == (64, True)


@pytest.mark.parametrize(
    ("name", "release"), [("bridged", "202505+iccpd}"), ("routed", "202605+iccpd-sag}")]
)
def test_an_import_finds_the_image(name: str, release: str, tmp_path: Path) -> None:
    """The files of master and of 202605 name one version of FRR."""
    (tmp_path / "site").mkdir()
    text = spelled(*PAIRS[name]).replace(', domain: "hall-{pair}"', "")
    (tmp_path / "site" / "site.yaml").write_text(text)
    files, found_in = str(tmp_path / "files"), str(tmp_path / "found")
    assert call("render", str(tmp_path / "site"), "-o", files).code == 0
    said = call("import", files, "-o", found_in)
    assert (said.code, "0 remain" in said.out + said.err) == (0, True)
    words = "".join(file.read_text() for file in (tmp_path / "found").glob("*.yaml"))
    assert f"release: {release}" in words
    assert "accept_unsupported" not in words
