"""Explain: each line of a switch or server leads to its rule and its place in the intent."""

import re
from pathlib import Path

import pytest
from tests.cli.calling import LAB, ROOT, TENANTS, call

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.reports.explanation import explain_host, explain_switch
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.hosts.slices import HostSlicer

FULL = str(ROOT / "intent" / "full")
THREE_TIER = str(ROOT / "intent" / "three-tier")
CLOSING = re.compile(r"[\s!#{}\[\],]*|end|exit.*")  # what only closes a block or file


def site_of(folder: str) -> Site:
    made = compile_site(load_site(Path(folder)))
    assert made.site is not None
    return made.site


def test_explain_leads_to_the_intent() -> None:
    said = call("explain", TENANTS, "fe-leaf01", "vlan 110")
    assert said.code == 0
    assert "tenants/red.yaml:" in said.out
    assert "L2VNI" in said.out


def test_explain_a_line_that_is_one_of_many() -> None:
    said = call("explain", TENANTS, "fe-leaf01", "qos map dscp 48")
    assert "from" in said.out
    assert "constant" not in said.out


def test_explain_a_line_of_json() -> None:
    said = call("explain", TENANTS, "fe-leaf01", '"Vlan110"', "--as", "sonic")
    assert said.code == 0
    assert "tenants/red.yaml:" in said.out


def test_explain_by_line_number() -> None:
    assert call("explain", TENANTS, "fe-leaf01", "20").code == 0


def test_explain_a_line_of_a_server_by_its_place_in_the_tree() -> None:
    said = call("explain", LAB, "hosts/gpu0001/etc/nccl.conf:3")
    assert said.code == 0
    assert said.out.startswith("etc/nccl.conf:3  NCCL_IB_HCA==rdma0:1")
    assert "lab/backend.yaml:8:3  backend.roce.dscp" in said.out


def test_explain_a_server_by_name_and_text_with_the_address_computed() -> None:
    said = call("explain", LAB, "gpu0001", "rdma0 172.16.0.1")
    assert said.code == 0
    assert said.out.startswith("etc/fabricgen/rails:")
    assert "172.16.0.1: NIC address = 172.16.0.1 + 262144 x (rail 1 - 1) + " in said.out


def test_explain_a_line_of_a_switch_by_its_place_in_the_tree() -> None:
    said = call("explain", LAB, "backend/be-su01-leaf1/etc/frr/frr.conf:20")
    assert said.code == 0
    assert said.out.startswith("etc/frr/frr.conf:20 ")


@pytest.mark.parametrize(
    ("owner", "said"),
    [
        ("hosts/gpu9001/etc/nccl.conf:3", "no server 'gpu9001'"),
        ("hosts/be-su01-leaf1/etc/nccl.conf:3", "no server 'be-su01-leaf1'"),
        ("hosts/gpu0001/etc/nccl.conf:99", "no line of gpu0001 contains 'etc/nccl.conf:99'"),
        ("frontend/be-su01-leaf1", "no switch 'be-su01-leaf1'"),
    ],
)
def test_explain_what_is_nowhere_in_the_tree(owner: str, said: str) -> None:
    heard = call("explain", LAB, owner)
    assert heard.code == 1
    assert said in heard.err


def test_explain_what_is_not_there() -> None:
    assert call("explain", TENANTS, "fe-leaf01", "no such text").code == 1


def test_a_number_that_is_no_line_of_a_file_is_text() -> None:
    said = call("explain", FULL, "be-su01-leaf1", "612140")
    assert said.code == 0
    assert '"xoff": "612140"' in said.out
    assert "headroom of 400G on 5 m" in said.out
    assert "and headroom of 400G on 20 m" in said.out


def test_lines_that_are_alike_are_explained_once() -> None:
    said = call("explain", FULL, "be-su01-leaf1", "detection_time").out
    assert said.count('"detection_time": "800"') == 1
    assert re.search(r"the same at lines \d+, \d+, \d+, \d+, \d+ and 122 more", said)


def test_a_pool_says_what_its_ports_ask_for() -> None:
    said = call("explain", FULL, "be-su01-leaf1", '"xoff": "29423360"').out
    assert "as the model ships; 156,707,840 are needed, 5.3 to 1" in said


@pytest.mark.parametrize(
    ("site", "owner", "text"),
    [
        (FULL, "be-su01-leaf1", "green_min_threshold"),
        (THREE_TIER, "be-pod01-spine1", "random-detect ecn"),
        (LAB, "be-su01-leaf1", "swp1 parent 1:3 handle 33: red"),
    ],
)
def test_marking_leads_to_the_round_trip_on_every_platform(
    site: str, owner: str, text: str
) -> None:
    said = call("explain", site, owner, text).out
    assert re.search(r"Kmin on \d+G: [\d,]+ \(1 x BDP\)", said)
    assert re.search(r"BDP = \d+G x [\d,]+ ns / 8, in ns [\d,]+ \(cables\) \+ ", said)
    assert "  backend.roce" in said


@pytest.mark.parametrize(
    ("platform", "text"),
    [
        ("sonic", "scheduler.storage"),
        ("eos", "qos map dscp 4 to traffic-class 4"),
        ("eos", "uc-tx-queue 4"),
        ("linux", "ip_tos 0x10/0xfc"),
    ],
)
def test_storage_leads_to_its_own_words_on_every_platform(platform: str, text: str) -> None:
    said = call("explain", FULL, "be-su01-leaf1", text, "--as", platform)
    assert "backend.roce.storage" in said.out


@pytest.mark.parametrize(
    ("site", "owner", "text"),
    [
        (FULL, "be-su01-leaf1", "detection_time"),
        (THREE_TIER, "be-pod01-spine1", "watchdog default timeout"),
    ],
)
def test_the_watchdog_leads_to_its_timers(site: str, owner: str, text: str) -> None:
    said = call("explain", site, owner, text).out
    assert "polls every 100 ms, detects a stuck queue after 200 ms of pause" in said
    assert "backend.roce.watchdog" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NCCL_IB_TC=", "106: traffic class = DSCP 26 x 4 + 2 in the two bits of ECN"),
        ("table: 1021", "1021: routing table of rail 2 = 1000 + 10 x 2 + port 1"),
    ],
)
def test_the_numbers_of_a_server_have_their_terms(text: str, said: str) -> None:
    assert said in call("explain", FULL, "gpu0001", text).out


def test_no_line_of_a_server_is_without_a_reason() -> None:
    hosts = list(HostSlicer(site_of(FULL)).slices())
    for host in (hosts[0], hosts[-1]):
        assert not [line for line in explain_host(host) if not line.reasons and line.text.strip()]


@pytest.mark.parametrize("site", [FULL, THREE_TIER, LAB, TENANTS])
def test_no_line_of_a_switch_is_without_a_reason(site: str) -> None:
    for fabric in site_of(site).fabrics:
        for switch in {item.role: item for item in fabric.topology.switches}.values():
            for line in explain_switch(Slicer(fabric).slice(switch)):
                assert line.reasons or CLOSING.fullmatch(line.text.strip()), line


@pytest.mark.parametrize("verb", [("explain",), ("render", "--switch"), ("failures", "--fail")])
def test_a_switch_by_its_name_in_the_intent_is_called_otherwise(
    verb: tuple[str, ...], tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "site.yaml").write_text(
        "site: {name: lab, management: {subnet: 10.255.0.0/20}}\n"
        "frontend:\n"
        "  leaf: {model: 7050CX3-32S, platform: eos}\n"
        "  spine: {model: 7050CX3-32S, platform: eos}\n"
        "  leaf_groups: {cpu: {leafs: 1-2, servers: {per_leaf: 4, speed: 25G}}}\n"
        "  switches: {fe-spine1: {hostname: osl-s1}}\n"
    )
    out = ("-o", str(tmp_path / "out")) if verb[0] == "render" else ()
    heard = call(verb[0], str(site), *verb[1:], "fe-spine1", *out)
    assert heard.code == 1
    assert "hint: an override names it 'osl-s1'" in heard.err
