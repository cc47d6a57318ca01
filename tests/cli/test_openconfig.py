"""`fabricgen export openconfig`, as people use it."""

import csv
import json
from pathlib import Path

from tests.cli.calling import LAB, TENANTS, call


def test_each_switch_has_a_file_and_the_list_names_the_rest(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = call("export", "openconfig", TENANTS, "-o", str(out))
    assert said.code == 0, said.err
    assert said.out.endswith(f"{out}: 8 switches, and not-modeled.csv lists the rest\n")
    files = {path.stem: json.loads(path.read_text()) for path in out.glob("frontend/*.json")}
    assert len(files) == 8
    for name, tree in files.items():
        assert tree["openconfig-system:system"]["config"]["hostname"] == name
    rows = list(csv.DictReader((out / "not-modeled.csv").read_text().splitlines()))
    assert set(rows[0]) == {"switch", "part", "reason"}
    assert {row["switch"] for row in rows} <= files.keys()


def test_one_switch_is_written_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = call("export", "openconfig", LAB, "-o", str(out), "--switch", "fe-leaf01")
    assert said.code == 0, said.err
    assert "1 switch, and " in said.out
    assert [path.name for path in out.glob("*/*.json")] == ["fe-leaf01.json"]


def test_an_unknown_switch_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = call("export", "openconfig", LAB, "-o", str(out), "--switch", "fe-leaf011")
    assert said.code == 1
    assert "no switch 'fe-leaf011'" in said.err
    assert "fe-leaf01" in said.err
    assert not out.exists()
