"""Drawn tiers: every cable once, checks silent, and what is added within the reserve moves nothing.

A site that does not fit is refused: then there is nothing to hold, and the drawing goes on.
"""

from collections import Counter
from typing import Any

import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import facts, lost, site

from fabricgen.compile.checks.registry import Checks
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Topology

Words = dict[str, Any]

SMALL = {"model": "7050CX3-32S", "platform": "eos"}
GROWTH = {"servers": 48, "rails": 6, "planes": 2, "pods": 4}


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


@st.composite
def tiers(draw: st.DrawFn) -> Words:
    """Draw what is said of a tier, with most of it left out."""
    said = {
        "links": draw(maybe(st.sampled_from([1, 2]))),
        "ratio": draw(maybe(st.sampled_from([1.0, 2.0, 4.0, 7.5]))),
        "speed": draw(maybe(st.sampled_from(["100G", "25G"]))),
    }
    return {**SMALL, **{key: value for key, value in said.items() if value is not None}}


@st.composite
def rails(draw: st.DrawFn) -> Words:
    """Draw GPU rails of two or three tiers; the count of servers is left to the test."""
    design = draw(st.sampled_from(["rail-optimized", "rail-optimized", "three-tier"]))
    planes, leafs = draw(st.sampled_from([(1, 1), (2, 1), (1, 2), (2, 2)]))
    words: Words = {
        "design": design,
        "planes": planes,
        "leafs_per_nic": leafs,
        "servers": {
            "gpus": draw(st.integers(1, 4)),
            "nic_speed": "100G",
            "nic_ports": planes * leafs,
        },
        "scalable_unit": {"servers": draw(st.sampled_from([4, 8]))},
        "oversubscription": draw(st.sampled_from([1.0, 4.0])),
        "leaf": {**SMALL, "reserve": draw(st.sampled_from([0, 0, 3]))},
        "spine": draw(tiers()),
        "growth": GROWTH,
        "roce": {"enabled": False},
    }
    if design == "three-tier":
        words["superspine"] = draw(tiers())
        words["pod"] = {"units": draw(st.integers(1, 4))}
    words["spine"]["per_rail"] = draw(st.booleans())
    return words


def built(words: Words, servers: int) -> Site | None:
    """Design rails with so many servers; None where they do not fit."""
    backend = {**words, "servers": {**words["servers"], "count": servers}}
    text = yaml.safe_dump({"site": site(), "backend": backend})
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    made, findings = design_site(loaded.intent)
    return None if has_errors(findings) else made


def ends(made: Topology) -> Counter[tuple[str, str]]:
    """Count the cables in each port of each switch and server."""
    lower = ((link.lower.name, link.lower_port.label) for link in made.links)
    upper = ((link.upper.name, link.upper_port.label) for link in made.links)
    return Counter([*lower, *upper])


def silent(made: Site) -> bool:
    """Tell whether no check has an error to say."""
    checks = Checks(made)
    for fabric in made.fabrics:
        for switch_slice in Slicer(fabric).slices():
            checks.see(fabric, switch_slice)
    return not has_errors([item for result in checks.results() for item in result.findings])


@settings(max_examples=draws(60))
@given(words=rails(), servers=st.integers(1, 40), more=st.integers(0, 8))
def test_tiers_as_they_are_said(words: Words, servers: int, more: int) -> None:
    before, after = built(words, servers), built(words, servers + more)
    assume(before is not None and after is not None)
    assert before is not None
    assert after is not None
    made = after.fabrics[0].topology
    assert set(ends(made).values()) == {1}
    nics = (servers + more) * words["servers"]["gpus"] * words["servers"]["nic_ports"]
    assert sum(link.to_server for link in made.links) == nics
    assert silent(after)
    assert lost(facts(before), facts(after)) == []


@settings(max_examples=draws(30))
@given(
    gpus=st.integers(2, 4), rails=st.integers(2, 4), few=st.integers(1, 8), more=st.integers(0, 7)
)
def test_a_unit_that_shares_its_leafs_grows_and_moves_nothing(
    gpus: int, rails: int, few: int, more: int
) -> None:
    words = {
        "design": "rail-optimized",
        "servers": {"gpus": gpus, "nic_speed": "100G"},
        "scalable_unit": {"servers": 16, "shared": [{"units": "2", "rails_per_leaf": rails}]},
        "leaf": SMALL,
        "spine": SMALL,
        "growth": GROWTH,
        "roce": {"enabled": False},
    }
    before, after = built(words, 16 + few), built(words, 16 + few + more)
    assume(before is not None and after is not None)
    assert before is not None
    assert after is not None
    assert set(ends(after.fabrics[0].topology).values()) == {1}
    assert silent(after)
    assert lost(facts(before), facts(after)) == []


@settings(max_examples=draws(40))
@given(
    servers=st.integers(1, 24),
    more=st.integers(0, 8),
    links=st.sampled_from([1, 2]),
    ratio=maybe(st.sampled_from([1.0, 2.0, 3.0])),
    slots=st.sampled_from([4, 6, 8]),
)
def test_spines_that_nobody_counted_come_without_moving_anything(
    servers: int, more: int, links: int, ratio: float | None, slots: int
) -> None:
    def of(per_leaf: int) -> Site | None:
        racks = {"leafs": "1-3", "servers": {"per_leaf": per_leaf, "speed": "25G"}}
        spine = {**SMALL, "links": links, **({"ratio": ratio} if ratio else {})}
        words = {
            "leaf": SMALL,
            "spine": spine,
            "leaf_groups": {"a": racks},
            "growth": {"spines": slots},
            "links": {"speed": "25G"},
        }
        text = yaml.safe_dump({"site": site(), "frontend": words})
        loaded = load_texts({"site.yaml": text})
        assert loaded.intent is not None
        made, findings = design_site(loaded.intent)
        return None if has_errors(findings) else made

    before, after = of(servers), of(servers + more)
    assume(before is not None and after is not None)
    assert before is not None
    assert after is not None
    assert set(ends(after.fabrics[0].topology).values()) == {1}
    assert silent(after)
    assert lost(facts(before), facts(after)) == []
