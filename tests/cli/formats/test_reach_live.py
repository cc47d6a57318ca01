"""The compared path as a table, as data and as Markdown."""

import json
from pathlib import Path

import pytest
from tests.cli.calling import call
from tests.unit.reach.live.site import BRIDGED, RAIL, ROUTED, Edits, followed, written

from fabricgen.cli.formats.reach_live import live_data, live_markdown, live_text
from fabricgen.nos.questions import Answer
from fabricgen.operate.state.recordings import Recorded, Recorder
from fabricgen.prove.reach.live.steps import State

PLANTED: Edits = {("be-spine1", ("interface", "swp3")): {"mtu": "9000"}}


@pytest.mark.parametrize("ends", [BRIDGED, ROUTED, RAIL])
def test_the_table_fits_100_columns(ends: tuple[str, str]) -> None:
    assert max(map(len, live_text(followed(ends)).splitlines())) <= 100


def test_the_verdict_comes_first_and_names_the_difference() -> None:
    lines = live_text(followed(RAIL, PLANTED)).splitlines()
    assert lines[:2] == [
        "differs at be-spine1",
        "gpu0001:rdma0 (172.16.0.1) to gpu0002:rdma1 (172.20.0.3)",
    ]
    assert "first difference: be-spine1: MTU of swp3: model 9214, running 9000" in lines[3]
    marked = [line for line in lines if line.startswith("! MTU")]
    assert [line.split() for line in marked] == [["!", "MTU", "swp3", "9214", "9214", "9000"]]


def test_branches_with_the_difference_are_marked() -> None:
    shown = live_text(followed(RAIL, PLANTED))
    rows = [line for line in shown.splitlines() if " be-spine1 swp3 " in line]
    assert rows
    assert all(line.startswith("! ") and line.endswith("differs") for line in rows)


def test_an_unknown_value_has_its_reason_and_is_not_called_right() -> None:
    states = {name: own for name, own in written(RAIL).items() if name != "be-spine2"}
    shown = live_text(followed(RAIL, seen=states, unread={"be-spine2": "no answer"}))
    first = shown.splitlines()[0]
    assert first == "no difference, but not everything is known at be-spine2"
    assert "not read: be-spine2: no answer" in shown
    assert "? MTU" in shown


def test_a_class_has_its_dscp_and_its_thresholds() -> None:
    shown = live_text(followed(RAIL))
    assert "traffic class: lossless, DSCP 26" in shown
    assert "150-600 kB 20%" in shown


def test_data_has_every_hop_and_branch() -> None:
    shown = live_data(followed(RAIL, PLANTED))
    assert json.loads(json.dumps(shown)) == shown
    assert shown["state"] == State.DIFFERS
    first = shown["first_difference"]
    assert (first["switch"], first["name"], first["place"]) == ("be-spine1", "MTU", "swp3")
    assert (first["model"], first["files"], first["running"]) == ("9214", "9214", "9000")
    assert shown["branches"]["count"] == len(shown["branches"]["listed"]) == 8
    places = {place for branch in shown["branches"]["listed"] for place in branch}
    assert places == set(range(len(shown["hops"])))


def test_markdown_has_one_table_for_each_switch_and_no_foreign_markup() -> None:
    hostile: Edits = {("be-spine1", ("interface", "swp3")): {"mtu": "<b>|x"}}
    shown = live_markdown(followed(RAIL, hostile))
    assert shown.count("| | value | place | model | files | running |") == 4
    assert "\\<b>\\|x" in shown


@pytest.mark.parametrize(
    "words",
    [
        ("--live", "--from", "gpu0001:rdma0"),
        ("--live", "--from", "gpu0001:rdma0", "--to", "gpu0002:rdma1", "--as", "eos"),
        ("--from", "gpu0001:rdma0", "--to", "gpu0002:rdma1", "--dscp", "26"),
        ("--from", "gpu0001:rdma0", "--to", "gpu0002:rdma1", "--format", "markdown"),
    ],
)
def test_options_that_do_not_fit_are_refused(words: tuple[str, ...]) -> None:
    assert call("reach", "intent/lab", *words).code == 64


def test_a_lab_that_does_not_run_is_an_error() -> None:
    words = ("--from", "gpu0001:rdma0", "--to", "gpu0002:rdma1", "--live", "--lab", "no-such-lab")
    found = call("reach", "intent/lab", *words)
    assert found.code == 1
    assert "no-such-lab" in found.err


def test_recorded_answers_are_read_like_those_of_a_switch(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "answers", str)
    one = {"ifname": "swp1", "mtu": 1500, "flags": ["UP", "LOWER_UP"]}
    leaf = Recorded(switch="be-su01-leaf1", platform="linux", release="", model="")
    recorder.write(leaf, {"addresses": Answer(json.dumps([one]))})
    words = ("--from", "gpu0001:rdma0", "--to", "gpu0002:rdma1", "--live", "--format", "json")
    found = call("reach", "intent/lab", *words, "--recordings", str(tmp_path / "answers"))
    shown = json.loads(found.out)
    assert found.code == 2
    assert shown["first_difference"]["switch"] == "be-su01-leaf1"
    assert (shown["first_difference"]["name"], shown["first_difference"]["running"]) == (
        *("MTU", "1500"),
    )
    assert set(shown["unread"]) == {"be-spine1", "be-spine2", "be-su01-leaf2"}


def test_a_folder_without_a_recording_is_an_error(tmp_path: Path) -> None:
    words = ("--from", "gpu0001:rdma0", "--to", "gpu0002:rdma1", "--live")
    found = call("reach", "intent/lab", *words, "--recordings", str(tmp_path))
    assert found.code in (1, 3)
    assert "recording" in found.err + found.out
