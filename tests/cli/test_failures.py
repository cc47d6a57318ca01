"""The verb `failures`: promises decide the exit code, one failure may be asked for by name."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.calling import LAB, call
from tests.keys.sites import SITES


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return shutil.copytree(LAB, tmp_path / "lab")


def promising(site: Path, promise: str) -> Path:
    (site / "failures.yaml").write_text(f"failures: {{promises: {{one: {promise}}}}}\n")
    return site


@pytest.mark.parametrize(
    ("promise", "code"),
    [
        ("{fabric: frontend, no_server_loses_it: true, after: [link, spine]}", 0),
        ("{fabric: frontend, no_server_loses_it: true, after: [leaf]}", 1),
        ("{fabric: frontend, keeps: 50, after: [spine]}", 0),
        ("{fabric: frontend, keeps: 50.1, after: [spine]}", 1),
        ("{fabric: frontend, keeps: 87.5, after: [link]}", 0),
        ("{fabric: frontend, each_server_keeps: 50, after: [link]}", 0),
        ("{fabric: frontend, each_server_keeps: 51, after: [link]}", 1),
        ("{fabric: backend, rails: true, keeps: 75, after: [server-link, spine]}", 0),
        ("{fabric: backend, rails: true, keeps: 75, after: [leaf]}", 1),
        ("{tenant: red, keeps: 75, after: [leaf]}", 0),
        ("{tenant: red, keeps: 76, after: [leaf]}", 1),
        ("{tenant: red, keeps: 1, after: [power-zone]}", 1),
    ],
)
def test_a_promise_decides_the_exit_code(site: Path, promise: str, code: int) -> None:
    assert call("failures", str(promising(site, promise))).code == code


STATED = "recovery: {linux: {link_down: 5, withdrawal: 20, fib_update: 100, source: a test}}"


@pytest.mark.parametrize(
    ("promise", "stated", "code", "word"),
    [
        ("{fabric: frontend, recovers_within: 899, after: [spine]}", "", "FG340", "broken"),
        ("{fabric: frontend, recovers_within: 900, after: [spine]}", "", "FG372", "not known"),
        ("{tenant: red, recovers_within: 900, after: [spine]}", "", "FG372", "not known"),
        ("{fabric: frontend, recovers_within: 1000, after: [spine]}", STATED, "", "holds"),
        ("{fabric: frontend, recovers_within: 999, after: [spine]}", STATED, "FG340", "broken"),
        (
            "{fabric: frontend, recovers_within: 105, silent: false, after: [spine]}",
            STATED,
            "",
            "holds",
        ),
        (
            "{fabric: frontend, recovers_within: 104, silent: false, after: [spine]}",
            STATED,
            "FG340",
            "broken",
        ),
        ("{fabric: frontend, recovers_within: 1000, after: [double]}", STATED, "FG340", "broken"),
    ],
)
def test_a_promise_of_time_needs_times_with_a_source(
    site: Path, promise: str, stated: str, code: str, word: str
) -> None:
    double = "double_failures: [[fe-spine1, 'fe-leaf01:30']]"
    words = ", ".join(filter(None, [f"promises: {{one: {promise}}}", stated, double]))
    (site / "failures.yaml").write_text(f"failures: {{{words}}}\n")
    said = call("failures", str(site))
    assert (said.code, f"requirement one: {word}" in said.out) == (1 if code else 0, True)
    assert code in said.err
    assert ("times of linux: a test" in said.out) == bool(stated)


def test_times_and_costs_are_data_too(site: Path) -> None:
    told = json.loads(call("failures", str(site), "--format", "json").out)
    first = told["recovery"]["frontend"][0]
    assert (first["kind"], first["least_ms"], first["most_ms"]) == ("spine", 0, None)
    backend = next(row for row in told["fabrics"]["backend"] if row["kind"] == "spine")
    assert (backend["groups"][0]["servers_hit"], backend["groups"][0]["gpus_hit"]) == (4, 16)
    assert told["figures"] == {}


@pytest.mark.parametrize(
    "words",
    [
        "promises: {p: {fabric: frontend, recovers_within: 0}}",
        "promises: {p: {fabric: frontend, keeps: 5, silent: false}}",
        "promises: {p: {between: [frontend, backend], recovers_within: 5}}",
        "recovery: {junos: {fib_update: 5, source: a}}",
        "recovery: {linux: {fib_update: 5}}",
        "recovery: {linux: {fib_update: -1, source: a}}",
    ],
)
def test_a_time_that_means_nothing_is_refused(site: Path, words: str) -> None:
    (site / "failures.yaml").write_text(f"failures: {{{words}}}\n")
    assert call("check", str(site)).code == 1


def test_what_the_intent_names_fails_together(site: Path) -> None:
    (site / "failures.yaml").write_text(
        "failures:\n"
        "  power_zones: {east: {switches: ['*-spine1', fe-leaf01]}}\n"
        "  double_failures: [[fe-spine1, 'fe-leaf01:30']]\n"
    )
    rows = json.loads(call("failures", str(site), "--format", "json").out)["fabrics"]["frontend"]
    named = {row["failures"][0]: row["groups"][0] for row in rows}
    assert named["east"]["keeps"] == 3 / 8  # three of four leafs, each with one of two spines
    alone = named["fe-spine1 and fe-leaf01:30"]
    assert alone["lost"] == [f"fe-leaf01-h{number}" for number in range(1, 5)]
    assert alone["keeps"] == 3 / 8


def test_a_failure_is_asked_for_by_name(site: Path) -> None:
    said = call("failures", str(site), "--fail", "gpu0002:rdma0", "--fail", "be-spine1")
    assert said.code == 0
    assert "gpu0002 loses rail 1" in said.out
    assert "frontend" not in said.out


def test_a_name_that_is_not_there_is_refused(site: Path) -> None:
    said = call("failures", str(site), "--fail", "be-spin1")
    assert said.code == 1
    assert "did you mean 'be-spine1'?" in said.err


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("power_zones: {a: {switches: [fe-spine9]}}", "failures.power_zones.a.switches"),
        ("double_failures: [[fe-spine1, 'fe-leaf01:20']]", "failures.double_failures"),
        ("promises: {p: {fabric: nowhere, keeps: 5}}", "failures.promises.p.fabric"),
        ("promises: {p: {tenant: nobody, keeps: 5}}", "failures.promises.p.tenant"),
    ],
)
def test_check_refuses_what_is_not_there(site: Path, words: str, place: str) -> None:
    (site / "failures.yaml").write_text(f"failures: {{{words}}}\n")
    said = call("check", str(site), "--format", "json")
    assert said.code == 1
    assert any(
        item["code"] == "FG105" and place in (item.get("path") or "")
        for item in json.loads(said.out)["findings"]
    )


@pytest.fixture
def halls(tmp_path: Path) -> Path:
    """Return two halls that a bundle of two cables joins, on one leaf of each."""
    folder = tmp_path / "halls"
    folder.mkdir()
    (folder / "site.yaml").write_text(json.dumps(SITES["joined"]))
    return folder


@pytest.mark.parametrize(
    ("promise", "code"),
    [
        ("{between: [east, west], no_vrf_loses_it: true, after: [site-link, spine]}", 0),
        ("{between: [west, east], no_vrf_loses_it: true, after: [leaf]}", 1),
        ("{between: [east, west], keeps: 100, after: [site-link]}", 0),
        ("{between: [east, west], keeps: 1, after: [double]}", 1),
        ("{between: [east, west], each_server_keeps: 50, no_vrf_loses_it: true}", 1),
        ("{between: [east, east], no_vrf_loses_it: true}", 1),
        ("{between: [east, wets], no_vrf_loses_it: true}", 1),
        ("{fabric: east, no_vrf_loses_it: true}", 1),
    ],
)
def test_a_promise_about_two_sites_decides_it_too(halls: Path, promise: str, code: int) -> None:
    assert call("failures", str(promising(halls, promise))).code == code


def test_single_points_between_sites_are_named(halls: Path) -> None:
    told = call("failures", str(halls)).out
    assert "single points of failure between sites: 2" in told
    assert (
        "without east-leaf01 (or 1 other with equal results): no path for red from east to west"
        in told
    )


def test_a_cable_between_sites_fails_by_either_end(halls: Path) -> None:
    for end in ("east-leaf01:20", "west-leaf02:22"):
        told = json.loads(call("failures", str(halls), "--fail", end, "--format", "json").out)
        (row,) = told["between"]
        assert row["failures"] == [end]
        assert not any(each["lost"] for each in row["networks"])
    ends = ("--fail", "east-leaf01:20", "--fail", "west-leaf02:23")
    (row,) = json.loads(call("failures", str(halls), *ends, "--format", "json").out)["between"]
    assert all(each["lost"] for each in row["networks"])
