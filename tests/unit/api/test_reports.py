"""The reports of a site have the data that the verbs print, and files have the same bytes."""

import csv
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.calling import call
from tests.unit.api.conftest import RECORDED

import fabricgen.api
from fabricgen import Failure, InvalidSite, MissingExtra, Refused, Site, Unproven
from fabricgen.api import proof
from fabricgen.core.diagnostics import Code, Diagnostic, Examined


def printed(*words: str) -> dict[str, Any]:
    """Return the document of a verb without its version."""
    said = call(*words, "--format", "json")
    document: dict[str, Any] = json.loads(said.out)
    assert document.pop("format_version") == 1
    return document


def as_json(data: object) -> Any:
    return json.loads(json.dumps(data))


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


def test_failures_are_those_of_the_verb(lab: Site) -> None:
    assert as_json(lab.failures().as_data()) == printed("failures", "intent/lab")
    some = printed("failures", "intent/lab", "--fail", "fe-spine1", "--fail", "be-spine1")
    assert as_json(lab.failures("fe-spine1", "be-spine1").as_data()) == some


def test_lossless_numbers_are_those_of_the_verb(lab: Site) -> None:
    assert as_json(lab.lossless().as_data()) == printed("lossless", "intent/lab")


def test_reachability_is_that_of_the_verb() -> None:
    site = Site.load("intent/lab")
    found = site.reach("gpu0001", "gpu0002", "tcp/443")
    words = ("reach", "intent/lab", "--from", "gpu0001", "--to", "gpu0002", "--proto", "tcp/443")
    assert as_json(found.as_data()) == printed(*words)
    assert len(found.cases) > 1


def test_a_service_without_a_meaning_is_refused(lab: Site) -> None:
    with pytest.raises(Failure, match="invalid 'http'"):
        lab.reach("gpu0001", "gpu0002", "http")


def test_the_matrix_is_that_of_the_verb(lab: Site) -> None:
    found = lab.matrix()
    assert found.ok
    assert as_json(found.as_data()) == printed("reach", "intent/lab", "--matrix")


def test_the_cabling_is_that_of_the_verb(lab: Site, tmp_path: Path) -> None:
    plan = lab.cabling()
    plan.write(tmp_path / "own")
    assert call("cabling", "intent/lab", "-o", str(tmp_path / "verb")).code == 0
    assert bytes_in(tmp_path / "own") == bytes_in(tmp_path / "verb")
    rows = list(csv.DictReader((tmp_path / "verb" / "cabling.csv").read_text().splitlines()))
    assert [row["id"] for row in rows] == [row["id"] for row in plan.rows]
    assert [row["b_label"] for row in rows] == [
        row["b_label"] for row in as_json(plan.as_data())["cables"]
    ]
    assert len(plan) == len(rows) > 1
    found = printed("cabling", "intent/lab", "--where", "fe-leaf01:1")
    assert as_json(plan.at("fe-leaf01:1")) == found["cables"]


def test_a_tree_has_the_bytes_of_the_verb(tmp_path: Path) -> None:
    own, verb = tmp_path / "own", tmp_path / "verb"
    tree = Site.load("intent/lab").render(own)
    assert call("render", "intent/lab", "-o", str(verb)).code == 0
    assert bytes_in(own) == bytes_in(verb)
    assert tree.files == tree.changed == len(bytes_in(own)) - 1  # the manifest
    said = call("render", "intent/lab", "-o", str(own)).out
    assert "was not compiled again" in said
    again = Site.load("intent/lab").render(own)
    assert (again.files, again.changed, again.removed) == (tree.files, 0, 0)


def test_a_tree_for_another_platform_has_the_bytes_of_the_verb(tmp_path: Path) -> None:
    Site.load("intent/lab", platform="sonic").render(tmp_path / "own")
    words = ("render", "intent/lab", "-o", str(tmp_path / "verb"), "--as", "sonic")
    assert call(*words).code == 0
    assert bytes_in(tmp_path / "own") == bytes_in(tmp_path / "verb")


def test_a_changed_file_is_overwritten_only_by_force(lab: Site, tmp_path: Path) -> None:
    lab.render(tmp_path / "tree")
    file = tmp_path / "tree" / "frontend" / "fe-leaf01" / "etc" / "frr" / "frr.conf"
    text = file.read_text()
    file.write_text("by hand\n")
    with pytest.raises(Refused, match="changed by hand"):
        lab.render(tmp_path / "tree")
    assert file.read_text() == "by hand\n"
    lab.render(tmp_path / "tree", force=True)
    assert file.read_text() == text


def test_files_that_are_not_the_design_are_not_written(
    lab: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Diagnostic(Code.NO_SUCH_OBJECT, "a line is missing")
    seen = Examined(check="lines", objects=1, noun="lines", findings=(wrong,))
    monkeypatch.setattr(proof.Bench, "results", lambda _: (seen,))
    with pytest.raises(Unproven, match="a line is missing") as raised:
        lab.render(tmp_path / "tree")
    assert raised.value.examined == seen
    assert not (tmp_path / "tree").exists()


def edited(site: Path) -> Site:
    file = site / "site.yaml"
    file.write_text(file.read_text().replace("10.255.0.251", "10.255.0.252"))
    return Site.load(site)


def test_a_diff_is_that_of_the_verb(copy: Path) -> None:
    before = Site.load(copy)
    after = edited(copy)
    shutil.copytree("intent/lab", copy.parent / "old")
    old, new = str(copy.parent / "old"), str(copy)
    found = after.diff(copy.parent / "old")
    assert as_json(found.as_data()) == printed("diff", old, new)
    assert found.as_markdown() == call("diff", old, new, "--format", "markdown").out
    assert [each.text for each in found.effects] == [
        "NTP server 10.255.0.252 added",
        "NTP server 10.255.0.251 removed",
    ]
    assert (found.risk, found.refused) == ("hitless", ())
    assert found.causes
    assert after.diff(before).effects == found.effects  # a loaded site keeps what it has read
    assert after.diff(after).risk == ""
    assert after.diff(after).blocks == ()


def test_a_gate_of_the_first_side_refuses_as_in_the_verb(copy: Path) -> None:
    file = copy / "site.yaml"
    file.write_text(file.read_text() + "review:\n  freeze: [site/management]\n")
    old = Path(shutil.copytree(copy, copy.parent / "old"))
    found = edited(copy).diff(old)
    assert found.refused
    assert as_json(found.as_data()) == printed("diff", str(old), str(copy))
    assert found.as_markdown() == call("diff", str(old), str(copy), "--format", "markdown").out


def test_a_tree_and_a_revision_are_sides_of_a_diff(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy.parent)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "a")):
        subprocess.run([*git, *words], check=True)
    Site.load("lab").render("tree")
    after = edited(Path("lab"))
    for side in ("tree", "HEAD:lab"):
        assert as_json(after.diff(side).as_data()) == printed("diff", side, "lab")
        assert len(after.diff(side).blocks) > 0


def test_a_side_that_cannot_be_read_is_an_error(lab: Site, tmp_path: Path) -> None:
    with pytest.raises(InvalidSite):
        lab.diff(tmp_path / "none")


def test_recorded_answers_give_the_results_of_the_verb() -> None:
    site, answers = str(RECORDED / "site"), str(next(RECORDED.glob("answers*")))
    found = Site.load(site).verify(answers=answers)
    words = ("verify", site, "--from", answers, "--journal", "/proc/none/journal")
    assert as_json(found.as_data()) == printed(*words)
    assert not found.ok
    assert found.findings
    assert found.incidents
    assert found.strangers == ()


def test_a_folder_without_answers_is_an_error(lab: Site, tmp_path: Path) -> None:
    with pytest.raises(Failure, match="no recording"):
        lab.verify(answers=tmp_path)


@pytest.mark.parametrize(
    ("package", "call_of"),
    [
        ("plan", lambda site: site.cabling()),
        ("operate", lambda site: site.verify(answers=".")),
        ("prove.failures", lambda site: site.failures()),
        ("prove.reach", lambda site: site.matrix()),
    ],
)
def test_a_missing_package_is_an_error_that_names_it(
    lab: Site, package: str, call_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fabricgen.api, "is_installed", lambda name: name != package)
    with pytest.raises(MissingExtra, match=rf"fabricgen\.{package}"):
        call_of(lab)
