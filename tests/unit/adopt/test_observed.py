"""An import with the state of switches: LLDP gives cables, and a switch its model and serial."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.calling import call
from tests.unit.adopt.examples import rendered, tree_of
from tests.unit.adopt.test_lldp import network

from fabricgen.core.tree.facts import Facts
from fabricgen.importer.adopted import Outcome, adopt
from fabricgen.importer.inventory.observed import SwitchState, speeds, things
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.nos.questions import Answer
from fabricgen.nos.show import Observed
from fabricgen.operate.state.recordings import Recorded, Recorder

MODEL = (("7050CX3-32S", "*"),)


def state(name: str, facts: Facts, platform: str = "eos") -> SwitchState:
    return SwitchState(
        name=name, platform=platform, place=f"state/{name}", observed=Observed(facts=facts)
    )


def cables(*ends: tuple[str, str, str]) -> Facts:
    return {("cable", port): {"far": ((name, there),)} for port, name, there in ends}


def imported(folder: Path, states: list[SwitchState], *, described: bool = False) -> Outcome:
    """Import the example `tenants` without its LLDP files, with the state of its switches."""
    files = network("tenants")
    texts, _ = rendered(tree_of("tenants"))
    for path, text in files.items():
        if path.startswith("lldp/"):
            continue
        name, _, rest = path.partition("/")
        own = next(own for place, own in texts.items() if place.endswith(f"/{name}"))
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(own[rest] if described else text)
    return adopt([folder], models=MODEL, states=states)


def heard() -> dict[str, Facts]:
    """Return what LLDP of each switch of the example has."""
    answers = {
        Path(path).stem: json.loads(text)["lldpNeighbors"]
        for path, text in network("tenants").items()
        if path.startswith("lldp/")
    }
    return {
        name: cables(*((row["port"], row["neighborDevice"], row["neighborPort"]) for row in rows))
        for name, rows in answers.items()
    }


def messages(outcome: Outcome) -> list[str]:
    return [each.message for each in outcome.findings]


def tree(outcome: Outcome) -> dict[str, Any]:
    assert outcome.adopted is not None
    return outcome.adopted.tree


def test_cables_come_from_lldp_where_descriptions_are_missing(tmp_path: Path) -> None:
    """The intent has every server, as with files of LLDP answers."""
    outcome = imported(tmp_path, [state(name, facts) for name, facts in heard().items()])
    groups = tree(outcome)["frontend"]["leaf_groups"].values()
    assert [each["servers"]["per_leaf"] for each in groups] == [16, 8]
    assert messages(outcome) == []


def test_without_the_state_the_servers_are_unknown(tmp_path: Path) -> None:
    assert "servers" not in str(tree(imported(tmp_path, []))["frontend"])


def test_a_switch_has_its_serial_number(tmp_path: Path) -> None:
    own: Facts = {("identity",): {"serial": "JPE19151234", "model": "DCS-7050CX3-32S-F"}}
    states = [
        state(name, {**facts, **(own if name == "fe-leaf01" else {})})
        for name, facts in heard().items()
    ]
    outcome = imported(tmp_path, states)
    assert tree(outcome)["frontend"]["switches"]["fe-leaf01"] == {"serial": "JPE19151234"}


def test_a_model_comes_from_the_switch() -> None:
    """No --model and no hardware SKU in the files."""
    (device,) = things([state("a", {("identity",): {"model": "DCS-7060X6-64PE-F"}})], SHIPPED)
    assert device.model == "7060X6-64PE"  # type: ignore[union-attr]
    assert device.platform == "eos"  # type: ignore[union-attr]


def test_a_description_against_lldp_is_a_finding(tmp_path: Path) -> None:
    """The cable of LLDP is used."""
    states = []
    for name, facts in heard().items():
        swapped = dict(facts)
        if name == "fe-leaf01":
            one, other = (key for key in list(facts)[:2])
            swapped |= {one: facts[other], other: facts[one]}
        states.append(state(name, swapped))
    said = [
        each for each in messages(imported(tmp_path, states, described=True)) if "names" in each
    ]
    assert len(said) == 2
    assert all(" the description of fe-leaf01:" in each for each in said)


@pytest.mark.parametrize(
    "far",
    [
        ("=cmd()", "Ethernet1"),
        ("leaf1", "x" * 1000),
        ("leaf1", "a\x1b[2J"),
        ("leaf 1", "Ethernet1"),
        ("", "Ethernet1"),
        ("leaf1",),
        "text",
        (),
    ],
)
def test_hostile_neighbors_are_no_cables(far: Any) -> None:
    found = [*things([state("a", {("cable", "Ethernet1"): {"far": (far,)}})], SHIPPED)]
    assert [type(each).__name__ for each in found] == ["Device"]


def test_a_list_and_a_switch_that_disagree_are_a_finding(tmp_path: Path) -> None:
    (tmp_path / "devices.csv").write_text(
        "name,role,manufacturer,device_type,serial,site,status\n"
        "fe-leaf01,leaf,Arista,DCS-7050CX3-32S,OLD1234,dc1,active\n"
    )
    own: Facts = {("identity",): {"serial": "JPE19151234"}}
    states = [
        state(name, {**facts, **(own if name == "fe-leaf01" else {})})
        for name, facts in heard().items()
    ]
    outcome = imported(tmp_path, states)
    assert "fe-leaf01 has serial OLD1234 here, but the switch reports JPE19151234" in messages(
        outcome
    )
    assert tree(outcome)["frontend"]["switches"]["fe-leaf01"] == {"serial": "JPE19151234"}


def test_the_speed_of_a_port_that_is_not_shut_counts() -> None:
    facts: Facts = {
        ("interface", "Ethernet1"): {"speed": "100G", "link": "up"},
        ("interface", "Ethernet2"): {"speed": "100G", "link": "shut"},
    }
    assert speeds([state("Leaf1", facts)]) == {("leaf1", "ethernet1"): "100G"}


def recorded(folder: Path, answers: dict[str, dict[str, str]], platform: str = "eos") -> None:
    """Record WRITTEN answers of switches, by the key of their question."""
    recorder = Recorder(folder, lambda text: text)
    for name, own in answers.items():
        switch = Recorded(switch=name, platform=platform, release="", model="")
        recorder.write(switch, {key: Answer(text) for key, text in own.items()})


def neighbors(rows: list[dict[str, str]]) -> str:
    """Return `show lldp neighbors detail`; shape as NAPALM's eos.py and ANTA read it."""
    shown: dict[str, Any] = {}
    for row in rows:
        there = {"interfaceId_v2": row["neighborPort"], "interfaceId": f'"{row["neighborPort"]}"'}
        one = {"systemName": row["neighborDevice"], "neighborInterfaceInfo": there}
        shown.setdefault(row["port"], {"lldpNeighborInfo": []})["lldpNeighborInfo"].append(one)
    return json.dumps({"lldpNeighbors": shown})


def test_a_recording_gives_cables_serials_and_models(tmp_path: Path) -> None:
    """`import --state`: the files have no descriptions, and no --model is given."""
    answers: dict[str, dict[str, str]] = {}
    files = network("tenants")
    for path, text in files.items():
        if path.startswith("lldp/"):
            name = Path(path).stem
            serial = f"JPE191500{len(answers):02}"
            version = {"modelName": "DCS-7050CX3-32S-F", "serialNumber": serial}
            rows = json.loads(text)["lldpNeighbors"]
            answers[name] = {
                "lldp": neighbors(rows),
                "version": json.dumps({**version, "version": "4.32.2F"}),
            }
    recorded(tmp_path / "state", answers)
    configs = {path: text for path, text in files.items() if not path.startswith("lldp/")}
    for path, text in configs.items():
        target = tmp_path / "configs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    with contextlib.chdir(tmp_path):
        ran = call("import", "configs", "-o", "site", "--state", "state")
    assert ran.code == 0, ran.err
    frontend = (tmp_path / "site/frontend.yaml").read_text()
    assert "model: 7050CX3-32S" in frontend
    assert "per_leaf: 16" in frontend
    assert "serial: JPE191500" in frontend


@pytest.mark.parametrize("text", ["", "{", "[" * 90_000, "\x1b[2J", '{"lldpNeighbors": 7}'])
def test_hostile_recordings_are_no_cables(tmp_path: Path, text: str) -> None:
    recorded(tmp_path / "state", {"fe-leaf01": {"lldp": text, "version": text}})
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "a.cfg").write_text("hostname a\n")
    with contextlib.chdir(tmp_path):
        ran = call("import", "configs", "-o", "site", "--state", "state")
    assert ran.code in {0, 1}
    assert "\x1b" not in ran.out + ran.err


def test_a_folder_without_a_recording_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "configs").mkdir()
    with contextlib.chdir(tmp_path):
        ran = call("import", "configs", "-o", "site", "--state", "state")
    assert ran.code == 1
    assert "has no recording" in ran.err
