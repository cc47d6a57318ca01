"""How differences between two labs are worded."""

from dataclasses import replace

import pytest

from fabricgen.review.lab_differences import compared, differences_between
from fabricgen.review.lab_snapshot import LabRoute, LabSession, Snapshot

UPLINK = LabSession("leaf1", "BGP", "default", "spine1", "10.0.0.0")
WEB = LabRoute("leaf1", "red", "10.10.10.0/24")
BASE = Snapshot(
    switches=frozenset({"leaf1", "leaf2"}),
    sessions={UPLINK: "Established"},
    routes={WEB: ("vlan10",), WEB._replace(switch="leaf2"): ("leaf1 by vlan3001",)},
    pairs={("h1", "h2"): True, ("h2", "h1"): True},
)


def test_equal_states_have_no_difference() -> None:
    assert differences_between(BASE, BASE) == ()


def test_a_session_of_one_side_names_the_neighbor() -> None:
    assert differences_between(BASE, replace(BASE, sessions={})) == (
        "leaf1: 1 BGP session only with the old files: spine1 (10.0.0.0)",
    )


def test_a_session_that_goes_down_has_both_states() -> None:
    assert differences_between(BASE, replace(BASE, sessions={UPLINK: "down"})) == (
        (
            "leaf1: 1 BGP session Established with the old files and down with the new files: "
            "spine1 (10.0.0.0)"
        ),
    )


def test_a_new_route_is_one_sentence_for_all_switches() -> None:
    app = {WEB._replace(switch=name, prefix="10.10.20.0/24"): ("vlan20",) for name in BASE.switches}
    assert differences_between(BASE, replace(BASE, routes={**BASE.routes, **app})) == (
        "1 route of VRF red only with the new files on leaf1, leaf2: 10.10.20.0/24",
    )


def test_changed_next_hops_have_both_values() -> None:
    changed = {**BASE.routes, WEB: ("leaf2 by vlan3001",)}
    assert differences_between(BASE, replace(BASE, routes=changed)) == (
        (
            "next hops of 1 route of VRF red on leaf1 are vlan10 with the old files and "
            "leaf2 by vlan3001 with the new files: 10.10.10.0/24"
        ),
    )


def test_one_lost_direction_names_both_ends() -> None:
    lost = {**BASE.pairs, ("h1", "h2"): False}
    assert differences_between(BASE, replace(BASE, pairs=lost)) == (
        "h1 reaches 1 server port only with the old files: h2",
    )


def test_a_switch_of_one_side_is_one_difference() -> None:
    third = {WEB._replace(switch="leaf3"): ("vlan10",)}
    more = replace(BASE, switches=BASE.switches | {"leaf3"}, routes={**BASE.routes, **third})
    assert differences_between(BASE, more) == ("1 switch only with the new files: leaf3",)


def test_a_server_port_of_one_side_is_one_difference() -> None:
    more = replace(BASE, pairs={**BASE.pairs, ("h1", "h3"): True, ("h3", "h1"): True})
    assert differences_between(BASE, more) == ("1 server port only with the new files: h3",)


@pytest.mark.parametrize(
    "less", [replace(BASE, sessions={}), replace(BASE, routes={}), replace(BASE, pairs={})]
)
def test_the_other_direction_names_the_other_side(less: Snapshot) -> None:
    there, back = differences_between(BASE, less), differences_between(less, BASE)
    swapped = [each.replace("old files", "new files") for each in there]
    assert list(back) == swapped


def test_compared_objects_of_both_sides_are_counted() -> None:
    assert compared(BASE, replace(BASE, routes={})) == {
        "switches": 2,
        "sessions": 1,
        "routes": 2,
        "pairs": 2,
    }
