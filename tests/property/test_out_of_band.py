"""Drawn out-of-band networks: every port is cabled once, and growing moves nothing."""

import copy
from collections import Counter
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import facts, lost

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric, Site

Words = dict[str, Any]
PAIR = {"model": "7050CX3-32S", "platform": "sonic"}
ROOM = 12
"""Ports kept for each rack: what is drawn and what it grows to need fewer."""


@st.composite
def sites(draw: st.DrawFn) -> Words:
    """Draw types of racks in rows of their own, each with servers of its kind and power units."""
    types = draw(st.lists(st.sampled_from("bcdfg"), min_size=1, max_size=3, unique=True))
    racks, servers, zones = {}, {}, {}
    for place, name in enumerate(types):
        count, each = draw(st.integers(1, 6)), draw(st.integers(1, 5))
        held = [{"servers": f"k{name}", "count": each}, {"pdus": draw(st.integers(1, 2))}]
        racks[name] = {
            "count": count,
            "row": 1 + 100 * place,
            "per_row": draw(st.integers(1, 6)),
            "contents": draw(st.permutations(held)),
        }
        servers[f"k{name}"] = {
            "count": draw(st.integers(1, count * each)),
            "ports": {"bmc": {"fabric": "oob", "speed": "1G"}},
        }
        zones[name] = {"switch": 1 + 10 * place, "ports": ROOM}
    oob = {
        "kind": "access",
        "leaf": {"model": "SN2201", "platform": "sonic"},
        "spine": PAIR,
        "zones": zones,
        "vlans": {
            "switches": {"id": 20},
            "bmc": {"id": 10, "subnet": "10.250.0.0/20"},
            "pdu": {"id": 30, "subnet": "10.250.32.0/20"},
        },
    }
    site = {"name": "oob", "management": {"subnet": "10.255.0.0/20"}}
    return {"site": site, "servers": servers, "racks": racks, "fabrics": {"oob": oob}}


def compiled(words: Words) -> Site:
    """Design and check a site; nothing but warnings may be said."""
    done = compile_site(load_texts({"site.yaml": yaml.safe_dump(words, sort_keys=False)}))
    assert not has_errors(done.findings), done.findings
    assert done.site is not None
    return done.site


def ports(fabric: Fabric) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return of every management port where it is cabled to, and the address that it has."""
    assert fabric.managed is not None
    known = fabric.managed.each(fabric.topology.places)
    addresses = {(port.server, port.network): str(port.address) for port in known}
    return {
        (link.lower.name, link.lower_port.label): (
            link.upper.name,
            link.upper_port.label,
            addresses[link.lower.name, link.lower_port.label],
        )
        for link in fabric.topology.links
        if link.to_server
    }


def grown(words: Words, step: str) -> Words:
    """Return a site with more of something."""
    more = copy.deepcopy(words)
    name = min(more["racks"])
    if step == "racks":
        for rack in more["racks"].values():
            rack["count"] += 2
    elif step == "servers":
        for kind in more["servers"].values():
            kind["count"] += 3
    elif step == "things":
        more["racks"][name]["contents"] += [{"pdus": 2}]
    else:  # another type, first by its name and in the file
        zones = more["fabrics"]["oob"]["zones"]
        more["fabrics"]["oob"]["zones"] = {"a": {"switch": 31}, **zones}
        more["racks"] = {"a": {"row": 901, "contents": [{"pdus": 3}]}, **more["racks"]}
    return more


@settings(max_examples=draws(25))
@given(sites())
def test_every_port_is_cabled_once_and_no_address_is_given_twice(words: Words) -> None:
    (fabric,) = compiled(words).fabrics
    links = fabric.topology.links
    ends = Counter((link.upper.name, link.upper_port.label) for link in links)
    ends.update((link.lower.name, link.lower_port.label) for link in links)
    assert set(ends.values()) == {1}
    found = ports(fabric)
    assert len({address for *_, address in found.values()}) == len(found)


@settings(max_examples=draws(25))
@given(sites(), st.sampled_from(("racks", "servers", "things", "a type")))
def test_growing_moves_no_port_no_address_and_no_switch(words: Words, step: str) -> None:
    before, after = compiled(words), compiled(grown(words, step))
    (one,), (two,) = before.fabrics, after.fabrics
    moved = {end: place for end, place in ports(one).items() if ports(two)[end] != place}
    assert moved == {}
    assert lost(facts(before), facts(after)) == []


@settings(max_examples=draws(25))
@given(sites(), st.randoms(use_true_random=False))
def test_the_order_of_types_in_the_file_decides_nothing(words: Words, random: Any) -> None:
    other = copy.deepcopy(words)
    for holder in (other, other["fabrics"]["oob"]):
        key = "racks" if "racks" in holder else "zones"
        items = list(holder[key].items())
        random.shuffle(items)
        holder[key] = dict(items)
    assert ports(compiled(other).fabrics[0]) == ports(compiled(words).fabrics[0])
