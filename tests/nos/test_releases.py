"""A release that the intent names beside the platform: what is refused, and what follows it."""

import json
from dataclasses import replace

import pytest
from tests.cli.calling import call
from tests.switches import files_of_switches

from fabricgen.api.proof import Bench, Judged, read_back
from fabricgen.compile import compiler
from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.nos.features import Feature, Supported, Unsupported
from fabricgen.nos.registry import OURS, nos

SITE = """
site: {{name: lab, management: {{subnet: 10.255.0.0/22}}}}
backend:
  design: rail-optimized
  servers: {{count: 4, gpus: 2, nic_speed: 400G}}
  scalable_unit: {{servers: 2}}
  links: {{speed: 400G}}
  leaf: {{model: 7060X6-64PE, platform: {leaf}}}
  spine: {{model: 7060X6-64PE, platform: {spine}, count: 2}}
  roce: {{enabled: false}}
  switches: {{be-spine2: {{platform: sonic, release: "202411"}}}}
"""
FRR = {
    "sonic:202405": "8.5.4",
    "sonic:202411": "10.0.1",
    "sonic:202505": "10.3",
    "sonic:202511": "10.4.1",
    "sonic:202605": "10.5.4",
    "sonic:master": "10.5.4",
    "sonic": "10.5.4",
    "linux:debian12": "8.4.4",
    "linux:debian13": "10.3",
    "linux": "8.4.4",
}
"""The FRR of each target; docs/evidence/validation.md has the source."""
WORDS = SITE.format(leaf="sonic", spine="linux, release: debian13")


def test_a_platform_without_releases_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "nos", lambda _: replace(nos("eos"), releases={}, release=""))
    words = SITE.format(leaf="eos, release: 4.34.0f", spine="eos")
    found = compile_site(load_texts({"site.yaml": words})).findings
    finding = next(each for each in found if each.path == ("backend", "leaf", "release"))
    assert finding.hint == "leave it out"
    assert finding.message.endswith("no line of eos differs between its releases")


def first_lines(text: str, target: str | None = None) -> dict[str, str]:
    """Return the first line of each switch's frr.conf."""
    made = compile_site(load_texts({"site.yaml": text}), target)
    assert made.site is not None
    return {
        owner.name: file.text.splitlines()[0]
        for owner, group in files_of_switches(made.site)
        for file in group
        if file.path.endswith("frr.conf")
    }


def test_a_role_and_one_switch_have_releases_of_their_own() -> None:
    lines = first_lines(WORDS)
    assert lines["be-su01-leaf1"] == "frr version 10.5.4"
    assert lines["be-spine1"] == "frr version 10.3"
    assert lines["be-spine2"] == "frr version 10.0.1"


@pytest.mark.parametrize("target", FRR)
def test_a_target_has_its_frr(target: str) -> None:
    assert set(first_lines(WORDS, target).values()) == {f"frr version {FRR[target]}"}


FPM = ("no fpm use-next-hop-groups", "fpm address 127.0.0.1")
PLAIN = "no zebra nexthop kernel enable"
APPENDED = {
    **dict.fromkeys(("202405", "202411", "202505"), (*FPM, PLAIN)),
    **dict.fromkeys(("202511", "202605", "master"), FPM),
}
"""Lines that the start of the container bgp appends to a frr.conf without them, by branch.

Source: sonic-buildimage dockers/docker-fpm-frr/docker_init.sh, of the commits in releases.py.
"""
KEEP = "zebra nexthop-group keep 1"
"""In frr/zebra/zebra.conf.j2 of the same branches from 202505 on."""


@pytest.mark.parametrize("release", APPENDED)
def test_the_start_of_the_container_leaves_frr_conf_as_it_is(release: str) -> None:
    made = compile_site(load_texts({"site.yaml": WORDS}), f"sonic:{release}")
    assert made.site is not None
    read = [
        file.text.splitlines()
        for _, group in files_of_switches(made.site)
        for file in group
        if file.path.endswith("frr.conf")
    ]
    keep = [] if release in ("202405", "202411") else [KEEP]
    assert len(read) == 6
    for lines in read:
        assert [line for line in lines if line in (*FPM, PLAIN, KEEP)] == [
            *APPENDED[release],
            *keep,
        ]


@pytest.mark.parametrize("release", ["202505", "202511"])
def test_a_wrong_line_about_nexthop_objects_is_a_finding(release: str) -> None:
    made = compile_site(load_texts({"site.yaml": WORDS}), f"sonic:{release}")
    assert made.site is not None
    bench = Bench(made.site)
    switch_slice = bench.cutter.cut(bench.owners()[0])
    config, frr = bench.files(switch_slice)
    line = "no zebra nexthop kernel enable\n"
    wrong = frr.text.replace(line, "")
    if wrong == frr.text:
        wrong = frr.text.replace("log ", f"{line}log ")
    right = bench.judge(switch_slice, [config, frr])
    judged = bench.judge(switch_slice, [config, replace(frr, text=wrong)])
    assert isinstance(right, Judged)
    assert isinstance(judged, Judged)
    assert not right.lines.findings
    assert any("nexthop objects" in each.message for each in judged.lines.findings)


def test_every_release_is_in_the_table() -> None:
    exact = {f"{name}:{each}" for name in OURS if name != "eos" for each in nos(name).releases}
    assert exact == {target for target in FRR if ":" in target}


@pytest.mark.parametrize("train", ["", *nos("eos").releases])
def test_eos_sends_syslog_in_the_words_of_its_train(train: str) -> None:
    """4.32 refuses the newer word; the others show the older one as the newer."""
    words = WORDS.replace("10.255.0.0/22}", "10.255.0.0/22, syslog: [10.255.0.9]}")
    made = compile_site(load_texts({"site.yaml": words}), f"eos:{train}".rstrip(":"))
    assert made.site is not None
    assert made.ok, made.findings
    lines = {
        line
        for _, group in files_of_switches(made.site)
        for file in group
        for line in file.text.splitlines()
        if file.path.endswith("eos.cfg") and line.endswith("-interface Management1")
    }
    word = "source" if train in {"", "4.32"} else "local"
    assert lines == {f"logging vrf mgmt {word}-interface Management1"}
    assert all(not found.findings for found in read_back(made.site))


def test_the_default_is_a_release_that_is_known() -> None:
    for name in OURS:
        runs = nos(name)
        assert (runs.release in runs.releases) if runs.releases else not runs.release


def test_a_release_answers_with_its_own_words_where_it_has_some() -> None:
    runs = nos("sonic")
    no = Unsupported("not here")
    odd = type(runs)(
        name="odd",
        capabilities={Feature.BFD: Supported(how="bfd", section="a: b")},
        releases={"1": {Feature.BFD: no}, "2": {}},
        release="2",
        max_ecmp=1,
        port_name=runs.port_name,
        gaps=runs.gaps,
        lower=runs.lower,
        marker="odd",
        dialects=runs.dialects,
    )
    assert odd.answer(Feature.BFD, "1") is no
    assert isinstance(odd.answer(Feature.BFD, "2"), Supported)
    assert isinstance(odd.answer(Feature.BFD), Supported)
    assert (odd.label("1"), odd.label("")) == ("odd 1", "odd 2")


def test_a_verb_refuses_a_release_that_a_platform_does_not_have() -> None:
    told = call("capabilities", "--format", "json")
    known = json.loads(told.out)["releases"]["sonic"]
    assert known["default"] == "202605"
    for wrong in ("sonic:202506", "sonic:", "eos:4.31"):
        said = call("check", "intent/rail-only", "--as", wrong)
        assert said.code == 64
        assert "has no release" in said.err
    assert ", ".join(known["known"]) in call("check", "intent/lab", "--as", "sonic:1").err


def test_the_table_of_capabilities_marks_the_defaults() -> None:
    rows = call("capabilities").out.splitlines()
    table = rows[: next(number for number, row in enumerate(rows) if "hash-fields" in row)]
    names = [word for row in table for word in row.split()]
    assert [name for name in names if name.endswith("*")] == ["4.32*", "debian12*", "202605*"]
    assert {"4.36", "202405", "202511", "master", "debian13"} <= set(names)
    assert max(map(len, table)) <= 80


def test_releases_that_can_the_same_share_a_column() -> None:
    heading = call("capabilities", "--format", "markdown").out.splitlines()[0]
    assert (
        "| sonic 202405, 202411 | sonic 202505 | sonic 202511, 202605\\* | sonic master |"
        in heading
    )


@pytest.mark.parametrize("release", nos("sonic").releases)
def test_the_gnmi_server_is_bound_to_the_management_vrf_where_its_release_can(release: str) -> None:
    words = WORDS.replace("10.255.0.0/22}", "10.255.0.0/22, gnmi: {port: 8080}}")
    made = compile_site(load_texts({"site.yaml": words}), f"sonic:{release}")
    assert made.site is not None
    (leaf,) = (
        json.loads(file.text)
        for owner, group in files_of_switches(made.site)
        for file in group
        if owner.name == "be-su01-leaf1" and file.path.endswith("config_db.json")
    )
    server = {"port": "8080", "client_auth": "true", "log_level": "2"}
    own = {"vrf": "mgmt"} if release == "master" else {}
    assert leaf["GNMI"]["gnmi"] == server | own
