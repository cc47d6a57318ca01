"""How the state of a switch in a lab is read."""

import json

import pytest

from fabricgen.nos.shared.documents import SEPARATOR
from fabricgen.operate.lab.refused import refused_lines
from fabricgen.review.lab_reading import ignored_lines, read_snapshot, read_start
from fabricgen.review.lab_snapshot import LabRoute, LabSession, Names

NAMES = Names(
    switches={"10.65.0.2": "leaf2", "10.72.0.0": "spine1"},
    hosts={"10.10.10.11": "h1"},
    ports={("leaf1", "swp29"): "spine1"},
)
HOP = {"ip": "10.72.0.0", "interfaceName": "swp29", "fib": True}
PARTS = {
    "routes": "{}",
    "bgp": "{}",
    "bfd": "[]",
    "running": "hostname leaf1\nrouter bgp 65001\n",
    "file": "hostname leaf1\n!\nrouter bgp 65001\nexit\n",
    "boot": "The route-map 'CONNECTED' does not exist.\n",
}


def said(status: int = 0, **parts: str) -> dict[str, str]:
    """Return the output of the script on one switch; `status` is that of each given part."""
    rows = {**PARTS, **parts}
    text = "".join(
        f"{text}\n{SEPARATOR}{key} {status if key in parts else 0}\n" for key, text in rows.items()
    )
    return {"leaf1": text}


def route(vrf: str, prefix: str, *hops: dict[str, object]) -> str:
    entry = {"vrfName": vrf, "selected": True, "nexthops": list(hops)}
    return json.dumps({prefix: [entry]})


def test_a_next_hop_has_the_name_of_the_neighbor() -> None:
    found = read_snapshot(said(routes=route("default", "10.64.0.2/32", HOP)), NAMES)
    assert found.routes == {LabRoute("leaf1", "default", "10.64.0.2/32"): ("spine1 by swp29",)}


def test_a_tunnel_has_the_name_of_the_other_leaf() -> None:
    hop = {"ip": "10.65.0.2", "interfaceName": "vlan3001", "fib": True}
    found = read_snapshot(said(routes=route("red", "10.10.20.0/24", hop)), NAMES)
    assert list(found.routes.values()) == [("leaf2 by vlan3001",)]


def test_a_host_route_has_the_name_of_the_server() -> None:
    found = read_snapshot(said(routes=route("red", "10.10.10.11/32", HOP)), NAMES)
    assert [each.prefix for each in found.routes] == ["host route of h1"]


def test_the_tables_of_all_vrfs_are_read() -> None:
    documents = route("red", "10.1.0.0/24", HOP) + "\n" + route("blue", "10.1.0.0/24", HOP)
    assert {each.vrf for each in read_snapshot(said(routes=documents), NAMES).routes} == {
        "red",
        "blue",
    }


def test_an_unselected_route_is_no_route() -> None:
    entry = {"10.1.0.0/24": [{"vrfName": "default", "nexthops": [HOP]}]}
    assert read_snapshot(said(routes=json.dumps(entry)), NAMES).routes == {}


def test_sessions_have_their_state() -> None:
    peers = {"10.72.0.0": {"state": "Established"}, "192.0.2.1": {"state": "Active"}}
    found = read_snapshot(said(bgp=json.dumps({"red": {"ipv4Unicast": {"peers": peers}}})), NAMES)
    assert found.sessions == {
        LabSession("leaf1", "BGP", "red", "spine1", "10.72.0.0"): "Established",
        LabSession("leaf1", "BGP", "red", "192.0.2.1", "192.0.2.1"): "down",
    }


def test_a_switch_without_bgp_has_no_session() -> None:
    found = read_snapshot(said(1, bgp="bgpd is not running"), NAMES)
    assert (found.sessions, found.unread) == ({}, ())


@pytest.mark.parametrize("part", ["routes", "bgp", "bfd"])
@pytest.mark.parametrize("text", ["", "no access", "{", "[1]", '{"a": 1}', "null"])
def test_an_answer_that_cannot_be_read_is_reported(part: str, text: str) -> None:
    assert read_snapshot(said(1 if not text else 0, **{part: text}), NAMES).unread


@pytest.mark.parametrize("part", ["running", "file", "boot"])
def test_a_missing_log_leaves_refused_lines_unknown(part: str) -> None:
    (sentence,) = read_start(said(1, **{part: "No such file"}), NAMES).unread
    assert f"without {part}" in sentence


@pytest.mark.parametrize(
    "line",
    [
        "line 3: Failure to communicate[13] to bgpd, line: router bgp 65001",
        "line 4: % Unknown command[4]:  neighbor 1.2.3.4 activate",
        "% Specify remote-as or peer-group commands first",
    ],
)
def test_a_refused_line_is_found_between_other_messages(line: str) -> None:
    log = f"2026/11/30 ZEBRA: Disabling MPLS\n{line}\nThe route-map 'X' does not exist.\n"
    assert refused_lines(log) == [line]


def test_a_refused_line_names_the_switch() -> None:
    found = read_start(said(boot="line 4: % Unknown command[4]: x"), NAMES)
    assert found.refused == ("leaf1: FRR refused line 4: % Unknown command[4]: x",)


def test_a_normal_start_refuses_and_ignores_nothing() -> None:
    found = read_start(said(), NAMES)
    assert (found.refused, found.ignored, found.unread) == ((), frozenset(), ())


def test_a_line_without_trace_in_the_running_configuration_is_ignored() -> None:
    file = "router ospf\n ospf router-id 1.1.1.1\nexit\n! comment\n"
    assert list(ignored_lines(file, "router bgp 1\n")) == ["router ospf", "ospf router-id 1.1.1.1"]
