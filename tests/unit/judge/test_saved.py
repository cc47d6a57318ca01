"""Saved configurations are read in whatever layout a switch writes them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.reach.engines import files, site

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.nos.sonic.readback import balancing, queues
from fabricgen.prove.audit.judged import judged
from fabricgen.prove.saved import against

DB = "config_db.json"
LAYOUTS: dict[str, Callable[[object], str]] = {
    "config save": lambda db: json.dumps(db, indent=4, sort_keys=True),
    "with empty tables": lambda db: json.dumps({"ACL_TABLE": {}, **dict(db)}, indent=4) + "\n",  # type: ignore[call-overload]
    "two spaces": lambda db: json.dumps(db, indent=2) + "\n",
    "one line": json.dumps,
}


def rendered(platform: str, name: str = "lab") -> dict[str, dict[str, str]]:
    """Return the files of the switches of the lab, by name."""
    every = files(name, platform)
    return {owner.name: dict(own) for owner, own in every if hasattr(owner, "platform")}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_queues_of_a_saved_database_are_those_of_the_rendered_one(layout: str) -> None:
    text = rendered("sonic")["be-su01-leaf1"][DB]
    saved = LAYOUTS[layout](json.loads(text))
    before, after = (queues.read(None, {DB: each}) for each in (text, saved))
    assert after.ports.keys() == before.ports.keys()
    port = "Ethernet0"
    for name in ("classes", "queues", "paused", "serving", "marks", "headroom", "watch", "mtu"):
        assert getattr(after.ports[port], name) == getattr(before.ports[port], name), name
    assert balancing.read(None, {DB: saved}).seed == balancing.read(None, {DB: text}).seed


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_fault_of_queues_is_found_in_a_saved_database(layout: str, tmp_path: Path) -> None:
    for name, own in rendered("sonic", "rail-only").items():
        database = json.loads(own[DB])
        if name == "be-leaf1":
            for row in database["PORT_QOS_MAP"].values():
                row.pop("pfc_enable", None)
            assert database != json.loads(own[DB])
        (tmp_path / name).mkdir()
        (tmp_path / name / DB).write_text(LAYOUTS[layout](database))
        (tmp_path / name / "frr.conf").write_text(own["frr.conf"])
    findings = [each for result in judged(tmp_path).examined for each in result.findings]
    assert [each.message for each in findings if "be-leaf1" in each.message]


def saved(folder: Path, change: Callable[[str, str], str] = lambda _, text: text) -> Path:
    """Write what `show running-config` prints on each switch of the lab."""
    for name, own in rendered("eos").items():
        lines = [
            line
            for line in change(name, own["eos.cfg"]).split("\n")
            if line.strip() not in ("switchport", "switchport mode access", "lldp run")
        ]
        head = "! Command: show running-config\n! device: (DCS-7060, EOS-4.33.1F)\n"
        (folder / f"{name}.cfg").write_text(head + "\n".join(lines))
    return folder


def test_saved_configurations_that_say_the_same_have_no_finding(tmp_path: Path) -> None:
    result = against(site("lab", "eos"), saved(tmp_path))
    assert result.findings == ()
    assert result.objects > 100


def test_a_saved_line_that_differs_is_named_with_the_rendered_one(tmp_path: Path) -> None:
    def change(name: str, text: str) -> str:
        return text.replace("ebgp-multihop 3", "ebgp-multihop 2") if name == "fe-leaf01" else text

    folder = saved(tmp_path, change)
    (folder / "fe-leaf02.cfg").unlink()
    (folder / "notes.txt").write_text("hello\n")
    found = against(site("lab", "eos"), folder).findings
    wrong = [each for each in found if each.severity is Severity.ERROR]
    assert {each.code for each in wrong} == {Code.SAVED_DIFFERS}
    line = "multihop 2, but the site has 3 [rendered frontend/fe-leaf01/eos.cfg:"
    assert all(line in each.message for each in wrong)
    assert wrong[0].position is not None
    assert wrong[0].position.file.endswith("fe-leaf01.cfg")
    rest = " ".join(each.message for each in found if each.code is Code.SAVED_MISSING)
    assert "no configuration of fe-leaf02" in rest
    assert "this file is not a configuration" in rest


def test_a_secret_is_compared_by_presence_and_not_printed(tmp_path: Path) -> None:
    def change(_: str, text: str) -> str:
        return text.replace("<<secret:", "geheim<<").replace(">>", "")

    found = against(site("lab", "eos"), saved(tmp_path, change)).findings
    assert not [each for each in found if "geheim" in each.message]
