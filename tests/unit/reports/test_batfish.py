"""A snapshot for Batfish: its documents have the form, and speak of what the files say."""

import json
import re
from dataclasses import replace
from functools import cache
from ipaddress import ip_interface
from typing import Any

import jsonschema
import pytest
from tests.unit.reports.labs import SITES, designed

from fabricgen.compile.compiler import files, slices
from fabricgen.model.fabric.topology import Server
from fabricgen.nos.linux.batfish import snapshot as linux_snapshot
from fabricgen.nos.registry import OURS, nos
from fabricgen.operate.export import batfish
from fabricgen.operate.export.batfish import ANNOUNCEMENTS, LAYER1, Snapshot, refusals, snapshot

END = {
    "type": "object",
    "required": ["hostname", "interfaceName"],
    "additionalProperties": False,
    "properties": {"hostname": {"pattern": "^[a-z0-9-]+$"}, "interfaceName": {"type": "string"}},
}
EDGES = {
    "type": "object",
    "required": ["edges"],
    "properties": {
        "edges": {
            "items": {
                "required": ["node1", "node2"],
                "additionalProperties": False,
                "properties": {"node1": END, "node2": END},
            }
        }
    },
}
HOST = {
    "required": ["hostname", "hostInterfaces"],
    "additionalProperties": False,
    "properties": {
        "hostname": {"pattern": "^[a-z0-9-]+$"},
        "hostInterfaces": {
            "minProperties": 1,
            "additionalProperties": {
                "required": ["name", "prefix", "gateway"],
                "additionalProperties": False,
                "properties": {word: {"type": "string"} for word in ("name", "prefix", "gateway")},
            },
        },
    },
}
IPV4 = {"pattern": r"^\d+(\.\d+){3}$"}
"""Class `Ip` of batfish BgpAdvertisement.java; `::` ends its data plane."""
WORDS = ("type", "network", "nextHopIp", "srcIp", "dstNode", "dstIp", "dstVrf", "srcProtocol")
ANNOUNCED = {
    "required": ["Announcements"],
    "properties": {
        "Announcements": {
            "items": {
                "required": [*WORDS, "originType", "originatorIp", "asPath", "communities"],
                "properties": {
                    **{word: {"type": "string"} for word in WORDS},
                    **dict.fromkeys(("nextHopIp", "srcIp", "dstIp", "originatorIp"), IPV4),
                    "network": {"pattern": r"^\d+(\.\d+){3}/\d+$"},
                    "type": {"enum": ["ebgp_sent", "ebgp_received"]},
                    "localPreference": {"minimum": 1},
                    "originType": {"enum": ["egp", "igp", "incomplete"]},
                    "asPath": {"items": {"type": "array", "items": {"type": "integer"}}},
                },
            }
        }
    },
}
"""From pybatfish docs/source/formats.md@0a1d0b8c and batfish's example_layer1_topology.json."""
SMALL = ("lab", "tenants")
each = pytest.mark.parametrize(
    ("name", "platform"), [(name, platform) for name in SMALL for platform in OURS]
)


@cache
def made(name: str, platform: str | None = None) -> Snapshot:
    site = designed(name, platform)
    return snapshot(site, files(site))


def documents(laid: Snapshot, folder: str) -> list[dict[str, Any]]:
    return [json.loads(file.text) for file in laid.files if file.path.startswith(folder)]


@pytest.mark.parametrize("name", SITES)
def test_the_documents_have_the_form_that_batfish_reads(name: str) -> None:
    laid = made(name)
    (edges,), (told,) = documents(laid, LAYER1), documents(laid, ANNOUNCEMENTS)
    jsonschema.validate(edges, EDGES)
    jsonschema.validate(told, ANNOUNCED)
    a_host = jsonschema.Draft202012Validator(HOST)
    for host in documents(laid, "hosts/"):
        a_host.validate(host)


@each
def test_every_cable_between_switches_is_there_from_both_ends(name: str, platform: str) -> None:
    site, (document,) = designed(name, platform), documents(made(name, platform), LAYER1)
    found = {(edge["node1"]["hostname"], edge["node2"]["hostname"]) for edge in document["edges"]}
    cables = [
        (link.lower.name, link.upper.name)
        for fabric in site.fabrics
        for link in fabric.topology.links
        if not isinstance(link.lower, Server)
    ]
    assert cables
    assert {*cables, *((upper, lower) for lower, upper in cables)} <= found


@each
def test_a_cable_ends_at_an_interface_that_the_files_have(name: str, platform: str) -> None:
    laid = made(name, platform)
    texts = {file.path: file.text for file in laid.files}
    words = {
        "eos": ("configs/{}.cfg", "interface {}\n"),
        "linux": ("configs/{}.cfg", "iface {}\n"),
        "sonic": ("sonic_configs/{}/config_db.json", '"{}"'),
    }[platform]
    switches = {switch_slice.switch.name for _, switch_slice in slices(designed(name, platform))}
    (document,) = documents(laid, LAYER1)
    for end in (edge["node1"] for edge in document["edges"]):
        if end["hostname"] in switches:
            text = texts[words[0].format(end["hostname"])]
            assert words[1].format(end["interfaceName"]) in text
        else:
            host = json.loads(texts[f"hosts/{end['hostname']}.json"])
            assert end["interfaceName"] in host["hostInterfaces"]


@pytest.mark.parametrize("name", SMALL)
def test_a_host_has_its_gateway_on_its_link(name: str) -> None:
    hosts = documents(made(name), "hosts/")
    assert len(hosts) == len({host["hostname"] for host in hosts})
    for host in hosts:
        (face,) = host["hostInterfaces"].values()
        own = ip_interface(face["prefix"])
        gateway = ip_interface(face["gateway"])
        assert gateway.ip in own.network
        assert gateway.ip != own.ip


def test_routers_outside_announce_what_is_accepted_of_them() -> None:
    (document,) = documents(made("tenants"), ANNOUNCEMENTS)
    wanted = {
        (switch_slice.switch.name, peer.vrf, peer.local.host, rule.prefix.prefix, peer.peer_asn)
        for _, switch_slice in slices(designed("tenants"))
        for peer in switch_slice.external
        for rule in peer.accept
    }
    assert wanted
    assert wanted == {
        (told["dstNode"], told["dstVrf"], told["dstIp"], told["network"], told["asPath"][0][0])
        for told in document["Announcements"]
    }


def test_announcements_of_ipv6_are_left_out_and_counted() -> None:
    laid = made("edge")
    (document,) = documents(laid, ANNOUNCEMENTS)
    every = [
        rule.prefix.version
        for _, switch_slice in slices(designed("edge"))
        for peer in switch_slice.external
        for rule in peer.accept
    ]
    assert {4, 6} == {*every}
    assert len(document["Announcements"]) == every.count(4)
    assert {told["localPreference"] for told in document["Announcements"]} == {100}
    assert any(each.startswith(f"{every.count(6)} announcements") for each in laid.left)


@pytest.mark.parametrize("name", ["full", "four-fabrics"])
def test_an_address_is_in_one_file_alone(name: str) -> None:
    laid = made(name)
    hosts = [
        face["prefix"].partition("/")[0]
        for host in documents(laid, "hosts/")
        for face in host["hostInterfaces"].values()
    ]
    texts = [each.text for each in laid.files if "config" in each.path]
    switches = [
        address
        for text in texts
        for address in re.findall(r"(?:ip address |eth0\|| address )(\d+\.\d+\.\d+\.\d+)/", text)
    ]
    assert hosts
    assert switches
    assert not {*hosts} & {*switches}
    assert len(hosts) == len({*hosts})
    assert any("management ports are interfaces" in each for each in laid.left)


def test_a_cable_to_a_management_port_leads_to_the_switch() -> None:
    (document,) = documents(made("full"), LAYER1)
    ends = {
        (edge["node1"]["hostname"], edge["node1"]["interfaceName"]) for edge in document["edges"]
    }
    assert ("fe-leaf01", "Management1") in ends
    assert ("be-spine1", "eth0") in ends
    assert not [name for name, _ in ends if "-mgmt" in name]


@pytest.mark.parametrize("name", ["full", "oob", "tenants"])
def test_a_sonic_switch_has_the_default_vrf_alone(name: str) -> None:
    """What Batfish's SonicConfiguration.java fails on: another VRF, and a neighbor in EVPN."""
    laid = made(name, "sonic")
    texts = {file.path: file.text for file in laid.files if file.path.startswith("sonic_configs/")}
    assert texts
    reduced = 0
    for path, text in texts.items():
        if path.endswith("frr.conf"):
            assert not re.search(
                r"l2vpn evpn|advertise-all-vni|^vrf | vrf |vni", text, re.MULTILINE
            )
            active = re.findall(r"^  neighbor (\S+) activate$", text, re.MULTILINE)
            groups = re.findall(r"^ neighbor (\S+) peer-group$", text, re.MULTILINE)
            assert {*groups} <= {*active}
            reduced += "router bgp" in text
        else:
            tables = json.loads(text)
            assert "VRF" not in tables
            assert not [
                row for rows in tables.values() for row in rows.values() if "vrf_name" in row
            ]
            routed = [key for word in ROUTED for key in tables.get(word, {})]
            bare = {key for key in routed if "|" not in key}
            assert {key.partition("|")[0] for key in routed} == bare
    assert reduced
    (told,) = documents(laid, ANNOUNCEMENTS)
    reached = {f"sonic_configs/{each['dstNode']}/frr.conf" for each in told["Announcements"]}
    assert not reached & texts.keys()
    assert any("Batfish's reader of SONiC" in each for each in laid.left)


ROUTED = ("INTERFACE", "LOOPBACK_INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE")


def test_a_sonic_switch_without_an_overlay_is_as_rendered() -> None:
    site = designed("rail-optimized", "sonic")
    own = {
        f"sonic_configs/{owner.name}/{name}": file.text
        for owner, group in files(site)
        for file in group
        for name in ("config_db.json", "frr.conf")
        if file.path.endswith(f"/{name}")
    }
    laid = {file.path: file.text for file in snapshot(site, files(site)).files}
    assert own
    assert own.items() <= laid.items()


def test_linux_files_are_one_in_the_order_batfish_parts_them() -> None:
    for file in made("lab").files:
        if not file.path.startswith("configs/"):
            continue
        name, *lines = file.text.splitlines()
        assert file.path == f"configs/{name}.cfg"
        marks = ("# This file describes the network interfaces", "# ports.conf --", "frr version")
        places = [next(n for n, line in enumerate(lines) if line.startswith(m)) for m in marks]
        assert places == sorted(places)
        assert places[0] == 0
        faces = lines[: places[1]]
        assert not [line for line in faces if re.search(r"\bbr0\b|pre-up|vxlan-ttl", line)]
        if name.startswith("fe-leaf"):
            assert "iface bridge" in faces
            assert "    vlan-raw-device bridge" in faces


def test_of_an_interface_batfish_is_told_the_words_it_knows_and_no_other() -> None:
    text = """\
auto swp1
iface swp1
    alias uplink of br0
    address 10.0.0.1/31
    mtu 9214
    pre-up ethtool -s swp1 speed 100000
    bridge-access 10
    vlan-raw-device br0
    vxlan-ttl 64

iface br0
"""
    files = {"etc/network/interfaces": text, "etc/frr/frr.conf": "frr version 8.4.4\n"}
    (written,) = linux_snapshot("leaf1", files).files.values()
    lines = written.partition("network interfaces\n")[2].partition("# ports.conf")[0]
    assert (
        lines
        == """\
auto swp1
iface swp1
    alias uplink of br0
    address 10.0.0.1/31
    mtu 9214
    bridge-access 10
    vlan-raw-device bridge

iface bridge
"""
    )


def test_what_batfish_does_not_know_is_said() -> None:
    assert any("tagged VLANs" in sentence for sentence in made("tenants").left)
    assert made("rail-only").left == ()


def test_a_platform_without_a_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    strange = replace(nos("linux"), batfish=None)
    monkeypatch.setattr(batfish, "nos", lambda name: strange if name == "linux" else nos(name))
    (found,) = refusals(designed("lab"))
    assert found.message == "Batfish does not support linux, the platform of be-spine1"
    assert "--as eos" in found.hint
    assert refusals(designed("rail-only")) == []
