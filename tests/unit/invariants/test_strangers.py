"""What others write and is sound breaks no law: other spellings, virtual switches, files alone."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.invariants.small import said, texts
from tests.unit.judge import published

from fabricgen.prove.audit.judged import judged
from fabricgen.prove.invariants.network import Network
from fabricgen.prove.invariants.overlay import _router_macs
from fabricgen.prove.invariants.switch import Switch
from fabricgen.prove.invariants.system import _shared

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Facts

SPINE_LINE = "   neighbor OVERLAY next-hop-unchanged\n"
VIRTUAL = {
    "DEVICE_METADATA": {
        "localhost": {"hostname": "vs1", "hwsku": "any-vs", "platform": "x86_64-kvm_x86_64-r0"}
    },
    "PORT": {
        "Ethernet0": {"alias": "Eth0", "lanes": "1,2,3,4", "speed": "100000", "admin_status": "up"}
    },
    "VLAN": {"Vlan10": {"vlanid": "10"}},
    "VLAN_INTERFACE": {"Vlan10": {}, "Vlan10|10.10.1.1/24": {}},
    "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}},
}
FRR = """frr version 8.4.4
hostname leaf{n}
interface lo
 ip address 10.1.0.{n}/32
interface swp1
 ip address 10.2.0.{n}/30
router bgp 6500{n}
 neighbor 10.1.0.{m} remote-as 6500{m}
 neighbor 10.1.0.{m} update-source lo
 {hops}
 address-family l2vpn evpn
  neighbor 10.1.0.{m} activate
"""


def laws(folder: Path) -> list[str]:
    """Return what breaks a law in a folder."""
    every = (each for result in judged(folder).examined for each in result.findings)
    return [
        each.message
        for each in every
        if each.code[:5] in ("FG877", "FG878", "FG879", "FG880", "FG892") or each.code[:4] == "FG35"
    ]


@pytest.mark.parametrize("mac", ["2:fb:0:0:0:1", "no-address"])
def test_a_router_mac_in_another_spelling_is_no_fault(mac: str) -> None:
    facts: Facts = {("interface", "bridge"): {"vlan-aware": "yes", "mac": mac}}
    switch = Switch("leaf", "linux", facts)
    assert list(_router_macs(Network([switch]))) == []


@pytest.mark.parametrize(("line", "wrong"), [("      bgp next-hop-unchanged\n", 0), ("", 8)])
def test_a_family_may_keep_the_next_hop_for_all(line: str, wrong: int, tmp_path: Path) -> None:
    folder = published.written(tmp_path / "configs")
    for path in folder.glob("spine*"):
        text = path.read_text(encoding="utf-8")
        assert SPINE_LINE in text
        head = "   address-family evpn\n"
        path.write_text(
            text.replace(SPINE_LINE, "").replace(head, f"{head}{line}"), encoding="utf-8"
        )
    assert len(laws(folder)) == wrong


@pytest.mark.parametrize(
    ("hops", "wrong"),
    [
        ("neighbor 10.1.0.{m} ebgp-multihop", 0),
        ("neighbor 10.1.0.{m} disable-connected-check", 0),
        ("neighbor 10.1.0.{m} description far", 2),
    ],
)
def test_frr_reaches_a_loopback_in_two_ways(hops: str, wrong: int, tmp_path: Path) -> None:
    for n, m in ((1, 2), (2, 1)):
        text = FRR.format(n=n, m=m, hops=hops.format(m=m))
        (tmp_path / f"leaf{n}.conf").write_text(text, encoding="utf-8")
    assert len(laws(tmp_path)) == wrong


def test_a_virtual_switch_needs_no_fec(tmp_path: Path) -> None:
    (tmp_path / "config_db.json").write_text(json.dumps(VIRTUAL, indent=4), encoding="utf-8")
    assert laws(tmp_path) == []
    real = json.dumps(VIRTUAL, indent=4).replace("x86_64-kvm_x86_64-r0", "x86_64-any-r0")
    (tmp_path / "config_db.json").write_text(real, encoding="utf-8")
    assert len(laws(tmp_path)) == 1


def test_a_lane_that_stands_twice_in_a_cage_breaks_a_law() -> None:
    ports: Facts = {
        ("interface", "Ethernet0"): {"alias": "Eth1/1", "index": "1", "lanes": "1,2"},
        ("interface", "Ethernet2"): {"alias": "Eth1/2", "index": "1", "lanes": "2,3"},
        ("interface", "Ethernet4"): {"alias": "Eth2", "index": "2", "lanes": "3,4"},
    }
    switch = Switch("leaf", "sonic", ports)
    said = [each.said for each in _shared(Network([switch]))]
    assert said == ["leaf: lane 2 of Ethernet2 is also a lane of Ethernet0"]


def test_a_difference_between_ip_versions_that_all_routers_share_is_a_style() -> None:
    every = texts("edge", "eos")
    line = re.compile(r"^ +neighbor 2001:\S+ bfd\n", re.MULTILINE)
    one = line.sub("", every["fe-leaf01"]["eos.cfg"])
    every["fe-leaf01"]["eos.cfg"] = one
    assert any("the same router" in each for each in said(every, "eos"))
    every["fe-leaf02"]["eos.cfg"] = line.sub("", every["fe-leaf02"]["eos.cfg"])
    assert [each for each in said(every, "eos") if "the same router" in each] == []


def test_a_trunk_may_list_vlans_that_are_absent(tmp_path: Path) -> None:
    every = texts("edge", "eos")
    for old, new, faults in (("110-111,120", "100-130", 0), ("110-111,120", "3000-3001", 1)):
        text = every["fe-leaf01"]["eos.cfg"]
        assert old in text
        changed = text.replace(f"allowed vlan {old}", f"allowed vlan {new}", 1)
        (tmp_path / "leaf.cfg").write_text(changed, encoding="utf-8")
        assert sum("which is absent" in each for each in laws(tmp_path)) == faults
