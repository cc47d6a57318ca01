"""Classes of tenants: what each platform makes of them, refuses, and finds by reading back."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from tests.nos.tenants import classed

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.registry import nos
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.written import prove

NFT = shutil.which("nft", path="/usr/sbin:/usr/bin:/sbin:/bin")
TEXTS = {
    "eos": classed("7050CX3-32S", "eos"),
    "linux": classed("7050CX3-32S", "linux", mixed=True),
    "sonic": classed("SN3700", "sonic", trust=True),
}
BLOCKS = {
    "a bundle in gold writes the first DSCP of its VRF's class": (
        "eos.cfg",
        "interface Port-Channel1\n",
        "   service-policy type qos input MARK-36\n   service-profile FRONTEND\n",
    ),
    "a VLAN has a class of its own": (
        "eos.cfg",
        "interface Ethernet5/1\n",
        "   service-policy type qos input MARK-8\n   service-profile FRONTEND\n",
    ),
    "a routed port is in its VRF's class": (
        "eos.cfg",
        "interface Ethernet6/1\n",
        "   vrf red\n   ip address 10.96.0.0/31\n   service-policy type qos input MARK-36\n",
    ),
    "the mark and its class": (
        "eos.cfg",
        "policy-map type quality-of-service MARK-8\n",
        "   class class-default\n      set dscp 8\n      set traffic-class 1\n",
    ),
    "a share of every port": (
        "eos.cfg",
        "qos profile FRONTEND\n",
        "   uc-tx-queue 4\n      no priority\n      bandwidth percent 40\n",
    ),
    "a trunk marks VLAN by VLAN": (
        "etc/fabricgen/marks.nft",
        "    chain swp5s1 {\n",
        (
            "        vlan id 111 ip dscp set 8 accept\n"
            "        vlan id 111 ip6 dscp set 8 accept\n"
            "        ip dscp set 36\n"
        ),
    ),
    "a bond marks": (
        "etc/fabricgen/marks.nft",
        "    chain bond1 {\n",
        "        ip dscp set 36\n",
    ),
    "DSCP 34 goes to the band of gold": (
        "etc/fabricgen/tc.batch",
        "filter del dev swp29 ",
        "flower ip_tos 0x88/0xfc classid 1:2\n",
    ),
}


@cache
def leafs(text: str) -> list[tuple[SwitchSlice, dict[str, str]]]:
    """Return the leafs of a site that is in order, with their files."""
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None
    assert made.ok, made.findings
    pieces = [switch_slice for _, switch_slice in slices(made.site) if switch_slice.switch.is_leaf]
    return [(switch_slice, _files(switch_slice)) for switch_slice in pieces]


def _files(switch_slice: SwitchSlice) -> dict[str, str]:
    return {each.path.split("/", 2)[2]: each.text for each in files_of(switch_slice, Renderer())}


@pytest.mark.parametrize("thing", BLOCKS)
def test_a_class_beside_its_spelling(thing: str) -> None:
    path, head, lines = BLOCKS[thing]
    platform = "eos" if path == "eos.cfg" else "linux"
    files = leafs(TEXTS[platform])[0][1]
    _, found, rest = files[path].partition(head)
    assert found
    end = {"eos.cfg": "\n!\n", "etc/fabricgen/marks.nft": "    }\n"}.get(path, "qdisc")
    assert lines in f"{rest.partition(end)[0]}\n"


def test_sonic_trusts_and_schedules_on_every_port() -> None:
    _, files = leafs(TEXTS["sonic"])[0]
    tables = json.loads(files["config_db.json"])
    scheduled = tables["SCHEDULER"]
    assert scheduled["scheduler.tenants.gold"] == {"type": "DWRR", "weight": "40"}
    assert scheduled["scheduler.best-effort"]["weight"] == "50"
    told = tables["DSCP_TO_TC_MAP"]["best-effort"]
    assert (told["34"], told["36"], told["8"], told["9"]) == ("4", "4", "1", "0")
    ports = {key.partition("|")[0] for key in tables["QUEUE"]}
    assert all(f"{port}|4" in tables["QUEUE"] for port in ports)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (classed("7050CX3-32S", "eos", mixed=True), "no document confirms that policy maps match"),
        (classed("7060DX5-64S", "eos").replace("25G", "100G"), "traffic of a class would be best"),
        (TEXTS["eos"].replace("  classes:", "  roce: {}\n  classes:"), "including RoCE"),
        (classed("SN3700", "linux"), "forwards in its ASIC, which bypasses nftables"),
        (classed("SN3700", "sonic"), "does not support class-marks: no table writes a DSCP"),
    ],
)
def test_what_a_platform_cannot_is_refused(text: str, words: str) -> None:
    made = compile_site(load_texts({"site.yaml": text}))
    assert any(words in each.message for each in made.findings), made.findings
    assert not made.ok


FAULTS = {
    "eos: a port of another class": ("eos", "MARK-8\n   service-pr", "MARK-36\n   service-pr"),
    "eos: a bundle that marks nothing": (
        "eos",
        "   service-policy type qos input MARK-36\n   service-profile FRONTEND\n   spanning",
        "   service-profile FRONTEND\n   spanning",
    ),
    "eos: a mark of another class": ("eos", "set traffic-class 1\n", "set traffic-class 4\n"),
    "eos: a policy that writes another DSCP": ("eos", "set dscp 8\n", "set dscp 36\n"),
    "linux: a mark of another class": ("linux", "ip dscp set 8\n", "ip dscp set 36\n"),
    "linux: IPv6 is left out": ("linux", "        ip6 dscp set 8\n", ""),
    "linux: a VLAN whose packets get the mark of all": ("linux", "set 8 accept\n", "set 8\n"),
    "linux: a chain at another port": ("linux", 'device "swp5s1"', 'device "swp5s0"'),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_file_is_found(fault: str) -> None:
    platform, old, new = FAULTS[fault]
    path = "eos.cfg" if platform == "eos" else "etc/fabricgen/marks.nft"
    switch_slice, files = leafs(TEXTS[platform])[0]
    assert prove(switch_slice, files).findings == ()
    assert old in files[path]
    assert prove(switch_slice, {**files, path: files[path].replace(old, new, 1)}).findings


@pytest.mark.parametrize(
    ("platform", "path", "old", "new"),
    [
        ("eos", "eos.cfg", "bandwidth percent 40", "bandwidth percent 41"),
        ("eos", "eos.cfg", "set traffic-class 1\n", "set traffic-class 4\n"),
        ("eos", "eos.cfg", "MARK-36\n   service-profile FRONTEND\n", "MARK-36\n"),
        ("linux", "etc/fabricgen/tc.batch", "0x88/0xfc classid 1:2", "0x88/0xfc classid 1:3"),
        ("sonic", "config_db.json", '"weight": "40"', '"weight": "60"'),
    ],
)
def test_a_port_that_serves_a_class_otherwise_is_found(
    platform: str, path: str, old: str, new: str
) -> None:
    made = compile_site(load_texts({"site.yaml": TEXTS[platform]}))
    assert made.site is not None
    spell = nos(platform).port_name
    rendered = {switch_slice.switch: _files(switch_slice) for _, switch_slice in slices(made.site)}

    def judged() -> tuple[object, ...]:
        assert made.site is not None
        spelled = verify(
            made.site, rendered.items(), lambda switch, port: spell(switch.model, port)
        )
        return spelled.findings

    assert judged() == ()
    first = next(switch for switch in rendered if switch.is_leaf)
    assert old in rendered[first][path]
    rendered[first] = {**rendered[first], path: rendered[first][path].replace(old, new, 1)}
    assert judged()


@pytest.mark.skipif(NFT is None, reason="no nft here (package nftables)")
def test_nft_takes_every_file(tmp_path: Path) -> None:
    for _, files in leafs(TEXTS["linux"]):
        (tmp_path / "marks.nft").write_text(files["etc/fabricgen/marks.nft"])
        words = ("unshare", "-rn", str(NFT), "-c", "-f", str(tmp_path / "marks.nft"))
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("qos: gold", "qos: golf", "the frontend has no class 'golf'"),
        (
            "access: web, trust",
            "access: web, qos: bulk, trust",
            "a port either marks traffic or trusts its DSCPs",
        ),
        (
            '- {servers: vm, numbers: "4", access: web, trust: true}',
            (
                '- {servers: vm, numbers: "4", trunk: [web], trust: true}\n'
                '      - {servers: vm, numbers: "4", trunk: [old]}'
            ),
            "the port of vm0004 has `trust: true` in one attachment, but not in another",
        ),
    ],
)
def test_what_contradicts_is_said(old: str, new: str, words: str) -> None:
    made = compile_site(load_texts({"site.yaml": TEXTS["eos"].replace(old, new)}))
    assert any(words in each.message for each in made.findings), made.findings
    assert not made.ok
