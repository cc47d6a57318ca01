"""From the bytes of each uplink: the one that carries no flow is named."""

from typing import Any

from fabricgen.operate.lab.traffic.ecmp import SIZE, judge
from fabricgen.operate.lab.traffic.proof import Verdict

UPLINKS = {
    "leaf1": [("leaf1", "swp29"), ("leaf1", "swp30")],
    "leaf2": [("leaf2", "swp29"), ("leaf2", "swp30")],
}
FLOWS = 64


def said(arrived: int = FLOWS, **flows: int) -> dict[str, Any]:
    carried = {"leaf1:swp29": 30, "leaf1:swp30": 34, "leaf2:swp29": 40, "leaf2:swp30": 24} | {
        name.replace("_", ":"): count for name, count in flows.items()
    }
    counted: dict[str, Any] = {}
    for name, count in carried.items():
        switch, _, port = name.partition(":")
        # What BFD and BGP send meanwhile is in the counter, too.
        counted.setdefault(switch, {})[port] = {"bytes": count * (SIZE + 14) + 900}
    return {"answer": [FLOWS, arrived], "counted": counted}


def test_uplinks_that_all_carry_flows_hold() -> None:
    proof = judge("backend: ECMP", UPLINKS, FLOWS, said(), tunnels=False)
    assert proof.verdict is Verdict.HOLDS
    assert "4 of 4 uplinks" in proof.sentence
    assert "24 to 40 of 64 flows each" in proof.sentence


def test_an_uplink_with_nothing_but_its_protocols_is_named() -> None:
    proof = judge("backend: ECMP", UPLINKS, FLOWS, said(leaf2_swp30=0), tunnels=False)
    assert proof.faults == ("leaf2:swp30 has none of 64 flows",)


def test_flows_that_do_not_arrive_are_counted() -> None:
    proof = judge("backend: ECMP", UPLINKS, FLOWS, said(arrived=60), tunnels=False)
    assert proof.faults == ("leaf2: 60 of 64 flows arrive",)


def test_why_tunnels_are_not_asked_is_said() -> None:
    proof = judge("frontend: ECMP", UPLINKS, FLOWS, said(), tunnels=True)
    assert "sends all traffic of a tunnel over one uplink" in proof.sentence
