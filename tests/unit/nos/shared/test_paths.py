"""The kernel's route to an asked address: the longest prefix, then the lowest metric."""

import json

import pytest

from fabricgen.nos.linux.show.reader import LINUX, QUESTIONS
from fabricgen.nos.questions import Answer, UnreadableError, path_key
from fabricgen.nos.shared import paths
from fabricgen.nos.shared.documents import SEPARATOR
from fabricgen.nos.show import Part
from fabricgen.nos.sonic.show.reader import SONIC

VTEP, ASKED = "10.65.0.3", path_key("default", "10.65.0.3")
HOPS = [
    {"gateway": "10.72.0.0", "dev": "swp29", "weight": 1, "flags": []},
    {"gateway": "10.72.0.2", "dev": "swp30", "weight": 1, "flags": []},
]
BGP = {
    "dst": VTEP,
    "protocol": "bgp",
    "metric": 20,
    "flags": [],
    "nexthops": HOPS,
}
BLACKHOLE = {"type": "blackhole", "dst": VTEP, "metric": 1, "flags": []}
"""As iproute2 6.1 prints one."""
DETOUR = {"dst": VTEP, "gateway": "10.72.0.2", "dev": "swp30", "flags": []}
LAST = {"type": "unreachable", "dst": "default", "metric": 4278198272, "flags": []}


def read(*listed: object) -> object:
    facts, unknown = paths.paths(Answer(f"@ default {VTEP}\n{json.dumps(listed)}\n"))
    assert unknown == {}
    return facts[ASKED]


def test_equal_paths_are_all_there() -> None:
    assert read(BGP) == {
        "prefix": f"{VTEP}/32",
        "ports": ("swp29", "swp30"),
        "via": ("10.72.0.0", "10.72.0.2"),
    }


def test_a_lower_metric_wins() -> None:
    assert read(BGP, DETOUR) == {"prefix": f"{VTEP}/32", "ports": ("swp30",), "via": ("10.72.0.2",)}


def test_a_longer_prefix_wins() -> None:
    wide = {**DETOUR, "dst": "10.65.0.0/24", "metric": 1}
    assert read(wide, BGP) == read(BGP)


def test_a_blackhole_has_no_port() -> None:
    found = read(BGP, BLACKHOLE)
    assert isinstance(found, dict)
    assert (found["ports"], found["effect"]) == ((), "blackhole")


def test_a_dead_next_hop_is_no_path() -> None:
    first, second = HOPS
    dead = {**BGP, "nexthops": [{**first, "flags": ["dead", "linkdown"]}, second]}
    found = read(dead)
    assert isinstance(found, dict)
    assert found["ports"] == ("swp30",)


@pytest.mark.parametrize("listed", [(), (LAST,)])
def test_the_end_of_a_table_is_no_route(listed: tuple[object, ...]) -> None:
    found = read(*listed)
    assert isinstance(found, dict)
    assert (found["ports"], found["effect"]) == ((), "no route")


def test_a_missing_vrf_is_unknown_and_the_others_are_read() -> None:
    said = 'Error: argument "red" is wrong: Invalid VRF'
    text = f"@ red 10.10.20.9\n{said}\n\n@ default {VTEP}\n{json.dumps([BGP])}\n"
    facts, unknown = paths.paths(Answer(text, 255))
    assert facts.keys() == {ASKED}
    assert unknown == {("path", "ports", "red", "10.10.20.9"): said}


@pytest.mark.parametrize("body", ["{}", "[1]", '[{"dst": 1}]', '[{"dst": "x/y"}]', "[" * 9999])
def test_another_shape_leaves_the_part_or_the_route_unread(body: str) -> None:
    output = f"@ default {VTEP}\n{body}\n{SEPARATOR}paths 0\n"
    seen = LINUX.read(output)
    assert ASKED not in seen.facts
    assert Part.PATHS in seen.unread or ("path", "ports", *ASKED[1:]) in seen.unknown


def test_nothing_at_all_is_unreadable() -> None:
    with pytest.raises(UnreadableError):
        paths.paths(Answer("sh: ip: not found", 127))


def test_only_asked_routes_are_a_question() -> None:
    assert LINUX.questions({}) == QUESTIONS
    (asked,) = LINUX.questions({path_key("re'd", "10.0.0.1"): {}})[len(QUESTIONS) :]
    assert asked.key == "paths"
    assert "route show vrf 're'\"'\"'d' match 10.0.0.1" in asked.line


def test_an_asked_ipv6_address_uses_its_own_tables() -> None:
    (asked,) = LINUX.questions({path_key("default", "fd00::1"): {}})[len(QUESTIONS) :]
    assert "ip -j -6 route show table main match fd00::1" in asked.line


def test_a_sonic_switch_is_asked_for_its_own_name_of_the_vrf() -> None:
    asked = next(
        each for each in SONIC.questions({path_key("red", "10.0.0.1"): {}}) if each.key == "paths"
    )
    assert "@ red 10.0.0.1" in asked.line
    assert "route show vrf Vrf_red match 10.0.0.1" in asked.line


def test_a_sonic_switch_answers_like_linux() -> None:
    seen = SONIC.parse({"paths": Answer(f"@ default {VTEP}\n{json.dumps([BGP])}\n")})
    assert seen.facts[ASKED]["ports"] == ("swp29", "swp30")
