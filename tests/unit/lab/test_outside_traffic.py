"""From what hosts heard and routers outside were told: what is wrong is named."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.client import LabClient, Result
from fabricgen.operate.lab.outside.routers import routers
from fabricgen.operate.lab.traffic.advertised_routes import judge_told, present
from fabricgen.operate.lab.traffic.advertised_routes import told as ask
from fabricgen.operate.lab.traffic.outside import Packet, entering, judge, leaving
from fabricgen.operate.lab.traffic.proof import Verdict
from fabricgen.operate.lab.traffic.ways_out import moved

BENCH = bench_of("edge")
EVERY = routers(BENCH.site, BENCH.plan.names)
ENDS = BENCH.ends


def hearers(source: str, address: str, *without: str) -> set[str]:
    """Return who should hear a server's packet, when these routers are gone."""
    left = [each for each in EVERY if each.name not in without]
    (packet,) = (
        each
        for each in leaving(BENCH, left)
        if ENDS[each.source].name == source and ENDS[each.target].address == address
    )
    return {ENDS[number].name for number in packet.hearers}


@pytest.mark.parametrize(
    ("source", "address", "wanted"),
    [
        ("fe-leaf02-s01/red-web", "198.18.0.1", {"out-isp1-red"}),  # the primary
        ("fe-leaf02-s01/red-web", "198.51.100.1", {"out-isp1-red"}),
        ("fe-leaf02-s01/red-web IPv6", "2001:2::1", {"out-isp1-red"}),
        ("fe-leaf01-s02/blue-app", "198.18.0.1", {"out-isp1-blue", "out-isp2-blue"}),
        ("fe-leaf01-s02/blue-app", "198.51.100.1", set()),  # red's alone
    ],
)
def test_a_packet_leaves_by_the_way_that_its_vrf_prefers(
    source: str, address: str, wanted: set[str]
) -> None:
    assert hearers(source, address) == wanted


def test_the_backup_takes_what_the_primary_had_and_what_nobody_else_has_ends() -> None:
    lost = "out-isp1"
    assert hearers("fe-leaf02-s01/red-web", "198.18.0.1", lost) == {"out-isp2-red"}
    assert hearers("fe-leaf02-s01/red-web", "198.51.100.1", lost) == set()


def test_what_has_another_way_without_a_router_is_what_moves() -> None:
    left = {each.name: [other for other in EVERY if other is not each] for each in EVERY}
    moving = moved(leaving(BENCH, EVERY), leaving(BENCH, left["out-isp1"]))
    assert {(ENDS[each.source].group, ENDS[each.target].address) for each in moving} == {
        ("red", "198.18.0.1"),
        ("red", "2001:2::1"),
    }
    assert not moved(leaving(BENCH, EVERY), leaving(BENCH, left["out-isp2"]))


def test_what_comes_from_outside_reaches_its_own_vrf_alone() -> None:
    reached = {
        (ENDS[each.source].name, ENDS[number].group)
        for each in entering(BENCH, EVERY)
        for number in each.hearers
    }
    assert reached == {
        (f"out-{isp}-{vrf}", vrf) for isp in ("isp1", "isp2") for vrf in ("red", "blue")
    }


def right(wanted: list[Packet]) -> dict[str, dict[str, Any]]:
    return {
        str(place): {"by": [min(each.hearers)]} for place, each in enumerate(wanted) if each.hearers
    }


def test_packets_that_are_lost_and_that_arrive_elsewhere_are_named() -> None:
    wanted = leaving(BENCH, EVERY)
    heard = right(wanted)
    assert judge(BENCH, "to outside", wanted, heard).verdict is Verdict.HOLDS
    lost = next(place for place, each in enumerate(wanted) if each.hearers)
    wrong = next(place for place, each in enumerate(wanted) if not each.hearers)
    del heard[str(lost)]
    heard[str(wrong)] = {"by": [wanted[wrong].target]}
    faults = judge(BENCH, "to outside", wanted, heard).faults
    assert len(faults) == 2
    assert any("no packet arrives, expected at out-isp1-red" in each for each in faults)
    assert any("arrives at out-isp1-red, but must not" in each for each in faults)


def test_a_packet_that_left_by_the_backup_is_named() -> None:
    wanted = leaving(BENCH, EVERY)
    heard = right(wanted)
    place, packet = next(
        (place, each)
        for place, each in enumerate(wanted)
        if ENDS[each.source].group == "red" and ENDS[each.target].address == "198.18.0.1"
    )
    backup = next(n for n, each in enumerate(ENDS) if each.name == "out-isp2-red")
    heard[str(place)] = {"by": [backup]}
    (fault,) = judge(BENCH, "to outside", wanted, heard).faults
    assert fault.startswith(ENDS[packet.source].name)
    assert fault.endswith("arrives at out-isp2-red, but must not")


def told() -> dict[tuple[str, str, int], dict[str, Any]]:
    """Return what every router outside is told when all is right."""
    answers = {}
    for router in EVERY:
        for table in router.tables:
            for session in table.sessions:
                border = session.border
                own = border.local_asn or table.fabric.routing.asns.asn(table.uplink.leaf)
                times = 6 if border.prefer == "backup" else 1
                path = {
                    "aspath": {"segments": [{"list": [own] * times}]},
                    "community": {"list": list(border.send)},
                }
                paths = {rule.prefix.prefix: path for rule in session.announce}
                answers[router.name, table.name, session.version] = paths
    return answers


class Router:
    """Answers as FRR 8.4.4 does: documents one after the other, its own routes among them."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def execute(self, name: str, command: Sequence[str]) -> Result:
        asked = [word for word in command if word.startswith("show")]
        self.asked += [f"{name} {each}" for each in asked]
        return Result(status=0, stdout="\n".join(map(self._answer, asked)), stderr="")

    def _answer(self, command: str) -> str:
        leaf = {"peerId": "192.0.2.1", "path": "64500"}
        if command.endswith("unicast json"):
            own = {"peerId": "(unspec)", "pathFrom": "external", "path": ""}
            return json.dumps({"routes": {"0.0.0.0/0": [own], "10.110.0.0/24": [leaf]}})
        path = {"aspath": {"segments": [{"list": [64500]}]}, "peer": {"peerId": "192.0.2.1"}}
        return json.dumps({"paths": [{"peer": {"peerId": "(unspec)"}}, path]}) + "\n"


def test_a_router_is_asked_for_what_its_leaf_told_it() -> None:
    router = Router()
    (first,) = (each for each in EVERY if each.name == "out-isp1")
    four = replace(first.tables[0], sessions=first.tables[0].sessions[:1])
    paths = ask(cast("LabClient", router), [replace(first, tables=(four,))])
    assert paths.keys() == {("out-isp1", "red", 4)}
    assert paths["out-isp1", "red", 4]["10.110.0.0/24"]["aspath"]["segments"] == [{"list": [64500]}]
    assert router.asked == [
        "out-isp1 show bgp vrf red ipv4 unicast json",
        "out-isp1 show bgp vrf red ipv4 unicast 10.110.0.0/24 json",
    ]


def faults_of(answers: dict[tuple[str, str, int], dict[str, Any]]) -> tuple[str, ...]:
    return judge_told(EVERY, answers, present(BENCH)).faults


def test_what_the_outside_is_told_is_right_as_the_intent_has_it() -> None:
    assert faults_of(told()) == ()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"aspath": {"segments": [{"list": [64500, 4_200_000_001]}]}}, "private ASNs [4200000001]"),
        (
            {"aspath": {"segments": [{"list": [4_200_000_000]}]}},
            "AS [4200000000], expected 64500",
        ),
        ({"community": {"list": ["64496:7"]}}, "communities ['64496:7']"),
    ],
)
def test_a_path_that_is_not_as_the_intent_has_it_is_named(
    change: dict[str, Any], fault: str
) -> None:
    answers, key = told(), ("out-isp1", "red", 4)
    answers[key] = {**answers[key], "10.111.0.0/24": {**answers[key]["10.111.0.0/24"], **change}}
    said = faults_of(answers)
    assert any(fault in each for each in said)
    assert all("out-isp1 in VRF red has 10.111.0.0/24" in each for each in said)


def test_what_is_missing_and_what_is_too_much_is_named() -> None:
    answers = told()
    blue = answers["out-isp2", "blue", 4]
    answers["out-isp2", "blue", 4] = {"10.110.0.0/24": blue["10.120.0.0/24"]}
    assert faults_of(answers) == (
        "out-isp2 in VRF blue learns 10.110.0.0/24, which is not one of its subnets",
        "out-isp2 in VRF blue does not learn 10.120.0.0/24",
    )


def test_a_way_that_is_as_long_as_others_is_no_backup() -> None:
    answers, key = told(), ("out-isp2", "red", 4)
    path = {"aspath": {"segments": [{"list": [4_200_000_001]}]}, "community": {"list": []}}
    answers[key] = dict.fromkeys(answers[key], path)
    assert all("without the prepending of a backup" in each for each in faults_of(answers))
    assert len(faults_of(answers)) == 2
