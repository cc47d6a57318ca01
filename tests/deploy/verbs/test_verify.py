"""`fabricgen verify`: the results that it prints in each format, and its exit code."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from tests.cli.calling import ROOT, Said, call
from tests.deploy.verbs.conftest import Work
from tests.unit.proof.state.lab import FRONTEND, LEAF, SPINE, models, whole

from fabricgen.cli import verify
from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.intent.source import SourceMap
from fabricgen.nos.linux.show.reader import LINUX, QUESTIONS
from fabricgen.operate.deploy import verify as deployed
from fabricgen.operate.state.recordings import Recorded, Recorder
from fabricgen.operate.state.verified import Verified, results_of
from fabricgen.prove.catalogue.model import Check
from fabricgen.prove.verifier import Verifier

WRONG = '"10.72.0.128":{\n    "remoteAs":4294967294,'
DESIGNED = whole(LEAF)
DIFFERS = DESIGNED.replace(WRONG, WRONG.replace("4294967294", "65001"))

NOT_COMPARED = (
    "not compared: 2 switches of eos (state not supported); "
    "`fabricgen drift` compares their configuration"
)


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """Stand in for two switches. shows: what the scripts print; the rest as `Verified` has it."""
    if not Path("site").is_dir():  # a look is stored in the folder of the site
        monkeypatch.chdir(tmp_path)
    fleet = SimpleNamespace(
        shows={LEAF: DESIGNED, SPINE: whole(SPINE)}, unread={}, unasked={}, settled=[], apart=[]
    )

    def ask(scripts: Mapping[str, str]) -> dict[str, str]:
        assert all(script == LINUX.encode(QUESTIONS) for script in scripts.values())
        return {name: fleet.shows[name] for name in scripts}

    def verified(
        ready: object,
        checks: tuple[Check, ...],
        settle: float,
        drained: Collection[str],
        recorder: object,
        apart: float,
    ) -> Verified:
        checks = tuple(each for each in checks if not each.metrics)  # the looks have no counters
        assert recorder is None
        assert ready is fleet.ready
        assert not drained  # none except those of the intent
        fleet.settled.append(settle)
        fleet.apart.append(apart)
        looks = Verifier(ask, {name: models()[name] for name in fleet.shows}).settle(0)
        return Verified(
            site="small",
            checks=checks,
            looks=looks,
            results=results_of(looks, checks),
            unread=fleet.unread,
            unasked=fleet.unasked,
        )

    def deployment(asked: object, *, files: bool, needed: bool) -> SimpleNamespace:
        del asked
        assert not needed
        assert not files  # what is only read needs no secret of a file
        return ready

    ready = fleet.ready = SimpleNamespace(
        targets={LEAF: None, SPINE: None},
        site=compile_site(load_texts({"site.yaml": FRONTEND})).site,
        source=SourceMap(),
    )
    monkeypatch.setattr(verify, "deployment", deployment)
    monkeypatch.setattr(deployed, "verified", verified)
    return fleet


def said(*words: str) -> Said:
    return call("verify", "site", *words)


PASSED = "2 of 2 switches passed; checks: "
NOT_ALL = "1 of 2 switches passed; checks: "


def test_switches_whose_checks_pass_are_0(fleet: SimpleNamespace) -> None:
    ran = said()
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert ran.code == 0, ran.err
    assert lines[0].split() == ["switch", "passed", "failed", "not", "yet", "unread", "checks"]
    assert [line.split()[0] for line in lines[1:3]] == [LEAF, SPINE]
    assert lines[-1].startswith(PASSED)
    assert " 0 failed, 0 not yet, 0 unread, " in lines[-1]
    assert fleet.settled == [0]


def test_a_failed_check_is_2_with_its_sentence_and_both_values(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF] = DIFFERS
    ran = said("--settle", "7")
    assert ran.code == 2
    *_, sentence, details, last = ran.out.splitlines()
    assert sentence.startswith(f"{LEAF}: ")
    assert details == (
        "    BgpPeers; expected 4294967294, actual 65001; show bgp vrf all neighbors json: remoteAs"
    )
    assert last.startswith(NOT_ALL)
    assert fleet.settled == [7]


@pytest.mark.parametrize(("option", "seconds"), [("60s", 60.0), ("2m", 120.0)])
def test_a_second_look_follows_after_a_time(
    fleet: SimpleNamespace, option: str, seconds: float
) -> None:
    assert said("--for", option).code == 0
    assert fleet.apart == [seconds]


def test_a_recording_has_no_second_look(fleet: SimpleNamespace, tmp_path: Path) -> None:
    ran = said("--for", "60s", "--from", str(tmp_path))
    assert (ran.code, fleet.apart) == (64, [])
    assert "--from cannot be combined with" in ran.err


def test_selected_checks_alone_run(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF] = DIFFERS
    assert said("--check", "PortMtu").code == 0
    assert said("--check", "PortMtu", "--tag", "bgp").code == 2
    ran = json.loads(said("--check", "PortMtu", "--check", "Bfd", "--format", "json").out)
    assert [each["check"] for each in ran["switches"][0]["results"]] == ["Bfd", "PortMtu"]


@pytest.mark.parametrize(
    ("option", "word", "hint"),
    [("--check", "PortMTU", "'PortMtu'"), ("--tag", "losless", "'lossless'")],
)
def test_an_unknown_name_is_an_error_with_the_nearest_name(
    fleet: SimpleNamespace, option: str, word: str, hint: str
) -> None:
    ran = said(option, word)
    assert ran.code == 64
    assert f"did you mean {hint}?" in ran.err
    assert fleet.settled == []


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
@pytest.mark.parametrize(("shows", "code"), [(DESIGNED, 3), (DIFFERS, 2)])
def test_an_unread_switch_is_3_unless_a_check_fails(
    fleet: SimpleNamespace,
    unread: dict[str, str],
    unasked: dict[str, list[str]],
    line: str,
    shows: str,
    code: int,
) -> None:
    fleet.shows = {LEAF: shows}
    fleet.unread, fleet.unasked = unread, unasked
    ran = said()
    assert ran.code == code
    assert line in ran.out.splitlines()


def test_an_unread_part_is_3(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF] = DESIGNED.replace("\x1elldp 0", "broken\n\x1elldp 1")
    ran = said("--check", "Cables", "--format", "json")
    (result,) = json.loads(ran.out)["switches"][0]["results"]
    assert (ran.code, result["outcome"]) == (3, "unread")


def test_where_no_switch_could_be_looked_at_there_is_no_table(fleet: SimpleNamespace) -> None:
    fleet.shows, fleet.unread = {}, {LEAF: "no route", SPINE: "no route"}
    ran = said()
    assert ran.code == 3
    assert "switch     passed" not in ran.out
    last = (
        "0 of 2 switches passed; checks: 0 passed, 0 failed, 0 not yet, 0 unread, 0 not applicable"
    )
    lines = [f"not read: {LEAF}: no route", f"not read: {SPINE}: no route", last]
    assert [line for line in ran.out.splitlines() if line in lines] == lines


def test_json_has_every_result_with_its_findings(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF], fleet.unasked = DIFFERS, {"eos": ["a"]}
    ran = said("--format", "json")
    told = json.loads(ran.out)
    assert ran.code == 2
    assert [each["name"] for each in told["switches"]] == [LEAF, SPINE]
    assert (told["unread"], told["unasked"]) == ({}, {"eos": ["a"]})
    assert told["counts"]["failed"] == 1
    (failed,) = (one for one in told["switches"][0]["results"] if one["outcome"] == "failed")
    assert (failed["check"], failed["severity"]) == ("BgpPeers", "error")
    (finding,) = failed["findings"]
    assert (finding["expected"], finding["actual"]) == ("4294967294", "65001")


def test_the_json_obeys_its_schema(fleet: SimpleNamespace) -> None:
    schema = json.loads((ROOT / "docs/reference/verify.schema.json").read_text())
    broken = DIFFERS.replace("\x1elldp 0", "broken\n\x1elldp 1")
    fleet.shows[LEAF], fleet.unasked, fleet.unread = broken, {"eos": ["a"]}, {"b": "no route"}
    told = json.loads(said("--format", "json").out)
    outcomes = {one["outcome"] for each in told["switches"] for one in each["results"]}
    assert outcomes >= {"passed", "failed", "unread", "not applicable"}
    jsonschema.Draft202012Validator(schema).validate(told)


def test_junit_has_a_suite_for_each_switch(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF], fleet.unread = DIFFERS, {"far": "no <route>"}
    suites = ET.fromstring(said("--format", "junit").out)  # noqa: S314 - our own
    one, other, unread = suites
    assert (one.get("name"), one.get("failures"), one.get("errors")) == (LEAF, "1", "0")
    assert (other.get("name"), other.get("failures")) == (SPINE, "0")
    (failed,) = one.findall("testcase/failure")
    assert "65001" in str(failed.get("message"))
    assert [each.get("message") for each in unread.iter("error")] == ["no <route>"]


def test_markdown_has_a_row_for_each_finding(fleet: SimpleNamespace) -> None:
    fleet.shows[LEAF] = DIFFERS
    lines = said("--format", "markdown").out.splitlines()
    (row,) = (line for line in lines if line.startswith("| BgpPeers"))
    assert "65001" in row


def test_switches_whose_driver_runs_no_scripts_are_3(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    assert work.fabricgen("verify", "site") == 3
    *lines, last = capsys.readouterr().out.splitlines()
    unread = [line for line in lines if line.startswith("not read: ")]
    assert sorted(unread) == [
        f"not read: {name}: its driver cannot read the state" for name in work.everything()
    ]
    assert last.startswith("0 of 4 switches passed; ")


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """The looks at two switches as a recording, beside their site."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/site.yaml").write_text(FRONTEND)
    recorder = Recorder(tmp_path / "answers", lambda text: text)
    for name, shown in ((LEAF, DIFFERS), (SPINE, whole(SPINE))):
        switch = Recorded(switch=name, platform="linux", release="", model="7050CX3-32S")
        recorder.write(switch, LINUX.decode(shown))
    return tmp_path


def replayed(place: Path, *words: str) -> Said:
    return call("verify", str(place / "site"), "--from", str(place / "answers"), *words)


def test_recorded_answers_are_checked_without_switches(recording: Path) -> None:
    ran = replayed(recording, "--tag", "bgp", "--limit", LEAF)
    assert ran.code == 2, ran.err
    headline, details, last = ran.out.splitlines()[-3:]
    assert headline.startswith(f"{LEAF}: BGP neighbor 10.72.0.128 (fe-spine1) has remote ASN")
    assert "; site.yaml:" in details.replace(f"{recording}/site/", "")
    assert last.startswith("0 of 1 switch passed; ")
    assert replayed(recording, "--check", "Cables", "--limit", LEAF).code == 0


def test_a_switch_without_a_recording_is_unread(recording: Path) -> None:
    ran = replayed(recording, "--check", "Cables", "--format", "json")
    assert ran.code == 3
    told = json.loads(ran.out)
    assert {each["name"] for each in told["switches"]} == {LEAF, SPINE}
    assert set(told["unread"].values()) == {"the recording has no answers of this switch"}


def test_a_recorded_switch_of_another_site_is_named(recording: Path) -> None:
    (recording / f"answers/{SPINE}").rename(recording / "answers/other")
    assert "other is not a switch of this site" in replayed(recording, "--limit", LEAF).err


@pytest.mark.parametrize("words", [("--record", "x"), ("--settle", "5"), ("--lab", "lab")])
def test_a_recording_is_not_combined_with_running_switches(
    recording: Path, words: tuple[str, ...]
) -> None:
    assert replayed(recording, *words).code == 64


def test_a_folder_without_a_recording_is_an_error(recording: Path) -> None:
    ran = call("verify", str(recording / "site"), "--from", str(recording / "site"))
    assert ran.code == 1
    assert "has no recording" in ran.err


def test_the_name_of_a_neighbor_does_nothing_to_the_terminal(fleet: SimpleNamespace) -> None:
    """Whoever stands at the other end of a cable says any name by LLDP."""
    evil = DESIGNED.replace('"value": "fe-spine1"', '"value": "x\\u001b]0;owned"')
    assert evil != DESIGNED
    fleet.shows[LEAF] = evil
    ran = said()
    assert "is cabled to x\\u001b]0;owned swp" in ran.out
    assert not {"\x1b", "\x07"} & set(ran.out + ran.err)
