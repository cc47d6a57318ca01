"""Drawn routed fabrics: each cable and address once, checks silent, growth moves nothing."""

from collections import Counter
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import facts, lost

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric, Site

Words = dict[str, Any]

SPINE = {"model": "7050CX3-32S", "platform": "eos"}

ROCE = {"roce": {"ecn": {"enabled": False}, "over_subscription": 16}}


@st.composite
def sides(draw: st.DrawFn) -> Words:
    """Draw one side: few servers, on one leaf or over several."""
    ports = draw(st.integers(1, 4))
    spread = [leafs for leafs in (1, 2, 3, 4) if ports % leafs == 0]
    servers = {
        "count": draw(st.integers(1, 24)),
        "ports": ports,
        "leafs": draw(st.sampled_from(spread)),
        "speed": draw(st.sampled_from(["25G", "100G"])),
        "cable_length": draw(st.sampled_from([3, 20])),
    }
    return {"servers": servers, "ratio": draw(st.sampled_from([1.0, 1.5, 3.0]))}


@st.composite
def fabrics(draw: st.DrawFn) -> Words:
    """Draw a fabric of one or two sides that has grown to half of what it reserves, or to all."""
    names = draw(st.sampled_from([("compute",), ("storage",), ("compute", "storage")]))
    drawn = {name: draw(sides()) for name in names}
    return {
        "kind": "routed",
        "leaf": SPINE,
        "spine": SPINE,
        "links": {"speed": "100G"},
        "sides": drawn,
        "growth": {name: 2 * side["servers"]["count"] for name, side in drawn.items()},
        "nic_addressing": {"mode": draw(st.sampled_from(["p2p", "subnet"]))},
        "underlay": {"links": draw(st.sampled_from(["numbered", "unnumbered"]))},
        **draw(st.sampled_from([{}, ROCE])),
    }


def compiled(words: Words) -> Site:
    """Design and check a fabric; nothing but warnings may be said."""
    time = {"ntp": ["10.255.15.250", "10.255.15.251"]}
    own = {"name": "drawn", "management": {"subnet": "10.255.0.0/20", **time}}
    site = {"site": own, "fabrics": {"storage": words}}
    done = compile_site(load_texts({"site.yaml": yaml.safe_dump(site)}))
    assert not has_errors(done.findings), done.findings
    assert done.site is not None
    return done.site


def ends(fabric: Fabric) -> Counter[tuple[str, str]]:
    """Count the cables of each port of a switch or server."""
    every: Counter[tuple[str, str]] = Counter()
    for link in fabric.topology.links:
        every[link.lower.name, link.lower_port.label] += 1
        every[link.upper.name, link.upper_port.label] += 1
    return every


def addresses(fabric: Fabric) -> Counter[str]:
    owners: Counter[str] = Counter()
    for switch_slice in Slicer(fabric).slices():
        owners.update([switch_slice.loopback.host, f"management {switch_slice.management.host}"])
        owners.update(i.address.host for i in switch_slice.interfaces if i.address is not None)
        owners.update(own.prefix for vlan in switch_slice.vlans for own in vlan.gateways)
    return owners


@settings(max_examples=draws(40))
@given(words=fabrics())
def test_cables_and_addresses_are_there_once_and_every_server_has_its_ports(words: Words) -> None:
    (fabric,) = compiled(words).fabrics
    assert set(ends(fabric).values()) == {1}
    assert set(addresses(fabric).values()) == {1}
    for name, side in words["sides"].items():
        places = fabric.topology.places
        here = {server for (server, _), place in places.items() if place.group == name}
        own = [server for server in fabric.topology.servers if server.name in here]
        assert len(own) == side["servers"]["count"]
        for server in own:
            links = fabric.topology.links_at[server.name]
            assert len(links) == side["servers"]["ports"]
            assert len({link.upper.name for link in links}) == side["servers"]["leafs"]


@settings(max_examples=draws(40))
@given(words=fabrics(), data=st.data())
def test_one_side_grows_and_moves_nothing(words: Words, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(words["sides"])))
    more = data.draw(st.integers(1, words["growth"][name]))
    servers = words["sides"][name]["servers"]
    fewer = {**servers, "count": min(more, servers["count"])}
    before = {**words["sides"][name], "servers": fewer}
    after = {**words["sides"][name], "servers": {**servers, "count": max(more, servers["count"])}}
    small, large = (
        compiled({**words, "sides": {**words["sides"], name: side}}) for side in (before, after)
    )
    assert lost(facts(small), facts(large)) == []
