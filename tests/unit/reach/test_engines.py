"""Two engines of unlike kind answer alike; a file that is broken by hand is seen by the second."""

import pytest
from tests.longer import longer
from tests.unit.reach.engines import ROOT, broken, every_case
from tests.unit.reach.features import (
    BY_HAND,
    CARRIED,
    FEATURES,
    FENCED,
    GATED,
    GUARDED,
    JOINED,
    SERVICES,
    THREE_TIERS,
    TUNNELED,
    ZONES,
)

from fabricgen.prove.walk.packet import Outcome

REACHES, STOPS, UNKNOWN = Outcome.REACHES, Outcome.STOPS, Outcome.UNKNOWN
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
AS_THEY_ARE = [
    pytest.param(each, None, marks=[longer] if each == "three-tier" else []) for each in SITES
]
"""A small site of three tiers, among the features, stands in for the large one."""
LIFTED = [("tenants", "linux"), ("tenants", "sonic"), ("lab", "eos"), ("lab", "sonic")]
OF_FEATURES = [(name, each) for name, (_, every) in FEATURES.items() for each in every]
ONE_ANSWER = {"rail-optimized", "three-tier", THREE_TIERS, "storage", "pairs"}
"""Sites in which every station reaches every other one."""


@pytest.mark.parametrize(("name", "platform"), [*AS_THEY_ARE, *LIFTED, *OF_FEATURES])
def test_both_engines_agree_on_every_pair(name: str, platform: str | None) -> None:
    every = list(every_case(name, platform))
    differ = [(case.name, case.model.rule, case.written.rule) for case in every if not case.agreed]
    assert not differ[:5]
    outcomes = {case.written.outcome for case in every}
    assert outcomes == ({REACHES} if name in ONE_ANSWER else {REACHES, STOPS})


@pytest.mark.parametrize("platform", [None, "linux", "sonic"])
def test_both_engines_judge_services_alike(platform: str | None) -> None:
    """Of 3 zones only what flows say passes, from the one that begins."""
    passed = {}
    for service in SERVICES:
        every = list(every_case(ZONES, platform, service=service))
        differ = [
            (each.name, each.model.rule, each.written.rule) for each in every if not each.agreed
        ]
        assert not differ[:5]
        passed[service] = {
            (case.one.station.network, case.other.station.network)
            for case in every
            if case.written.outcome is REACHES
        }
    apart = {
        service: {(a[13:], b[13:]) for a, b in pairs if a != b} for service, pairs in passed.items()
    }
    assert apart == {
        ("", 0): set(),
        ("tcp", 443): {("red-web", "red-api")},
        ("tcp", 5432): {("red-api", "red-data")},
        ("udp", 53): {("red-api", "red-data")},
        ("icmp", 0): {("red-web", "red-api")},
    }


def test_what_leaves_by_a_pair_of_firewalls_goes_by_the_active_unit() -> None:
    every = [
        each for each in every_case(FENCED, None) if each.one.station.name == "fe-leaf02-s01:eth0"
    ]
    out = {
        each.model.rule.partition(" ")[0]
        for each in every
        if each.other.station.outside and each.model.outcome is REACHES
    }
    assert out == {"fw1"}
    blue = [each for each in every if each.other.vrf == "blue" and not each.other.station.outside]
    assert {each.model.rule for each in blue} == {
        "VRFs red and blue share no route , except through the firewall fw, whose own rules decide"
    }
    assert all("leaves the site by fe-leaf01" in each.written.rule for each in blue)


LAB, EOS, SONIC = ("lab", None), ("lab", "eos"), ("lab", "sonic")
CONF = "fe-leaf01/etc/frr/frr.conf"
PORTS = "fe-leaf01/etc/network/interfaces"
H1, H2, FAR = "fe-leaf01-h1:eth0", "fe-leaf01-h2:eth0", "fe-leaf02-h1:eth0"
BLUE = "fe-leaf01-h3:eth0"
ESI, MLAG = ("IPv4 and IPv6, on Ethernet segments", None), ("MLAG pairs", None)
P1, P2 = "pair0001:front", "pair0002:front"
BEYOND = ("single0001:front0", "red 203.0.113.0/24")
WAN, ENDS = (JOINED, "linux"), ("east-leaf01-s01:eth0", "west-leaf02-s01:eth0")
EASTS, WESTS = (f"{site}-leaf0?/etc/frr/frr.conf" for site in ("east", "west"))
GATES, PAGES = (GATED, None), ("dc1-leaf01-s01:eth0.100", "dc2-leaf01-s01:eth0.200")
ROUTED = ("dc1-leaf01-s01:eth0.101", "dc2-leaf01-s01:eth0.102")
BROKEN = {
    "the route target of a VLAN between sites": (
        GATES,
        "dc2-leaf02/eos.cfg",
        "domain remote 7:10100",
        "domain remote 8:10100",
        *PAGES,
        STOPS,
    ),
    "what one gateway lets pass": (
        GATES,
        "dc2-leaf02/eos.cfg",
        "DCI-TARGETS permit rt 7:10100",
        "DCI-TARGETS permit rt 7:10101",
        *PAGES,
        STOPS,
    ),
    "what gateways let pass of a VRF": (
        GATES,
        "dc1-leaf0[34]/eos.cfg",
        "DCI-TARGETS permit rt 64999:5001",
        "DCI-TARGETS permit rt 64999:5002",
        *ROUTED,
        STOPS,
    ),
    "a gateway that passes no prefixes on": (
        GATES,
        "dc2-leaf02/eos.cfg",
        " *neighbor default next-hop-self .*\n",
        "",
        *ROUTED,
        STOPS,
    ),
    "a gateway that does not end its domain": (
        GATES,
        "dc2-leaf02/eos.cfg",
        " *neighbor EVPN-DCI domain remote\n",
        "",
        *PAGES,
        UNKNOWN,
    ),
    "the way to a gateway's loopback": (
        GATES,
        "dc2-leaf02/eos.cfg",
        "(DCI-OWN\n   seq 10 permit) [0-9.]+",
        r"\1 192.0.2.77",
        *PAGES,
        STOPS,
    ),
    "the VNI of a VLAN at one site": (
        GATES,
        "dc2-leaf0?/eos.cfg",
        "vlan 200 vni 10100",
        "vlan 200 vni 10101",
        *PAGES,
        UNKNOWN,
    ),
    "one of two links between sites": (
        WAN,
        "east-leaf01/etc/frr/frr.conf",
        "remote-as 64802",
        "remote-as 64803",
        *ENDS,
        REACHES,
    ),
    "the ASN that both links show": (WAN, EASTS, "local-as 64801", "local-as 64800", *ENDS, STOPS),
    "the password of both links": (WAN, WESTS, "password .*", "password other", *ENDS, STOPS),
    "what both links are told": (
        WAN,
        WESTS,
        "(OUT-red_(?:wan|more) seq 100 permit) 172.21.0.0/24",
        r"\1 172.29.0.0/24",
        *ENDS,
        STOPS,
    ),
    "what both links take": (
        WAN,
        EASTS,
        "(IN-red_(?:wan|more) seq 10 permit) 172.21.0.0/24",
        r"\1 172.29.0.0/24",
        *ENDS,
        STOPS,
    ),
    "the static way out below a tunnel": (
        (CARRIED, None),
        "east-leaf01/etc/frr/frr.conf",
        "ip route 0.0.0.0/0",
        "ip route 10.99.0.0/16",
        *ENDS,
        STOPS,
    ),
    "the key of a tunnel": (
        (TUNNELED, None),
        "west-leaf02/etc/network/interfaces",
        "(gre19-101 .*) key 101",
        r"\1 key 102",
        *ENDS,
        STOPS,
    ),
    "the way out below a tunnel": (
        (TUNNELED, None),
        "east-leaf01/etc/frr/frr.conf",
        "(IN-transport_isp1 seq 10 permit) 0.0.0.0/0",
        r"\1 192.0.2.0/24",
        *ENDS,
        STOPS,
    ),
    "the tag on both links": (
        (JOINED, None),
        "west-leaf0?/eos.cfg",
        "dot1q vlan 101",
        "dot1q vlan 102",
        *ENDS,
        STOPS,
    ),
    "a list of a router outside that is not there": (
        ("tenants", None),
        "fe-leaf05/eos.cfg",
        r"ip prefix-list IN-red_isp1\n   seq 10 permit 0.0.0.0/0\n!\n",
        "",
        "fe-leaf01-s01:eth0",
        "outside:isp1",
        UNKNOWN,
    ),
    "the port of a static route to the outside, EOS": (
        (BY_HAND, None),
        "fe-leaf02/eos.cfg",
        r"(203.0.113.0/24 Ethernet25/1).101",
        r"\1.102",
        *BEYOND,
        STOPS,
    ),
    "static routes that nobody is told": (
        (BY_HAND, "linux"),
        "fe-leaf02/etc/frr/frr.conf",
        "  redistribute static\n",
        "",
        *BEYOND,
        STOPS,
    ),
    "the next hop of a static route to the outside": (
        (BY_HAND, "linux"),
        "fe-leaf02/etc/frr/frr.conf",
        "203.0.113.0/24 192.0.2.2",
        "203.0.113.0/24 192.0.2.6",
        *BEYOND,
        STOPS,
    ),
    "the ASN of a router outside": (
        ("oob", None),
        "oob-leaf01/frr.conf",
        "neighbor 192.0.2.1 remote-as 64496",
        "neighbor 192.0.2.1 remote-as 64497",
        "outside:office1",
        "cpu0001:bmc",
        STOPS,
    ),
    "a route target of another tenant, EOS": (
        EOS,
        "fe-leaf01/eos.cfg",
        "(      route-target import evpn 64999:50001\n)",
        r"\1      route-target import evpn 64999:50002\n",
        H1,
        "fe-leaf02-h3:eth0",
        REACHES,
    ),
    "a route target of another tenant, Linux": (
        LAB,
        CONF,
        "(  route-target import 64999:50001\n)",
        r"\1  route-target import 64999:50002\n",
        H1,
        "fe-leaf02-h3:eth0",
        UNKNOWN,
    ),
    "an Ethernet segment on one leaf": (
        ESI,
        "fe-leaf01/eos.cfg",
        "identifier 0002:fc0a:4100:0100:0001",
        "identifier 0002:fc0a:4100:0100:0077",
        P1,
        P2,
        UNKNOWN,
    ),
    "an MLAG number on one leaf": (
        MLAG,
        "fe-leaf01/eos.cfg",
        "   mlag 1\n",
        "   mlag 7\n",
        P1,
        P2,
        UNKNOWN,
    ),
    "route target, Linux": (LAB, CONF, "(?<=import 64999:)10010", "19999", H1, FAR, STOPS),
    "route target, EOS": (EOS, "fe-leaf01/eos.cfg", "64999:10010", "64999:19999", H1, FAR, STOPS),
    "VLAN of a port, Linux": (LAB, PORTS, "bridge-access 10", "bridge-access 30", H1, FAR, STOPS),
    "VLAN of a port, EOS": (
        EOS,
        "fe-leaf01/eos.cfg",
        "access vlan 10",
        "access vlan 30",
        H1,
        FAR,
        STOPS,
    ),
    "VNI, EOS": (
        EOS,
        "fe-leaf01/eos.cfg",
        "vlan 10 vni 10010",
        "vlan 10 vni 10011",
        H1,
        FAR,
        UNKNOWN,
    ),
    "VNI, SONiC": (
        SONIC,
        "fe-leaf01/config_db.json",
        r'("map_10010_Vlan10|"vtep.map_10010_Vlan10": \{\s*"vlan": "Vlan10",\s*"vni": ")10010',
        r"\g<1>10011",
        H1,
        FAR,
        STOPS,
    ),
    "prefix list, Linux": (LAB, CONF, "permit 10.65.0.0/16", "permit 10.66.0.0/16", H1, FAR, STOPS),
    "prefix list, EOS": (
        EOS,
        "fe-leaf01/eos.cfg",
        "permit 10.65.0.0/16",
        "permit 10.66.0.0/16",
        H1,
        FAR,
        STOPS,
    ),
    "both peer ASNs": (
        LAB,
        CONF,
        r"(neighbor 10.72\S+ remote-as) \d+",
        r"\1 65001",
        H1,
        FAR,
        STOPS,
    ),
    "one peer ASN": (
        LAB,
        CONF,
        r"(neighbor 10.72.0.0 remote-as) \d+",
        r"\1 65001",
        H1,
        FAR,
        REACHES,
    ),
    "EVPN not activated": (LAB, CONF, r"neighbor 10.64\S+ remote-as \d+", "", H1, FAR, STOPS),
    "a gateway in another VRF": (
        EOS,
        "fe-leaf01/eos.cfg",
        r"(interface Vlan10\n(?:.*\n)*?   vrf) red",
        r"\1 blue",
        H1,
        BLUE,
        REACHES,
    ),
    "a port shut, EOS": (
        EOS,
        "fe-leaf01/eos.cfg",
        "(interface Ethernet1/1\n)",
        r"\1   shutdown\n",
        H1,
        FAR,
        STOPS,
    ),
    "a prefix list that is not there": (LAB, CONF, r"ip prefix-list .*", "", H1, FAR, UNKNOWN),
    "a password of its own": (
        ("routes between VRFs", None),
        "fe-leaf01/eos.cfg",
        r"(neighbor UNDERLAY-ABOVE password 7 <<secret:.*@env:)BGP",
        r"\1OTHER",
        "single0002:front0",
        "single0004:front0",
        STOPS,
    ),
    "a line that nobody knows": (
        LAB,
        CONF,
        "hostname fe-leaf01",
        "hostname fe-leaf01\nfoo bar",
        H1,
        FAR,
        UNKNOWN,
    ),
}


@pytest.mark.parametrize("platform", [None, "linux"])
def test_a_packet_between_sites_is_judged_at_both(platform: str | None) -> None:
    passed = {}
    for service in (("tcp", 443), ("tcp", 80)):
        every = list(every_case(GUARDED, platform, service=service))
        assert all(each.agreed for each in every)
        passed[service] = {
            (case.one.fabric.name, case.other.fabric.name)
            for case in every
            if case.written.outcome is REACHES and case.one.fabric is not case.other.fabric
        }
    assert passed == {("tcp", 443): {("east", "west")}, ("tcp", 80): set()}


@pytest.mark.parametrize(
    ("site", "place", "old", "new", "one", "other", "outcome"), BROKEN.values(), ids=list(BROKEN)
)
def test_a_broken_file_is_walked_as_it_is(
    site: tuple[str, str | None],
    place: str,
    old: str,
    new: str,
    one: str,
    other: str,
    outcome: Outcome,
) -> None:
    case = next(broken(site, place, old, new, one, other))
    assert case.written.outcome is outcome, case.written


SHARED = "routes between VRFs"
BROKEN6 = {
    "another prefix in the list of EOS": (
        None,
        "fe-leaf0?/eos.cfg",
        r"(ipv6 prefix-list TAKE-batch_files_6\n(?: .*\n)*?   seq 31 permit) \S+",
        r"\1 2001:db8:77::/64",
        {4},
    ),
    "another VRF's targets in the rule of IPv6, on EOS": (
        None,
        "fe-leaf0?/eos.cfg",
        r"(route-map TAKE-batch permit 1003\n   match extcommunity) TARGETS-files",
        r"\1 TARGETS-batch",
        {4},
    ),
    "another VRF's targets in the rule of IPv4, on EOS": (
        None,
        "fe-leaf0?/eos.cfg",
        r"(route-map TAKE-batch permit 3\n   match extcommunity) TARGETS-files",
        r"\1 TARGETS-batch",
        {6},
    ),
    "another prefix in the list of FRR": (
        "linux",
        "fe-leaf0?/etc/frr/frr.conf",
        r"(ipv6 prefix-list TAKE-batch_files_6 seq 31 permit) \S+",
        r"\1 2001:db8:77::/64",
        {4},
    ),
    "another VRF in the map of FRR": (
        "linux",
        "fe-leaf0?/etc/frr/frr.conf",
        r"(route-map TAKE-batch_6 permit 3\n.*\n match source-vrf) .*",
        r"\1 VRF-web",
        {4},
    ),
    "a family of FRR that takes from nobody": (
        "linux",
        "fe-leaf0?/etc/frr/frr.conf",
        r"(import vrf route-map TAKE-batch_6\n)  import vrf .*\n",
        r"\1",
        {4},
    ),
    "a map of IPv4 that FRR does not have": (
        "linux",
        "fe-leaf0?/etc/frr/frr.conf",
        r"(import vrf route-map TAKE-batch\n)  import vrf .*\n",
        r"\1",
        {6},
    ),
}


@pytest.mark.parametrize(
    ("platform", "place", "old", "new", "left"), BROKEN6.values(), ids=list(BROKEN6)
)
def test_each_family_between_vrfs_is_walked_by_itself(
    platform: str | None, place: str, old: str, new: str, left: set[int]
) -> None:
    ends = "single0002:front0", "single0004:front0"
    got = {
        case.packet.target.version
        for case in broken((SHARED, platform), place, old, new, *ends)
        if case.written.outcome is REACHES
    }
    assert got == left
