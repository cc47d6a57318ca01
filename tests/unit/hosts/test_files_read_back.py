"""The network files of one server, written by hand in each way there is: all are read alike."""

import pytest

from fabricgen.nos.hosts.readback.files import Unreadable, read
from fabricgen.nos.hosts.readback.network import Device, Network, Route, Rule

NETPLAN = """\
network:
  version: 2
  ethernets:
    rdma0:
      addresses: [172.16.0.1/31]
      accept-ra: false
      routes:
        - {to: 172.16.0.0/14, via: 172.16.0.0}
        - {to: 172.16.0.0/14, via: 172.16.0.0, table: 101}
        - {to: 172.20.0.0/14, type: unreachable, table: 101}
        - {to: 10.0.0.0/8, via: 172.16.0.0, table: 254}
      routing-policy:
        - {from: 172.16.0.1, table: 101, priority: 5}
        - {to: 172.16.0.0/14, table: 102, priority: 6}
"""
NETWORKD = """\
# rail 0
[Match]
Name=rdma0

[Network]
Address = 172.16.0.1/31
IPv6AcceptRA=no

[Route]
Destination=172.16.0.0/14
Gateway=172.16.0.0
[Route]
Destination=172.16.0.0/14
Gateway=172.16.0.0
Table=101
[Route]
Destination=172.20.0.0/14
Type=unreachable
Table=101
; the main table by its number
[Route]
Destination=10.0.0.0/8
Gateway=172.16.0.0
Table=254

[RoutingPolicyRule]
From=172.16.0.1
Table=101
Priority=5
[RoutingPolicyRule]
To=172.16.0.0/14
Table=102
Priority=6
"""
NETWORK_MANAGER = """\
[connection]
id=rdma0
interface-name=rdma0

[ipv4]
method=manual
address1=172.16.0.1/31
route1=172.16.0.0/14,172.16.0.0
route2=172.16.0.0/14,172.16.0.0
route2_options=table=101
route3=172.20.0.0/14
route3_options=type=unreachable,table=101
route4=10.0.0.0/8,172.16.0.0
route4_options=table=254
routing-rule1=priority 5 from 172.16.0.1 table 101
routing-rule2=priority 6 to 172.16.0.0/14 table 102
"""
FILES = {
    "netplan": ("etc/netplan/90.yaml", NETPLAN),
    "networkd": ("etc/systemd/network/90.network", NETWORKD),
    "networkmanager": ("etc/NetworkManager/system-connections/rdma0.nmconnection", NETWORK_MANAGER),
}
READ = Network(
    {"rdma0": Device(addresses=("172.16.0.1/31",))},
    (
        Route(prefix="172.16.0.0/14", via="172.16.0.0", device="rdma0"),
        Route(prefix="172.16.0.0/14", via="172.16.0.0", device="rdma0", table=101),
        Route(prefix="172.20.0.0/14", via="", device="rdma0", table=101, unreachable=True),
        Route(prefix="10.0.0.0/8", via="172.16.0.0", device="rdma0"),
    ),
    (
        Rule(source="172.16.0.1", table=101, priority=5),
        Rule(to="172.16.0.0/14", table=102, priority=6),
    ),
)


@pytest.mark.parametrize("kind", FILES)
def test_addresses_routes_and_rules_are_the_same_in_every_way_to_write_them(kind: str) -> None:
    path, text = FILES[kind]
    assert read({path: text}) == READ


def test_names_of_links_and_other_files_are_no_network() -> None:
    others = {"etc/systemd/network/10.link": "[Match]\n", "etc/nccl.conf": "X=1\n"}
    assert read(others) == Network({}, (), ())


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("netplan", "addresses: [172.16.0.1/31]", "gateway4: 172.16.0.0"),
        ("netplan", "type: unreachable", "type: throw"),
        ("netplan", "table: 101, priority: 5", "table: 101"),
        ("netplan", "network:", "network: ["),
        ("networkd", "[Network]", "[Link]"),
        ("networkd", "Table=101", "Table=main"),
        ("networkmanager", "interface-name", "name"),
        ("networkmanager", "priority 5 from 172.16.0.1 table 101", "priority 5 from"),
        ("networkmanager", "type=unreachable", "unreachable"),
    ],
)
def test_what_lacks_a_part_cannot_be_read(kind: str, old: str, new: str) -> None:
    path, text = FILES[kind]
    assert old in text
    with pytest.raises(Unreadable):
        read({path: text.replace(old, new)})
