"""Whole own files in a site: where they come to stand, and what may not be one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.keys.case import at
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.api.proof import read_back
from fabricgen.compile.compiler import Compiled, compile_site, files, slices
from fabricgen.compile.output.risks import changes_of
from fabricgen.compile.reports.explanation import explain_switch
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.load import load_texts

LEAF = ("frontend", "switches", "fe-leaf01")
MOTD, TEXT = "/etc/motd", "text {{ switch.name }}"


def compiled(said: Any, *place: str, platform: str = "linux", **more: Any) -> Compiled:
    words = at(*(place or LEAF), "custom_config", words={"files": said, **more})
    loaded = load_texts({"site.yaml": json.dumps(laid(SITES["tenants"], words))})
    return compile_site(loaded, platform)


def told(result: Compiled) -> list[tuple[str, str]]:
    codes = {Code.OWN_LINES_REFUSED, Code.OWN_LINE_CLASHES, Code.OWN_LINE_IN_CLEAR}
    return [(Code(each.code).name, each.message) for each in result.findings if each.code in codes]


def texts(result: Compiled, switch: str = "fe-leaf01") -> dict[str, str]:
    folder = f"frontend/{switch}/"
    every = (file for _, group in files(result.site) for file in group)  # type: ignore[arg-type]
    return {f.path.removeprefix(folder): f.text for f in every if f.path.startswith(folder)}


def test_a_file_is_written_with_the_facts_of_its_switch() -> None:
    result = compiled({MOTD: f"{TEXT}\n\tindented"})
    assert result.ok, result.findings
    assert texts(result)["etc/motd"] == "text fe-leaf01\n\tindented\n"
    assert "etc/motd" not in texts(result, "fe-leaf02")


@pytest.mark.parametrize("place", [("site",), ("frontend", "leaf"), ("tenants", "red")], ids=str)
def test_every_place_of_extra_takes_files(place: tuple[str, ...]) -> None:
    assert texts(compiled({MOTD: TEXT}, *place))["etc/motd"] == "text fe-leaf01\n"


def test_files_and_lines_stand_beside_each_other() -> None:
    files = texts(compiled({MOTD: TEXT}, interfaces="auto dummy0"))
    assert "auto dummy0\n" in files["etc/network/interfaces"]
    assert "etc/motd" in files


REFUSED = [
    ("/etc/cron.d/mine", TEXT, "programs run"),
    ("/etc/crontab", TEXT, "programs run"),
    ("/etc/systemd/system/mine.service", TEXT, "programs run"),
    ("/etc/udev/rules.d/mine.rules", TEXT, "programs run"),
    ("/etc/profile.d/mine.sh", TEXT, "programs run"),
    ("/etc/rc.local", TEXT, "programs run"),
    ("/etc/network/if-up.d/mine", TEXT, "fabricgen writes"),
    ("/etc/sudoers.d/mine", TEXT, "controls logins"),
    ("/etc/ssh/sshd_config.d/mine.conf", TEXT, "controls logins"),
    ("/etc/sysctl.d/mine.conf", TEXT, "kernel"),
    ("/etc/ld.so.preload", TEXT, "kernel"),
    ("/etc/ssh/authorized_keys.d/mine", TEXT, "fabricgen may write this file"),
    ("/usr/bin/mine", TEXT, "custom files must be below"),
    ("/root/mine", TEXT, "custom files must be below"),
    (MOTD, "{{ switch.nmae }}", "did you mean"),
    (MOTD, "{% for a in 'aa' %}x{% endfor %}", "for is not allowed"),
    (MOTD, "hello <<secret:env:HELLO>>", "a word for secrets"),
]


@pytest.mark.parametrize(("path", "text", "why"), REFUSED, ids=lambda each: str(each)[:30])
def test_what_is_no_own_file_is_refused(path: str, text: str, why: str) -> None:
    result = compiled({path: text})
    ((code, message),) = told(result)
    assert code == "OWN_LINES_REFUSED"
    assert why in message
    assert path.removeprefix("/") not in texts(result)


@pytest.mark.parametrize("path", ["/etc/../root/x", "etc/motd", "/etc/.x", "/motd", "/etc/a b"])
def test_what_is_no_path_is_refused(path: str) -> None:
    assert any(each.code == Code.BAD_VALUE for each in compiled({path: TEXT}).findings)


CLASHES = [("/etc/hostname", "etc/hostname"), ("/etc/hostname/mine", "etc/hostname")]


@pytest.mark.parametrize(("path", "theirs"), CLASHES)
def test_a_rendered_file_is_not_replaced(path: str, theirs: str) -> None:
    ((code, message),) = told(compiled({path: TEXT}))
    assert code == "OWN_LINE_CLASHES"
    assert message == f"{path}: already exists: /{theirs} of fe-leaf01"


def test_two_places_do_not_say_one_file() -> None:
    words = at(*LEAF, "custom_config", words={"files": {MOTD: TEXT}})
    words["site"] = {"custom_config": {"files": {MOTD: "other"}}}
    site = laid(SITES["tenants"], words)
    result = compile_site(load_texts({"site.yaml": json.dumps(site)}), "linux")
    ((code, message),) = told(result)
    assert (code, "site.custom_config.files" in message) == ("OWN_LINE_CLASHES", True)


CLEAR = [
    "password = sesame",
    "user: a, api-key: sesame",
    "password sesame",
    '{"token": "sesame"}',
    "password=sesame token=<<secret:env:T>>",
    "password sesame: token=<<secret:env:T>>",
]


@pytest.mark.parametrize("text", CLEAR)
def test_a_secret_in_clear_is_refused_and_not_shown(text: str) -> None:
    result = compiled({MOTD: text})
    ((code, message),) = told(result)
    assert code == "OWN_LINE_IN_CLEAR"
    assert "sesame" not in message
    assert "etc/motd" not in texts(result)


@pytest.mark.parametrize("form", ["password = {}", '{{"token": "{}"}}', "password  {}"])
def test_a_reference_stands_until_a_push(form: str) -> None:
    text = form.format("<<secret:env:T>>").replace("{{", "{").replace("}}", "}")
    result = compiled({MOTD: text})
    assert result.ok, result.findings
    assert texts(result)["etc/motd"] == f"{text}\n"


@pytest.mark.parametrize("platform", ["eos", "sonic"])
def test_another_platform_says_that_it_takes_none(platform: str) -> None:
    found = [f for f in compiled({MOTD: TEXT}, platform=platform).findings if "files" in f.message]
    assert [each.message for each in found] == [
        "no switch here accepts these lines: `files` is for linux"
    ]


def test_nobody_says_that_it_was_judged() -> None:
    (note,) = (
        f
        for f in compiled({MOTD: TEXT}, "site").findings
        if f.severity is Severity.NOTE and f.code == Code.OWN_LINES_UNCHECKED
    )
    assert "custom files on" in note.message
    assert "/etc/motd" in note.message


@pytest.mark.parametrize("path", ["etc/motd", "etc/rsyslog.d/mine.conf", "etc/chrony/conf.d/mine"])
@pytest.mark.parametrize(("old", "new"), [("", "a\n"), ("a\n", ""), ("a\n", "# b\na\n")])
def test_a_change_of_one_is_never_hitless(path: str, old: str, new: str) -> None:
    before, after = ({"etc/hostname": "x\n", **({path: t} if t else {})} for t in (old, new))
    (change,) = changes_of("linux", before, after)
    assert (change.risk, change.known) == (Risk.LOSSLESS_DISRUPTIVE, False)


def test_the_proof_of_every_line_leaves_it_out() -> None:
    result = compiled({MOTD: TEXT})
    assert result.site is not None
    assert not read_back(result.site)[0].findings


def test_explain_names_its_place() -> None:
    result = compiled({MOTD: TEXT})
    assert result.site is not None
    switch_slice = next(p for _, p in slices(result.site) if p.switch.name == "fe-leaf01")
    (line,) = (each for each in explain_switch(switch_slice) if each.file == "etc/motd")
    assert (line.number, line.text) == (1, "text fe-leaf01")
    assert [each.main for each in line.reasons] == [(*LEAF, "custom_config", "files", MOTD)]
