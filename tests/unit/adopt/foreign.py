"""A fabric of another hand: other names of switches, ports, peer groups and route maps."""

from collections.abc import Iterator

SPINES, LEAFS = 2, 3
MODELS = ("--model", "7050CX3-32S=dc1-sp*", "--model", "7280SR3-48YC8=dc1-tor*")
_HEAD = """no aaa root
service routing protocols model multi-agent
hostname {name}
vrf instance MGMT
interface Loopback0
   description rtr
   ip address 10.1.0.{number}/32
interface Management1
   description oob
   vrf MGMT
   ip address 192.0.2.1{number:02}/24
ip routing
no ip routing vrf MGMT
ip prefix-list PL-OWN
   seq 10 permit 10.1.0.0/16 le 32
route-map RM-OWN permit 10
   match ip address prefix-list PL-OWN
router bgp {asn}
   router-id 10.1.0.{number}
   no bgp default ipv4-unicast
   maximum-paths 4
   neighbor FABRIC peer group
   neighbor FABRIC send-community
   neighbor OVERLAY peer group
   neighbor OVERLAY update-source Loopback0
   neighbor OVERLAY ebgp-multihop 3
   neighbor OVERLAY send-community
   redistribute connected route-map RM-OWN
"""
_TAIL = """   address-family evpn
      neighbor OVERLAY activate
   address-family ipv4
      no neighbor OVERLAY activate
      neighbor FABRIC activate
"""
_TENANT = """vlan 10
   name web
vrf instance PROD
interface Loopback1
   ip address 10.1.1.{number}/32
interface Vlan10
   vrf PROD
   ip address virtual 10.20.0.1/24
interface Vxlan1
   vxlan source-interface Loopback1
   vxlan udp-port 4789
   vxlan vlan 10 vni 10010
   vxlan vrf PROD vni 50001
ip virtual-router mac-address 00:1c:73:00:00:99
ip routing vrf PROD
"""
_ROUTES = """   vlan 10
      rd 10.1.0.{number}:10010
      route-target both 10010:10010
      redistribute learned
   vrf PROD
      rd 10.1.0.{number}:50001
      route-target import evpn 50001:50001
      route-target export evpn 50001:50001
      redistribute connected
"""


def configurations(spine: str = "Ethernet{}/1", uplink: str = "Ethernet{}/1") -> dict[str, str]:
    """Return them by file. spine, uplink: how ports of links are called, by their number."""
    return {
        **{f"sp{n}.cfg": _spine(n, spine, uplink) for n in range(1, SPINES + 1)},
        **{f"tor{n}.cfg": _leaf(n, spine, uplink) for n in range(1, LEAFS + 1)},
    }


def _spine(number: int, spine: str, uplink: str) -> str:
    ports = [
        _link(
            spine.format(leaf), f"dc1-tor{leaf}_{uplink.format(48 + number)}", 2 * _n(leaf, number)
        )
        for leaf in range(1, LEAFS + 1)
    ]
    peers = [
        _peers(2 * _n(leaf, number) + 1, 10 + leaf, 65100 + leaf) for leaf in range(1, LEAFS + 1)
    ]
    head = _HEAD.format(name=f"dc1-sp{number}", number=number, asn=65000)
    return "".join((*ports, head, *peers, _TAIL))


def _leaf(number: int, spine: str, uplink: str) -> str:
    ports = [
        _link(uplink.format(48 + up), f"dc1-sp{up}_{spine.format(number)}", 2 * _n(number, up) + 1)
        for up in range(1, SPINES + 1)
    ]
    peers = [_peers(2 * _n(number, up), up, 65000) for up in range(1, SPINES + 1)]
    own = {"number": 10 + number}
    head = _HEAD.format(name=f"dc1-tor{number}", asn=65100 + number, **own)
    parts = (_TENANT.format(**own), *ports, *_servers(number), head, *peers)
    return "".join((*parts, _ROUTES.format(**own), _TAIL))


def _n(leaf: int, spine: int) -> int:
    return (leaf - 1) * SPINES + spine - 1


def _link(port: str, far: str, address: int) -> str:
    return (
        f"interface {port}\n   description CORE_{far}\n   mtu 9214\n   no switchport\n"
        f"   ip address 10.2.0.{address}/31\n"
    )


def _peers(link: int, loopback: int, asn: int) -> str:
    pairs = ((f"10.2.0.{link}", "FABRIC"), (f"10.1.0.{loopback}", "OVERLAY"))
    return "".join(
        f"   neighbor {address} peer group {group}\n   neighbor {address} remote-as {asn}\n"
        for address, group in pairs
    )


def _servers(leaf: int) -> Iterator[str]:
    for number in range(1, 5):
        yield (
            f"interface Ethernet{number}\n   description SRV_dc1-tor{leaf}-h{number}_nic0\n"
            "   switchport trunk allowed vlan 10\n   switchport mode trunk\n   switchport\n"
        )
