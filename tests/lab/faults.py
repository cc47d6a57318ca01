"""One fault of each kind: an edit of one switch's rendered files, and what must be said of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in one file of one switch. says: how the one sentence about it begins."""

    kind: str
    switch: str
    path: str
    edits: tuple[tuple[str, str], ...]
    says: str

    def planted(self, text: str) -> str:
        """Return the file with the fault in it; each edit is found."""
        for old, new in self.edits:
            assert old in text, old
            text = text.replace(old, new)
        return text


_VNI = """\
auto vni10030
iface vni10030
    vxlan-id 10030
    vxlan-learning no
    vxlan-ttl 64
    mtu 9164
    bridge-access 30
    bridge-learning off
    bridge-arp-nd-suppress on

"""
_MADE = (
    "    pre-up [ -e /sys/class/net/vni10030 ] || ip link add vni10030 type vxlan id 10030 "
    "local 10.65.0.3 dstport 4789 nolearning noudpcsum tos inherit ttl 64\n"
)
FAULTS = (
    Fault(
        "wrong ASN",
        "fe-leaf02",
        "etc/frr/frr.conf",
        (("neighbor 10.72.0.128 remote-as 4294967294", "neighbor 10.72.0.128 remote-as 65001"),),
        "fe-leaf02: BGP neighbor 10.72.0.128 (fe-spine1) has remote ASN 65001, but the model has "
        "4294967294",
    ),
    Fault(
        "wrong address",
        "be-su01-leaf1",
        "etc/network/interfaces",
        (("address 10.200.0.1/31", "address 10.201.0.1/31"),),
        "be-su01-leaf1: swp5 (port to be-spine1) has address 10.201.0.1/31, but the model has "
        "10.200.0.1/31",
    ),
    Fault(
        "missing VNI",
        "fe-leaf03",
        "etc/network/interfaces",
        ((_VNI, ""), (_MADE, ""), (" vni10030", "")),
        "fe-leaf03: VNI 10030 (VLAN 30) has no VXLAN device vni10030",
    ),
    Fault(
        "wrong route target",
        "fe-leaf04",
        "etc/frr/frr.conf",
        (("route-target import 64999:10010", "route-target import 64999:10099"),),
        "fe-leaf04: VNI 10010 imports route target 64999:10099, but the model has 64999:10010",
    ),
    Fault(
        "wrong DSCP map",
        "be-su01-leaf4",
        "etc/fabricgen/tc.batch",
        (
            (
                "protocol ip prio 1 handle 3 flower ip_tos 0x68/0xfc classid 1:3",
                "protocol ip prio 1 handle 3 flower ip_tos 0x68/0xfc classid 1:4",
            ),
        ),
        "be-su01-leaf4: on swp1, swp2, swp3, swp4 and 4 more the queue of DSCP 26 in IPv4 is 1:4, "
        "but the model has 1:3",
    ),
)
