"""From pairs of looks: that BGP is called settled when it is, and that every movement is said."""

import pytest
from tests.unit.proof.state.lab import (
    BORDER,
    LEAF,
    RAIL,
    SPINE,
    UNNUMBERED,
    edited,
    look,
    models,
    text,
)

from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.prove.verifier import unsettled

ENDED = '"endOfRibRecv":{\n        "l2VpnEvpn":true'
SESSION = ("session", "default", "10.72.0.128")
NEIGHBOR = '"10.72.0.128":{'


def said_after(*edits: tuple[str, str]) -> tuple[str, ...]:
    after = text(LEAF, "later")
    start = after.index(NEIGHBOR)
    end = after.index('"10.72.0.130":{')
    changed = after[:start] + edited(after[start:end], *edits) + after[end:]
    return unsettled(models()[LEAF], look(LEAF), LINUX.read(changed))


def test_two_looks_at_a_settled_switch() -> None:
    assert unsettled(models()[LEAF], look(LEAF), look(LEAF, "later")) == ()


def test_a_switch_without_sessions_is_settled() -> None:
    assert unsettled(models()[RAIL], look(RAIL), look(RAIL)) == ()


@pytest.mark.parametrize("switch", [LEAF, BORDER, SPINE, UNNUMBERED])
def test_every_peer_has_ended_its_first_table(switch: str) -> None:
    seen = look(switch)
    for key, session in seen.of("session").items():
        assert seen.pulses[key].ended == session["families"]


def test_a_switch_that_has_just_started() -> None:
    found = unsettled(models()[LEAF], look(LEAF, "early"), look(LEAF))
    assert "BGP neighbor 10.72.0.128 was reset" in found
    assert "the underlay routes changed" in found


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (('"bgpState":"Established"', '"bgpState":"Active"'), "is Active"),
        (('"connectionsDropped":1', '"connectionsDropped":2'), "was reset"),
        (('"depthOutq":0', '"depthOutq":4'), "has 4 messages waiting"),
        (
            ('"endOfRibRecv":{\n        "ipv4Unicast":true', '"endOfRibRecv":{'),
            "has not ended its first table of ipv4",
        ),
        (('"acceptedPrefixCounter":5', '"acceptedPrefixCounter":4'), "still gains or loses"),
    ],
)
def test_each_movement_of_a_session(edit: tuple[str, str], said: str) -> None:
    (sentence,) = said_after(edit)
    assert sentence.startswith(f"BGP neighbor 10.72.0.128 {said}")


def test_updates_between_two_looks() -> None:
    before = look(LEAF).pulses[SESSION].updates[1]
    edit = f'"updatesRecv":{before}', f'"updatesRecv":{before + 1}'
    assert said_after(edit) == ("BGP neighbor 10.72.0.128 still sends or receives updates",)


def test_a_session_that_began_anew_has_the_same_counters_and_a_younger_age() -> None:
    age = look(LEAF, "later").pulses[SESSION].up
    edit = f'"bgpTimerUpMsec":{age}', '"bgpTimerUpMsec":1000'
    assert said_after(edit) == ("BGP neighbor 10.72.0.128 was reset",)


def test_other_sessions_than_before() -> None:
    after = LINUX.read(edited(text(LEAF, "later"), (NEIGHBOR, '"10.72.0.9":{')))
    assert unsettled(models()[LEAF], look(LEAF), after) == (
        "the set of BGP sessions changed since the last snapshot",
    )


def test_a_bgp_that_could_not_be_read() -> None:
    (said,) = unsettled(models()[LEAF], look(LEAF), LINUX.read(""))
    assert said.startswith("BGP sessions could not be read")
