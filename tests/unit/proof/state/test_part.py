"""From a part of a site: what leads to the rest is not missed, and all else still is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tests.unit.proof.state.lab import BORDER, FRONTEND, LEAF, look, sentences

from fabricgen.compiler import compile_site, slices
from fabricgen.intent.load import load_texts
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.proof.compare.compare import compare
from fabricgen.proof.expected import Expected, expected
from fabricgen.proof.stability import unsettled
from fabricgen.proof.underlay import underlay

if TYPE_CHECKING:
    from fabricgen.fabric.observed import Observed

SPINE, ABSENT = "fe-spine1", "fe-spine2"
LOOPBACK = "10.64.255.252"  # of the absent spine


@cache
def models_of_part(*names: str) -> dict[str, Expected]:
    """Return what the switches of a part of the frontend must show."""
    made = compile_site(load_texts({"site.yaml": FRONTEND}))
    assert made.site is not None
    pieces = [piece for _, piece in slices(made.site) if piece.switch.name in names]
    ways, part = underlay(pieces), frozenset(names)
    return {piece.switch.name: expected(piece, ways, LINUX.spelling, part=part) for piece in pieces}


def without_the_spine(seen: Observed) -> Observed:
    """Return a look at a leaf as it would be with the second spine not there."""
    far = [key for key, one in seen.sessions.items() if key[1] in (LOOPBACK, "10.72.0.130")]
    assert len(far) == 2
    down = {key: replace(seen.sessions[key], state="Active") for key in far}
    lost = {prefix for prefix, ports in seen.routes.items() if set(ports) == {"swp30"}}
    return replace(
        seen,
        sessions={**seen.sessions, **down},
        bfd=tuple(replace(one, up=one.peer != "10.72.0.130") for one in seen.bfd),
        neighbours=tuple(one for one in seen.neighbours if one.port != "swp30"),
        routes={
            prefix: tuple(port for port in ports if port != "swp30")
            for prefix, ports in seen.routes.items()
            if prefix not in lost
        },
    )


def test_sessions_to_the_rest_are_there_but_outside() -> None:
    found = models_of_part(LEAF, SPINE)[LEAF]
    assert {session.label: session.outside for session in found.sessions} == {
        SPINE: None,
        ABSENT: True,
    }
    assert [one.name for one in found.neighbours if one.required] == [SPINE]


def test_routes_lead_only_through_the_part() -> None:
    found = models_of_part(LEAF, BORDER, SPINE)[LEAF]
    assert {route.interfaces for route in found.routes} == {("swp29",)}
    assert {route.origin for route in found.routes} == {BORDER, SPINE}


def test_external_peers_are_not_in_a_part() -> None:
    found = models_of_part(BORDER, SPINE, ABSENT)[BORDER]
    assert [session.label for session in found.sessions if session.outside] == ["isp1"]


def test_a_loopback_to_which_no_way_leads_is_outside() -> None:
    """A switch alone: even its neighbour's loopback cannot be reached."""
    assert all(session.outside for session in models_of_part(LEAF)[LEAF].sessions)
    assert models_of_part(LEAF)[LEAF].routes == ()


def test_nothing_is_missed_of_what_is_outside() -> None:
    model = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE)[LEAF]
    assert sentences(compare(model, without_the_spine(look(LEAF)))) == []


def test_the_whole_site_misses_it() -> None:
    model = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE, ABSENT)[LEAF]
    found = sentences(compare(model, without_the_spine(look(LEAF))))
    assert any("10.72.0.130 (fe-spine2) is not up" in sentence for sentence in found)
    assert any("swp30 has not heard fe-spine2" in sentence for sentence in found)


def test_a_session_to_the_outside_must_be_configured_as_designed() -> None:
    model = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE)[LEAF]
    seen = without_the_spine(look(LEAF))
    key = ("default", "10.72.0.130")
    running = seen.sessions[key]
    wrong = replace(running, session=replace(running.session, asn=65001))
    found = compare(model, replace(seen, sessions={**seen.sessions, key: wrong}))
    assert any("10.72.0.130 (fe-spine2) has remote ASN 65001" in one.sentence for one in found)
    gone = {each: one for each, one in seen.sessions.items() if each != key}
    found = compare(model, replace(seen, sessions=gone, bfd=seen.bfd))
    assert any("10.72.0.130 (fe-spine2) is not configured" in one.sentence for one in found)


def test_what_is_outside_is_not_waited_for() -> None:
    seen = without_the_spine(look(LEAF))
    part = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE)[LEAF]
    whole = models_of_part(LEAF, BORDER, "fe-leaf03", SPINE, ABSENT)[LEAF]
    assert unsettled(part, seen, seen) == ()
    assert unsettled(whole, seen, seen) != ()


def test_an_expected_session_says_outside_only_where_it_is() -> None:
    sessions = models_of_part(LEAF, SPINE)[LEAF].as_data()["sessions"]
    assert [session.get("outside") for session in sessions] == [None, True, None, True]
