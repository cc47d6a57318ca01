"""Nothing in; a leaf's frr.conf and edits of it, out: each replaces texts of the file by others."""

from __future__ import annotations

from functools import cache

from tests.nos.sonic.switches import rendered


@cache
def base() -> str:
    """Return a leaf with a tenant and an external peer, as it is rendered."""
    leafs = {item.switch_slice.switch.name: item.frr for item in rendered("frontend-border-vs")}
    return leafs["fe-leaf02"]


def edited(name: str) -> str:
    """Return the file after an edit."""
    text = base()
    for old, new in EDITS[name]:
        assert old in text
        text = text.replace(old, new)
    return text


KEEP = "zebra nexthop-group keep 1\n"
LAST = " neighbor 10.64.255.254 description fe-spine1\n"
THIRD = """\
 neighbor {0} remote-as 4294967290
 neighbor {0} peer-group EVPN-ABOVE
 neighbor {0} description fe-spine3
""".format("10.64.255.250")
UNNUMBERED = """\
 neighbor Ethernet4 interface peer-group ABOVE
 neighbor Ethernet4 remote-as 4294967290
 neighbor Ethernet4 description fe-spine3
"""
GROUP = " neighbor EVPN-ABOVE peer-group\n"
OTHERS = """\
 neighbor EVPN-OTHER peer-group
 neighbor EVPN-OTHER ebgp-multihop 3
 neighbor EVPN-OTHER update-source Loopback0
"""
ACTIVE = "  neighbor EVPN-ABOVE activate\n"
OTHERS_ACTIVE = """\
  neighbor EVPN-OTHER activate
  neighbor EVPN-OTHER route-map EVPN-TO-ABOVE out
"""
PEER = " neighbor 192.0.2.2 remote-as 65500\n"
SECOND_PEER = """\
 neighbor 192.0.2.0 remote-as 65501
 neighbor 192.0.2.0 description outside:isp
"""
PEER_LAST = "  neighbor 192.0.2.2 route-map OUT-red_alt out\n"
SECOND_PEER_ACTIVE = """\
  neighbor 192.0.2.0 activate
  neighbor 192.0.2.0 route-map IN-red_isp in
  neighbor 192.0.2.0 route-map OUT-red_isp out
"""
POLICY = """\
ip prefix-list IN-red_isp seq 10 permit 198.51.100.0/24
ip prefix-list OUT-red_isp seq 110 permit 10.110.0.0/24
!
route-map IN-red_isp permit 10
 match ip address prefix-list IN-red_isp
 set community none
 set extcommunity none
exit
!
route-map OUT-red_isp permit 10
 match ip address prefix-list OUT-red_isp
 set community none
 set extcommunity none
exit
!
"""
BLUE = """\
vrf Vrf_blue
 vni 50002
exit-vrf
!
router bgp 4200000001 vrf Vrf_blue
 bgp router-id 10.64.0.2
 no bgp default ipv4-unicast
 bgp bestpath as-path multipath-relax
 !
 address-family ipv4 unicast
  redistribute connected
  maximum-paths 64
 exit-address-family
 !
 address-family l2vpn evpn
  advertise ipv4 unicast
  rd 10.64.0.2:3002
  route-target import 64999:50002
  route-target export 64999:50002
 exit-address-family
exit
!
"""
VNI = "  vni 10111\n"
MORE_VNI = """\
  vni 10112
   rd 10.64.0.2:112
   route-target import 64999:10112
   route-target export 64999:10112
  exit-vni
"""
ALLOWED = """\
ip prefix-list ALLOWED seq 10 permit 10.64.0.0/16 ge 32 le 32
ip prefix-list ALLOWED seq 20 permit 10.65.0.0/16 ge 32 le 32
"""
GROWN = "ip prefix-list ALLOWED seq 30 permit 10.66.0.0/16 ge 32 le 32\n"
MOVED = """\
ip prefix-list ALLOWED seq 10 permit 10.63.0.0/16 ge 32 le 32
ip prefix-list ALLOWED seq 20 permit 10.64.0.0/16 ge 32 le 32
ip prefix-list ALLOWED seq 30 permit 10.65.0.0/16 ge 32 le 32
"""
SWAPPED = """\
ip prefix-list ALLOWED seq 10 permit 10.65.0.0/16 ge 32 le 32
ip prefix-list ALLOWED seq 20 permit 10.64.0.0/16 ge 32 le 32
"""
COMMUNITIES = "bgp community-list"
ENTRY = "route-map TO-ABOVE permit 20\n"
ENTRY_MORE = "route-map TO-ABOVE permit 15\n match community FROM-ABOVE\nexit\n!\n"
MATCH = f"{ENTRY} match ip address prefix-list ALLOWED\n"
OTHER_MATCH = f"{ENTRY} match community FROM-ABOVE\n set community 1:1 additive\n"
DETOUR = " set as-path prepend 4200000001 4200000001 4200000001\n"
TOLD_ABOVE = "  neighbor ABOVE route-map TO-ABOVE out\n"
LINK_MAP = f"""\
route-map TO-ABOVE-DRAINED deny 10
 match community FROM-ABOVE
exit
!
route-map TO-ABOVE-DRAINED permit 20
 match ip address prefix-list ALLOWED
{DETOUR}exit
!
"""
PROFILE = "bfd\n profile UNDERLAY\n"
FASTER = "bfd\n profile UNDERLAY-100x3\n  transmit-interval 100\n  receive-interval 100\n"
BFD = " neighbor 192.0.2.2 bfd\n neighbor 192.0.2.2 bfd profile UNDERLAY\n"

ROUTE = " ip route 10.50.0.0/16 10.110.0.7\n"
OTHER = " ip route 10.50.0.0/16 10.110.0.5\n"
TOLD = "  redistribute static\n"
TENANT = (("vrf Vrf_red\n vni", f"{BLUE}vrf Vrf_red\n vni"),)
OUTSIDE = (
    (PEER, SECOND_PEER + PEER),
    (PEER_LAST, PEER_LAST + SECOND_PEER_ACTIVE),
    (COMMUNITIES, POLICY + COMMUNITIES),
)
EVERYTHING = "a tenant, an external peer and another community"
EDITS: dict[str, tuple[tuple[str, str], ...]] = {
    "drained": ((MATCH, MATCH + DETOUR),),
    "a drained link": (
        (TOLD_ABOVE, f"{TOLD_ABOVE}  neighbor 10.72.0.128 route-map TO-ABOVE-DRAINED out\n"),
        (PROFILE, LINK_MAP + PROFILE),
    ),
    "a neighbor more": ((LAST, LAST + THIRD),),
    "an unnumbered neighbor more": ((LAST, LAST + UNNUMBERED),),
    "a neighbor in a new group": (
        ("10.64.255.252 peer-group EVPN-ABOVE", "10.64.255.252 peer-group EVPN-OTHER"),
        (GROUP, OTHERS + GROUP),
        (ACTIVE, OTHERS_ACTIVE + ACTIVE),
    ),
    "another ASN of a neighbor": (("10.72.0.130 remote-as 4294967292", "10.72.0.130 remote-as 7"),),
    "another name of a neighbor": (("10.72.0.128 description fe-", "10.72.0.128 description a "),),
    "faster BFD": ((PROFILE, FASTER), ("bfd profile UNDERLAY\n", "bfd profile UNDERLAY-100x3\n")),
    "timers within a profile": ((PROFILE, f"{PROFILE}  detect-multiplier 5\n"),),
    "no BFD to the outside": ((BFD, ""),),
    "a prefix list grown": ((ALLOWED, ALLOWED + GROWN),),
    "another community": (("64512:100", "64512:200"),),
    "an entry of a route map more": ((ENTRY, ENTRY_MORE + ENTRY),),
    "an entry that denies instead": ((ENTRY, ENTRY.replace("permit", "deny")),),
    "other clauses of an entry": ((MATCH, OTHER_MATCH),),
    "a VNI more": ((VNI, MORE_VNI + VNI),),
    "other route targets": (("64999:", "64998:"),),
    "other distinguishers": (("rd 10.64.0.2:", "rd 10.64.0.2:1"),),
    "a VRF more": TENANT,
    "another static route": ((ROUTE, ROUTE.replace("10.110.0.7", "10.110.0.8")),),
    "no static route": ((OTHER, ""), (ROUTE, ""), (TOLD, "")),
    "another VNI of a VRF": ((" vni 50001\n", " vni 50009\n"),),
    "an external peer more": OUTSIDE,
    "fewer paths": (("maximum-paths 64", "maximum-paths 8"),),
    "paths unsaid": (("  maximum-paths 64\n", ""),),
    "unused nexthop groups kept longer": ((KEEP, KEEP.replace("1", "5")),),
    "unused nexthop groups kept as long as FRR does": ((KEEP, ""),),
    "another router ID": (("bgp router-id 10.64.0.2", "bgp router-id 10.64.0.9"),),
    EVERYTHING: (*TENANT, *OUTSIDE, ("64512:1", "64512:2")),
}
RESETS = ("another router ID",)
"""Edits that end the sessions to the spine, though FRR runs on; risk says so."""
RENUMBERED = ((ALLOWED, MOVED), (ALLOWED, SWAPPED))
"""Edits for which the container restarts."""
