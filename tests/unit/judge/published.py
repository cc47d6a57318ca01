"""A small rail fabric with EVPN as somebody would write it for EOS: the ground that faults go into.

Its numbers are those of no one: two spines, four leafs that are a rail each, four servers with four
NICs. FAULTS are what published designs and operators are known to get wrong; the first is Juniper's
AI data center validated design, which repeats one /31 on three links.
"""

from pathlib import Path
from typing import NamedTuple

from fabricgen.core.diagnostics import Code

SPINES, LEAFS, SERVERS = 2, 4, 4


class Fault(NamedTuple):
    """What stands in the file of a switch, and what stands there instead."""

    file: str
    old: str
    new: str


def spine(number: int) -> str:
    """Return the configuration of one spine."""
    lines = [f"hostname spine{number}", "service routing protocols model multi-agent"]
    lines += _profile()
    for leaf in range(1, LEAFS + 1):
        lines += [
            f"interface Ethernet{leaf}",
            f"   description P2P_leaf{leaf}_Ethernet{number}",
            *_fabric(f"10.9.{number}.{2 * leaf}"),
        ]
    lines += ["interface Loopback0", f"   ip address 10.8.0.{number}/32"]
    lines += [f"router bgp {65000 + number}", f"   router-id 10.8.0.{number}", *_bgp()]
    for leaf in range(1, LEAFS + 1):
        lines += _neighbor(f"10.9.{number}.{2 * leaf + 1}", "UNDERLAY", 65100 + leaf, leaf)
        lines += _neighbor(f"10.8.1.{leaf}", "OVERLAY", 65100 + leaf, leaf)
    lines += ["   neighbor OVERLAY next-hop-unchanged", *_families()]
    return "\n!\n".join(["! device: spine (EOS-4.33.1F)", "\n".join(lines), ""])


def leaf(number: int) -> str:
    """Return the configuration of one leaf."""
    lines = [f"hostname leaf{number}", "service routing protocols model multi-agent"]
    lines += [*_profile(), "vlan 10", "   name storage"]
    for up in range(1, SPINES + 1):
        lines += [
            f"interface Ethernet{up}",
            f"   description P2P_spine{up}_Ethernet{number}",
            *_fabric(f"10.9.{up}.{2 * number + 1}"),
        ]
    for server in range(1, SERVERS + 1):
        lines += [
            f"interface Ethernet{SPINES + server}",
            f"   description gpu{server:02} rdma{number - 1}",
            "   no switchport",
            f"   ip address 10.{number}.{server}.1/24",
        ]
    lines += ["interface Loopback0", f"   ip address 10.8.1.{number}/32"]
    lines += ["interface Loopback1", f"   ip address 10.8.2.{number}/32"]
    lines += ["interface Vlan10", "   ip address virtual 10.20.0.1/24"]
    lines += ["interface Vxlan1", "   vxlan source-interface Loopback1"]
    lines += ["   vxlan vlan 10 vni 10010"]
    lines += [f"router bgp {65100 + number}", f"   router-id 10.8.1.{number}", *_bgp()]
    for up in range(1, SPINES + 1):
        lines += _neighbor(f"10.9.{up}.{2 * number}", "UNDERLAY", 65000 + up, up, "spine")
        lines += _neighbor(f"10.8.0.{up}", "OVERLAY", 65000 + up, up, "spine")
    lines += ["   vlan 10", f"      rd 10.8.1.{number}:10", "      route-target both 10010:10010"]
    lines += ["      redistribute learned"]
    lines += [*_families(), "ip virtual-router mac-address 00:1c:73:00:00:99"]
    return "\n!\n".join(["! device: leaf (EOS-4.33.1F)", "\n".join(lines), ""])


def _profile() -> list[str]:
    return [
        "qos map dscp 26 to traffic-class 3",
        "qos profile LOSSLESS",
        "   qos trust dscp",
        "   priority-flow-control on",
        "   priority-flow-control priority 3 no-drop",
    ]


def _fabric(address: str) -> list[str]:
    return [
        "   mtu 9214",
        "   no switchport",
        "   service-profile LOSSLESS",
        f"   ip address {address}/31",
    ]


def _bgp() -> list[str]:
    return [
        "   no bgp default ipv4-unicast",
        "   neighbor UNDERLAY peer group",
        "   neighbor OVERLAY peer group",
        "   neighbor OVERLAY update-source Loopback0",
        "   neighbor OVERLAY ebgp-multihop 3",
    ]


def _neighbor(peer: str, group: str, asn: int, number: int, role: str = "leaf") -> list[str]:
    return [
        f"   neighbor {peer} peer group {group}",
        f"   neighbor {peer} remote-as {asn}",
        f"   neighbor {peer} description {role}{number}",
    ]


def _families() -> list[str]:
    return [
        "   neighbor OVERLAY send-community extended",
        "   address-family evpn",
        "      neighbor OVERLAY activate",
        "   address-family ipv4",
        "      neighbor UNDERLAY activate",
    ]


def files() -> dict[str, str]:
    """Return the files of the sound fabric by name."""
    spines = {f"spine{n}.cfg": spine(n) for n in range(1, SPINES + 1)}
    return {**spines, **{f"leaf{n}.cfg": leaf(n) for n in range(1, LEAFS + 1)}}


FAULTS: dict[Code, tuple[Fault, ...]] = {
    Code.JUDGED_SUBNET: (
        Fault("spine1.cfg", "10.9.1.4/31", "10.9.1.2/31"),
        Fault("leaf2.cfg", "10.9.1.5/31", "10.9.1.3/31"),
        Fault("spine1.cfg", "10.9.1.6/31", "10.9.1.2/31"),
        Fault("leaf3.cfg", "10.9.1.7/31", "10.9.1.3/31"),
    ),
    Code.JUDGED_ASN: (Fault("leaf2.cfg", "10.9.2.4 remote-as 65002", "10.9.2.4 remote-as 65001"),),
    Code.JUDGED_NOBODY: (Fault("leaf1.cfg", "neighbor 10.8.0.2 ", "neighbor 10.8.0.22 "),),
    Code.JUDGED_ONE_SIDED: (
        Fault("spine1.cfg", "   neighbor 10.8.1.3 peer group OVERLAY\n", ""),
        Fault("spine1.cfg", "   neighbor 10.8.1.3 remote-as 65103\n", ""),
        Fault("spine1.cfg", "   neighbor 10.8.1.3 description leaf3\n", ""),
    ),
    Code.JUDGED_SESSION: (
        Fault("leaf4.cfg", "OVERLAY ebgp-multihop 3", "OVERLAY password 7 070E234F1F5B4A"),
    ),
    Code.JUDGED_ADDRESS: (Fault("leaf3.cfg", "10.8.1.3/32", "10.8.1.2/32"),),
    Code.JUDGED_LINK: (Fault("leaf1.cfg", "mtu 9214\n", "mtu 9000\n"),),
    Code.JUDGED_ROUTER_ID: (Fault("leaf3.cfg", "router-id 10.8.1.3", "router-id 10.8.1.2"),),
    Code.JUDGED_TUNNEL: (Fault("leaf4.cfg", "10.8.2.4/32", "10.8.2.3/32"),),
    Code.JUDGED_VNI: (Fault("leaf2.cfg", "vlan 10 vni 10010", "vlan 10 vni 10011"),),
    Code.JUDGED_TARGET: (Fault("leaf2.cfg", "both 10010:10010", "both 10010:10011"),),
    Code.JUDGED_RAIL: (
        Fault("leaf2.cfg", "gpu03 rdma1", "gpu03 rdma2"),
        Fault("leaf3.cfg", "gpu03 rdma2", "gpu03 rdma1"),
    ),
    Code.JUDGED_QUEUES: (Fault("leaf3.cfg", "priority 3 no-drop", "priority 4 no-drop"),),
    Code.CONFIG_UNREADABLE: (Fault("leaf4.cfg", "! device: leaf", "feature bgp\n! device: leaf"),),
    Code.JUDGED_NAME: (Fault("leaf4.cfg", "hostname leaf4", "hostname leaf3"),),
    Code.JUDGED_VALUE: (Fault("leaf1.cfg", "10.8.2.1/32", "10.8.2.301/32"),),
    Code.UNLIKE_ITS_CLASS: (Fault("leaf2.cfg", "   name storage\n", ""),),
    Code.NO_EFFECT: (Fault("leaf4.cfg", "      redistribute learned\n", ""),),
    Code.QUEUES_UNREAD: (
        Fault("leaf3.cfg", "   qos trust dscp\n", "   qos trust dscp\n   qos dscp 3\n"),
    ),
}
"""What goes wrong, by the code that must name it."""


def written(folder: Path, code: Code | None = None) -> Path:
    """Write the fabric, with the faults of a code, into a folder."""
    folder.mkdir()
    texts = files()
    for fault in FAULTS[code] if code is not None else ():
        assert fault.old in texts[fault.file]
        texts[fault.file] = texts[fault.file].replace(fault.old, fault.new)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
