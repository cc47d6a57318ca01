"""The lossless verb: every number with its terms, as text, JSON and pictures."""

import json
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.cli.calling import LAB, ROOT, TENANTS, call

FULL = str(ROOT / "intent" / "full")
RAILS = str(ROOT / "intent" / "rail-optimized")


def test_the_text_shows_headroom_terms_and_rules() -> None:
    said = call("lossless", RAILS)
    assert said.code == 0
    for word in (
        "bytes of headroom per port",
        "turn-round",
        "shared pool",
        "pause at",
        "Kmin: 1 x BDP",
        "holds           marking before pause, 400G",
        "config_db.json: BUFFER_POOL > ingress_lossless_pool > size, xoff",
    ):
        assert word in said.out


@pytest.mark.parametrize("site", [RAILS, LAB])
def test_the_ratios_are_those_that_check_prints(site: str) -> None:
    said = call("lossless", site).out.splitlines()[-1]
    assert said.startswith("backend bandwidth, below to above: leaf ")
    assert said in call("check", site).out.splitlines()
    data = json.loads(call("lossless", site, "--format", "json").out)
    assert f"leaf {data['oversubscription']['backend']['leaf']:.3g} : 1" in said


def test_the_json_adds_up() -> None:
    data = json.loads(call("lossless", RAILS, "--format", "json").out)
    assert data["format_version"] == 1
    for kind in data["switches"]:
        assert sum(term["value"] for term in kind["terms"]) == kind["memory_bytes"]
        for port in kind["ports"]:
            assert sum(term["value"] for term in port["terms"]) == port["computed_bytes"]
    (plan,) = data["marking"]["backend"]
    assert plan["minimum_bytes"] < plan["maximum_bytes"]
    assert plan["maximum_bytes"] <= min(kind["pause_at_bytes"] for kind in data["switches"]) * 0.9
    assert {claim["state"] for claim in claims(data)} == {"holds"}


def claims(data: Any) -> list[dict[str, Any]]:
    """Every claim of a report."""
    read = [port for kind in data["switches"] for port in kind["files"]]
    return [claim for port in read for claim in port["claims"]]


def test_an_os_that_is_told_nothing_of_memory_claims_nothing_of_it() -> None:
    data = json.loads(call("lossless", LAB, "--format", "json").out)
    found = {claim["rule"]: claim for claim in claims(data)}
    assert set(found) == {
        "Kmin holds one frame, 100G",
        "Kmin below Kmax, 100G",
        "probability is a percentage, 100G",
    }
    assert all(claim["lines"] for claim in found.values())


def test_a_storage_class_has_its_own_lines_and_rules() -> None:
    said = call("lossless", FULL, "--switch", "be-spine1").out
    assert "bytes of headroom per port for each of 2 classes" in said
    assert "  ECN on 400G: " in said
    assert "  ECN of storage on 400G: " in said
    data = json.loads(call("lossless", FULL, "--format", "json").out)
    assert [plan["class"] for plan in data["marking"]["backend"]] == ["lossless", "storage"]
    kinds = [kind for kind in data["switches"] if kind["fabric"] == "backend"]
    assert {kind["lossless_classes"] for kind in kinds} == {2}
    assert {port["class"] for kind in kinds for port in kind["files"]} == {
        "lossless",
        "storage",
    }


def test_what_is_written_for_storage_says_why() -> None:
    said = call("explain", FULL, "be-su01-leaf1", "scheduler.storage").out
    lines = (ROOT / "intent" / "full" / "backend.yaml").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "storage:" in text)
    assert f"backend.yaml:{line}:5  backend.roce.storage" in said
    said = call("explain", FULL, "be-su01-leaf1", "scheduler.lossless").out
    assert "backend.roce.storage" not in said
    said = call("explain", FULL, "be-su01-leaf1", '"xoff": "612140"').out
    assert "for each of 2 lossless classes" in said


def test_the_report_says_the_pool_that_is_written(tmp_path: Path) -> None:
    assert call("render", FULL, "-o", str(tmp_path)).code == 0
    data = json.loads(call("lossless", FULL, "--format", "json").out)
    for kind in data["switches"]:
        for name in kind["switches"]:
            file = tmp_path / kind["fabric"] / name / "config_db.json"
            pool = json.loads(file.read_text())["BUFFER_POOL"]["ingress_lossless_pool"]
            assert kind["headroom_bytes"] == kind["headroom_pool_bytes"] == int(pool["xoff"])
            assert kind["shared_bytes"] <= int(pool["size"])


def test_a_picture_shows_both_classes_only_where_they_differ(tmp_path: Path) -> None:
    assert call("lossless", FULL, "--pictures", str(tmp_path)).code == 0
    alike = (tmp_path / "be-spine1.svg").read_text()
    assert "one of 2 lossless groups of a port" in alike
    assert alike.count("Kmin") == 1
    folder = tmp_path / "site"
    shutil.copytree(FULL, folder)
    file = folder / "backend.yaml"
    own = "{share: 20, ecn: {minimum: 100000, maximum: 200000}}"
    file.write_text(file.read_text().replace("{share: 20}", own))
    assert call("lossless", str(folder), "--pictures", str(tmp_path)).code == 0
    apart = (tmp_path / "be-spine1.svg").read_text()
    ET.fromstring(apart)  # noqa: S314 - our own file
    for word in ("Kmin of lossless", "Kmax of lossless", "Kmin of storage 100 kB", "pause"):
        assert word in apart


def test_one_switch_can_be_asked_for() -> None:
    data = json.loads(call("lossless", RAILS, "--switch", "be-spine3", "--format", "json").out)
    assert [kind["switches"] for kind in data["switches"]] == [["be-spine3"]]


def test_an_unknown_switch_is_guessed() -> None:
    said = call("lossless", RAILS, "--switch", "be-spin3")
    assert said.code == 1
    assert "did you mean 'be-spine" in said.err


def test_a_site_without_a_backend_has_nothing_lossless() -> None:
    assert call("lossless", TENANTS).code == 1


def test_a_switch_of_another_fabric_is_no_slip_of_the_pen() -> None:
    said = call("lossless", FULL, "--switch", "fe-leaf01")
    assert said.code == 1
    assert "fe-leaf01 of frontend has no lossless class" in said.err
    assert "did you mean" not in said.err


def test_the_lab_runs_without_pause_and_says_so(tmp_path: Path) -> None:
    data = json.loads(call("lossless", LAB, "--format", "json").out)
    assert {kind["headroom_bytes"] for kind in data["switches"]} == {0}
    assert data["watchdog"] == {"backend": None}
    said = call("lossless", LAB, "--pictures", str(tmp_path)).out
    assert "no class is paused (roce.pfc: false), so ports need no headroom" in said
    assert "bytes of headroom" not in said
    assert "marking before pause" not in said
    assert "holds           Kmin below Kmax, 100G" in said
    assert "pause" not in (tmp_path / "be-spine1.svg").read_text()


def test_what_all_switches_share_is_said_once_a_fabric() -> None:
    said = call("lossless", RAILS).out
    assert said.count("bytes of packet memory") == 2
    for word in ("common to all switches and NICs", "  ECN on 400G", "  PFC watchdog: ", " ns\n"):
        assert said.count(word) == 1
    data = json.loads(call("lossless", RAILS, "--format", "json").out)
    (lossless,) = (one for one in data["classes"]["backend"] if one["class"] == "lossless")
    assert (lossless["dscps"], lossless["paused_priority"]) == ([26], 3)
    assert data["watchdog"]["backend"]["detection_ms"] == 200


def test_the_watchdog_of_a_switch_is_that_in_its_files() -> None:
    said = call("lossless", RAILS, "--switch", "be-su01-leaf1").out
    assert "holds           detection spans two polls: 800 >= 2 x 400 ms" in said
    assert said.count("; then drop, for up to 32 ports where software polls") == 1


def test_without_marking_the_report_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(FULL, folder)
    file = folder / "backend.yaml"
    off = "    ecn: {enabled: false}\n    storage: {share: 20, ecn: {enabled: false}}"
    file.write_text(file.read_text().replace("    storage: {share: 20}", off))
    said = call("lossless", str(folder), "--pictures", str(tmp_path))
    assert said.code == 0, said.err
    assert "ECN is off (roce.ecn.enabled: false)" in said.out
    drawn = (tmp_path / "be-spine1.svg").read_text()
    assert "pause 513 kB" in drawn
    assert "Kmin" not in drawn


def test_a_pool_says_how_far_it_is_over_subscribed() -> None:
    said = call("lossless", FULL, "--switch", "be-spine1").out
    assert "shared headroom pool (as the model ships; 156,707,840 are needed, 5.3 to 1)" in said


@pytest.mark.parametrize("name", ["be-spine1.svg", "be-su01-leaf1.svg"])
def test_the_pictures_of_the_docs_are_up_to_date(name: str, tmp_path: Path) -> None:
    assert call("lossless", RAILS, "--pictures", str(tmp_path)).code == 0
    drawn = (tmp_path / name).read_text()
    assert drawn == (ROOT / "docs" / "pictures" / name).read_text()
    ET.fromstring(drawn)  # noqa: S314 - our own file
    assert "Kmin" in drawn
    assert "pause" in drawn
