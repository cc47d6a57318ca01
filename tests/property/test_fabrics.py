"""Drawn sites of several fabrics: no address twice, checks silent, another fabric moves nothing."""

from collections import Counter
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import backend, facts, frontend, lost

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site

Words = dict[str, Any]

LEAF = {"model": "7050CX3-32S", "platform": "eos"}
UNIT = {key: value for key, value in backend()["backend"].items() if key != "growth"}
FLAT = {
    "design": "rail-only",
    "servers": {"count": 4, "gpus": 2, "nic_speed": "100G"},
    "leaf": LEAF,
}
CLOS = frontend()["frontend"]
STORAGE = {
    "kind": "routed",
    "leaf": LEAF,
    "spine": LEAF,
    "sides": {
        "compute": {"servers": {"count": 6, "speed": "100G"}, "ratio": 2.0},
        "storage": {"servers": {"count": 3, "speed": "100G"}},
    },
}
SHAPES = (
    {"kind": "rails", **UNIT},
    {"kind": "rails", **FLAT},
    {"kind": "rails", **FLAT, "nic_addressing": {"mode": "subnet"}},
    STORAGE,
    {"kind": "evpn", **CLOS},
    {"kind": "evpn", **CLOS, "underlay": {"links": "unnumbered"}},
)
NAMES = st.text("abcxyz019-", min_size=1, max_size=6).map(lambda tail: f"f{tail}x")


@st.composite
def sites(draw: st.DrawFn) -> Words:
    """Draw a site with numbered fabrics, and with the usual two or one of them or none."""
    numbers = draw(st.lists(st.integers(1, 7), min_size=2, max_size=4, unique=True))
    names = draw(st.lists(NAMES, min_size=len(numbers), max_size=len(numbers), unique=True))
    shapes = [draw(st.sampled_from(SHAPES)) for _ in numbers]
    fabrics = {
        name: {**shape, "number": number}
        for name, shape, number in zip(names, shapes, numbers, strict=True)
    }
    usual = draw(st.sampled_from(({}, {"backend": FLAT}, {"frontend": CLOS, "backend": UNIT})))
    time = {"ntp": ["10.255.15.250", "10.255.15.251"]}
    words = {"name": "many", "management": {"subnet": "10.255.0.0/20", **time}}
    return {"site": words, **usual, "fabrics": fabrics}


def compiled(words: Words) -> Site:
    """Design and check a site; nothing but warnings may be said."""
    done = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)}))
    assert not has_errors(done.findings), done.findings
    assert done.site is not None
    return done.site


def owned(site: Site) -> Counter[tuple[str, str]]:
    """Count who has each address and each name, over all fabrics."""
    owners: Counter[tuple[str, str]] = Counter()
    for fabric in site.fabrics:
        for switch_slice in Slicer(fabric).slices():
            owners["switch", switch_slice.switch.name] += 1
            owners["management", switch_slice.management.host] += 1
            owners["address", switch_slice.loopback.host] += 1
            if switch_slice.vtep is not None:
                owners["address", switch_slice.vtep.host] += 1
            for interface in switch_slice.interfaces:
                if interface.address is not None:
                    owners["address", interface.address.host] += 1
        owners.update(("server", server.name) for server in fabric.topology.servers)
    return owners


@settings(max_examples=draws(25))
@given(words=sites())
def test_every_address_and_name_has_one_owner(words: Words) -> None:
    twice = {thing: times for thing, times in owned(compiled(words)).items() if times > 1}
    assert not twice


@settings(max_examples=draws(25))
@given(words=sites(), data=st.data())
def test_one_fabric_less_leaves_the_others_as_they_are(words: Words, data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(sorted(words["fabrics"])))
    rest = {name: each for name, each in words["fabrics"].items() if name != gone}
    before = facts(compiled({**words, "fabrics": rest}))
    assert lost(before, facts(compiled(words))) == []


@settings(max_examples=10)
@given(words=sites())
def test_the_order_in_which_fabrics_are_written_does_not_matter(words: Words) -> None:
    turned = {**words, "fabrics": dict(reversed(words["fabrics"].items()))}
    assert [fabric.name for fabric in compiled(turned).fabrics] == [
        fabric.name for fabric in compiled(words).fabrics
    ]
    assert facts(compiled(turned)) == facts(compiled(words))
