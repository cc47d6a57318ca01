"""Drawn kinds of servers on shared fabrics: each cable and address once, growth moves nothing."""

from collections import Counter
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import facts, lost
from tests.property.test_routed import addresses, ends

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site

Words = dict[str, Any]

LEAF = {"model": "7050CX3-32S", "platform": "eos"}
PLACES = 8
"""Servers that every kind has room for on a leaf, and four units on the rails."""
NETWORKS = ("rail", "front")


@st.composite
def kinds(draw: st.DrawFn, order: int) -> Words:
    """Draw the kind that is the nth on the leafs: ports on rails, on leafs, or on both."""
    spread = draw(st.sampled_from([1, 2]))
    ports = spread * draw(st.integers(1, 2))
    front = {
        "fabric": "frontend",
        "speed": draw(st.sampled_from(["10G", "25G"])),
        "ports": ports,
        "leafs": spread,
        "per_leaf": draw(st.integers(1, PLACES)),
        "first": 1 + order * PLACES,
        "bond": draw(st.sampled_from(bonds(ports, spread))),
    }
    rail = {
        "fabric": "backend",
        "speed": draw(st.sampled_from(["50G", "100G"])),
        "unit": 1 + 4 * order,
    }
    sets = draw(st.sampled_from([("rail",), ("front",), NETWORKS]))
    every = {"rail": rail, "front": front}
    return {
        "count": draw(st.integers(1, 8)),
        "gpus": 2,
        "states": {"1": state} if (state := draw(st.sampled_from(["", "planned", "dead"]))) else {},
        "ports": {name: every[name] for name in sets},
    }


def bonds(ports: int, spread: int) -> list[str]:
    """Return how so many ports may be bundled."""
    several = ["active-backup"] if ports > 1 else []
    return ["none", *several, *(["lacp"] if several and spread == 1 else [])]


@st.composite
def servers(draw: st.DrawFn) -> Words:
    """Draw up to three kinds, of which the first has ports everywhere."""
    every = {f"kind{n}": draw(kinds(n)) for n in range(draw(st.integers(1, 3)))}
    first = draw(kinds(0).filter(lambda kind: len(kind["ports"]) == len(NETWORKS)))
    return {**every, "kind0": first}


def compiled(every: Words) -> Site:
    """Design and check a site of these kinds; nothing but warnings may be said."""
    time = {"ntp": ["10.255.15.250", "10.255.15.251"]}
    fronted = [name for name, kind in every.items() if "front" in kind["ports"]]
    attached = [{"servers": name, "trunk": ["web"]} for name in fronted]
    vlans = {"web": {"id": 110, "subnet": "10.110.0.0/22"}}
    words = {
        "site": {"name": "drawn", "management": {"subnet": "10.255.0.0/20", **time}},
        "servers": every,
        "backend": {
            "design": "rail-optimized",
            "scalable_unit": {"servers": 4},
            "leaf": LEAF,
            "spine": {**LEAF, "count": 2},
            "growth": {"servers": 48},
            "oversubscription": 2,
            "roce": {"enabled": False},
        },
        "frontend": {
            "leaf": LEAF,
            "spine": {**LEAF, "count": 2},
            "oversubscription": 64,
            "leaf_groups": {"racks": {"leafs": "1-32"}},
        },
        "tenants": {"red": {"vrfs": {"red": {"id": 1, "vlans": vlans}}, "attachments": attached}},
    }
    done = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)}))
    assert not has_errors(done.findings), done.findings
    assert done.site is not None
    return done.site


@settings(max_examples=draws(25))
@given(every=servers())
def test_cables_and_addresses_are_there_once_and_servers_are_one_object(every: Words) -> None:
    made = compiled(every)
    known: dict[str, int] = {}
    for fabric in made.fabrics:
        assert set(ends(fabric).values()) == {1}
        if fabric.overlay is None:  # leafs share the gateways of tenants
            assert set(addresses(fabric).values()) == {1}
        for server in fabric.topology.servers:
            assert known.setdefault(server.name, id(server)) == id(server)
    assert Counter(name[:5] for name in known) == {n: kind["count"] for n, kind in every.items()}


@settings(max_examples=draws(25))
@given(every=servers(), data=st.data())
def test_one_kind_grows_and_moves_nothing(every: Words, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(every)))
    more = {**every[name], "count": every[name]["count"] + data.draw(st.integers(1, 8))}
    small, large = compiled(every), compiled({**every, name: more})
    assert lost(facts(small), facts(large)) == []


@settings(max_examples=draws(25))
@given(every=servers())
def test_another_kind_moves_nothing(every: Words) -> None:
    last = max(every)
    fewer = {name: kind for name, kind in every.items() if name != last}
    if fewer:
        assert lost(facts(compiled(fewer)), facts(compiled(every))) == []
