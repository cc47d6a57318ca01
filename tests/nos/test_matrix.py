"""One neutral thing beside its three spellings: how each network OS says what the intent means.

Each row is a thing, and for each platform of ours, in the field of its name, lines that stand
together, in this order, in a file of the switch that has the thing. For SONiC it is an entry:
table, key and some of its fields.
"""

import json
from dataclasses import dataclass
from functools import cache

import pytest

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts
from fabricgen.nos.registry import OURS, nos

SITE = """
site:
  name: m
  accept_unsupported: [local-users, pfc-watchdog]
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}
backend:
  design: rail-optimized
  servers: {count: 2, gpus: 1, nic_speed: 400G}
  scalable_unit: {servers: 2}
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  underlay: {links: unnumbered}
  roce: {profile: nvidia-roce}
frontend:
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  links: {speed: 400G}
  leaf_groups:
    a: {leafs: 1-1, servers: {per_leaf: 2, speed: 100G}}
    b: {leafs: 2-2, servers: {per_leaf: 1, speed: 100G, links: 2, lag: true}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}, db: {id: 111, subnet: 10.111.0.0/24}}
        external: {isp: {leaf: 2, cage: 30, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}}
    attachments:
      - {group: a, servers: 1-1, access: web}
      - {group: a, servers: 2-2, trunk: [web, db], native: web}
      - {group: b, trunk: [db]}
"""

Entry = tuple[str, str, dict[str, str]]


@dataclass(frozen=True)
class Row:
    """A neutral thing on one switch, and its spellings."""

    switch: str
    eos: tuple[str, str]  # file, lines
    linux: tuple[str, str]
    sonic: Entry


EOS, FRR, NET, TC = (
    "eos.cfg",
    "etc/frr/frr.conf",
    "etc/network/interfaces",
    "etc/fabricgen/tc.batch",
)
ROWS = {
    "an unnumbered neighbor": Row(
        "be-su01-leaf1",
        (EOS, "neighbor interface Ethernet64/1 peer-group UNDERLAY-ABOVE remote-as 4294967294"),
        (FRR, "neighbor swp64s0 interface peer-group ABOVE\nneighbor swp64s0 remote-as 4294967294"),
        ("INTERFACE", "Ethernet504", {"ipv6_use_link_local_only": "enable"}),
    ),
    "a numbered neighbor": Row(
        "fe-leaf01",
        (
            EOS,
            "neighbor 10.72.0.0 peer group UNDERLAY-ABOVE\nneighbor 10.72.0.0 remote-as 4294967294",
        ),
        (FRR, "neighbor 10.72.0.0 remote-as 4294967294\nneighbor 10.72.0.0 peer-group ABOVE"),
        ("INTERFACE", "Ethernet496|10.72.0.1/31", {}),
    ),
    "a NIC port with its /31": Row(
        "be-su01-leaf1",
        (
            EOS,
            (
                "interface Ethernet1/1\n"
                "description be-su01-leaf1:Ethernet1/1 to gpu0001:rdma0\n"
                "mtu 9214\nspeed 400g-4\nno switchport\nip address 172.16.0.0/31"
            ),
        ),
        (
            NET,
            (
                "iface swp1s0\nalias be-su01-leaf1:swp1s0 to gpu0001:rdma0\n"
                "mtu 9214\naddress 172.16.0.0/31"
            ),
        ),
        ("INTERFACE", "Ethernet0|172.16.0.0/31", {}),
    ),
    "the breakout of a cage": Row(
        "be-su01-leaf1",
        (EOS, "interface Ethernet1/5"),
        (NET, "iface swp1s1"),
        ("BREAKOUT_CFG", "Ethernet0", {"brkout_mode": "2x400G"}),
    ),
    "an access port": Row(
        "fe-leaf01",
        (EOS, "switchport access vlan 110\nswitchport mode access\nswitchport"),
        (
            NET,
            (
                "iface swp1s0\nalias fe-leaf01:swp1s0 to fe-leaf01-s01:eth0\n"
                "mtu 9164\nbridge-access 110"
            ),
        ),
        ("VLAN_MEMBER", "Vlan110|Ethernet0", {"tagging_mode": "untagged"}),
    ),
    "a trunk with a native VLAN": Row(
        "fe-leaf01",
        (
            EOS,
            (
                "switchport trunk native vlan 110\nswitchport trunk allowed vlan 110-111\n"
                "switchport mode trunk"
            ),
        ),
        (NET, "bridge-vids 111\nbridge-pvid 110"),
        ("VLAN_MEMBER", "Vlan111|Ethernet1", {"tagging_mode": "tagged"}),
    ),
    "an L2VNI": Row(
        "fe-leaf01",
        (EOS, "vxlan vlan 110 vni 10110"),
        (NET, "iface vni10110\nvxlan-id 10110"),
        ("VXLAN_TUNNEL_MAP", "vtep|map_10110_Vlan110", {"vni": "10110", "vlan": "Vlan110"}),
    ),
    "an L3VNI": Row(
        "fe-leaf01",
        (EOS, "vxlan vrf red vni 50001"),
        (FRR, "vrf red\nvni 50001"),
        ("VRF", "Vrf_red", {"vni": "50001"}),
    ),
    "the route target of a VLAN": Row(
        "fe-leaf01",
        (EOS, "rd 10.64.0.1:110\nroute-target both 64999:10110"),
        (FRR, "rd 10.64.0.1:110\nroute-target import 64999:10110\nroute-target export 64999:10110"),
        ("VLAN", "Vlan110", {"vlanid": "110"}),
    ),
    "an anycast gateway": Row(
        "fe-leaf01",
        (
            EOS,
            (
                "interface Vlan110\ndescription red-web\nmtu 9164\nvrf red\n"
                "ip address virtual 10.110.0.1/24"
            ),
        ),
        (NET, "hwaddress 00:1c:73:00:00:99\naddress 10.110.0.1/24\nvrf red"),
        ("VLAN", "Vlan110", {"mac": "00:1c:73:00:00:99"}),
    ),
    "an external port": Row(
        "fe-leaf02",
        (
            EOS,
            (
                "description fe-leaf02:Ethernet30/1 to outside:isp\nmtu 1500\nspeed 800g-8\n"
                "no switchport\nvrf red\nip address 192.0.2.1/31"
            ),
        ),
        (
            NET,
            "alias fe-leaf02:swp30 to outside:isp\nmtu 1500\naddress 192.0.2.1/31\nvrf red",
        ),
        ("INTERFACE", "Ethernet232", {"vrf_name": "Vrf_red"}),
    ),
    "an external peer": Row(
        "fe-leaf02",
        (
            EOS,
            (
                "neighbor 192.0.2.0 remote-as 65500\nneighbor 192.0.2.0 bfd\n"
                "neighbor 192.0.2.0 description outside:isp\n"
                "neighbor 192.0.2.0 route-map IN-red_isp in\n"
                "neighbor 192.0.2.0 route-map OUT-red_isp out"
            ),
        ),
        (
            FRR,
            (
                "neighbor 192.0.2.0 activate\nneighbor 192.0.2.0 maximum-prefix 12000\n"
                "neighbor 192.0.2.0 route-map IN-red_isp in\n"
                "neighbor 192.0.2.0 route-map OUT-red_isp out"
            ),
        ),
        ("DEVICE_NEIGHBOR", "Ethernet232", {"name": "outside:isp"}),
    ),
    "what an external peer is told": Row(
        "fe-leaf02",
        (
            EOS,
            (
                "ip prefix-list OUT-red_isp\n"
                "seq 110 permit 10.110.0.0/24\nseq 111 permit 10.111.0.0/24"
            ),
        ),
        (
            FRR,
            (
                "ip prefix-list OUT-red_isp seq 110 permit 10.110.0.0/24\n"
                "ip prefix-list OUT-red_isp seq 111 permit 10.111.0.0/24"
            ),
        ),
        ("VRF", "Vrf_red", {"vni": "50001"}),
    ),
    "an LACP bundle": Row(
        "fe-leaf02",
        (EOS, "channel-group 1 mode active"),
        (NET, "bond-slaves swp1s0 swp1s1\nbond-mode 802.3ad"),
        ("PORTCHANNEL_MEMBER", "PortChannel1|Ethernet0", {}),
    ),
    "the class of RoCE data": Row(
        "be-su01-leaf1",
        (EOS, "qos map dscp 26 to traffic-class 3"),
        ("etc/fabricgen/dcb.sh", 'dcb pfc set dev "$1" prio-pfc all:off 3:on'),
        ("DSCP_TO_TC_MAP", "nvidia-roce", {"26": "3", "48": "6", "0": "0"}),
    ),
    "pause for one priority": Row(
        "be-su01-leaf1",
        (EOS, "priority-flow-control on\npriority-flow-control priority 3 no-drop"),
        ("etc/fabricgen/dcb.sh", "3:on"),
        ("PORT_QOS_MAP", "Ethernet0", {"pfc_enable": "3"}),
    ),
    "ECN marking": Row(
        "be-su01-leaf1",
        (
            EOS,
            (
                "random-detect ecn minimum-threshold 150000 bytes maximum-threshold 1500000 bytes "
                "max-mark-probability 100 weight 0"
            ),
        ),
        (TC, "min 150000 max 1500000"),
        (
            "WRED_PROFILE",
            "AZURE_LOSSLESS",
            {"green_min_threshold": "150000", "green_max_threshold": "1500000"},
        ),
    ),
    "a strict queue for CNPs": Row(
        "be-su01-leaf1",
        (EOS, "uc-tx-queue 6\npriority strict"),
        (TC, "prio 0"),
        ("QUEUE", "Ethernet0|6", {"scheduler": "scheduler.cnp"}),
    ),
    "what may be announced": Row(
        "be-su01-leaf1",
        (EOS, "seq 20 permit 172.16.0.0/12 eq 31"),
        (FRR, "ip prefix-list ALLOWED seq 20 permit 172.16.0.0/12 ge 31 le 31"),
        ("DEVICE_METADATA", "localhost", {"docker_routing_config_mode": "split-unified"}),
    ),
    "an unused port": Row(
        "be-su01-leaf1",
        (EOS, "interface Ethernet2/1\ndescription unused\nshutdown\nspeed 400g-4"),
        (NET, "alias unused\nmtu 9214\nlink-down yes"),
        ("PORT", "Ethernet8", {"admin_status": "down", "description": "unused"}),
    ),
    "a time server": Row(
        "fe-leaf01",
        (EOS, "ntp server vrf mgmt 10.255.3.1"),
        ("etc/chrony/chrony.conf", "server 10.255.3.1"),
        ("NTP_SERVER", "10.255.3.1", {"association_type": "server"}),
    ),
}


@cache
def rendered(platform: str) -> dict[str, str]:
    made = compile_site(load_texts({"site.yaml": SITE}), as_platform=platform)
    assert made.ok, made.findings
    assert made.site is not None
    return {
        f"{switch.name}/{file.path.split('/', 2)[2]}": file.text
        for switch, group in files(made.site)
        for file in group
    }


def bare(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("thing", ROWS)
def test_a_thing_is_said_as_the_platform_says_it(thing: str, platform: str) -> None:
    row, files = ROWS[thing], rendered(platform)
    spelling = getattr(row, platform)
    if len(spelling) == 3:
        table, key, wanted = spelling
        entry = json.loads(files[f"{row.switch}/{nos(platform).marker}"])[table][key]
        assert {name: entry.get(name) for name in wanted} == wanted
    else:
        file, lines = spelling
        assert lines in bare(files[f"{row.switch}/{file}"])
