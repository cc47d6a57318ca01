"""Two sides of one object: in what they differ, in which order, in which words."""

from fabricgen.core.tree.facts import Attributes, Facts, disagreements, merged, spelled

KEY, OTHER, THIRD = ("session", "default", "10.0.0.1"), ("vlan", "7"), ("vlan", "8")


def said(designed: Facts, witnessed: Facts) -> list[str]:
    return [str(one) for one in disagreements(designed, witnessed)]


def test_sides_that_say_the_same_agree_in_any_order() -> None:
    one: Facts = {KEY: {"asn": "1", "bfd": "true"}, OTHER: {"name": "web"}}
    two: Facts = {OTHER: {"name": "web"}, KEY: {"bfd": "true", "asn": "1"}}
    assert said(one, two) == []


def test_each_attribute_that_differs_is_one_sentence() -> None:
    designed: Facts = {KEY: {"asn": "1", "families": ("ipv4", "evpn"), "bfd": "true"}}
    witnessed: Facts = {KEY: {"asn": "2", "bfd": "true", "timer": "3"}}
    assert said(designed, witnessed) == [
        "BGP neighbor 10.0.0.1: remote ASN is 2, but the design has 1",
        "BGP neighbor 10.0.0.1: address families is missing; the design has ipv4, evpn",
        "BGP neighbor 10.0.0.1: timer is 3, but it is not in the design",
    ]


def test_what_is_missing_comes_first_and_what_nobody_designed_last() -> None:
    designed: Facts = {OTHER: {"name": "web"}, KEY: {"asn": "1"}}
    witnessed: Facts = {THIRD: {"name": "db"}, KEY: {"asn": "1"}}
    assert said(designed, witnessed) == [
        "VLAN 7: name is missing; the design has web",
        "VLAN 8: name is db, but it is not in the design",
    ]


def test_what_two_places_say_of_one_object_adds_up() -> None:
    one: Attributes = {"a": "1", "same": ("x", "b"), "text": "old"}
    other: Attributes = {"b": "2", "same": ("a", "x"), "text": "new"}
    both = {"a": "1", "b": "2", "same": ("a", "b", "x"), "text": ("new", "old")}
    assert merged(one, other) == both
    assert merged({"v": ("x",)}, {"v": "y"}) == {"v": ("x", "y")}
    assert merged({"v": "x"}, {"v": "x"}) == {"v": "x"}
    assert one == {"a": "1", "same": ("x", "b"), "text": "old"}, "neither side is changed"


def test_a_value_of_values_is_spelled_without_brackets() -> None:
    assert spelled((("a", "1"), "b")) == "a 1, b"
    assert spelled(()) == "nothing"
    assert spelled("a") == "a"
