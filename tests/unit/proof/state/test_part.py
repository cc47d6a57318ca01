"""From a part of a site: what leads to the rest is not missed, and all else still is."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from tests.unit.proof.state.lab import BORDER, FRONTEND, LEAF, look, sentences

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.core.tree.facts import Attributes, Key, Value
from fabricgen.intent.load import load_texts
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import Observed
from fabricgen.prove.differences import compare
from fabricgen.prove.running_overlay import around
from fabricgen.prove.runs import Expected, expected
from fabricgen.prove.underlay import underlay
from fabricgen.prove.verifier import unsettled

SPINE, ABSENT = "fe-spine1", "fe-spine2"
LOOPBACK = "10.64.255.252"  # of the absent spine


@cache
def models_of_part(*names: str) -> dict[str, Expected]:
    """Return what the switches of a part of the frontend must show."""
    made = compile_site(load_texts({"site.yaml": FRONTEND}))
    assert made.site is not None
    pieces = [
        switch_slice for _, switch_slice in slices(made.site) if switch_slice.switch.name in names
    ]
    ways, part, there = underlay(pieces), frozenset(names), around(pieces)
    return {
        switch_slice.switch.name: expected(switch_slice, ways, LINUX, part, there=there)
        for switch_slice in pieces
    }


def changed(seen: Observed, **kinds: Callable[[Key, Attributes], Attributes | None]) -> Observed:
    """Return a look with the objects of these kinds changed; an object of None is not there."""
    facts = {
        key: own
        for key, old in seen.facts.items()
        if (own := kinds[key[0]](key, old) if key[0] in kinds else old) is not None
    }
    return replace(seen, facts=facts)


def without_the_spine(seen: Observed) -> Observed:
    """Return a look at a leaf as it would be with the second spine not there."""
    far = (LOOPBACK, "10.72.0.130")
    assert sum(key[2] in far for key in seen.of("session")) == 2

    def left(ports: Value) -> Attributes | None:
        ways = tuple(port for port in ports if port != "swp30")
        return {"ports": ways} if ways else None

    return changed(
        seen,
        session=lambda key, own: {**own, "state": "Active"} if key[2] in far else own,
        bfd=lambda key, own: {**own, "state": "down"} if key[2] in far else own,
        cable=lambda key, own: None if key[1] == "swp30" else own,
        route=lambda _, own: left(own["ports"]),
    )


def test_sessions_to_the_rest_are_there_but_outside() -> None:
    model = models_of_part(LEAF, SPINE)[LEAF]
    assert {model.role(key): model.waits_for(key) for key in model.of("session")} == {
        SPINE: True,
        ABSENT: False,
    }
    assert list(model.of("cable").values()) == [{"far": ((SPINE, "swp2"),)}]


def test_bfd_of_a_session_to_the_rest_is_not_waited_for() -> None:
    model = models_of_part(LEAF, SPINE)[LEAF]
    assert {model.role(key): "state" in own for key, own in model.of("bfd").items()} == {
        SPINE: True,
        ABSENT: False,
    }


def test_routes_lead_only_through_the_part() -> None:
    model = models_of_part(LEAF, BORDER, SPINE)[LEAF]
    assert {route["ports"] for route in model.of("route").values()} == {("swp29",)}
    assert {model.role(key) for key in model.of("route")} == {BORDER, SPINE}


def test_external_peers_are_not_in_a_part() -> None:
    model = models_of_part(BORDER, SPINE, ABSENT)[BORDER]
    outside = [key for key in model.of("session") if not model.waits_for(key)]
    assert [model.role(key) for key in outside] == ["isp1"]


def test_a_loopback_to_which_no_way_leads_is_outside() -> None:
    """A switch alone: even its neighbor's loopback cannot be reached."""
    model = models_of_part(LEAF)[LEAF]
    assert not any(model.waits_for(key) for key in model.of("session"))
    assert model.of("route") == {}


def test_nothing_is_missed_of_what_is_outside() -> None:
    model = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE)[LEAF]
    assert sentences(compare(model, without_the_spine(look(LEAF)))) == []


def test_the_whole_site_misses_it() -> None:
    model = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE, ABSENT)[LEAF]
    found = sentences(compare(model, without_the_spine(look(LEAF))))
    assert any("10.72.0.130 (fe-spine2) is not up" in sentence for sentence in found)
    assert any("swp30 has not received fe-spine2" in sentence for sentence in found)


def test_a_session_to_the_outside_must_be_configured_as_designed() -> None:
    model = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE)[LEAF]
    seen = without_the_spine(look(LEAF))
    far = "10.72.0.130"
    wrong = changed(
        seen, session=lambda key, own: {**own, "asn": "65001"} if key[2] == far else own
    )
    (sentence,) = sentences(compare(model, wrong))
    assert "10.72.0.130 (fe-spine2) has remote ASN 65001" in sentence
    gone = changed(seen, session=lambda key, own: None if key[2] == far else own)
    (sentence,) = sentences(compare(model, gone))
    assert "10.72.0.130 (fe-spine2) is not configured" in sentence


def test_what_is_outside_is_not_waited_for() -> None:
    seen = without_the_spine(look(LEAF))
    part = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE)[LEAF]
    whole = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE, ABSENT)[LEAF]
    assert unsettled(part, seen, seen) == ()
    assert unsettled(whole, seen, seen) != ()
