"""Ports and cables as they are: what is pinned changes, what gives way moves, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.design.sites import R64, Keys, backend, findings, frontend, intent, only

from fabricgen.compile.compiler import compile_site, files
from fabricgen.compile.design.site import design_site
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Link, Topology

Pins = dict[str, Keys]
Cables = dict[tuple[str, str], tuple[str, str]]
DEAD: Keys = {"state": "dead"}


def site(pins: Pins | None = None, **more: object) -> Keys:
    return frontend(switches=pins or {}, **more)


def wired(keys: Keys) -> Topology:
    said = [item for item in findings(keys) if item.code is not Code.OVERSUBSCRIBED]
    assert not said
    return design_site(intent(keys))[0].fabrics[0].topology


def cables(topology: Topology) -> Cables:
    """Return both ends of each cable by what stays when a port is moved: who, and which."""
    return {_of(link): (link.lower_port.label, link.upper_port.label) for link in topology.links}


def _of(link: Link) -> tuple[str, str]:
    return link.lower.name, f"{link.upper.name} {link.slot}"


def moved(before: Cables, after: Cables) -> dict[tuple[str, str], tuple[str, str]]:
    assert before.keys() == after.keys()
    return {key: after[key] for key in before if before[key] != after[key]}


BARE = cables(wired(site()))


def test_a_link_leaves_a_dead_port_and_nothing_else_moves() -> None:
    after = cables(wired(site({"fe-leaf01": {"ports": {"29": DEAD}}})))
    assert BARE["fe-leaf01", "fe-spine1 0"] == ("29", "1")
    assert moved(BARE, after) == {("fe-leaf01", "fe-spine1 0"): ("16", "1")}


def test_the_port_of_an_upper_switch_may_be_the_dead_one() -> None:
    after = cables(wired(site({"fe-spine1": {"ports": {"1": DEAD}}})))
    assert moved(BARE, after) == {("fe-leaf01", "fe-spine1 0"): ("29", "32")}


def test_a_free_cage_is_split_as_the_dead_one_was() -> None:
    groups = {"racks": {"leafs": "1-2", "servers": {"per_leaf": 8, "speed": "25G"}}}
    before = cables(wired(site(leaf_groups=groups)))
    after = cables(wired(site({"fe-leaf02": {"ports": {"1": DEAD}}}, leaf_groups=groups)))
    assert [ends[1] for ends in moved(before, after).values()] == ["16/1", "16/2", "16/3", "16/4"]


def test_instead_names_the_other_port_and_what_the_law_has_there_gives_way() -> None:
    pins = {"fe-leaf01": {"ports": {"29": {**DEAD, "move_to": "4"}}}}
    after = moved(BARE, cables(wired(site(pins))))
    assert after["fe-leaf01", "fe-spine1 0"] == ("4", "1")
    assert [ends for (name, _), ends in after.items() if name != "fe-leaf01"] == [("eth0", "16")]
    assert len(after) == 2


def test_cables_change_places_where_no_port_is_dead() -> None:
    ports = {"1": {"move_to": "2"}, "2": {"move_to": "1"}, "29": {"move_to": "31"}}
    after = moved(BARE, cables(wired(site({"fe-leaf01": {"ports": ports}}))))
    assert sorted(after.values()) == [("31", "1"), ("eth0", "1"), ("eth0", "2")]


def test_more_spines_move_no_cable_that_was_moved() -> None:
    pins = {"fe-leaf01": {"ports": {"29": DEAD, "1": DEAD}}}
    more = {"growth": {"spines": 4}}
    spines = [{"model": "7050CX3-32S", "platform": "linux", "count": n} for n in (2, 4)]
    two, four = (cables(wired(site(pins, spine=spine, **more))) for spine in spines)
    assert two.items() <= four.items()


@pytest.mark.parametrize("key", ["1-2,29", "1-2, 29", "29,1-2"])
def test_a_range_of_cages_is_each_of_them_by_itself(key: str) -> None:
    each: Keys = {"state": "reserved", "description": "row 3"}
    whole, apart = (
        wired(site({"fe-leaf01": {"ports": dict.fromkeys(keys, each)}}))
        for keys in ([key], ["1", "2", "29"])
    )
    assert cables(whole) == cables(apart)
    assert whole.notes.keys() == apart.notes.keys()
    place = ("frontend", "switches", "fe-leaf01", "ports", key)
    assert {note.because.paths for note in whole.notes.values()} == {(place,)}


def test_an_absent_link_is_not_there() -> None:
    topology = wired(site({"fe-leaf01": {"links": {"fe-spine2": "absent"}}}))
    assert BARE.keys() - cables(topology).keys() == {("fe-leaf01", "fe-spine2 1")}
    assert topology.odd == {
        ("fe-leaf01", "fe-spine2"): (*("frontend", "switches", "fe-leaf01", "links", "fe-spine2"),)
    }


def test_a_state_is_of_a_link_as_it_goes_and_moves_none() -> None:
    links: Keys = {"29": {"to": "fe-spine2 port 9", "state": "dead"}, "30": {"state": "planned"}}
    topology = wired(site({"fe-leaf01": {"links": links}}))
    assert cables(topology)["fe-leaf01", "fe-spine2 0"] == ("29", "9")
    assert cables(topology)["fe-leaf01", "fe-spine2 1"] == BARE["fe-leaf01", "fe-spine2 1"]
    stands = {link.lower_port.label: link.standing for link in topology.links if link.standing}
    assert {label: it.state for label, it in stands.items()} == {"29": "dead", "30": "planned"}


@pytest.mark.parametrize("other", ["absent", {"state": "dead"}])
def test_a_link_has_one_state(other: object) -> None:
    pins: Pins = {
        "fe-spine1": {"links": {"fe-leaf01": {"state": "planned"}}},
        "fe-leaf01": {"links": {"fe-spine1": other}},
    }
    said = [it for it in findings(site(pins)) if it.code is Code.NO_SUCH_LINK]
    assert [it.message for it in said] == ["this link is already planned by another pin"]
    assert said[0].path == ("frontend", "switches", "fe-leaf01", "links", "fe-spine1")


def test_a_link_is_absent_once() -> None:
    pins: Pins = {
        "fe-leaf01": {"links": {"29": "absent"}},
        "fe-spine1": {"links": {"1": "absent"}},
    }
    found = only(site(pins))
    assert found.code is Code.NO_SUCH_LINK
    assert found.message == "this link is already absent by frontend.switches.fe-spine1.links.1"
    assert found.path == ("frontend", "switches", "fe-leaf01", "links", "29")


def test_two_cables_may_be_swapped() -> None:
    links = {"29": {"to": "fe-spine2 port 1"}, "30": {"to": "fe-spine1 port 1"}}
    after = cables(wired(site({"fe-leaf01": {"links": links}})))
    assert after["fe-leaf01", "fe-spine2 0"] == ("29", "1")
    assert after["fe-leaf01", "fe-spine1 1"] == ("30", "1")


@pytest.mark.parametrize(
    ("pins", "code", "words"),
    [
        ({"ports": {"40": DEAD}}, Code.NO_SUCH_PORT, "has no port 40"),
        ({"ports": {"29/2": DEAD}}, Code.NO_SUCH_PORT, "has no port 29/2"),
        ({"ports": {"29": {**DEAD, "move_to": "40"}}}, Code.PORT_PINNED, "port 40 is not free"),
        ({"ports": {"20": {"move_to": "21"}}}, Code.PORT_PINNED, "has no cable"),
        ({"ports": {"40": {"move_to": "21"}}}, Code.NO_SUCH_PORT, "has no port 40"),
        ({"ports": {"31-99": DEAD}}, Code.NO_SUCH_PORT, "has no port 35-99"),
        ({"ports": {"29-32": DEAD, "31": DEAD}}, Code.PORT_PINNED, "port 31 of fe-leaf01"),
        ({"ports": {"28-29": DEAD, "29": {"description": "x"}}}, Code.PORT_PINNED, "by '28-29'"),
        ({"ports": {"1-2": {**DEAD, "move_to": "9"}}}, Code.PORT_PINNED, "of 2 cages"),
        ({"links": {"20": "absent"}}, Code.NO_SUCH_LINK, "no link to a switch at '20'"),
        ({"links": {"1": "absent"}}, Code.NO_SUCH_LINK, "no link to a switch at '1'"),
        ({"links": {"29": {"to": "fe-spine9 port 1"}}}, Code.NO_SUCH_LINK, "has no switch"),
        ({"links": {"29": {"to": "fe-spine2 port 2"}}}, Code.NO_SUCH_LINK, "port 2 has the cable"),
        ({"links": {"fe-spine1": {"to": "fe-spine2 port 9"}}}, Code.NO_SUCH_LINK, "one port"),
        ({"links": {"29": {"to": "fe-spine2 port 99"}}}, Code.NO_SUCH_PORT, "has no port 99"),
        (
            {"links": {"29": {"to": "fe-leaf02 port 9"}}},
            Code.NO_SUCH_LINK,
            "a leaf to a spine",
        ),
    ],
)
def test_what_cannot_be_is_said(pins: Keys, code: Code, words: str) -> None:
    found = only(site({"fe-leaf01": pins}))
    assert found.code is code
    assert words in found.message
    assert found.path[:3] == ("frontend", "switches", "fe-leaf01")


def test_a_switch_without_a_free_port_says_so() -> None:
    keys = backend("rail-only", R64, 64)
    keys["backend"]["switches"] = {"be-leaf1": {"ports": {"1": DEAD}}}
    found = only(keys)
    assert found.code is Code.PORT_PINNED
    assert found.path == ("backend", "switches", "be-leaf1", "ports", "1")


@settings(max_examples=40, deadline=None)
@given(
    leaf=st.sampled_from(["fe-leaf01", "fe-leaf02"]),
    ports=st.lists(st.sampled_from(["1", "2", "3", "4", "9", "29", "30"]), unique=True),
    reserved=st.booleans(),
)
def test_a_pin_changes_only_what_it_names(leaf: str, ports: list[str], *, reserved: bool) -> None:
    pins = {port: {"state": "reserved" if reserved else "dead"} for port in ports}
    after = cables(wired(site({leaf: {"ports": pins}} if pins else {})))
    for (name, far), ends in moved(BARE, after).items():
        own = BARE[name, far][0 if name == leaf else 1]
        assert leaf in (name, far.partition(" ")[0])
        assert own in ports
        assert ends[0 if name == leaf else 1] not in ports


@settings(max_examples=15, deadline=None)
@given(order=st.permutations(["1", "29", "2"]))
def test_a_new_pin_at_the_end_moves_nothing_of_those_before(order: list[str]) -> None:
    pins = [dict.fromkeys(order[:many], DEAD) for many in (2, 3)]
    before, after = (cables(wired(site({"fe-leaf01": {"ports": each}}))) for each in pins)
    assert all(order[2] in before[key] for key in moved(before, after))


@pytest.mark.parametrize(
    ("platform", "line"),
    [
        ("eos", "   description laser gone\n   shutdown\n"),
        ("sonic", '"admin_status": "down",\n            "description": "laser gone"'),
        ("linux", "    alias laser gone\n    mtu 9214\n    link-down yes\n"),
    ],
)
def test_a_dead_port_is_shut_down_and_says_why(platform: str, line: str) -> None:
    pins = {"fe-leaf01": {"ports": {"29": {**DEAD, "description": "laser gone"}}}}
    management = {"subnet": "10.255.0.0/22", "ntp": ["10.255.3.250", "10.255.3.251"]}
    keys = {"site": {"name": "lab", "management": management}, **site(pins)}
    compiled = compile_site(load_texts({"site.yaml": json.dumps(keys)}), platform)
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    made = [file.text for _, group in files(compiled.site, Renderer()) for file in group]
    assert sum(line in text for text in made) == 1


def test_a_switch_that_is_called_otherwise_is_pinned_by_its_name_in_the_intent() -> None:
    pins = {
        "fe-leaf01": {"hostname": "rack7", "links": {"29": {"to": "fe-spine2 port 9"}}},
        "fe-spine2": {"hostname": "core2", "ports": {"2": DEAD}},
    }
    topology = wired(site(pins))
    ends = {(link.lower.name, link.lower_port.label): link for link in topology.links}
    assert (ends["rack7", "29"].upper.name, ends["rack7", "29"].upper_port.label) == ("core2", "9")
    assert ends["fe-leaf02", "30"].upper_port.label == "32"
