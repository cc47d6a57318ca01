"""FRR's JSON in: sessions, BFD, VNIs and routes as facts, and what of them moves."""

from typing import Any

import pytest

from fabricgen.nos.shared.frr import show
from fabricgen.nos.show import BgpActivity

KEY = ("session", "red", "10.0.0.1")


def one(**words: Any) -> dict[str, Any]:
    """Return a VRF with one neighbor, and with what stands beside neighbors."""
    return {"red": {"vrfId": 7, "vrfName": "red", "10.0.0.1": words}}


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ({"bgpState": "Established"}, "Established"),
        ({"bgpState": "Established", "lastResetDueTo": "Peer closed"}, "Established"),
        ({"bgpState": "Idle"}, "Idle"),
        ({"bgpState": "Idle", "lastResetDueTo": "Peer closed"}, "Idle (Peer closed)"),
        (
            {"bgpState": "Active", "lastNotificationReason": "Bad AS", "lastResetDueTo": "x"},
            "Active (Bad AS)",
        ),
        ({}, "unknown"),
    ],
)
def test_the_state_of_a_session_says_why_it_is_down(words: dict[str, Any], state: str) -> None:
    assert show.sessions(one(**words)) == {KEY: {"asn": "0", "families": (), "state": state}}


def test_a_session_has_its_asn_and_families() -> None:
    families: dict[str, Any] = {
        "l2VpnEvpn": {},
        "ipv4Unicast": {},
        "ipv6Unicast": {},
        "ipv4Multicast": {},
    }
    (facts,) = show.sessions(one(remoteAs=65001, addressFamilyInfo=families)).values()
    assert (facts["asn"], facts["families"]) == ("65001", ("evpn", "ipv4", "ipv4Multicast", "ipv6"))


def test_what_moves_of_a_session() -> None:
    words = {
        "bgpTimerUpMsec": 61_000,
        "connectionsEstablished": 3,
        "connectionsDropped": 2,
        "messageStats": {"updatesSent": 5, "updatesRecv": 6, "depthInq": 1, "depthOutq": 3},
        "addressFamilyInfo": {
            "l2VpnEvpn": {"acceptedPrefixCounter": 9, "sentPrefixCounter": 8},
            "ipv4Unicast": {"acceptedPrefixCounter": 7, "sentPrefixCounter": 4},
        },
        "gracefulRestartInfo": {"endOfRibRecv": {"ipv4Unicast": True, "l2VpnEvpn": False}},
    }
    assert show.pulses(one(**words)) == {
        KEY: BgpActivity(
            up=61_000,
            resets=(3, 2),
            updates=(5, 6),
            prefixes=(("evpn", 9, 8), ("ipv4", 7, 4)),
            waiting=4,
            ended=("ipv4",),
        )
    }


def test_a_session_that_never_came_up_has_moved_nothing() -> None:
    bare = one(addressFamilyInfo={"ipv4Unicast": {}})
    assert show.pulses(bare) == {
        KEY: BgpActivity(
            up=0,
            resets=(0, 0),
            updates=(0, 0),
            prefixes=(("ipv4", 0, 0),),
            waiting=0,
            ended=(),
        )
    }


@pytest.mark.parametrize(
    ("words", "key", "facts"),
    [
        (
            {
                "vrf": "default",
                "peer": "10.0.0.1",
                "interface": "swp1",
                "status": "up",
                "receive-interval": 300,
                "detect-multiplier": 3,
            },
            ("bfd", "default", "10.0.0.1"),
            {"timers": "300 ms times 3", "state": "up"},
        ),
        (
            {"vrf": "red", "peer": "fe80::1", "interface": "swp1", "status": "init"},
            ("bfd", "red", "swp1"),
            {"timers": "0 ms times 0", "state": "down"},
        ),
        ({"peer": "fe80::1"}, ("bfd", "", "fe80::1"), {"timers": "0 ms times 0", "state": "down"}),
        ({}, ("bfd", "", ""), {"timers": "0 ms times 0", "state": "down"}),
    ],
)
def test_a_bfd_session_is_named_as_bgp_names_it(
    words: dict[str, Any], key: tuple[str, ...], facts: dict[str, str]
) -> None:
    assert show.bfd([words]) == {key: facts}


def test_the_vnis_of_zebra_have_a_layer_and_a_vrf() -> None:
    assert show.routed(
        [{"vni": 10, "type": "L2", "vrf": "red"}, {"vni": 11, "type": "L3"}, {"vni": 12}]
    ) == {
        ("vni", "10"): {"layer": "2", "vrf": "red"},
        ("vni", "11"): {"layer": "3", "vrf": ""},
        ("vni", "12"): {"layer": "unknown", "vrf": ""},
    }


def test_frr_10_calls_the_vrf_of_a_vni_its_tenant() -> None:
    shown = {"vni": 10, "type": "L2", "tenantVrf": "red"}
    assert show.routed([shown]) == {("vni", "10"): {"layer": "2", "vrf": "red"}}


def test_the_vnis_of_bgp_are_those_that_the_kernel_has() -> None:
    there = {"vni": 10, "inKernel": "True", "rd": "10.0.0.1:7", "importRTs": ["2:1", "1:1"]}
    gone = {"vni": 11, "inKernel": "False"}
    bare = {"vni": 12, "inKernel": "True", "exportRTs": ["4:1", "3:1"]}
    assert show.announced({"10": there, "11": gone, "12": bare, "numVnis": 2}) == {
        ("vni", "10"): {"rd": "10.0.0.1:7", "import": ("1:1", "2:1"), "export": ()},
        ("vni", "12"): {"rd": "", "import": (), "export": ("3:1", "4:1")},
    }


@pytest.mark.parametrize(
    ("words", "prefix", "ports"),
    [
        ({"dst": "10.1.0.0/16", "dev": "swp1"}, "10.1.0.0/16", ("swp1",)),
        ({"dst": "10.1.0.1", "dev": "swp1"}, "10.1.0.1/32", ("swp1",)),
        ({"dst": "default", "dev": "swp1"}, "0.0.0.0/0", ("swp1",)),
        ({"dst": "10.1.0.1", "dev": "swp1", "flags": ["dead"]}, "10.1.0.1/32", ()),
        ({"dst": "10.1.0.1", "type": "blackhole"}, "10.1.0.1/32", ()),
        (
            {"dst": "10.1.0.1", "nexthops": [{"dev": "b"}, {"dev": "a", "flags": ["onlink"]}]},
            "10.1.0.1/32",
            ("a", "b"),
        ),
        (
            {"dst": "10.1.0.1", "nexthops": [{"dev": "a"}, {"dev": "b", "flags": ["dead"]}]},
            "10.1.0.1/32",
            ("a",),
        ),
    ],
)
def test_a_route_leaves_by_the_ports_that_live(
    words: dict[str, Any], prefix: str, ports: tuple[str, ...]
) -> None:
    assert show.routes([words]) == {("route", "default", prefix): {"ports": ports}}
