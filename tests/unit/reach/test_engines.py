"""Two engines of unlike kind answer alike; a file that is broken by hand is seen by the second."""

from __future__ import annotations

import pytest
from tests.unit.reach.engines import ROOT, every_case, replaced
from tests.unit.reach.features import FEATURES, SERVICES, ZONES

from fabricgen.reach.packet import Outcome

REACHES, STOPS, UNKNOWN = Outcome.REACHES, Outcome.STOPS, Outcome.UNKNOWN
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
LIFTED = [("tenants", "linux"), ("tenants", "sonic"), ("lab", "eos"), ("lab", "sonic")]
OF_FEATURES = [(name, each) for name, (_, every) in FEATURES.items() for each in every]
ONE_ANSWER = {"rail-optimised", "three-tier", "storage", "pairs"}
"""Sites in which every station reaches every other one."""


@pytest.mark.parametrize(
    ("name", "platform"), [*((each, None) for each in SITES), *LIFTED, *OF_FEATURES]
)
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


LAB, EOS, SONIC = ("lab", None), ("lab", "eos"), ("lab", "sonic")
CONF = "fe-leaf01/etc/frr/frr.conf"
PORTS = "fe-leaf01/etc/network/interfaces"
H1, H2, FAR = "fe-leaf01-h1:eth0", "fe-leaf01-h2:eth0", "fe-leaf02-h1:eth0"
BLUE = "fe-leaf01-h3:eth0"
ESI, MLAG = ("IPv4 and IPv6, on Ethernet segments", None), ("MLAG pairs", None)
P1, P2 = "pair0001:front", "pair0002:front"
BROKEN = {
    "a list of a router outside that is not there": (
        ("tenants", None),
        "fe-leaf05/eos.cfg",
        r"ip prefix-list IN-red_isp1\n   seq 10 permit 0.0.0.0/0\n!\n",
        "",
        "fe-leaf01-s01:eth0",
        "outside:isp1",
        UNKNOWN,
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
    ends = {one, other}
    case = next(
        case
        for case in every_case(
            *site, changed=replaced(place, old, new), chosen=lambda each: each.station.name in ends
        )
        if case.one.station.name == one
    )
    assert case.written.outcome is outcome, case.written
