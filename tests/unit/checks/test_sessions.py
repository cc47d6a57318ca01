"""From sessions that one end does not know as the other does: that they are found (FG307)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_ONLY,
    RAIL_OPTIMIZED,
    TWO_PLANES,
    cut,
    designed,
    examine,
    first_red,
    piece_of,
    reds,
    told,
    with_session,
)

from fabricgen.compile.checks.sessions import Sessions
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.switch import Session, Site, SwitchSlice

CODE = Code.SESSION_ENDS_DISAGREE
SITE = designed(RAIL_OPTIMIZED)
FRONT = designed(FRONTEND)
LEAF = "be-su01-leaf1"


def under(session: Session) -> bool:
    return not session.overlay


def over(session: Session) -> bool:
    return session.overlay


def said_after(site: Site, name: str, pick: Any, **facts: Any) -> list[str]:
    pieces = told(cut(site), name, lambda switch_slice: with_session(switch_slice, pick, **facts))
    return reds(examine(Sessions, site, pieces), CODE)


def without(switch_slice: SwitchSlice, place: int) -> SwitchSlice:
    return replace(
        switch_slice, sessions=switch_slice.sessions[:place] + switch_slice.sessions[place + 1 :]
    )


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Sessions, designed(EVERY[shape])), CODE) == []


def test_a_fabric_without_sessions_is_examined_switch_by_switch() -> None:
    assert examine(Sessions, designed(RAIL_ONLY)).objects == 4


def test_a_missing_session_is_found_from_both_sides() -> None:
    pieces = told(cut(SITE), LEAF, lambda switch_slice: without(switch_slice, 0))
    said = reds(examine(Sessions, SITE, pieces), CODE)
    assert any(f"{LEAF} port" in text and "no session crosses it" in text for text in said)
    assert any(f"{LEAF} has no session back" in text for text in said)


def test_a_session_missing_at_both_ends_is_found() -> None:
    pieces = cut(SITE)
    lost = piece_of(pieces, LEAF).sessions[0]

    def drop(switch_slice: SwitchSlice) -> SwitchSlice:
        return replace(
            switch_slice, sessions=tuple(s for s in switch_slice.sessions if s.remote != lost.local)
        )

    pieces = told(
        told(pieces, LEAF, lambda switch_slice: without(switch_slice, 0)), lost.peer.name, drop
    )
    said = reds(examine(Sessions, SITE, pieces), CODE)
    assert len(said) == 2
    assert all("no session crosses it" in text for text in said)


def test_a_session_from_an_address_that_the_switch_does_not_own_is_found() -> None:
    """Catch the other half of a published defect: BGP on addresses of another leaf."""
    said = said_after(SITE, LEAF, under, local=Ip(0x0AC80201, 31))
    assert "uses the address 10.200.2.1/31, which its interface does not have" in said[0]
    assert sum("has no session back" in text for text in said) == 2


def test_a_session_to_a_wrong_address_is_found() -> None:
    said = said_after(SITE, LEAF, under, remote=Ip(0x0AC80200, 31))
    assert any("to 10.200.2.0: be-spine1 has no session back" in text for text in said)


def test_a_wrong_asn_is_found() -> None:
    said = said_after(SITE, LEAF, under, peer_asn=4_200_000_777)
    assert len(said) == 1
    assert "expects the ASN 4200000777 of be-spine1, but it has 4294967294" in said[0]


def test_a_session_that_goes_up_from_both_ends_is_found() -> None:
    assert "goes down from both ends" in said_after(SITE, LEAF, under, up=False)[0]


def test_a_session_told_twice_is_found() -> None:
    pieces = told(
        cut(SITE),
        LEAF,
        lambda switch_slice: replace(
            switch_slice, sessions=(*switch_slice.sessions, switch_slice.sessions[0])
        ),
    )
    assert reds(examine(Sessions, SITE, pieces), CODE)


def test_a_session_over_another_cable_is_found() -> None:
    pieces = cut(SITE)
    sessions = piece_of(pieces, LEAF).sessions
    other = next(s for s in sessions if s.peer.name == "be-spine2").interface
    pieces = told(
        pieces, LEAF, lambda switch_slice: with_session(switch_slice, under, interface=other)
    )
    said = reds(examine(Sessions, SITE, pieces), CODE)
    assert any("uses the cable of another session" in text for text in said)


def test_unnumbered_sessions_are_paired_by_their_ports() -> None:
    site = designed(TWO_PLANES)
    pieces = cut(site)
    leaf = next(switch_slice for _, switch_slice in pieces if len(switch_slice.sessions) > 1)
    pieces = told(pieces, leaf.switch.name, lambda switch_slice: without(switch_slice, 0))
    said = reds(examine(Sessions, site, pieces), CODE)
    assert any("on port" in text and "has no session back" in text for text in said)


def test_an_overlay_session_from_another_address_than_the_loopback_is_found() -> None:
    vtep = piece_of(cut(FRONT), "fe-leaf01").vtep
    said = said_after(FRONT, "fe-leaf01", over, local=vtep)
    assert "instead of its loopback 10.64.0.1/32" in said[0]


def test_an_overlay_neighbor_that_keeps_an_old_loopback_is_found() -> None:
    """Catch a bug of a peer: an overridden loopback that its overlay neighbors did not use."""
    pieces = told(
        cut(FRONT),
        "fe-leaf01",
        lambda switch_slice: replace(switch_slice, loopback=Ip(0x0A40FF01, 32)),
    )
    assert "instead of its loopback 10.64.255.1/32" in first_red(
        examine(Sessions, FRONT, pieces), CODE
    )


def test_a_neighbor_without_an_overlay_session_is_found() -> None:
    pieces = told(
        cut(FRONT),
        "fe-leaf01",
        lambda switch_slice: replace(
            switch_slice, sessions=tuple(s for s in switch_slice.sessions if under(s))
        ),
    )
    assert "fe-leaf01 has no overlay session to fe-spine1" in first_red(
        examine(Sessions, FRONT, pieces), CODE
    )


def test_a_session_of_neither_address_nor_port_is_found() -> None:
    said = said_after(FRONT, "fe-leaf01", over, local=None)
    assert said[0].endswith("uses the address None instead of its loopback 10.64.0.1/32")
    assert [text.partition(": ")[2] for text in said[1:]] == [
        "fe-leaf01 has no session back",
        "fe-spine1 has no session back",
    ]
