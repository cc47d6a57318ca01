"""The verbs, as people and pipelines use them: exit codes, formats, files."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.cli.calling import LAB, ROOT, TENANTS, call

from fabricgen.cli.main import VERBS
from fabricgen.intent.reference import reference_page
from fabricgen.nos.features import Feature
from fabricgen.nos.registry import OURS, releases

SITES = sorted(path for path in (ROOT / "intent").iterdir() if path.is_dir())
BROKEN = "site:\n  nme: x\n  management: {subnet: 10.0.0.0/24}\n"


@pytest.fixture
def broken(tmp_path: Path) -> str:
    (tmp_path / "site.yaml").write_text(BROKEN)
    return str(tmp_path)


def copied(site: str, to: Path) -> Path:
    shutil.copytree(site, to)
    return to


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_every_verb_has_help(verb: str) -> None:
    said = call(verb, "--help")
    assert (said.code, said.out[:6]) == (0, "Usage:")


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["check"], ["check", "a", "--fromat", "x"], ["render", LAB], ["diff", "one"]],
)
def test_wrong_usage_is_64(words: list[str]) -> None:
    assert call(*words).code == 64


def test_a_misspelled_verb_is_guessed() -> None:
    assert "did you mean 'render'" in call("rendr").err


@pytest.mark.parametrize("site", SITES, ids=lambda path: path.name)
@pytest.mark.parametrize("platform", OURS)
def test_example_sites_compile_for_every_platform(site: Path, platform: str) -> None:
    said = call("check", str(site), "--as", platform)
    assert said.code == 0, said.out


@pytest.mark.parametrize("site", SITES, ids=lambda path: path.name)
def test_example_sites_are_clean(site: Path) -> None:
    said = call("check", str(site))
    assert said.code == 0, said.out


def test_errors_are_1_and_have_a_place(broken: str) -> None:
    said = call("check", broken)
    assert said.code == 1
    assert "site.yaml:2:3 FG101 unknown key 'nme'" in said.out
    assert "did you mean 'name'?" in said.out


def test_json_findings_are_versioned(broken: str) -> None:
    data = json.loads(call("check", broken, "--format", "json").out)
    assert data["format_version"] == 1
    assert {"code", "file", "line", "column", "hint"} <= data["findings"][0].keys()


def test_sarif_names_rules_and_places(broken: str) -> None:
    run = json.loads(call("check", broken, "--format", "sarif").out)["runs"][0]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] >= 1
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {
        result["ruleId"] for result in run["results"]
    }


def test_what_has_no_place_stands_at_the_first_of_the_site(tmp_path: Path) -> None:
    """GitHub refuses all of a SARIF file of which one result has no location."""
    (tmp_path / "only.yaml").write_text("# nothing\nsite: {}\nfrontend: [\n")
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path, tmp_path / "empty", tmp_path / "nowhere"):
        run = json.loads(call("check", str(folder), "--format", "sarif").out)["runs"][0]
        for result in run["results"]:
            place = result["locations"][0]["physicalLocation"]
            assert place["artifactLocation"]["uri"]
            assert place["region"]["startLine"] >= 1


def test_junit_counts_failures(broken: str) -> None:
    suite = ET.fromstring(call("check", broken, "--format", "junit").out)  # noqa: S314 - our own
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) > 0


def test_github_annotates_lines(broken: str) -> None:
    assert "::error file=" in call("check", broken, "--format", "github").out


def test_markdown_lists_what_was_examined() -> None:
    assert "| check | examined |" in call("check", LAB, "--format", "markdown").out


def test_render_writes_nothing_when_there_are_errors(broken: str, tmp_path: Path) -> None:
    assert call("render", broken, "-o", str(tmp_path / "out")).code == 1
    assert not (tmp_path / "out").exists()


def test_render_then_check_then_change(tmp_path: Path) -> None:
    site, out = copied(LAB, tmp_path / "site"), str(tmp_path / "out")
    assert call("render", str(site), "-o", out).code == 0
    assert call("render", str(site), "-o", out, "--check").code == 0
    text = (site / "backend.yaml").read_text()
    (site / "backend.yaml").write_text(text.replace("length: 10", "length: 12"))
    for name, old, new in (
        ("frontend", "leafs: 1-3", "leafs: 1-2"),
        ("racks", "count: 3", "count: 2"),
    ):
        (site / f"{name}.yaml").write_text((site / f"{name}.yaml").read_text().replace(old, new))
    assert call("render", str(site), "-o", out, "--check").code == 2
    assert call("render", str(site), "-o", out).code == 0
    assert call("render", str(site), "-o", out, "--check").code == 0


def test_render_of_one_fabric_leaves_the_other(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call("render", LAB, "-o", str(out), "--fabric", "backend").code == 0
    assert {path.name for path in out.iterdir()} == {"backend", "hosts", "manifest.json"}
    assert call("render", LAB, "-o", str(out), "--fabric", "frontend").code == 0
    assert {path.name for path in out.iterdir()} == {
        "backend",
        "frontend",
        "hosts",
        "manifest.json",
    }


def test_an_unknown_switch_is_guessed(tmp_path: Path) -> None:
    said = call("render", LAB, "-o", str(tmp_path / "out"), "--switch", "fe-leaf1")
    assert said.code == 1
    assert "did you mean 'fe-leaf01'?" in said.err


def test_diff_of_a_site_with_itself_is_0() -> None:
    assert call("diff", TENANTS, TENANTS).code == 0


def test_diff_between_tree_and_site_shows_only_the_change(tmp_path: Path) -> None:
    site, out = copied(TENANTS, tmp_path / "site"), str(tmp_path / "out")
    call("render", str(site), "-o", out)
    red = site / "tenants" / "red.yaml"
    red.write_text(red.read_text().replace("id: 111", "id: 112"))
    said = call("diff", out, str(site))
    assert said.code == 2
    assert "fe-spine" not in said.out
    assert {"- eos.cfg: vlan 111", "+ eos.cfg: vlan 112"} <= {
        line.removesuffix(" (2 places)") for line in said.out.splitlines()
    }


def test_diff_reads_git_revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = copied(TENANTS, tmp_path / "repo" / "site")
    monkeypatch.chdir(tmp_path / "repo")
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@example.net", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *words], check=True)
    assert call("diff", "HEAD:site", "site").code == 0
    assert call("diff", "HEAD:site/../site", "site").code == 0
    assert "is outside of the repository" in call("diff", "HEAD:../site", "site").err
    red = site / "tenants" / "red.yaml"
    red.write_text(red.read_text().replace("10.110.0.0/24", "10.119.0.0/24"))
    said = call("diff", "HEAD:site", "site", "--format", "json")
    assert said.code == 2
    assert len(json.loads(said.out)["changed"]) == 6  # the two border leafs announce the subnet
    assert call("diff", "nope:site", "site").code == 1


def test_a_change_has_its_place_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub refuses a SARIF result without one."""
    site = copied(TENANTS, tmp_path / "site")
    (site / "tenants" / "blue.yaml").unlink()
    copied(TENANTS, tmp_path / "old")
    monkeypatch.chdir(tmp_path)
    assert call("render", "site", "-o", "out").code == 0
    places = {
        "site": ("old/tenants/blue.yaml",),
        "out": ("out/frontend/fe-leaf", "out/hosts/fe-leaf"),
    }
    for after, uris in places.items():
        said = json.loads(call("diff", "old", after, "--format", "sarif").out)
        for result in said["runs"][0]["results"]:
            place = result["locations"][0]["physicalLocation"]
            assert place["artifactLocation"]["uri"].startswith(uris)
            assert place["region"]["startLine"] >= 1


@pytest.mark.parametrize(
    ("bar", "code"), [("session-reset", 1), ("lossless-disruptive", 2), ("reboot", 2)]
)
def test_diff_refuses_what_is_too_risky(bar: str, code: int, tmp_path: Path) -> None:
    site = copied(TENANTS, tmp_path / "site")
    red = site / "tenants" / "red.yaml"
    red.write_text(red.read_text().replace("10.110.0.0/24", "10.119.0.0/24"))  # another gateway
    said = call("diff", TENANTS, str(site), "--fail-on", bar)
    assert said.code == code
    assert ("refused for 6 switches" in said.err) == (code == 1)
    assert call("diff", TENANTS, TENANTS, "--fail-on", bar).code == 0
    assert call("diff", TENANTS, str(site), "--fail-on", "everything").code == 64


@pytest.mark.parametrize("form", ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"])
def test_every_format_shows_a_diff(form: str, tmp_path: Path) -> None:
    site = copied(TENANTS, tmp_path / "site")
    (site / "tenants" / "blue.yaml").unlink()
    said = call("diff", TENANTS, str(site), "--format", form)
    assert said.code == 2
    assert "fe-leaf0" in said.out
    assert "session-reset" in said.out


def test_the_model_is_json_with_a_version() -> None:
    data = json.loads(call("model", LAB).out)
    assert data["format_version"] == 1
    assert [fabric["name"] for fabric in data["fabrics"]] == ["frontend", "backend"]
    assert {len(fabric["switches"]) for fabric in data["fabrics"]} == {6}


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_capabilities_name_every_platform(form: str) -> None:
    said = call("capabilities", "--format", form).out
    assert all(name in said for name in (*OURS, "pfc-watchdog"))


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft202012Validator:
    """Check the schema itself, once: that takes longer than any site."""
    found = json.loads(call("schema").out)
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


@pytest.mark.parametrize("site", SITES, ids=lambda path: path.name)
def test_the_schema_accepts_the_example_sites(
    site: Path, schema: jsonschema.Draft202012Validator
) -> None:
    for path in site.rglob("*.yaml"):
        schema.validate(yaml.safe_load(path.read_text()))


def test_every_field_of_the_schema_is_described() -> None:
    schema = json.loads(call("schema").out)
    bare = [
        f"{name}.{key}"
        for name, model in schema["$defs"].items()
        for key, field in model.get("properties", {}).items()
        if not field.get("description")
    ]
    assert bare == []


def test_the_reference_is_printed_as_one_page() -> None:
    page = call("schema", "--format", "markdown").out
    assert page == reference_page(releases())
    assert "](#backend)" in page


def test_no_color_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    assert "\x1b[" not in call("check", broken).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in call("check", broken).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in call("check", broken).out


def test_no_name_of_a_feature_is_cut() -> None:
    said = call("capabilities").out
    assert all(f" {feature.value} " in said for feature in Feature)


def test_capabilities_tell_what_is_done_in_part() -> None:
    said = call("capabilities").out
    (row,) = [line for line in said.splitlines() if line.strip().startswith("pfc-watchdog")]
    assert row.split()[1] == "part"
    assert "eos pfc-watchdog: it covers only queues with guaranteed bandwidth" in said
    features = json.loads(call("capabilities", "--format", "json").out)["features"]
    answer = features["pfc-watchdog"]["eos"]
    assert answer["supported"] is True
    assert "guaranteed bandwidth" in answer["but"]
    assert "but" not in features["pfc"]["eos"]
