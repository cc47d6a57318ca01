"""A second render, and one by several processes: nothing is done twice, and nothing is missed."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from copy import copy
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.cli.calling import TENANTS, call

from fabricgen.api import rendering
from fabricgen.api.proof import Bench, Judged
from fabricgen.compile import compiler
from fabricgen.compile.checks.links import Mtu
from fabricgen.compile.compiler import File, Piece
from fabricgen.compile.output.inputs import Digests, Inputs
from fabricgen.core.diagnostics import Severity
from fabricgen.core.own_templates import OwnTemplate
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Lag, Session, SwitchSlice
from fabricgen.nos.hosts.bridged import Member
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.prove.servers import Apart

LAB = str(Path("intent/lab"))
LEAF = "frontend/fe-leaf01"
BLUE = "tenants/blue.yaml"
NEW = [f"hosts/fe-leaf05-h{number}" for number in range(1, 5)]
STORED = ["hosts/gpu0003", *(f"hosts/fe-leaf0{number}-h3" for number in range(1, 4))]
"""Servers in the VLANs of the tenant `blue`."""
LEAFS = [f"frontend/fe-leaf0{number}" for number in range(1, 5)]
SPINES = ["frontend/fe-spine1", "frontend/fe-spine2"]
WARNED = str(Path("intent/storage"))  # it has findings


@pytest.fixture
def out(tmp_path: Path) -> str:
    return str(tmp_path / "out")


@pytest.fixture
def undesigned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no design be made."""

    def never(*_: object) -> None:
        raise AssertionError("it is designed")

    monkeypatch.setattr(compiler, "designed", never)


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a small site be worth several processes."""
    monkeypatch.setattr(rendering, "_EACH", 1)
    monkeypatch.setattr(rendering, "_AT_ONCE", 2)


def tree(folder: str) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def test_nothing_changed_nothing_designed(
    out: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    assert call("render", LAB, "-o", out).code == 0
    before = tree(out)
    request.getfixturevalue("undesigned")
    again = call("render", LAB, "-o", out)
    assert again.code == 0
    assert "0 written" in again.out
    assert tree(out) == before


def test_a_part_of_an_unchanged_site_is_not_designed_either(
    out: str, request: pytest.FixtureRequest
) -> None:
    assert call("render", LAB, "-o", out).code == 0
    request.getfixturevalue("undesigned")
    assert call("render", LAB, "-o", out, "--fabric", "backend").code == 0


def test_a_part_is_no_whole(out: str, request: pytest.FixtureRequest) -> None:
    assert call("render", LAB, "-o", out, "--fabric", "backend").code == 0
    request.getfixturevalue("undesigned")
    with pytest.raises(AssertionError, match="designed"):
        call("render", LAB, "-o", out)


@pytest.mark.parametrize("more", [["--as", "sonic"], ["--force"], ["--check"]])
def test_what_is_asked_for_otherwise_is_designed(
    more: list[str], out: str, request: pytest.FixtureRequest
) -> None:
    assert call("render", LAB, "-o", out).code == 0
    request.getfixturevalue("undesigned")
    with pytest.raises(AssertionError, match="designed"):
        call("render", LAB, "-o", out, *more)


def test_another_byte_of_the_intent_is_another_site(
    out: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    site = copytree(LAB, tmp_path / "site")
    assert call("render", str(site), "-o", out).code == 0
    with (site / "backend.yaml").open("a") as stream:
        stream.write("# a comment\n")
    request.getfixturevalue("undesigned")
    with pytest.raises(AssertionError, match="designed"):
        call("render", str(site), "-o", out)


def test_a_hand_edit_of_an_unchanged_site_is_refused(out: str) -> None:
    assert call("render", LAB, "-o", out).code == 0
    place = next(Path(out).rglob("frr.conf"))
    place.write_text(place.read_text().replace("a", "b"))
    refused = call("render", LAB, "-o", out)
    assert refused.code == 1
    assert "changed by hand" in refused.err


@pytest.mark.parametrize("absolute", [False, True])
def test_the_warnings_of_an_unchanged_site_are_counted_again(out: str, *, absolute: bool) -> None:
    site = str(Path(WARNED).resolve()) if absolute else WARNED
    first = call("render", site, "-o", out)
    again = call("render", site, "-o", out)
    counted = re.compile(r"[0-9]+ warnings? \(fabricgen check ")
    assert counted.search(first.out)
    assert counted.findall(again.out) == counted.findall(first.out)


def test_the_manifest_does_not_name_where_the_site_stands(out: str, tmp_path: Path) -> None:
    call("render", WARNED, "-o", out)
    elsewhere = copytree(WARNED, tmp_path / "elsewhere")
    call("render", str(elsewhere), "-o", str(tmp_path / "other"))
    assert tree(out) == tree(str(tmp_path / "other"))


def test_findings_that_somebody_wrote_into_are_made_anew(out: str) -> None:
    call("render", WARNED, "-o", out)
    manifest = json.loads((Path(out) / "manifest.json").read_text())
    manifest["findings"] = [{"code": "FG999"}]
    (Path(out) / "manifest.json").write_text(json.dumps(manifest))
    assert "0 written" in call("render", WARNED, "-o", out).out
    assert "FG999" not in (Path(out) / "manifest.json").read_text()


def test_options_and_names_are_inputs() -> None:
    texts = {"a.yaml": "x", "b.yaml": ""}
    hashes = {
        Inputs().whole(texts),
        Inputs(["--as sonic"]).whole(texts),
        Inputs((), (OwnTemplate("eos/bgp.j2", "", ""),)).whole(texts),
        Inputs().whole({"a.yaml": "", "b.yaml": "x"}),
        Inputs().whole({"a.yaml": "x"}),
    }
    assert len(hashes) == 5
    assert Inputs().whole(dict(reversed(texts.items()))) == Inputs().whole(texts)


HASHES = """
from pathlib import Path
from fabricgen.compile.compiler import Cutter, designed
from fabricgen.compile.output.inputs import Digests
from fabricgen.intent.load import load_site

cutter, digests = Cutter(designed(load_site(Path("intent/full"))).site), Digests()
for owner in cutter.owners():
    print(owner.name, digests.of(cutter.cut(owner)))
"""


def test_a_slice_has_the_same_hash_in_every_process() -> None:
    runs = []
    for seed in ("1", "2"):  # Python orders sets by it
        command, environment = (
            [sys.executable, "-c", HASHES],
            {**os.environ, "PYTHONHASHSEED": seed},
        )
        runs.append(subprocess.check_output(command, env=environment, text=True).splitlines())
    assert runs[0] == runs[1]
    hashes = [line.split()[1:] for line in runs[0]]
    assert len(hashes) == len({*map(tuple, hashes)}) > 100
    assert [] not in hashes


def parts_of(value: object, seen: dict[int, Any]) -> None:
    """Collect the objects with hashed values of a slice."""
    if isinstance(value, tuple | frozenset):
        for each in value:
            parts_of(each, seen)
    if id(value) not in seen and (is_dataclass(value) or isinstance(value, Ip)):
        seen[id(value)] = value
        for name in names_of(value):
            parts_of(getattr(value, name), seen)


def names_of(part: Any) -> list[str]:
    return list(Ip._fields) if isinstance(part, Ip) else [each.name for each in fields(part)]


def other(part: Any, name: str) -> Any:
    """Return a part with another value of one field."""
    if isinstance(part, Ip):
        return part._replace(**{name: 77})
    changed = copy(part)
    object.__setattr__(changed, name, "another")
    return changed


def test_every_value_of_a_slice_is_in_its_hash() -> None:
    seen = dict[int, Any]()
    for folder in ("full", "pairs"):
        site = compiler.designed(load_site(Path("intent") / folder)).site
        assert site is not None
        cutter = compiler.Cutter(site)
        for owner in cutter.owners():
            parts_of(cutter.cut(owner), seen)
    parts = {type(part): part for part in seen.values()}
    assert parts.keys() >= {SwitchSlice, Interface, Session, Lag, Ip, HostSlice, Member}
    for part in parts.values():
        every = [part, *(other(part, name) for name in names_of(part))]
        hashes = {Digests().of(each) for each in every}
        assert "" not in hashes
        assert len(hashes) == len(every), type(part)


def test_a_slice_that_cannot_be_hashed_has_no_hash() -> None:
    site = compiler.designed(load_site(Path(LAB))).site
    assert site is not None
    piece = next(piece for _, piece in compiler.slices(site))
    assert Digests().of(piece)
    assert Digests().of(replace(piece, descriptions=lambda: None)) == ""  # type: ignore[arg-type]


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Note the folders of those that are rendered."""
    proven, folders = Bench.proven, set[str]()

    def noted(self: Bench, switch_slice: Piece) -> object:
        owner = switch_slice.server if isinstance(switch_slice, HostSlice) else switch_slice.switch
        folders.add(compiler.folder_of(owner))
        return proven(self, switch_slice)

    monkeypatch.setattr(Bench, "proven", noted)
    return folders


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("frontend.yaml", "leafs: 1-3", "leafs: 1-3,5", [*SPINES, "frontend/fe-leaf05", *NEW]),
        (BLUE, "hosts, servers: 4-4", "hosts, leafs: 2-3, servers: 4-4", [LEAF]),
        (BLUE, "id: 30", "id: 31", [*LEAFS, *STORED]),
        ("site.yaml", "name: ", "name:   ", []),
    ],
)
def test_what_is_the_same_is_not_rendered_again(
    file: str, old: str, new: str, changed: list[str], out: str, tmp_path: Path, rendered: set[str]
) -> None:
    site = copytree(LAB, tmp_path / "site")
    assert call("render", str(site), "-o", out).code == 0
    rendered.clear()
    place = site / file
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))
    assert call("render", str(site), "-o", out).code == 0
    assert rendered == {*changed}
    whole = str(tmp_path / "whole")
    assert call("render", str(site), "-o", whole).code == 0
    assert tree(out) == tree(whole)


def test_a_switch_that_is_the_same_is_compared_with_its_files(out: str, tmp_path: Path) -> None:
    site = copytree(LAB, tmp_path / "site")
    assert call("render", str(site), "-o", out).code == 0
    place = site / BLUE
    place.write_text(place.read_text().replace("hosts,", "hosts, leafs: 1-2,"))
    next((Path(out) / LEAF).rglob("frr.conf")).write_text("by hand")
    refused = call("render", str(site), "-o", out)
    assert refused.code == 1
    assert "changed by hand" in refused.err
    assert call("render", str(site), "-o", out, "--force").code == 0
    assert call("render", str(site), "-o", out, "--check").code == 0


def test_a_fabric_that_is_gone_leaves_the_tree(out: str, tmp_path: Path) -> None:
    site = copytree(LAB, tmp_path / "site")
    assert call("render", str(site), "-o", out).code == 0
    for name in ("backend", "racks"):
        (site / f"{name}.yaml").unlink()
    servers = site / "servers.yaml"
    kept = [line for line in servers.read_text().splitlines() if "backend" not in line]
    servers.write_text("\n".join(kept))
    assert call("render", str(site), "-o", out).code == 0
    assert {path.name for path in Path(out).iterdir()} == {"frontend", "hosts", "manifest.json"}
    texts = "".join(path.read_text() for path in Path(out).glob("hosts/*.yaml"))
    assert "etc/fabricgen/links" in texts
    assert "etc/fabricgen/rails" not in texts


@pytest.mark.usefixtures("forking")
@pytest.mark.parametrize("site", [LAB, WARNED])
def test_several_processes_write_the_same_bytes_and_say_the_same(site: str, tmp_path: Path) -> None:
    one, three = str(tmp_path / "1" / "out"), str(tmp_path / "3" / "out")
    alone = call("render", site, "-o", one, "--jobs", "1")
    crew = call("render", site, "-o", three, "--jobs", "3")
    assert tree(one) == tree(three)
    assert (alone.code, alone.err) == (crew.code, crew.err)
    assert alone.out == crew.out.replace(three, one)


@pytest.mark.usefixtures("forking")
def test_several_processes_check_a_tree(out: str) -> None:
    assert call("render", LAB, "-o", out, "--jobs", "3").code == 0
    assert call("render", LAB, "-o", out, "--check", "--jobs", "3").code == 0
    next(Path(out).rglob("frr.conf")).write_text("")
    assert call("render", LAB, "-o", out, "--check", "--jobs", "3").code == 2


@pytest.mark.usefixtures("forking")
def test_a_killed_worker_is_an_error_and_the_old_tree_stands(
    out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("render", LAB, "-o", out).code == 0
    before = tree(out)

    proven, here = Bench.proven, os.getpid()

    def dying(bench: Bench, piece: Piece) -> tuple[list[File], Judged | Apart]:
        if os.getpid() != here:  # the first owner is rendered before there are workers
            os.kill(os.getpid(), signal.SIGKILL)
        return proven(bench, piece)

    monkeypatch.setattr(Bench, "proven", dying)
    failed = call("render", LAB, "-o", out, "--force", "--jobs", "2")
    assert failed.code == 1
    assert "was ended by SIGKILL" in failed.err
    assert tree(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.usefixtures("forking")
def test_what_the_checks_find_beside_the_rendering_stops_it(
    out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    see = Mtu.see

    def finding(self: Mtu, *rest: object) -> None:
        self.tally.add("planted", "planted by a test", ("backend",), severity=Severity.ERROR)
        see(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Mtu, "see", finding)
    for jobs in ("1", "2"):
        said = call("render", LAB, "-o", out, "--jobs", jobs)
        assert said.code == 1
        assert "planted by a test" in said.err
        assert not Path(out).exists()


def test_a_tree_within_its_site_is_no_part_of_the_intent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    copytree(LAB, site)
    (site / "inventory").mkdir()
    (site / "inventory" / "groups.yaml").write_text("all: {}")
    monkeypatch.chdir(site)
    assert call("render", ".", "-o", "rendered").code == 0
    again = call("render", ".", "-o", "rendered")
    assert "was not compiled again" in again.out
    assert call("check", ".").code == 0


def planted(out: str, place: str = f"{LEAF}/eos.cfg") -> Path:
    """Write a line into a rendered file, and its new hash into the manifest."""
    path = Path(out) / place
    path.write_text(path.read_text() + "username evil privilege 15 nopassword\n")
    manifest = json.loads((Path(out) / "manifest.json").read_text())
    manifest["files"][place]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (Path(out) / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return path


@pytest.mark.parametrize("more", [[], ["--force"], ["--switch", "fe-leaf01"]])
def test_a_line_that_the_manifest_vouches_for_is_written_over(out: str, more: list[str]) -> None:
    assert call("render", TENANTS, "-o", out).code == 0
    before = tree(out)
    path = planted(out)
    again = call("render", TENANTS, "-o", out, *more)
    assert (again.code, "1 written" in again.out) == (0, True), again
    assert "evil" not in path.read_text()
    if not more:
        assert tree(out) == before


def test_a_line_that_the_manifest_vouches_for_is_written_over_when_another_part_changes(
    out: str, tmp_path: Path
) -> None:
    """The switches that the change does not touch are not kept as they stand either."""
    site = copytree(TENANTS, tmp_path / "site")
    assert call("render", str(site), "-o", out).code == 0
    path = planted(out)
    blue = site / BLUE
    blue.write_text(blue.read_text() + "# a comment\n")
    assert call("render", str(site), "-o", out).code == 0
    assert "evil" not in path.read_text()


def test_a_line_that_the_manifest_vouches_for_is_not_up_to_date(out: str) -> None:
    assert call("render", TENANTS, "-o", out).code == 0
    planted(out)
    checked = call("render", TENANTS, "-o", out, "--check")
    assert (checked.code, f"{LEAF}/eos.cfg differs from" in checked.out) == (2, True)


def test_a_manifest_of_elsewhere_is_compared_once_and_then_known(
    out: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    assert call("render", LAB, "-o", out).code == 0
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    assert "was not compiled again" not in call("render", LAB, "-o", out).out
    request.getfixturevalue("undesigned")
    assert "was not compiled again" in call("render", LAB, "-o", out).out


def test_without_a_place_to_remember_all_is_made_again(
    out: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for _ in range(2):
        again = call("render", LAB, "-o", out)
        assert (again.code, "was not compiled again" in again.out) == (0, False)
