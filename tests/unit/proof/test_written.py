"""From rendered files with one planted fault: that it is found, with the line and the design."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabricgen.compiler import compile_site, folder_of, slices, switch_files
from fabricgen.intent.load import load_site
from fabricgen.proof.written import prove
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice

ROOT = Path(__file__).resolve().parents[3]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
READ_BACK = ("eos",)

Files = dict[str, str]


@cache
def rendered(site: str, platform: str) -> dict[str, tuple[SwitchSlice, Files]]:
    made = compile_site(load_site(ROOT / "intent" / site), platform)
    assert made.site is not None
    renderer = Renderer()
    found = {}
    for _, piece in slices(made.site):
        folder = folder_of(piece.switch) + "/"
        files = switch_files(piece, renderer)
        texts = {file.path.removeprefix(folder): file.text for file in files}
        found[piece.switch.name] = piece, texts
    return found


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("platform", READ_BACK)
def test_every_line_of_an_example_is_claimed_and_as_designed(site: str, platform: str) -> None:
    for piece, files in rendered(site, platform).values():
        proof = prove(piece, files)
        assert proof.findings == ()
        assert proof.agreeing > 20


EOS_FAULTS = {
    "VNI + 1": ("vxlan vlan 100 vni 10100", "vxlan vlan 100 vni 10101"),
    "wrong ASN": ("remote-as 4294967292", "remote-as 4294967293"),
    "swapped address": ("ip address 10.72.0.1/31", "ip address 10.72.0.3/31"),
    "lost prefix list": ("   seq 20 permit 10.65.0.0/16 eq 32\n", ""),
    "other VLAN": ("switchport trunk native vlan 100", "switchport trunk native vlan 101"),
    "other route target": ("route-target both 64999:10100", "route-target both 64999:10101"),
    "other MTU": ("mtu 9214", "mtu 9000"),
    "a port that is up": ("description unused\n   shutdown", "description unused"),
    "another clock": ("ntp server vrf mgmt 10.255.7.250", "ntp server vrf mgmt 10.255.7.249"),
    "a line of nobody": ("hostname fe-leaf01", "hostname fe-leaf01\nip icmp redirect"),
}


@pytest.mark.parametrize("fault", EOS_FAULTS)
def test_a_fault_in_a_leaf_is_found_and_both_lines_are_named(fault: str) -> None:
    piece, files = rendered("full", "eos")["fe-leaf01"]
    old, new = EOS_FAULTS[fault]
    text = files["eos.cfg"]
    assert old in text
    findings = prove(piece, {"eos.cfg": text.replace(old, new, 1)}).findings
    assert findings
    first = findings[0].message
    assert first.startswith("fe-leaf01 eos.cfg")
    assert "designed is" in first or "no such thing" in first or "no row" in first


def test_a_missing_neighbour_is_found() -> None:
    piece, files = rendered("full", "eos")["fe-leaf01"]
    lines = files["eos.cfg"].split("\n")
    text = "\n".join(line for line in lines if "neighbor 10.72.0.0 " not in line)
    messages = [finding.message for finding in prove(piece, {"eos.cfg": text}).findings]
    assert any("session default 10.72.0.0 asn is missing" in message for message in messages)


def test_a_file_that_no_grammar_reads_is_said() -> None:
    piece, files = rendered("tenants", "eos")["fe-leaf01"]
    (finding,) = prove(piece, {**files, "extra.cfg": "x\n"}).findings
    assert finding.message == "fe-leaf01 extra.cfg: no grammar reads this file"
