"""The rules: each finds its fault with both values, and passes the nearest right state."""

from typing import Any

import pytest
from tests.unit.proof.catalogue.subjects import result

from fabricgen.core.tree.facts import Facts
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.show import ESTABLISHED
from fabricgen.prove.catalogue.model import Outcome

P, Q = "Ethernet0", ("Ethernet0", "3")
HEADROOM: Facts = {("headroom", *Q): {"bytes": "100000"}}
POOL: Facts = {("pool", "lossless"): {"size": "1000", "headroom": "500"}}
WAYS: Facts = {
    ("route", "default", "10.0.0.9/32"): {"ports": ("e1", "e2")},
    ("interface", "e1"): {"speed": "100G"},
    ("interface", "e2"): {"speed": "100G"},
}
SESSION = ("session", "default", "10.0.0.0")
FAMILY = ("default", "10.0.0.0", "ipv4")
UP: Facts = {SESSION: {"state": ESTABLISHED, "families": ("ipv4",)}}


def grows(metric: str, *names: str, by: float) -> dict[str, Any]:
    """The measures of two snapshots between which one counter grew."""
    return {"then": {(metric, *names): 100.0}, "now": {(metric, *names): 100.0 + by}}


def both(**metrics: tuple[float, float]) -> dict[str, Any]:
    """The measures of one queue in two snapshots, by metric."""
    named = {name.replace("_", "-"): values for name, values in metrics.items()}
    return {
        "then": {(name, *Q): old for name, (old, _) in named.items()},
        "now": {(name, *Q): new for name, (_, new) in named.items()},
    }


def level(metric: str, *names: str, is_now: float, **more: float) -> dict[str, Any]:
    """The measures of one snapshot."""
    others = {(name.replace("_", "-"), names[0]): value for name, value in more.items()}
    return {"now": {(metric, *names): is_now, **others}}


FAULTS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    (
        "PortErrors",
        grows("receive-errors", P, by=12),
        grows("receive-errors", P, by=0),
        "receive-errors of port Ethernet0 grew by 12",
    ),
    (
        "SignalErrors",
        grows("fcs-errors", P, by=3),
        grows("fcs-errors", P, by=0),
        "fcs-errors of port Ethernet0 grew by 3",
    ),
    ("FrameSize", grows("oversize", P, by=1), grows("oversize", P, by=0), "grew by 1"),
    (
        "LinkFlaps",
        grows("flaps", P, by=4),
        grows("flaps", P, by=3),
        "flaps of port Ethernet0 changed 4",
    ),
    (
        "UncorrectedFec",
        grows("fec-uncorrected", P, by=1),
        grows("fec-uncorrected", P, by=0),
        "fec-uncorrected of port Ethernet0 grew by 1",
    ),
    (
        "LinkPause",
        grows("link-pause-received", P, by=1),
        grows("link-pause-received", P, by=0),
        "link-pause-received of port Ethernet0 grew by 1",
    ),
    (
        "Restarts",
        {"then": {("uptime",): 9.0}, "now": {("uptime",): 1.0}},
        grows("uptime", by=1),
        "1 s",
    ),
    (
        "OpticsLight",
        level("light-received", P, "3", is_now=-11.2, light_warning=-10, light_alarm=-13),
        level("light-received", P, "3", is_now=-9.9, light_warning=-10, light_alarm=-13),
        "lane 3 of Ethernet0 receives -11.2 dBm, below the low warning limit",
    ),
    (
        "OpticsLight",
        level("light-received", P, "3", is_now=-14, light_warning=-10, light_alarm=-13),
        level("light-received", P, "3", is_now=-40, light_warning=-10, light_alarm=-13),
        "below the low alarm limit",
    ),
    (
        "OpticsTemperature",
        level("module-temperature", P, is_now=78, module_temperature_alarm=75),
        level("module-temperature", P, is_now=74, module_temperature_alarm=75),
        "the module of Ethernet0 has 78 °C",
    ),
    (
        "BitErrors",
        level("pre-fec-ber", P, is_now=3.1e-4),
        level("pre-fec-ber", P, is_now=1e-6),
        "Ethernet0 has a bit error ratio of 3.1e-04",
    ),
    (
        "Capacity",
        level("capacity-used", "ipv4_route", is_now=91, capacity_free=9),
        level("capacity-used", "ipv4_route", is_now=85, capacity_free=15),
        "table ipv4_route is 91 % full: 91 of 100 entries",
    ),
    (
        "Certificate",
        level("certificate-days", "api.crt", is_now=12),
        level("certificate-days", "api.crt", is_now=30),
        "certificate api.crt ends in 12 days",
    ),
    (
        "Certificate",
        level("certificate-days", "api.crt", is_now=-2),
        level("certificate-days", "api.crt", is_now=300),
        "certificate api.crt ended 2 days ago",
    ),
    (
        "PfcUnexpected",
        grows("pause-received", P, "4", by=88) | {"paused": {P: ("3",)}},
        grows("pause-received", P, "3", by=88) | {"paused": {P: ("3",)}},
        "pause-received of port Ethernet0 priority 4 grew by 88",
    ),
    (
        "PfcStorms",
        both(watchdog_storms=(1, 2), watchdog_restored=(1, 1)),
        both(watchdog_storms=(2, 2), watchdog_restored=(2, 2)),
        "port Ethernet0 queue 3 is in a PFC storm",
    ),
    (
        "PfcStorms",
        both(watchdog_storms=(1, 3), watchdog_restored=(1, 3)),
        both(watchdog_storms=(3, 3), watchdog_restored=(3, 3)),
        "the PFC watchdog detected 2 storms on port Ethernet0 queue 3",
    ),
    (
        "PauseShare",
        grows("pause-received", *Q, by=19_000),
        grows("pause-received", *Q, by=1_000),
        "pauses port Ethernet0 priority 3 1,900 times a second: a slow receiver",
    ),
    (
        "PauseShare",
        grows("paused-time", *Q, by=600_000),
        grows("paused-time", *Q, by=500_000),
        "for 6.0 % of the time",
    ),
    (
        "PauseShare",
        grows("port-pause-received", P, by=19_000),
        grows("port-pause-received", P, by=1_000),
        "pauses port Ethernet0 1,900 times a second",
    ),
    (
        "LosslessDrops",
        grows("group-drops", *Q, by=7) | {"paused": {P: ("3",)}},
        grows("group-drops", P, "0", by=7) | {"paused": {P: ("3",)}},
        "group-drops of port Ethernet0 group 3 dropped 7",
    ),
    (
        "LosslessDrops",
        grows("queue-drops", *Q, by=7) | {"paused": {P: ("3",)}},
        grows("queue-drops", P, "0", by=7) | {"paused": {P: ("3",)}},
        "queue-drops of port Ethernet0 queue 3 dropped 7",
    ),
    (
        "EcnRate",
        both(ecn_marked=(0, 142), queue_packets=(0, 1000)),
        both(ecn_marked=(0, 100), queue_packets=(0, 1000)),
        "port Ethernet0 queue 3 marks 14.2 % of its packets",
    ),
    (
        "EcnUnexpected",
        grows("ecn-marked", P, "6", by=40) | {"marked": frozenset({Q})},
        grows("ecn-marked", P, "3", by=40) | {"marked": frozenset({Q})},
        "port Ethernet0 queue 6 marked 40 packets",
    ),
    (
        "HeadroomUse",
        level("headroom-peak", *Q, is_now=92_000)
        | {"wanted": HEADROOM, "sampled": {"headroom-peak": 60.0}},
        level("headroom-peak", *Q, is_now=80_000) | {"wanted": HEADROOM},
        "port Ethernet0 group 3 used 92,000 of 100,000 bytes (92 %) within 60 s",
    ),
    (
        "PoolUse",
        level("pool-peak", "lossless", is_now=900) | {"wanted": POOL},
        level("pool-peak", "lossless", is_now=800) | {"wanted": POOL},
        "pool lossless used 900 of 1,000 bytes",
    ),
    (
        "PoolUse",
        level("pool-headroom-peak", "lossless", is_now=450) | {"wanted": POOL},
        level("pool-headroom-peak", "lossless", is_now=400) | {"wanted": POOL},
        "pool lossless used 450 of 500 bytes",
    ),
    (
        "Balancing",
        {"now": {("rate-sent", "e1"): 90e9, ("rate-sent", "e2"): 10e9}, "wanted": WAYS}
        | {"limits": WatchLimits(imbalance=1.5)},
        {"now": {("rate-sent", "e1"): 60e9, ("rate-sent", "e2"): 40e9}, "wanted": WAYS}
        | {"limits": WatchLimits(imbalance=1.5)},
        "e1 sends 1.8 times the mean of 2 equal-cost ports",
    ),
    (
        "Balancing",
        {"now": {("rate-sent", "e1"): 2e9, ("rate-sent", "e2"): 0.0}, "wanted": WAYS}
        | {"limits": WatchLimits(imbalance=1.5)},
        {"now": {("rate-sent", "e1"): 0.9e9, ("rate-sent", "e2"): 0.0}, "wanted": WAYS}
        | {"limits": WatchLimits(imbalance=1.5)},
        "e1 sends 2.0 times the mean",
    ),
    (
        "BgpReceived",
        level("prefixes-received", *FAMILY, is_now=0) | {"wanted": UP, "facts": UP},
        level("prefixes-received", *FAMILY, is_now=0)
        | {"wanted": UP, "facts": {SESSION: {"state": "Active"}}},
        "BGP neighbor 10.0.0.0 is up, but no ipv4 prefix is accepted",
    ),
    (
        "BgpRefused",
        level("prefixes-refused", *FAMILY, is_now=3),
        level("prefixes-refused", *FAMILY, is_now=0),
        "3 prefixes of BGP neighbor 10.0.0.0 (ipv4) are refused",
    ),
    (
        "TablesKept",
        {"then": {("macs", "110"): 24.0}, "now": {("macs", "110"): 0.0}},
        {"then": {("macs", "110"): 24.0}, "now": {("macs", "110"): 1.0}},
        "macs of vlan 110 became 0 (before: 24)",
    ),
    (
        "ErrDisabled",
        {"facts": {("interface", P): {"errdisabled": ("bpduguard",)}}},
        {"facts": {("interface", P): {"mtu": "9214"}}},
        "Ethernet0 is disabled after an error: bpduguard",
    ),
    (
        "Environment",
        {"facts": {("component", "power supply", "2"): {"state": "failed"}}},
        {"facts": {("component", "power supply", "2"): {"state": "ok"}}},
        "power supply 2 is failed",
    ),
    (
        "Daemons",
        {"facts": {("daemon", "bgpmon"): {"state": "fatal"}}},
        {"facts": {("daemon", "bgpmon"): {"state": "exited"}}},
        "daemon bgpmon cannot start: it is fatal",
    ),
    (
        "CountersPolled",
        {"paused": {P: ("3",)}, "unknown": {("ecn-marked",): "the group is switched off"}},
        {"paused": {P: ("3",)}, "unknown": {("ecn-marked",): "the release has no counter"}},
        "ecn-marked not counted: the group is switched off",
    ),
]


@pytest.mark.parametrize(
    ("name", "wrong", "right", "sentence"),
    FAULTS,
    ids=[f"{row[0]}-{row[3][:24]}" for row in FAULTS],
)
def test_a_rule_finds_its_fault_and_passes_the_nearest_right_state(
    name: str, wrong: dict[str, Any], right: dict[str, Any], sentence: str
) -> None:
    found = result(name, **wrong)
    sentences = [each.sentence for each in found.findings if each.outcome is Outcome.FAILED]
    assert any(sentence in each for each in sentences), found
    passed = result(name, **right)
    assert [each for each in passed.findings if each.outcome is Outcome.FAILED] == []


VRFS: Facts = {
    ("vrf", "red"): {"exists": "true"},
    ("vrf", "blue"): {"exists": "true"},
    ("interface", "Vlan110"): {"vrf": "red", "address": ("10.110.0.1/24",)},
    ("interface", "Vlan120"): {"vrf": "blue", "address": ("10.120.0.1/24",)},
    ("vni", "5001"): {"layer": "3", "vrf": "red", "import": ("1:5001",), "export": ("1:5001",)},
    ("vni", "5002"): {"layer": "3", "vrf": "blue", "import": ("1:5002",), "export": ("1:5002",)},
}


@pytest.mark.parametrize(
    ("facts", "sentences"),
    [
        ({}, []),
        (
            {("evpn-prefix", "red", "10.120.0.0/24"): {"vteps": ()}},
            ["leaf1: VRF red has a route to 10.120.0.0/24, a subnet of VRF blue"],
        ),
        ({("evpn-prefix", "red", "10.110.0.0/24"): {"vteps": ()}}, []),
        ({("evpn-prefix", "red", "192.0.2.0/24"): {"vteps": ()}}, []),
        ({("evpn-prefix", "default", "10.120.0.0/24"): {"vteps": ()}}, []),
        (
            {("vni", "5001"): {"import": ("1:5001", "1:5002")}},
            ["leaf1: VRF red imports route target 1:5002 of VRF blue"],
        ),
        ({("vni", "5001"): {"import": ("1:5001", "1:9999")}}, []),
    ],
)
def test_no_vrf_has_a_subnet_or_target_of_another_tenant(
    facts: Facts, sentences: list[str]
) -> None:
    found = result("TenantIsolation", wanted=VRFS, facts=facts)
    assert [each.sentence for each in found.findings] == sentences


def test_a_leak_of_the_design_is_right() -> None:
    leak: Facts = {("evpn-prefix", "red", "10.120.0.0/24"): {"vteps": ("10.0.0.2",)}}
    found = result("TenantIsolation", wanted=VRFS | leak, facts=leak)
    assert found.outcome is Outcome.PASSED


def test_a_rate_without_the_time_of_the_switch_is_unread() -> None:
    found = result("PauseShare", **grows("pause-received", *Q, by=19_000), clock=None)
    assert found.outcome is Outcome.UNREAD


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -5.0, 1e300])
def test_no_number_of_a_switch_stops_a_rule(value: float) -> None:
    for name, wrong, *_ in FAULTS:
        now = dict.fromkeys(wrong.get("now", {}), value)
        result(name, **wrong | ({"now": now} if now else {}))
