"""What others write is brought into the form that is read, line for line."""

import json

from fabricgen.nos.registry import nos
from fabricgen.nos.shared.frr.grammar import ordered

FLAT = """frr version 8.4
vrf RED
vni 4001
exit-vrf
router bgp 65101 vrf default
bgp router-id 10.10.10.1
neighbor underlay peer-group
neighbor underlay remote-as external
neighbor swp51 interface peer-group underlay
! families
address-family ipv4 unicast
neighbor underlay activate
exit-address-family
!
address-family l2vpn evpn
neighbor underlay activate
vni 10
rd 10.10.10.1:10
advertise-all-vni
exit-address-family
router bgp 65101 vrf RED
bgp router-id 10.10.10.1
ip prefix-list all seq 5 permit any
"""
NESTED = """frr version 8.4
vrf RED
 vni 4001

router bgp 65101
 bgp router-id 10.10.10.1
 neighbor underlay peer-group
 neighbor underlay remote-as external
 neighbor swp51 interface peer-group underlay

 address-family ipv4 unicast
  neighbor underlay activate


 address-family l2vpn evpn
  neighbor underlay activate
  vni 10
   rd 10.10.10.1:10
  advertise-all-vni

router bgp 65101 vrf RED
 bgp router-id 10.10.10.1
ip prefix-list all seq 5 permit any
"""
SRV6 = """segment-routing
 srv6
  encapsulation
   source-address fd07:1::1
  locators
   locator OWN
    prefix fd07:1::/48
    opcode ::fe00:0:0:0:0 uA interface Ethernet0
 srv6
  explicit-sids
   sid fd07:1:: behavior uN
ip nht resolve-via-default
"""
DATABASE = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "bgp_asn": "65001"}},
    "BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65002", "name": "spine1"}},
    "ODD": {"entry": {"field": "1"}},
}


def test_a_frr_conf_without_margins_gets_those_of_frr() -> None:
    assert ordered(FLAT) == NESTED


def test_one_with_margins_keeps_them() -> None:
    assert ordered(NESTED) == NESTED


def test_sections_of_segment_routing_stand_in_one_another() -> None:
    flat = "\n".join(line.strip() for line in SRV6.split("\n"))
    assert ordered(SRV6) == ordered(flat) == SRV6
    # each section with its exit, as FRR prints it, and one inside of `router bgp`
    exits = SRV6.replace("::1\n  loc", "::1\n  exit\n  !\n  loc").replace(
        "\n srv6\n  ex", "\n   exit\n  exit\n exit\n srv6\n  ex"
    )
    assert [line for line in ordered(exits).split("\n") if line] == SRV6.split("\n")[:-1]
    bgp = "router bgp 65001\n segment-routing srv6\n  locator OWN\n exit\n neighbor swp1 activate"
    assert ordered(bgp) == bgp.replace(" exit", "")


def test_what_is_ordered_is_understood() -> None:
    foreign = nos("linux").foreign
    assert foreign is not None
    reading = foreign.load().grammar["etc/frr/frr.conf"].read(ordered(FLAT))
    assert not reading.unclaimed
    session = reading.facts["session", "default", "swp51"]
    assert session == {"asn": "external", "families": ("evpn", "ipv4")}


def test_a_database_says_its_lines_however_it_is_spelled() -> None:
    foreign = nos("sonic").foreign
    assert foreign is not None
    reader = foreign.load().grammar["config_db.json"]
    for spaces in (1, 2, 4):
        text = json.dumps(DATABASE, indent=spaces)
        reading, rows = reader.trace(text), text.split("\n")
        at = reading.lines[("session", "default", "10.0.0.1"), "asn"][0]
        assert '"asn": "65002"' in rows[at - 1]
        ((place, _),) = reading.unclaimed
        assert '"entry"' in rows[place - 1]
