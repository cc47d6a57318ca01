"""`fabricgen import` as people use it: configurations in, a site that compiles and a report out."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest
from tests.unit.adopt.strangers import FAULTS, ODD, lab, said

from fabricgen.cli.main import run
from fabricgen.core.diagnostics import Code, Diagnostic, Examined

MODEL = ("--model", "7050CX3-32S")
NTP = "ntp server vrf mgmt 10.255.3.250\n"


def checked(folder: Path) -> int:
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        return run(["check", "site"])


def test_what_was_rendered_is_adopted_whole(tmp_path: Path) -> None:
    code, out, err = said(tmp_path, lab(), *MODEL)
    assert code == 0, err
    assert "rendered: 100.0 %" in out
    assert checked(tmp_path) == 0


def test_each_stage_is_on_stderr_with_counts_and_json_alone_on_stdout(tmp_path: Path) -> None:
    _, out, err = said(tmp_path, lab(), *MODEL, "--format", "json")
    count = json.loads(out)["switches"]
    assert f"reading {count} switches …" in err
    assert f"comparing {count} switches …" in err
    assert "rendering the intent …" in err


def test_what_remains_is_named_with_its_place_and_reason(tmp_path: Path) -> None:
    files = lab()
    files["fe-leaf01.cfg"] = files["fe-leaf01.cfg"].replace(NTP, "")
    files["fe-leaf02.cfg"] = files["fe-leaf02.cfg"].replace("\nend", "\nreload now\nend")
    code, out, err = said(tmp_path, files, *MODEL, "--format", "json")
    assert code == 0, err
    report = json.loads(out)
    number = files["fe-leaf02.cfg"].split("\n").index("reload now") + 1
    assert report["compiles"]
    assert [(each["file"], each["line"], each["text"]) for each in report["remainders"]] == [
        ("configs/fe-leaf01.cfg", None, NTP.strip()),
        ("configs/fe-leaf02.cfg", number, "reload now"),
    ]
    assert report["lines"] == report["by_keys"] + report["own_lines"] + 1


def test_a_report_for_people(tmp_path: Path) -> None:
    files = {**lab()}
    files["fe-leaf02.cfg"] = files["fe-leaf02.cfg"].replace("\nend", "\nagent odd\nreload now\nend")
    _, out, _ = said(tmp_path, files, *MODEL, "--format", "markdown")
    assert out.startswith("# Import report\n")
    assert "custom config: frontend.switches.fe-leaf02" in out
    assert "reload now: `reload now`: it is an EXEC command, not a configuration" in out


def test_files_of_which_nothing_is_taken_are_named(tmp_path: Path) -> None:
    files = lab() | {f"notes{n}.md": "nothing of use\n" for n in range(10)}
    _, out, _ = said(tmp_path, files, *MODEL)
    assert "neither configuration nor inventory: notes0.md, notes1.md" in out
    assert "notes7.md and 2 more files\n" in out
    _, out, _ = said(tmp_path, files, *MODEL, "--verbose", "--force")
    assert "notes9.md\n" in out


def test_of_two_switches_of_one_name_the_second_is_named_once(tmp_path: Path) -> None:
    files = lab()
    code, out, err = said(tmp_path, {**files, "x/other.cfg": files["fe-leaf01.cfg"]}, *MODEL)
    assert code == 1
    assert "configs/x/other.cfg:" in err
    assert (
        "FG875 fe-leaf01 is the name of two switches; rename one "
        "folder or file [configs/fe-leaf01.cfg:"
    ) in err
    assert "FG888" not in err
    assert "configs/x/other.cfg:" in out


def test_what_an_inventory_has_otherwise_is_said(tmp_path: Path) -> None:
    there = tmp_path / "stock"
    there.mkdir()
    (there / "devices.csv").write_text(
        "name,model,asn,loopback,management\n"
        "fe-leaf01,7050CX3-32S,4200000000,10.64.0.1,10.255.0.2\n"
        "FE-leaf02,7050CX3-32S,65001,10.9.9.9,10.8.8.8\n"
    )
    (there / "cables.csv").write_text(
        "device_a,port_a,device_b,port_b\n"
        "fe-leaf01,Ethernet29/1,fe-spine1,Ethernet1/1\n"
        "fe-leaf01,Ethernet30/1,fe-leaf02,ethernet29/1\n"
    )
    code, out, err = said(tmp_path, lab(), *MODEL, "--inventory", "stock")
    assert code == 0, err
    assert "rendered: 100.0 %" in out
    told = [line.partition("warning: ")[2] for line in err.split("\n") if "FG884" in line]
    assert sorted(told) == [
        "FE-leaf02: ASN 65001 differs from ASN 4200000001 of its configuration",
        "FE-leaf02: its configuration does not have the loopback 10.9.9.9",
        "FE-leaf02: its configuration does not have the management address 10.8.8.8",
        (
            "fe-leaf01:Ethernet30/1 to fe-leaf02:ethernet29/1: in the configurations, "
            "fe-leaf01:Ethernet30/1 leads to fe-spine2:Ethernet1/1"
        ),
        "fe-spine1 has a cable but is not listed as a device",
    ]
    assert "known: ," not in err


def test_a_name_with_a_domain_is_that_of_the_host(tmp_path: Path) -> None:
    files = {
        name: re.sub("(?m)^hostname .*", r"\g<0>.example.net", text).replace(
            " to fe-spine1:", " to fe-spine1.example.net:"
        )
        for name, text in lab().items()
    }
    code, out, err = said(tmp_path, files, *MODEL, "--verbose")
    assert code == 0, err
    texts = "".join(each.read_text() for each in (tmp_path / "site").rglob("*.yaml"))
    assert "hostname" not in texts
    assert "servers:\n" not in texts
    remain = {line.partition(": ")[0].split()[-1] for line in out.split("\n") if "hostname" in line}
    assert {name for name in remain if "example" in name} == {
        f"{name.removesuffix('.cfg')}.example.net" for name in files
    }


def test_a_site_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    assert said(tmp_path, lab(), *MODEL)[0] == 0
    code, _, err = said(tmp_path, lab(), *MODEL)
    assert code == 1
    assert "not an empty folder" in err
    assert said(tmp_path, lab(), *MODEL, "--force")[0] == 0
    (tmp_path / "site" / "notes.txt").write_text("mine", encoding="utf-8")
    assert said(tmp_path, lab(), *MODEL, "--force")[0] == 1
    assert (tmp_path / "site" / "notes.txt").exists()


def test_an_intent_that_render_refuses_does_not_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Diagnostic(Code.WRITTEN_FACT, "fe-leaf01: a line is not as designed")
    seen = Examined(check="readback", objects=1, noun="switch", findings=(wrong,))
    monkeypatch.setattr("fabricgen.api.proof.Bench.results", lambda _: (seen,))
    code, out, err = said(tmp_path, lab(), *MODEL, "--format", "json")
    assert code == 1
    assert "a line is not as designed" in err
    assert not json.loads(out)["compiles"]


def test_nothing_to_adopt_writes_nothing(tmp_path: Path) -> None:
    for files in ({"a.txt": "hello"}, FAULTS[Code.ADOPT_MODEL], {"x.cfg": "feature bgp\n"}):
        code, _, err = said(tmp_path, files)
        assert code == 1
        assert err
        assert not (tmp_path / "site").exists()
    assert "NX-OS" in err


def test_two_switches_of_one_name_are_an_error_and_no_line_is_lost(tmp_path: Path) -> None:
    files = {**lab(), "other.cfg": ODD.replace("odd1", "fe-leaf01")}
    code, out, err = said(tmp_path, files, *MODEL, "--format", "json")
    assert code == 1
    assert "FG875 fe-leaf01 is the name of two switches; rename one folder or file" in err
    rest = [each for each in json.loads(out)["remainders"] if each["file"].endswith("other.cfg")]
    assert len(rest) == ODD.count("\n")
    assert checked(tmp_path) == 0


def test_an_unknown_model_is_wrong_usage(tmp_path: Path) -> None:
    code, _, err = said(tmp_path, lab(), "--model", "7050CX3-32X")
    assert code == 64
    assert "7050CX3-32S" in err


TWO = """
site: {name: lab, management: {subnet: 10.255.0.0/20, ntp: [10.255.3.250, 10.255.3.251]}}
frontend:
  leaf: &box {model: 7050CX3-32S, platform: eos}
  spine: *box
  leaf_groups: {cpu: &cpu {leafs: 1-2, servers: {per_leaf: 4, speed: 25G}}}
fabrics: {lan: {kind: evpn, number: 3, leaf: *box, spine: *box, leaf_groups: {cpu: *cpu}}}
tenants:
  red:
    fabric: frontend
    vrfs: {red: {id: 1, vlans: {web: {id: 110, subnet: 10.110.0.0/24}}}}
    attachments: [{group: cpu, access: web}]
  green:
    fabric: lan
    vrfs: {green: {id: 2, vlans: {web: {id: 120, subnet: 10.120.0.0/24}}}}
    attachments: [{group: cpu, access: web}]
"""


def test_a_second_fabric_of_a_kind_has_a_number(tmp_path: Path) -> None:
    code, out, err = said(tmp_path, lab(TWO), *MODEL)
    assert code == 0, err
    assert "found: 8 switches in frontend, lan, 2 tenants" in out
    assert "rendered: 100.0 %" in out
    assert "0 remain" in out
