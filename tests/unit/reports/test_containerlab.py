"""The topology for containerlab: its form, its cables and names, and what files say of them."""

import json
import re
from collections import Counter
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.longer import ALL, LARGE
from tests.unit.reports.labs import PLATFORMS, SITES, designed, exported, laid_out, texts

from fabricgen.compile.attached.site import owner_of
from fabricgen.compile.compiler import files
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.containerlab import LAB_IMAGE, START
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import kind_of, nos
from fabricgen.operate.export.containerlab import topology
from fabricgen.operate.export.containerlab.folder import as_yaml, export
from fabricgen.operate.export.containerlab.topology import SYSCTL, lay_out, only, refusals

SCHEMA = json.loads((Path(__file__).parent / "clab.schema.json").read_text())
each = pytest.mark.parametrize(
    ("name", "platform"),
    [
        pytest.param(name, platform, id=f"{name}-{platform or 'own'}")
        for name in SITES
        for platform in (PLATFORMS if ALL or name not in LARGE else [None])
    ],
)


def ends(topology: dict[str, Any]) -> list[tuple[str, str]]:
    return [(link["endpoints"][0], link["endpoints"][1]) for link in topology["topology"]["links"]]


@each
def test_the_topology_has_the_form_containerlab_reads(name: str, platform: str | None) -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(laid_out(name, platform).topology)


@each
def test_it_is_the_same_after_yaml(name: str, platform: str | None) -> None:
    topology = laid_out(name, platform).topology
    assert yaml.load(as_yaml(topology), Loader=yaml.CSafeLoader) == topology


@each
def test_every_cable_is_there_once(name: str, platform: str | None) -> None:
    site = designed(name, platform)
    lab = laid_out(name, platform)
    back = {  # device of the lab to the neutral label of its port
        f"{one.switch.name}:{wire}": port.label
        for one in lab.switches.values()
        for port, wire in one.wires.items()
    }
    found = Counter(
        tuple(f"{end.partition(':')[0]}:{back.get(end, end.partition(':')[2])}" for end in pair)
        for pair in ends(lab.topology)
    )
    assert found == Counter(
        (
            f"{owner_of(fabric, link)}:{link.lower_port.label}",
            f"{link.upper.name}:{link.upper_port.label}",
        )
        for fabric in site.fabrics
        for link in fabric.topology.links
    )


@each
def test_no_device_has_two_cables(name: str, platform: str | None) -> None:
    topology = laid_out(name, platform).topology
    used = Counter(end for pair in ends(topology) for end in pair)
    assert set(used.values()) == {1}
    assert {end.partition(":")[0] for end in used} <= topology["topology"]["nodes"].keys()
    assert all(len(end.partition(":")[2]) <= 15 for end in used)  # IFNAMSIZ


@each
def test_every_switch_has_its_own_address_in_the_management_network(
    name: str, platform: str | None
) -> None:
    topology = laid_out(name, platform).topology
    subnet = ip_network(topology["mgmt"]["ipv4-subnet"])
    nodes = topology["topology"]["nodes"].values()
    given = [ip_address(node["mgmt-ipv4"]) for node in nodes if "mgmt-ipv4" in node]
    gateway = ip_address(topology["mgmt"]["ipv4-gw"])
    assert len({*given, gateway}) == len(given) + 1
    assert all(address in subnet for address in (*given, gateway))
    # a node without a fixed address would be given one of theirs by the container runtime
    assert all("mgmt-ipv4" in node or node["network-mode"] == "none" for node in nodes)


def far_ends(told: dict[str, str], switch: str, lab_switch: dict[str, str]) -> dict[str, str]:
    """Read from rendered files what stands at the far end of each device of a lab's switch."""
    if "eos.cfg" in told:
        said = re.findall(r"^interface (\S+)\n   description (.*)", told["eos.cfg"], re.MULTILINE)
        names = json.loads(told["EosIntfMapping.json"])["EthernetIntf"]
    elif "config_db.json" in told:
        table = json.loads(told["config_db.json"])["PORT"]
        said = [(port["lanes"], port.get("description", "")) for port in table.values()]
        names = dict(line.split(":") for line in told["lanemap.ini"].splitlines())
    else:
        said = re.findall(
            r"^iface (\S+)\n    alias (.*)", told["etc/network/interfaces"], re.MULTILINE
        )
        names = {wire: wire for wire in lab_switch.values()}
    descriptions = dict(said)
    return {wire: descriptions[names[wire]].partition(" to ")[2] for wire in names}


@pytest.mark.parametrize("name", ["full", "lab", "tenants"])
@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda word: word or "own")
def test_the_files_name_the_far_end_of_every_wire(name: str, platform: str | None) -> None:
    site, made = designed(name, platform), texts(exported(name, platform))
    lab = laid_out(name, platform)
    peers = {}
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
            for (owner, port), (peer, there) in ((lower, upper), (upper, lower)):
                peers[owner.name, port] = f"{peer.name}:{spell(peer, there)}"
    for one in lab.switches.values():
        told = {
            path.removeprefix(f"{one.folder}/"): text
            for path, text in made.items()
            if path.startswith(f"{one.folder}/")
        }
        wires = {str(id(port)): wire for port, wire in one.wires.items()}
        assert far_ends(told, one.switch.name, wires) == {
            wire: peers[one.switch.name, port] for port, wire in one.wires.items()
        }


def test_broken_out_ports_are_spelled_as_each_image_names_them() -> None:
    ceos = texts(exported("full"))["frontend/fe-leaf05/EosIntfMapping.json"]
    assert json.loads(ceos)["EthernetIntf"]["eth2"] == "Ethernet1/2"
    assert json.loads(ceos)["ManagementIntf"] == {"eth0": "Management1"}
    sonic = texts(exported("full"))["backend/be-su01-leaf1/port_config.ini"].splitlines()
    assert sonic[1:3] == [
        "Ethernet0 17,18,19,20 etp1a 1",
        "Ethernet4 21,22,23,24 etp1b 1",
    ]
    linux = lay_out(designed("full", "linux")).switches["fe-leaf05"].wires.values()
    assert list(linux)[:2] == ["swp1s0", "swp1s1"]


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda word: word or "own")
def test_every_file_a_node_reads_is_in_the_folder(platform: str | None) -> None:
    made = texts(exported("full", platform))
    there = made.keys() | {path.rpartition(end)[0] + "/etc" for path in made for end in ("/etc/",)}
    nodes = yaml.safe_load(made["berlin1.clab.yml"])["topology"]["nodes"].values()
    wanted = {bind.partition(":")[0] for node in nodes for bind in node.get("binds", ())}
    wanted |= {node["startup-config"] for node in nodes if "startup-config" in node}
    assert wanted
    assert wanted <= there


def test_a_platform_without_a_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    site = designed("lab")
    assert refusals(site) == []
    without = replace(nos("linux"), containerlab=None)
    monkeypatch.setattr(topology, "nos", lambda name: without if name == "linux" else nos(name))
    first, *_ = refusals(site)
    assert first.code is Code.UNSUPPORTED
    assert first.message.startswith("containerlab does not support linux, the platform of ")


def twice(site: Site) -> Site:
    return replace(site, fabrics=(site.fabrics[0], replace(site.fabrics[0], name="copy")))


def test_a_name_in_two_fabrics_is_refused() -> None:
    found = refusals(twice(designed("lab")))
    assert {one.code for one in found} == {Code.NAME_NOT_UNIQUE}
    said = {one.message for one in found}
    assert "two fabrics have a node fe-leaf01, but a lab can have only one" in said
    assert "two fabrics have a cable at fe-leaf03-h4:eth0, but a lab can have only one" in said


def test_one_fabric_alone() -> None:
    part = only(designed("full"), ["frontend"])
    assert {one.switch.fabric for one in lay_out(part).switches.values()} == {"frontend"}
    assert only(designed("full"), []) is designed("full")


def test_the_summary_counts_what_is_in_the_topology() -> None:
    made, lab = exported("full").summary, laid_out("full")
    inner = lab.topology["topology"]
    assert (made.name, made.topology, made.lab_image) == ("berlin1", "berlin1.clab.yml", LAB_IMAGE)
    assert (made.nodes, made.links) == (len(inner["nodes"]), len(inner["links"])) == (344, 2027)
    assert made.servers == 301  # 92 of them BMCs
    assert [(ran.platform, ran.switches) for ran in made.ran] == [("eos", 12), ("sonic", 31)]
    for ran in made.ran:
        kind = kind_of(ran.platform)
        assert (ran.kind, ran.image, ran.unchanged, ran.differs) == (
            *(kind.name, kind.image),
            *(kind.unchanged, kind.differs),
        )


def test_of_a_server_the_folder_has_its_sysctl_alone() -> None:
    """Everything else of a server is in the commands of its node."""
    made = [file.path for file in exported("full").files if file.path.startswith("hosts/")]
    assert made
    assert {path.partition("/")[2].partition("/")[2] for path in made} == {SYSCTL}


def test_the_script_that_starts_a_lab_may_be_run_and_nothing_else_of_its_head() -> None:
    head = {file.path: file.executable for file in exported("full").files[:4]}
    assert head == {
        "berlin1.clab.yml": False,
        "README.md": False,
        "image/Dockerfile": False,
        START: True,
    }


def test_a_reference_is_counted_once_for_each_file_that_holds_it() -> None:
    secrets = {one.reference: one.files for one in exported("tenants").summary.secrets}
    files = [file.text for file in exported("tenants").files if file.path != "README.md"]
    assert secrets == {
        reference: sum(f"<<secret:{reference}>>" in text for text in files) for reference in secrets
    }
    assert set(secrets.values()) == {8}


def test_a_configuration_that_containerlab_takes_for_a_template_is_named() -> None:
    site = designed("tenants", "eos")
    braces = [
        (
            owner,
            [
                replace(file, text=file.text + ("{{" if owner.name == "fe-leaf02" else ""))
                for file in made
            ],
        )
        for owner, made in files(site)
    ]
    assert exported("tenants", "eos").summary.templated == ()
    assert export(site, braces).summary.templated == ("frontend/fe-leaf02/eos.cfg",)


def test_a_link_stands_on_one_line() -> None:
    text = as_yaml(laid_out("lab").topology)
    assert text.startswith("# Made by `fabricgen lab export`")
    links = [line for line in text.splitlines() if "endpoints:" in line]
    assert len(links) == len(laid_out("lab").topology["topology"]["links"])
    assert all(line.strip().startswith("- endpoints: [") for line in links)


def test_what_is_left_out_is_named() -> None:
    made = exported("tenants").summary
    assert [secret.reference for secret in made.secrets] == [
        "env:FABRIC_ADMIN_HASH",
        "env:FABRIC_NOC_HASH",
        "env:SNMP_COMMUNITY",
    ]
    assert made.outside == ("fe-leaf05 red_isp1", "fe-leaf06 red_isp2")
    readme = texts(exported("tenants"))["README.md"]
    assert all(word in readme for word in ("env:SNMP_COMMUNITY", "fe-leaf06 red_isp2", "eos.cfg"))
