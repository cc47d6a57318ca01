"""The route to an asked address: one question of eAPI for each, and the longest prefix."""

import json

import pytest

from fabricgen.nos.eos.show.reader import EOS
from fabricgen.nos.questions import Answer, path_key
from fabricgen.nos.show import Observed, Part

ASKED = path_key("blue-1", "10.110.0.254")
KEY = "path-blue-1-10.110.0.254"


def test_each_asked_address_is_one_question() -> None:
    (asked,) = [each for each in EOS.questions({ASKED: {}}) if each.key == KEY]
    assert (asked.line, asked.revision) == ("show ip route vrf blue-1 10.110.0.254", 4)
    assert not any(each.key.startswith("path") for each in EOS.questions({}))


def read(routes: object) -> Observed:
    """Return the state of a switch with this answer alone, in the shape of ANTA's data."""
    return EOS.parse({KEY: Answer(json.dumps({"vrfs": {"blue-1": {"routes": routes}}}))})


def test_a_tunnel_is_the_next_hop() -> None:
    far = {"vtepAddr": "10.65.0.3", "vni": 50001, "routerMac": "02:00:00:00:00:01"}
    seen = read({"10.110.0.0/24": {"routeAction": "forward", "vias": [far]}})
    assert seen.facts[ASKED] == {"prefix": "10.110.0.0/24", "ports": (), "via": ("10.65.0.3",)}


def test_the_longest_prefix_counts() -> None:
    here = {"vias": [{"interface": "Vlan110"}]}
    there = {"vias": [{"interface": "Ethernet1", "nexthopAddr": "10.0.0.1"}]}
    seen = read({"0.0.0.0/0": there, "10.110.0.0/24": here})
    assert seen.facts[ASKED]["ports"] == ("Vlan110",)


def test_a_dropped_packet_has_no_port() -> None:
    seen = read({"10.110.0.0/24": {"routeAction": "drop", "vias": [{"interface": "Null0"}]}})
    assert (seen.facts[ASKED]["ports"], seen.facts[ASKED]["effect"]) == ((), "drop")


def test_no_route_is_an_answer() -> None:
    assert read({}).facts[ASKED]["effect"] == "no route"


@pytest.mark.parametrize("routes", [{"x": {}}, {"10.0.0.0/8": 3}, {"10.0.0.0/8": {"vias": 5}}])
def test_another_shape_is_unread(routes: object) -> None:
    seen = read(routes)
    assert ASKED not in seen.facts
    assert Part.PATHS in seen.unread
