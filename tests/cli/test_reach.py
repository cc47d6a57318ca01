"""The verb `reach` as a person calls it: answers, exit codes, a tree that was broken by hand."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.calling import LAB, TENANTS, call


@pytest.mark.parametrize(
    ("one", "other", "code", "rule"),
    [
        ("fe-leaf01-h1", "red-app", 0, "both are in VRF red"),
        ("red", "blue", 1, "VRFs red and blue share no route"),
        ("gpu0001:rdma0", "gpu0002:rdma1", 0, "both are in the backend"),
        ("gpu0001:rdma0", "10.10.10.0/24", 1, "the fabrics are separate networks"),
    ],
)
def test_a_question_has_an_answer_with_its_rule(one: str, other: str, code: int, rule: str) -> None:
    said = call("reach", LAB, "--from", one, "--to", other, "--proto", "tcp/443")
    assert said.code == code, said.err
    assert rule in said.out
    assert "the engines differ" not in said.out


def test_outside_is_reached_by_who_may_and_reaches_what_it_is_told() -> None:
    assert call("reach", TENANTS, "--from", "red-web", "--to", "8.8.8.8").code == 0
    assert call("reach", TENANTS, "--from", "outside:isp1", "--to", "red-web").code == 0
    barred = call("reach", TENANTS, "--from", "outside:isp1", "--to", "blue-batch")
    assert barred.code == 1
    assert "isp1 receives no route" in barred.out


def test_the_line_of_the_file_and_the_place_of_the_intent_are_named() -> None:
    out = call("reach", TENANTS, "--from", "fe-leaf01-s01", "--to", "fe-leaf02-s02").out
    assert "tenants/red.yaml:10:11]" in out
    assert "`vxlan vlan 110 vni 10110`]" in out


def test_the_matrix_is_a_report_and_a_check(tmp_path: Path) -> None:
    said = call("reach", LAB, "--matrix", "--format", "json")
    cells = {(row["from"], row["to"]): row["pairs"] for row in json.loads(said.out)["networks"]}
    assert said.code == 0
    assert list(cells["frontend red red-web", "frontend red red-app"]) == ["reaches"]
    assert list(cells["frontend red red-web", "frontend blue blue-web"]) == ["does not reach"]
    tree = tmp_path / "tree"
    assert call("render", LAB, "-o", str(tree)).code == 0
    ports = tree / "frontend" / "fe-leaf01" / "etc" / "network" / "interfaces"
    text = ports.read_text()
    ports.write_text(text.replace("    vrf red\n", "    vrf blue\n", 1))
    assert ports.read_text() != text
    broken = call("reach", LAB, "--matrix", "--files", str(tree))
    lines = re.search(r"([\d.]+) % used, ([\d.]+) % ignored, 0.0 % not read", broken.out)
    assert lines is not None
    assert sum(map(float, lines.groups())) == pytest.approx(100, abs=0.11)
    document = json.loads(
        call("reach", LAB, "--matrix", "--files", str(tree), "--format", "json").out
    )
    counts = document["lines"]
    assert counts["used"] + sum(counts["ignored"].values()) == counts["all"]
    assert broken.code == 1
    assert "FG339 " in broken.out
    assert "FG338 " in broken.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 64),
        (("--matrix", "--from", "red"), 64),
        (("--from", "red", "--to", "red", "--proto", "tls/1"), 64),
        (("--from", "nobody", "--to", "red"), 1),
    ],
)
def test_what_cannot_be_asked_is_said(words: tuple[str, ...], code: int) -> None:
    said = call("reach", LAB, *words)
    assert said.code == code
    assert said.err


def test_the_verdict_comes_first_and_alike_pairs_are_shown_once() -> None:
    said = call("reach", LAB, "--from", "gpu", "--to", "gpu")
    first, *rest = said.out.splitlines()
    assert re.fullmatch(
        r"partly: \d+ of \d+ address pairs reachable; the model and the files agree", first
    )
    rules = [line for line in rest if line.startswith("  model: does not reach")]
    assert len(rules) == len({line.partition("  [")[0] for line in rules})
    assert said.code == 1  # a pair of addresses does not reach


def test_a_name_that_nothing_has_gets_the_nearest_one() -> None:
    said = call("reach", LAB, "--from", "gpuu", "--to", "red")
    assert said.code == 1
    assert "did you mean 'gpu'?" in said.err


def test_the_matrix_begins_with_the_verdict() -> None:
    first = call("reach", LAB, "--matrix").out.splitlines()[0]
    assert re.fullmatch(r"yes: the files agree with the model for [\d,]+ address pairs", first)


def test_a_tree_that_lacks_files_of_the_site_is_said(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    assert call("render", LAB, "-o", str(tree)).code == 0
    (tree / "frontend" / "fe-leaf01" / "etc" / "hostname").unlink()
    said = call("reach", LAB, "--matrix", "--files", str(tree))
    assert said.code == 1
    assert "frontend/fe-leaf01/etc/hostname: No such file or directory" in said.out + said.err
    assert "Traceback" not in said.err
