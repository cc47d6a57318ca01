"""Which BGP neighbors are taken out before their addresses move to another port."""

from fabricgen.nos.linux.driver.onswitch.interfaces import homes
from fabricgen.nos.shared.onswitch.bound import Home, moving

RUNNING = """\
frr version 8.4.4
!
router bgp 1
 neighbor BELOW peer-group
 neighbor 10.0.0.1 remote-as 2
 neighbor 10.0.0.1 peer-group BELOW
 neighbor 10.0.0.11 remote-as 3
 neighbor fd00::1 remote-as 2
 !
 address-family ipv4 unicast
  neighbor BELOW activate
 exit-address-family
exit
!
router bgp 1 vrf red
 neighbor 10.0.0.1 remote-as 7
exit
!
"""
DEFAULT = ["router bgp 1", "no neighbor 10.0.0.1", "exit"]


def bfd(peer: str, interface: str = "", vrf: str = "default") -> dict[str, str]:
    shown = {"peer": peer, "vrf": vrf, "status": "up"}
    return {**shown, "interface": interface} if interface else shown


def home(interface: str, address: str = "10.0.0.0/31", vrf: str = "default") -> Home:
    return Home(vrf, interface, address)


def test_a_neighbor_whose_address_moves_goes_from_its_instance_alone() -> None:
    assert moving([bfd("10.0.0.1", "swp7s0")], [home("swp5")], RUNNING) == DEFAULT
    red = [bfd("10.0.0.1", "swp1", "red"), bfd("10.0.0.1", "swp7s0")]
    assert moving(red, [home("swp5"), home("swp1", vrf="red")], RUNNING) == DEFAULT
    assert moving(red, [home("swp7s0"), home("swp2", vrf="red")], RUNNING) == [
        "router bgp 1 vrf red",
        "no neighbor 10.0.0.1",
        "exit",
    ]


def test_so_does_one_of_ipv6() -> None:
    six = moving([bfd("fd00::1", "swp7s0")], [home("swp5", "fd00::/127")], RUNNING)
    assert six == ["router bgp 1", "no neighbor fd00::1", "exit"]


def test_two_that_change_places_both_go() -> None:
    watched = [bfd("10.0.0.1", "swp1"), bfd("10.0.0.11", "swp2")]
    places = [home("swp2"), home("swp1", "10.0.0.10/31")]
    both = ["router bgp 1", "no neighbor 10.0.0.1", "no neighbor 10.0.0.11", "exit"]
    assert moving(watched, places, RUNNING) == both


def test_all_others_stay() -> None:
    for session, places in (
        (bfd("10.0.0.1", "swp5"), [home("swp5")]),  # where it was
        (bfd("10.0.0.1", "swp5"), [home("swp4"), home("swp5")]),  # on one of two ports
        (bfd("10.0.0.1"), [home("swp5")]),  # was never up, so it is bound to no port
        (bfd("10.0.0.1", "swp7s0"), []),  # its address goes, and so does its line
        (bfd("10.0.0.1", "swp7s0"), [home("swp5", vrf="red")]),
        (bfd("fe80::1", "swp7s0"), [home("swp5", "fd00::/127")]),  # unnumbered
        (bfd("10.0.0.9", "swp7s0"), [home("swp5", "10.0.0.8/31")]),  # not a neighbor of BGP
        (bfd("10.0.0.1", "swp7s0"), [home("swp5", "none")]),
    ):
        assert moving([session], places, RUNNING) == []


def test_addresses_of_ifupdown2() -> None:
    text = """\
auto swp5
iface swp5
    address 10.0.0.0/31
    address fd00::/127

iface vlan7
  vrf red
  address 10.7.0.1/24
auto red
iface red
vrf-table auto
address 127.0.0.1/8
"""
    assert [*homes(text)] == [
        home("swp5"),
        home("swp5", "fd00::/127"),
        home("vlan7", "10.7.0.1/24", "red"),
        home("red", "127.0.0.1/8"),
    ]
