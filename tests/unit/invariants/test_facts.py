"""Laws about facts that no small site has, on facts written by hand."""

import pytest

from fabricgen.core.tree.facts import Facts, Topic
from fabricgen.prove.invariants.laws import of_switch
from fabricgen.prove.invariants.switch import Switch


def found(facts: Facts, *about: Topic) -> list[str]:
    """Return what the laws say of one switch."""
    return [each.said for _, each in of_switch(Switch("leaf", "eos", facts, frozenset(about)))]


def test_each_vrf_has_an_ospf_process_of_its_own() -> None:
    facts: Facts = {("ospf", "blue"): {"number": "3001"}, ("ospf", "red"): {"number": "3002"}}
    assert found(facts, ("ospf", "number")) == []
    facts["ospf", "red"] = {"number": "3001"}
    assert found(facts, ("ospf", "number")) == [
        "leaf: OSPF of VRFs blue and red share process number 3001"
    ]


@pytest.mark.parametrize(("distance", "wrong"), [("15", 0), ("20", 1), ("110", 1)])
def test_ospf_comes_before_ebgp(distance: str, wrong: int) -> None:
    facts: Facts = {("ospf", "blue"): {"distance": distance}}
    assert len(found(facts, ("ospf", "distance"))) == wrong


def test_rules_send_to_the_table_of_their_vrf() -> None:
    facts: Facts = {("interface", "mgmt"): {"table": "2000", "rule-table": "2000"}}
    assert found(facts, ("interface", "table")) == []
    facts["interface", "mgmt"]["rule-table"] = "1001"
    assert len(found(facts, ("interface", "table"))) == 1


def test_tables_that_run_are_apart_too() -> None:
    facts: Facts = {("vrf", "blue"): {"table": "1002"}, ("vrf", "red"): {"table": "1002"}}
    assert found(facts, ("vrf", "table")) == ["leaf: VRFs blue and red share routing table 1002"]


@pytest.mark.parametrize("word", ["vrf", "mac", "description"])
def test_two_objects_with_one_name_are_seen(word: str) -> None:
    facts: Facts = {("interface", "Loopback2"): {word: "blue"}}
    assert found(facts, ("interface", "vrf")) == []
    facts["interface", "Loopback2"][word] = ("blue", "red")
    assert found(facts, ("interface", "vrf")) == [
        f"leaf:Loopback2 has two values of {word}: blue and red"
    ]


def test_a_law_is_not_checked_where_no_line_can_say_it() -> None:
    facts: Facts = {("ospf", "blue"): {"number": "1"}, ("ospf", "red"): {"number": "1"}}
    assert found(facts, ("interface", "mtu")) == []
