"""`fabricgen verify`: what is printed of running switches beside the model, and the exit code."""

import json
from collections.abc import Collection, Mapping
from types import SimpleNamespace

import pytest
from tests.cli.calling import Said, call
from tests.deploy.verbs.conftest import Work
from tests.unit.proof.state.lab import LEAF, SPINE, models, text

from fabricgen.cli import verify
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.operate.deploy import verify as deployed
from fabricgen.operate.deploy.verify import Verified
from fabricgen.prove.verifier import Verifier

WRONG = '"10.72.0.128":{\n    "remoteAs":4294967294,'
DESIGNED = text(LEAF)
DIFFERS = DESIGNED.replace(WRONG, WRONG.replace("4294967294", "65001"))

NOT_COMPARED = (
    "not compared: 2 switches of eos (state not supported); "
    "`fabricgen drift` compares their configuration"
)


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stand in for two switches. shows: what the scripts print; the rest as `Verified` has it."""
    fleet = SimpleNamespace(
        shows={LEAF: DESIGNED, SPINE: text(SPINE)}, unread={}, unasked={}, settled=[]
    )

    def ask(scripts: Mapping[str, str]) -> dict[str, str]:
        assert all(script == LINUX.script for script in scripts.values())
        return {name: fleet.shows[name] for name in scripts}

    def verified(ready: object, settle: float, drained: Collection[str]) -> Verified:
        assert ready is fleet.ready
        assert not drained  # none but those of the intent
        fleet.settled.append(settle)
        looks = Verifier(ask, {name: models()[name] for name in fleet.shows}).settle(0)
        return Verified(looks, fleet.unread, fleet.unasked)

    def deployment(asked: object, *, files: bool) -> SimpleNamespace:
        del asked
        assert not files  # what is only read needs no secret of a file
        return ready

    ready = fleet.ready = SimpleNamespace(
        targets={LEAF: None, SPINE: None}, site=SimpleNamespace(name="small")
    )
    monkeypatch.setattr(verify, "deployment", deployment)
    monkeypatch.setattr(deployed, "verified", verified)
    return fleet


def said(*words: str) -> Said:
    return call("verify", "site", *words)


def test_switches_that_run_as_designed_are_0(fleet: SimpleNamespace) -> None:
    ran = said()
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert ran.code == 0, ran.err
    assert lines[0].split() == ["switch", "BGP", "BFD", "LLDP", "VNIs", "routes"]
    assert [line.split()[0] for line in lines[1:3]] == [LEAF, SPINE]
    assert lines[3:] == ["2 of 2 switches run as designed"]
    assert fleet.settled == [0]


def test_what_differs_is_2_and_a_sentence(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF] = DIFFERS
    ran = said("--settle", "7")
    assert ran.code == 2
    *_, sentence, last = ran.out.splitlines()
    assert sentence.startswith(f"{LEAF}: ")
    assert "65001" in sentence
    assert last == "1 of 2 switches run as designed"
    assert fleet.settled == [7]


def test_a_change_between_its_steps_is_said(work: Work, request: pytest.FixtureRequest) -> None:
    """By the plan of the last push, as the journal keeps it."""
    work.intend("frontend:\n", "frontend:\n  underlay: {asn: {first: 4210000000}}\n")
    assert work.fabricgen("push", "site", "--yes") == 0
    fleet: SimpleNamespace = request.getfixturevalue("fleet")
    fleet.shows[LEAF] = DIFFERS
    ran = said()
    assert ran.code == 2
    assert ran.out.splitlines()[-1].startswith("the last push was step 1 of 3: the neighbors of ")
    fleet.shows[LEAF] = DESIGNED
    assert "the last push" not in said().out


@pytest.mark.parametrize(
    ("unread", "unasked", "line"),
    [
        ({SPINE: "no route"}, {}, f"not read: {SPINE}: no route"),
        ({}, {"eos": ["a", "b"]}, NOT_COMPARED),
    ],
)
def test_what_nobody_could_look_at_is_3_whatever_else_differs(
    fleet: SimpleNamespace, unread: dict[str, str], unasked: dict[str, list[str]], line: str
) -> None:
    fleet.shows = {LEAF: DIFFERS}
    fleet.unread, fleet.unasked = unread, unasked
    ran = said()
    assert ran.code == 3
    assert ran.out.splitlines()[-2:] == [line, "0 of 2 switches run as designed"]


def test_a_release_that_was_not_read_is_told(
    fleet: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Verified, "unversioned", [LEAF, SPINE])
    ran = said()
    assert ran.code == 0
    assert "release not compared: 2 switches, version unread" in ran.out.splitlines()
    assert json.loads(said("--format", "json").out)["release_unread"] == [LEAF, SPINE]


def test_where_no_switch_could_be_looked_at_there_is_no_table(fleet: SimpleNamespace) -> None:
    fleet.shows, fleet.unread = {}, {LEAF: "no route", SPINE: "no route"}
    ran = said()
    assert ran.code == 3
    assert ran.out.splitlines() == [
        f"not read: {LEAF}: no route",
        f"not read: {SPINE}: no route",
        "0 of 2 switches run as designed",
    ]


def test_machines_are_given_every_difference_with_its_switch(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF], fleet.unasked = DIFFERS, {"eos": ["a"]}
    ran = said("--format", "json")
    told = json.loads(ran.out)
    assert ran.code == 3
    assert told["compared"] == sorted((LEAF, SPINE))
    assert (told["unread"], told["unasked"]) == ({}, {"eos": ["a"]})
    (row,) = told["differences"]
    assert row["switch"] == LEAF


def test_switches_whose_driver_runs_no_scripts_are_3(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    assert work.fabricgen("verify", "site") == 3
    *unread, last = capsys.readouterr().out.splitlines()
    assert sorted(unread) == [
        f"not read: {name}: its driver cannot run scripts" for name in work.everything()
    ]
    assert last == "0 of 4 switches run as designed"


def test_the_name_of_a_neighbor_does_nothing_to_the_terminal(fleet: SimpleNamespace) -> None:
    """Whoever stands at the other end of a cable says any name by LLDP."""
    evil = DESIGNED.replace('"value": "fe-spine1"', '"value": "x\\u001b]0;owned"')
    assert evil != DESIGNED
    fleet.shows[LEAF] = evil
    ran = said()
    assert "is cabled to x\\u001b]0;owned swp" in ran.out
    assert not {"\x1b", "\x07"} & set(ran.out + ran.err)
