"""Applications between sites: budgets of latency, copies in a window, and faults of both."""

from typing import Any

import pytest
from tests.unit.design.test_circuits import messages, served

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.external import ExternalPeer


def budget(milliseconds: float, **link: Any) -> Any:
    """Compile with another budget, and other words of the primary link."""
    words = {"inference": {"round_trip": milliseconds}}
    return served(applications=words, dci={"wan": link})


def test_a_budget_is_compared_with_both_directions() -> None:
    # 2 x (60 km x 5 us + 50 us) = 0.7 ms over wan, 2 x (110 x 5 + 50) = 1.2 ms over spare.
    assert not messages(budget(1.2), Code.LATENCY_ABOVE_BUDGET)
    slow = budget(0.69)
    said = [each for each in slow.findings if each.code is Code.LATENCY_ABOVE_BUDGET]
    assert [(each.severity, each.message.partition(":")[0]) for each in said] == [
        (
            Severity.ERROR,
            "inference from west to east over wan takes 0.7 ms, but its budget is 0.69 ms",
        ),
        (
            Severity.WARNING,
            "inference from west to east over spare takes 1.2 ms, but its budget is 0.69 ms",
        ),
    ]
    assert said[0].message.endswith("2 x (300 us of fiber (60 km x 5) + 50 us of equipment)")


def test_only_a_backup_link_that_is_too_slow_is_a_warning() -> None:
    result = budget(0.8)
    assert result.ok
    (said,) = messages(result, Code.LATENCY_ABOVE_BUDGET)
    assert "over spare" in said


def test_an_unknown_figure_is_said_and_not_counted() -> None:
    """Of 8 km: 2 x (8 x 5 us of fiber + 2 x 0.8 us in both leafs)."""
    result = budget(2, equipment=None, kilometers=8)
    (said,) = messages(result, Code.LATENCY_UNKNOWN)
    assert said == (
        "inference from west to east over wan takes at least 0.0832 ms of 2 ms, but the latency of "
        "QSFP28-100G-LR is not known"
    )
    assert result.ok
    assert messages(budget(0.01, equipment=None, kilometers=8), Code.LATENCY_ABOVE_BUDGET)


HOSTS = {"vrfs": {"red": {"hosts": {"nodes": {"accept": ["10.98.0.0/24"]}}}}}
SITE3 = {
    "kind": "evpn",
    "number": 3,
    "leaf": {"model": "7050CX3-32S", "platform": "eos"},
    "spine": {"model": "7050CX3-32S", "platform": "eos", "count": 2},
    "leaf_groups": {"racks": {"leafs": "1-2", "servers": {"per_leaf": 2, "speed": "25G"}}},
}
THIRD = {
    "fabrics": {"south": SITE3},
    "tenants": {
        "red-south": {
            "fabric": "south",
            "vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 100, "subnet": "172.24.0.0/24"}}}},
            "attachments": [{"group": "racks", "access": "web"}],
        }
    },
    "dci": {
        "third": {
            "ends": {
                "west": {"leaf": 2, "cages": "20", "asn": 64_802},
                "south": {"leaf": 2, "cages": "20", "asn": 64_803},
            },
            "vrfs": {"red": 103},
            "pool": "10.251.0.0/19",
            "mtu": 9000,
        }
    },
}


@pytest.mark.parametrize(
    ("over", "code", "said"),
    [
        (
            {"applications": {"inference": {"replicas": {"west": None, "wets": {}}}}},
            Code.BAD_VALUE,
            "`hosts` at each replica",
        ),
        (
            {
                "applications": {
                    "inference": {
                        "replicas": {"west": None, "wets": {"hosts": "nodes", "backup": True}}
                    }
                }
            },
            Code.UNKNOWN_REFERENCE,
            "no fabric of kind evpn is named 'wets'",
        ),
        (
            {"applications": {"inference": {"replicas": {"west": {"hosts": "node"}}}}},
            Code.UNKNOWN_REFERENCE,
            "VRF red of west has no 'node' in `hosts`",
        ),
        (
            {"applications": {"inference": {"vrf": "blue"}}},
            Code.UNKNOWN_REFERENCE,
            "no tenant of east has a VRF blue",
        ),
        (
            {"applications": {"inference": {"clients": ["wset"]}}},
            Code.UNKNOWN_REFERENCE,
            "no fabric of kind evpn is named 'wset'",
        ),
        (
            {"applications": {"inference": {"address": "2001:db8::1"}}},
            Code.BAD_VALUE,
            "give an IPv4 address",
        ),
        (
            {"applications": {"inference": {"address": "10.98.0.1"}}},
            Code.BAD_VALUE,
            "servers of nodes at east may not advertise 10.98.0.1",
        ),
        (
            {"applications": {"inference": {"replicas": {"west": {"backup": False}}}}},
            Code.BAD_VALUE,
            "exactly one is the `backup`",
        ),
        (
            {"applications": {"inference": {"replicas": {"east": {"backup": True}}}}},
            Code.BAD_VALUE,
            "exactly one is the `backup`",
        ),
        (
            {"applications": {"inference": {"round_trip": None}}},
            Code.BAD_VALUE,
            "`clients` and `round_trip` need each other",
        ),
        ({"applications": {"inference": {"round_trip": "2 ms"}}}, Code.BAD_VALUE, "number"),
        ({"applications": {"inference": {"round_trip": 0}}}, Code.BAD_VALUE, "more than 0"),
        (
            {
                "applications": {
                    "second": {
                        "vrf": "red",
                        "address": "10.99.0.1",
                        "replicas": {"east": {"hosts": "nodes"}},
                    }
                }
            },
            Code.DUPLICATE_ID,
            "inference already has 10.99.0.1 in VRF red",
        ),
        (
            {"dci": {"wan": None, "spare": None}, "distribution": None},
            Code.ADDRESS_STAYS,
            "no link of `dci` joins VRF red of east and west",
        ),
        (THIRD, Code.ADDRESS_STAYS, "VRF red also joins south"),
    ],
)
def test_an_application_that_cannot_be_is_refused(
    over: dict[str, Any], code: Code, said: str
) -> None:
    found = messages(served(**over), code)
    assert any(said in each for each in found), served(**over).findings


def test_a_third_site_may_use_an_application_of_one_site() -> None:
    one = {"inference": {"replicas": {"west": None}}}
    result = served(**THIRD, applications=one)
    assert result.ok, result.findings
    assert result.site is not None
    assert {each.name: each.sites for each in result.site.applications} == {"inference": ("east",)}


def sessions(result: Any) -> dict[tuple[str, str], ExternalPeer]:
    return {
        (leaf, peer.name): peer
        for fabric in result.site.fabrics
        for leaf, peers in fabric.overlay.external.items()
        for peer in peers
    }


def test_links_carry_the_address_and_a_backup_is_one_in_both_directions() -> None:
    result = served()
    assert result.ok, result.findings
    told = sessions(result)
    for leaf, name, backup in (
        ("east-leaf01", "wan", False),
        ("west-leaf02", "wan", False),
        ("east-leaf02", "spare", True),
        ("west-leaf01", "spare", True),
    ):
        peer = told[leaf, name]
        for rules in (peer.accept, peer.announce):
            assert "10.99.0.1/32" in {rule.prefix.prefix for rule in rules}
        assert peer.border.preference == (50 if backup else None)
        assert bool(peer.longer_in and peer.longer_out(1)) is backup


LOGS = {
    "terabytes": 13,
    "source": "east",
    "sites": ["west"],
    "vrf": "red",
    "hours": 1,
    "qos": "bulk",
}


def copies(**words: Any) -> Any:
    return served(distribution={"weights": words})


def test_a_copy_is_compared_with_its_window() -> None:
    assert served().ok  # 2 TB x 8000 / (200 Gb/s x 20 % x 0.8 x 3600) = 0.14 hours
    (said,) = messages(copies(terabytes=20), Code.DEMAND_ABOVE_CAPACITY)
    assert said == (
        "weights takes 1.4 hours over wan, but its window is 1: "
        "20 TB x 8000 / (200 Gb/s x 20 % x 0.8 x 3600)"
    )


def test_copies_over_one_link_follow_each_other() -> None:
    every = {"weights": {"hours": 0.5}, "logs": LOGS}
    (said,) = messages(served(distribution=every), Code.DEMAND_ABOVE_CAPACITY)
    assert said == (
        "logs takes 1.0 hours over wan, but its window is 1: 0.1 for weights + 0.9 for logs"
    )
    assert served(distribution={**every, "logs": {**LOGS, "terabytes": 12}}).ok
    other = {**LOGS, "source": "west", "sites": ["east"]}
    assert served(distribution={**every, "logs": other}).ok  # the other direction


def test_copies_share_the_link_that_only_one_of_them_uses_with_others() -> None:
    """The VRF red has both links, and blue one of them."""
    vrf = {"id": 2, "vlans": {"db": {"id": 101, "subnet": "10.1.0.0/24"}}}
    other = {"id": 2, "vlans": {"db": {"id": 101, "subnet": "10.2.0.0/24"}}}
    over: Any = {
        "tenants": {"red-east": {"vrfs": {"blue": vrf}}, "red-west": {"vrfs": {"blue": other}}},
        "dci": {
            "wan": {"vrfs": {"red": 101, "blue": 105}},
            "spare": {"rate": "100G", "prefer": "primary"},
        },
    }
    # Both at 20 % of 300 Gb/s: 13 TB take 0.6 hours, and 9 TB 0.42 hours.
    logs = {**LOGS, "vrf": "blue"}
    assert served(**over, distribution={"logs": logs, "weights": {"terabytes": 7, "hours": 1}}).ok
    late = served(**over, distribution={"logs": logs, "weights": {"terabytes": 9, "hours": 1}})
    (said,) = messages(late, Code.DEMAND_ABOVE_CAPACITY)
    assert said == (
        "logs takes 1.0 hours over wan and spare, but its window is 1: "
        "0.4 for weights + 0.6 for logs"
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ({"source": "noth"}, Code.UNKNOWN_REFERENCE, "no fabric of kind evpn is named 'noth'"),
        ({"sites": ["noth"]}, Code.UNKNOWN_REFERENCE, "no other fabric of kind evpn"),
        ({"sites": ["east"]}, Code.UNKNOWN_REFERENCE, "no other fabric of kind evpn"),
        ({"sites": []}, Code.BAD_VALUE, "must not be empty"),
        ({"qos": "slow"}, Code.UNKNOWN_REFERENCE, "the east has no class 'slow'"),
        ({"vrf": "blue"}, Code.UNKNOWN_REFERENCE, "no link of `dci` joins VRF blue"),
        ({"hours": 0}, Code.BAD_VALUE, "more than 0"),
        ({"hours": 10_000}, Code.BAD_VALUE, "at most"),
        ({"terabytes": "2 TB"}, Code.BAD_VALUE, "number"),
        ({"efficiency": 1.5}, Code.BAD_VALUE, "at most"),
    ],
)
def test_a_copy_that_cannot_be_is_refused(words: dict[str, Any], code: Code, said: str) -> None:
    result = copies(**words)
    assert any(said in each for each in messages(result, code)), result.findings


def test_a_copy_needs_the_rate_of_its_link() -> None:
    result = served(dci={"wan": {"rate": None}})
    assert messages(result, Code.MISSING_KEY) == ["weights needs the `rate` of the link wan"]
