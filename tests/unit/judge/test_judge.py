"""Configurations that nobody here wrote: what is wrong in them is said, with both places."""

import errno
import os
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.judge import published

from fabricgen.cli.audit import command
from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Switch
from fabricgen.prove.audit.judged import Judgment, findings_of, judged
from fabricgen.prove.evidence import rendered
from fabricgen.prove.foreign.folder import found
from fabricgen.prove.foreign.switch import Judged

SITE = """site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 4, nic_speed: 400G}
  scalable_unit: {servers: 4}
  oversubscription: 4
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE}
  spine: {model: 7060X6-64PE, count: 2}
frontend:
  leaf: {model: 7050CX3-32S}
  spine: {model: 7050CX3-32S, count: 2}
  leaf_groups: {cpu: {leafs: 1-3, servers: {per_leaf: 2, speed: 25G}}}
tenants:
  blue:
    vrfs: {blue: {id: 2, vlans: {web: {id: 20, subnet: 10.2.0.0/24}}}}
    attachments: [{group: cpu, access: web}]
"""
PLATFORMS = ("eos", "sonic", "linux")
FILES = {"eos": ("eos.cfg",), "sonic": ("frr.conf",), "linux": ("etc/frr/frr.conf",)}


@cache
def texts(platform: str) -> dict[str, str]:
    """Return all files that a small site renders on a platform."""
    loaded = load_texts({"site/site.yaml": SITE})
    site = compile_site(loaded, platform).site
    assert site is not None
    return {
        f"{owner.name}/{path}": text
        for owner, own in rendered(site)
        if isinstance(owner, Switch)
        for path, text in own.items()
    }


def written(folder: Path, every: dict[str, str]) -> Path:
    """Write files into a folder."""
    for path, text in every.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def laid(folder: Path, every: dict[str, str]) -> Judgment:
    """Write files into a folder, and judge them."""
    return judged(written(folder, every))


def said(judgment: Judgment) -> list[Diagnostic]:
    """Return what is wrong; what cannot be told is no fault."""
    return wrong(each for result in judgment.examined for each in result.findings)


def wrong(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return what is no note."""
    return [each for each in findings if each.severity is not Severity.NOTE]


def test_a_sound_fabric_has_no_finding_and_is_understood(tmp_path: Path) -> None:
    judgment = judged(published.written(tmp_path / "sound"))
    assert not said(judgment)
    assert judgment.share.percent == 100
    assert len(judgment.switches) == published.SPINES + published.LEAFS


@pytest.mark.parametrize("code", published.FAULTS, ids=lambda code: code.value)
def test_each_fault_is_named_where_it_stands(code: Code, tmp_path: Path) -> None:
    folder = published.written(tmp_path / "faulty", code)
    mine = [each for each in said(judged(folder)) if each.code == code]
    assert mine
    faulty = {str(folder / fault.file) for fault in published.FAULTS[code]}
    for each in mine:
        assert each.position is not None
        named = {each.position.file, *re.findall(r"(/\S+?):\d+[,\] ]", each.message)}
        assert named & faulty


@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_is_rendered_is_clean_and_understood(platform: str, tmp_path: Path) -> None:
    judgment = laid(tmp_path, texts(platform))
    limits = [item for item in said(judgment) if item.code is Code.RELEASE_FLAW]
    assert said(judgment) == limits
    assert len(limits) == (1 if platform == "sonic" else 0)  # all switches have one chip
    assert not judgment.share.strange


def _planted(platform: str, chance: random.Random) -> tuple[str, str, str]:
    """Return a file, its text with one number or address of BGP changed, and the line."""
    names = [name for name in texts(platform) if name.endswith(FILES[platform])]
    wanted = re.compile(
        r"(?m)^ *(?:neighbor \S+ remote-as (\d+)|router bgp (\d+)|vxlan vlan \d+ vni (\d+)"
        r"|neighbor \d+\.\d+\.\d+\.(\d+) (?:peer|remote).*|route-target \w+ \S+:(\d+))$"
    )
    while True:
        name = chance.choice(names)
        match = chance.choice(list(wanted.finditer(texts(platform)[name])))
        group = next(number for number in range(1, 6) if match[number])
        first, last = match.span(group)
        text = texts(platform)[name]
        other = str(int(match[group]) + (7 if int(match[group]) < 200 else -7))
        return name, text[:first] + other + text[last:], match[0]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_planted_fault_is_found(platform: str, tmp_path: Path) -> None:
    """The switches without a fault are read once."""
    chance = random.Random(platform)
    folder = written(tmp_path, texts(platform))
    sound = {each.name: Judged(each) for each in found(folder, None).switches}
    missed = []
    for _ in range(20):
        name, text, line = _planted(platform, chance)
        switch, _, path = name.partition("/")
        own = sound[switch].found
        faulty = Judged(replace(own, texts={**own.texts, path: text}))
        if not wrong(findings_of([*{**sound, switch: faulty}.values()])):
            missed.append((name, line))
    assert not missed


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_text_makes_it_fall(platform: str, tmp_path: Path) -> None:
    chance = random.Random(platform)
    every = dict(texts(platform))
    for name, text in every.items():
        rows = text.split("\n")
        for _ in range(len(rows) // 8):
            at = chance.randrange(len(rows))
            words = rows[at].split(" ")
            words[-1] = chance.choice(["", "-1", "99999999999", "a/b", "::/0", '{"', "\u202e", "0"])
            rows[at] = " ".join(words)
        every[name] = "\n".join(rows)
    assert laid(tmp_path, every).examined


ODD = {
    "bytes.cfg": b"\x00\xff\x00" * 40,
    "empty.cfg": b"",
    "latin.cfg": "hostname caf\xe9\ninterface Vxlan1\n".encode("latin-1"),
    "wide.cfg": b"interface Vxlan1\n" + b"x" * 70_000,
    "deep.json": b'{"PORT": {' + b'"a": {' * 5_000,
    "list.json": b'{"PORT": {"Ethernet0": [1, 2]}, "DEVICE_METADATA": {}}',
    "sixteen.cfg": "\ufeffinterface Vxlan1\nhostname wide\n".encode("utf-16"),
    "junos.conf": b"set system host-name a\n",
}


def test_what_is_no_configuration_is_said_or_left_out(tmp_path: Path) -> None:
    for name, raw in ODD.items():
        (tmp_path / name).write_bytes(raw)
    (tmp_path / "link.cfg").symlink_to("/etc/passwd")
    found = [each for each in said(judged(tmp_path)) if each.code == Code.CONFIG_UNREADABLE]
    files = {each.position.file.rpartition("/")[2] for each in found if each.position}
    assert files >= {"latin.cfg", "junos.conf", "link.cfg", "wide.cfg", "list.json"}


def test_what_cannot_be_looked_into_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = published.written(tmp_path / "configs")
    first = next(each for each in sorted(folder.rglob("*")) if each.is_file())
    first.write_bytes(first.read_bytes() + b"\0")
    (folder / "older").symlink_to("/")
    (folder / "shut").mkdir()
    scan = os.scandir

    def refused(place: str | Path) -> Iterator[os.DirEntry[str]]:
        if str(place).endswith("shut"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
        return scan(place)

    monkeypatch.setattr(os, "scandir", refused)
    found = [each for each in said(judged(folder)) if each.code == Code.CONFIG_UNREADABLE]
    files = {each.position.file.removeprefix(f"{folder}/") for each in found if each.position}
    assert files == {str(first.relative_to(folder)), "older", "shut"}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('{\n    "', '// mine\n{\n    "', "Expecting value"),
        ('"mtu": "9', '"mtu": 9, "x": "', "field mtu of an entry of PORT is not text"),
        ('{\n    "', '{"ODD": {"geheim": 3},\n    "', "an entry of table ODD is not a mapping"),
        ('{\n    "', '{"PORT": {},\n    "', "table PORT is repeated"),
        (
            '{\n    "',
            '{"ODD": {"a": {"x": "1", "x": "2"}},\n    "',
            "field x of an entry of ODD is repeated",
        ),
        (
            '{\n    "',
            '{"ODD": {"geheim": {}, "geheim": {}},\n    "',
            "a key of table ODD is repeated",
        ),
    ],
)
def test_what_is_wrong_in_a_database_is_said(tmp_path: Path, old: str, new: str, why: str) -> None:
    own = {path: text for path, text in texts("sonic").items() if path.startswith("fe-leaf01/")}
    own["fe-leaf01/config_db.json"] = own["fe-leaf01/config_db.json"].replace(old, new, 1)
    found = [each for each in said(laid(tmp_path, own)) if each.code == Code.CONFIG_UNREADABLE]
    assert [why in each.message for each in found] == [True], found
    assert "geheim" not in str(found)


def test_a_file_that_is_no_database_is_understood_nowhere(tmp_path: Path) -> None:
    judgment = judged(published.written(tmp_path / "configs"), "sonic")
    files = [each for each in said(judgment) if each.code == Code.CONFIG_UNREADABLE]
    assert len(files) == published.SPINES + published.LEAFS
    assert judgment.share.percent == 0


def test_a_folder_without_any_is_an_error(tmp_path: Path) -> None:
    (only,) = said(judged(tmp_path))
    assert only.code == Code.CONFIG_UNREADABLE


def told(place: Path, *options: str) -> tuple[int, list[str]]:
    """Return the exit code, and what is printed of how much was understood."""
    done = CliRunner().invoke(command, [str(place), *options], standalone_mode=False)
    shown = [line for line in done.output.split("\n") if re.match("understood|nothing|left", line)]
    return done.return_value, shown


def test_of_an_os_that_is_not_read_nothing_is_understood(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("set system host-name a\n")
    (tmp_path / "b.cfg").write_text("hostname b\nfeature bgp\n")
    why = "2 files of Junos or NX-OS, which is not supported"
    assert told(tmp_path) == (1, [f"nothing was understood: {why}"])
    (tmp_path / "page.html").write_text("<html>")
    assert told(tmp_path)[1] == [f"nothing was understood: {why}; 1 file without a configuration"]
    (tmp_path / "c.cfg").write_text("hostname c\ninterface Vxlan1\n")
    assert told(tmp_path)[1][1] == f"left out: {why}; 1 file without a configuration"


def test_no_share_is_told_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.cfg").write_text("!\nend\n")
    assert told(tmp_path, "--as", "eos") == (
        1,
        ["nothing was understood: no file has a configuration line"],
    )


def test_the_summary_counts_lines_that_are_read_and_lines_that_are_used(tmp_path: Path) -> None:
    text = "hostname a\nvlan 10\nmystery box\ntransceiver qsfp default-mode 4x10G\nend\n"
    (tmp_path / "a.cfg").write_text(text)
    done = CliRunner().invoke(command, [str(tmp_path), "--as", "eos"], standalone_mode=False)
    why = "1 line: management and other lines that state no fact"
    assert done.output.splitlines()[-2:] == [
        "understood: 75.0 % of 4 lines; 1 line not",
        f"used: 50.0 %; ignored: 50.0 % ({why})",
    ]


def test_lines_below_a_strange_one_are_not_understood_either(tmp_path: Path) -> None:
    text = (
        "hostname a\nmystery box\n   inner 1\n   inner 2\ninterface Vxlan1\n   vxlan vlan 1 vni 2\n"
    )
    (tmp_path / "a.cfg").write_text(text)
    share = judged(tmp_path).share
    assert [number for _, number, _ in share.strange] == [2, 3, 4]
    assert share.lines == 6
