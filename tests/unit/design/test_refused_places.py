"""Every refusal of the sizing of a backend points at the key to change, with words and a hint."""

import re

import pytest
import yaml
from tests.unit.design.sites import (
    R32,
    R64,
    R128,
    Keys,
    backend,
    findings,
    frontend,
    only,
    refused,
    switches,
)

from fabricgen.core.diagnostics import Code, Severity

UNIT = {"scalable_unit": {"servers": 1}}


def tiers(design: str, leafs: int, **more: object) -> Keys:
    """Return a backend with one rail, so one leaf for each server."""
    return backend(design, R128, leafs, gpus=1, **{**UNIT, **more})


@pytest.mark.parametrize(
    ("keys", "code", "path", "message", "hint"),
    [
        (
            backend("rail-optimized", R64, 64, scalable_unit={"servers": 48}),
            Code.PORTS_EXHAUSTED,
            ("scalable_unit", "servers"),
            "a leaf needs 48 cages down and 48 up; Z9664F-ON has 64",
            "put fewer servers in a unit, or allow more oversubscription",
        ),
        (
            backend("rail-optimized", R64, 64, scalable_unit={"servers": 65}),
            Code.PORTS_EXHAUSTED,
            ("scalable_unit", "servers"),
            "a unit of 65 servers needs 65 leaf ports, but Z9664F-ON has 64 of 400G",
            "",
        ),
        (
            backend("rail-optimized", R32, 8, gpus=8, rails_per_leaf=8, oversubscription=0.1),
            Code.PORTS_EXHAUSTED,
            ("oversubscription",),
            "an oversubscription of 0.1 leaves no port of Z9332F-ON for a server's 8",
            "allow more oversubscription, or fewer rails per leaf",
        ),
        (
            backend("rail-only", R32, 4, scalable_unit={"servers": 33}),
            Code.PORTS_EXHAUSTED,
            ("servers", "count"),
            (
                "33 servers need that many ports per rail, but a Z9332F-ON leaf has 32 "
                "ports of 400G, "
                "room for 32 servers"
            ),
            "use the rail-optimized design, or a larger leaf",
        ),
        (
            backend("rail-only", R32, 9, scalable_unit={"servers": 8}),
            Code.PORTS_EXHAUSTED,
            ("scalable_unit", "servers"),
            "a rail-only backend is one scalable unit: 9 servers do not fit into one of 8",
            "remove scalable_unit, or use the rail-optimized design",
        ),
        (
            tiers("rail-optimized", 4, spine=switches(R128, count=3), growth={"spines": 2}),
            Code.GROWTH_TOO_SMALL,
            ("growth",),
            "3 spines, but growth reserves 2",
            "`growth: {spines: 3}`",
        ),
        (
            backend("rail-optimized", R128, 64 * 9, spine=switches(R128, count=32)),
            Code.RADIX_EXCEEDED,
            ("spine", "count"),
            "72 switches with 2 link(s) to each spine need 144 ports on it, but it has 128 of 400G",
            "add a tier (three-tier), larger switches, or more oversubscription",
        ),
        (
            backend("rail-optimized", R128, 64 * 17),
            Code.RADIX_EXCEEDED,
            ("spine",),
            (
                "136 switches with 1 link(s) to each spine need 136 ports on it, but "
                "it has 128 of 400G"
            ),
            "add a tier (three-tier), larger switches, or more oversubscription",
        ),
        (
            backend("three-tier", R32, 8, superspine=switches(R32, count=3)),
            Code.UPLINKS_NOT_DIVISIBLE,
            ("superspine", "count"),
            "16 uplinks cannot be divided evenly over 3 superspines",
            "use a number that divides 16",
        ),
        (
            backend("three-tier", R32, 8, growth={"pods": 33}),
            Code.RADIX_EXCEEDED,
            ("superspine",),
            (
                "33 switches with 1 link(s) to each superspine need 33 ports on it, "
                "but it has 32 of 400G"
            ),
            "use larger superspines, or fewer pods",
        ),
        (
            backend("three-tier", R32, 8, gpus=17, rails_per_leaf=1),
            Code.RADIX_EXCEEDED,
            ("spine",),
            "one unit has 17 leafs in a plane, but a spine takes 16 links from below, 1 per leaf",
            "",
        ),
        (
            backend("rail-optimized", R32, 4, leaf=switches("Z9332F")),
            Code.UNKNOWN_REFERENCE,
            ("leaf", "model"),
            "no switch model 'Z9332F' in the catalog",
            "did you mean 'Z9332F-ON'?",
        ),
        (
            backend("rail-optimized", R32, 4, spine=switches("Z9664F")),
            Code.UNKNOWN_REFERENCE,
            ("spine", "model"),
            "no switch model 'Z9664F' in the catalog",
            "did you mean 'Z9664F-ON'?",
        ),
        (
            backend("three-tier", R32, 4, superspine=switches("Z9664F")),
            Code.UNKNOWN_REFERENCE,
            ("superspine", "model"),
            "no switch model 'Z9664F' in the catalog",
            "did you mean 'Z9664F-ON'?",
        ),
    ],
)
def test_a_refusal_has_its_place_its_words_and_a_hint(
    keys: Keys, code: Code, path: tuple[str, ...], message: str, hint: str
) -> None:
    found = refused(keys)
    assert found.severity is Severity.ERROR
    assert (found.code, found.path) == (code, ("backend", *path))
    assert (found.message, found.hint) == (message, hint)


@pytest.mark.parametrize(
    ("more", "path", "message"),
    [
        ({"rails": 3}, ("rails",), ("8 NICs per server do not match 3 rails: NIC k is rail k, so "
         "there are as many rails as NICs")),
        ({"growth": {"planes": 1}, "planes": 2}, ("growth", "planes"),
         "growth reserves 1 planes, but the intent already has 2"),
        ({"growth": {"servers": 3}}, ("growth", "servers"),
         "growth reserves 3 servers, but the intent already has 4"),
        ({"growth": {"rails": 7}}, ("growth", "rails"),
         "growth reserves 7 rails, but the intent already has 8"),
        ({"planes": 3}, ("servers", "nic_ports"),
         "2 ports per NIC cannot be divided over 3 planes"),
        ({"sites": ["a", "b"]}, ("sites",), ("the backend names 2 sites, but lossless Ethernet "
         "ends at the site because headroom grows with distance")),
    ],
)  # fmt: skip
def test_a_count_that_contradicts_another_is_told_at_its_key(
    more: Keys, path: tuple[str, ...], message: str
) -> None:
    servers = {"count": 4, "gpus": 8, "nic_speed": "400G", "nic_ports": 2}
    found = refused(backend("rail-only", R128, 4, servers=servers, **more))
    assert (found.path, found.message) == (("backend", *path), message)


@pytest.mark.parametrize("more", [{"sites": ["a"]}, {"sites": []}, {"rails": 8},
                                  {"growth": {"servers": 4, "rails": 8, "planes": 1}}])  # fmt: skip
def test_a_count_that_says_what_is_so_is_taken(more: Keys) -> None:
    assert not findings(backend("rail-only", R128, 4, **more))


V6 = "fd00::/64"


@pytest.mark.parametrize(
    ("addressing", "links", "path", "message"),
    [
        ({"loopbacks": V6}, "numbered", "loopbacks",
         "this pool must be IPv4, because router IDs and VXLAN tunnels are, but fd00::/64 is not"),
        ({"nics": V6}, "numbered", "nics",
         "this pool must be IPv4, because router IDs and VXLAN tunnels are, but fd00::/64 is not"),
        ({"links": V6}, "numbered", "links",
         "numbered links need an IPv4 pool, but fd00::/64 is not one"),
        ({"links": "10.0.0.0/16"}, "numbered-v6", "links",
         "numbered-v6 links need an IPv6 pool, but 10.0.0.0/16 is not one"),
    ],
)  # fmt: skip
def test_a_pool_of_the_wrong_version_is_refused(
    addressing: dict[str, str], links: str, path: str, message: str
) -> None:
    found = only(tiers("rail-optimized", 4, addressing=addressing, underlay={"links": links}))
    assert (found.code, found.severity) == (Code.BAD_VALUE, Severity.ERROR)
    assert found.path == ("backend", "addressing", path)
    assert found.message == message


def test_the_hint_for_ipv6_links_names_a_pool_that_does() -> None:
    found = only(tiers("rail-optimized", 4, underlay={"links": "numbered-v6"}))
    (said,) = re.findall("`(.+)`", found.hint)
    keys = tiers("rail-optimized", 4, underlay={"links": "numbered-v6"}, **yaml.safe_load(said))
    assert findings(keys) == []


def test_unnumbered_links_need_no_pool() -> None:
    keys = tiers("rail-optimized", 4, addressing={"links": V6}, underlay={"links": "unnumbered"})
    assert not findings(keys)


SUPER: Keys = {
    "design": "superspine",
    "superspine": switches("7050CX3-32S", count=2),
    "leafs_per_pod": 1,
}


@pytest.mark.parametrize(
    ("more", "code", "path", "message"),
    [
        (
            {**SUPER, "superspine": switches("7050CX3")},
            Code.UNKNOWN_REFERENCE,
            ("superspine", "model"),
            "no switch model '7050CX3' in the catalog",
        ),
        (
            {"spine": switches("7050CX3", count=2)},
            Code.UNKNOWN_REFERENCE,
            ("spine", "model"),
            "no switch model '7050CX3' in the catalog",
        ),
        (
            {**SUPER, "growth": {"superspines": 1}},
            Code.GROWTH_TOO_SMALL,
            ("growth", "superspines"),
            "growth reserves 1 superspines, but the intent already has 2",
        ),
        (
            {"design": "superspine", "superspine": switches("7050CX3-32S")},
            Code.MISSING_KEY,
            (),
            "a superspine frontend needs `superspine` and `leafs_per_pod`",
        ),
        (
            {"design": "superspine", "leafs_per_pod": 1},
            Code.MISSING_KEY,
            (),
            "a superspine frontend needs `superspine` and `leafs_per_pod`",
        ),
        (
            {**SUPER, "growth": {"superspines": 32}},
            Code.PORTS_EXHAUSTED,
            ("superspine",),
            (
                "32 superspines need 32 cages of a spine, but 7050CX3-32S has 32 for leafs and "
                "superspines together"
            ),
        ),
    ],
)
def test_a_frontend_is_refused_at_the_key_to_change(
    more: Keys, code: Code, path: tuple[str, ...], message: str
) -> None:
    found = only(frontend(**more))
    assert (found.code, found.severity) == (code, Severity.ERROR)
    assert (found.path, found.message) == (("frontend", *path), message)
