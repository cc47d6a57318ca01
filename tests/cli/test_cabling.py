"""What `fabricgen cabling --where` finds behind a port, and what it says of a wrong name."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.calling import ROOT, call

FULL, OOB = str(ROOT / "intent" / "full"), str(ROOT / "intent" / "oob")


def found(site: str, where: str) -> list[dict[str, Any]]:
    said = call("cabling", site, "--where", where, "--format", "json")
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert (told["format_version"], told["where"]) == (1, where)
    cables: list[dict[str, Any]] = told["cables"]
    return cables


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("plans") / "oob"
    assert call("cabling", OOB, "-o", str(target)).code == 0
    return target


@pytest.mark.parametrize(
    ("where", "cables"),
    [
        ("be-su01-leaf1:Ethernet12", ["be-su01-leaf1:2/2"]),
        ("be-su01-leaf1:2/2", ["be-su01-leaf1:2/2"]),
        ("gpu0004:rdma0", ["be-su01-leaf1:2/2"]),
        ("fe-leaf01:1", [f"fe-leaf01:1/{port}" for port in (1, 2, 3, 4)]),
        ("be-su01-leaf1:eth0", ["oob-leaf06:1"]),
        ("be-su01-leaf1-mgmt:eth0", ["oob-leaf06:1"]),
    ],
)
def test_a_port_has_several_names_and_one_answer(where: str, cables: list[str]) -> None:
    assert [each["id"] for each in found(FULL, where)] == cables


def test_the_answer_is_the_row_of_the_lists(plan: Path) -> None:
    rows = {
        name: {row[key]: row for row in csv.DictReader((plan / name).read_text().splitlines())}
        for name, key in (("cabling.csv", "id"), ("panels.csv", "cable"))
    }
    cable, row = next(iter(rows["panels.csv"].items()))
    (told,) = found(OOB, cable)
    for name, value in rows["cabling.csv"][cable].items():
        assert str(told.get(name, "")) in {value, f"{value}.0"}, name
    for side in "ab":
        assert told[f"{side}_panel"] == row[f"{side}_panel"]
        assert f"{told[f'{side}_panel_unit']}" == row[f"{side}_unit"]
        assert told[f"{side}_panel_port"] == row[f"{side}_port"]
        order = (plan / told[f"{side}_work_order"]).read_text()
        assert told[f"{side}_device"] in order
        assert f"{row[f'{side}_panel']}:{row[f'{side}_port']}" in order
    bought = (plan / "bom.csv").read_text()
    assert all(f",{part}," in bought for part in told["parts"])


def test_the_text_names_both_panels_and_the_work_orders(plan: Path) -> None:
    row = next(csv.DictReader((plan / "panels.csv").read_text().splitlines()))
    out = call("cabling", OOB, "--where", row["cable"]).out
    for side in "ab":
        assert f"{row[f'{side}_panel']} port {row[f'{side}_port']}" in out
        assert f"work-orders/{row[f'{side}_rack']}.html" in out
    assert f"{row['loss_db']} dB, budget {row['budget_db']}" in out


@pytest.mark.parametrize(
    ("where", "hint"),
    [
        ("be-su01-leaf1:Ethernet13", "did you mean 'Ethernet1"),
        ("be-su01-leave1:Ethernet12", "did you mean 'be-su01-leaf1'"),
        ("fe-leaf01", "fe-leaf01: known: "),
        ("", "known: "),
    ],
)
def test_a_wrong_name_has_a_suggestion(where: str, hint: str) -> None:
    said = call("cabling", FULL, "--where", where)
    assert said.code == 1
    assert "FG503 no cable at" in said.err
    assert hint in said.err


def test_the_two_tasks_exclude_each_other(tmp_path: Path) -> None:
    target = str(tmp_path / "plan")
    assert call("cabling", OOB).code == 64
    assert call("cabling", OOB, "-o", target, "--format", "json").code == 64
    assert call("cabling", OOB, "-o", target, "--where", "fe-spine1:1").code == 64
    assert call("cabling", OOB, "--force", "--where", "fe-spine1:1").code == 64
    assert not Path(target).exists()
