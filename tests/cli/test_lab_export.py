"""`fabricgen lab export`, as people use it: what it writes, what it says, what it refuses."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from tests.cli.calling import LAB, ROOT, TENANTS, call

from fabricgen.nos.registry import OURS, kind_of, nos
from fabricgen.operate.export.containerlab import topology

FULL = str(ROOT / "intent" / "full")


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_folder_has_the_topology_and_the_rendered_files(tmp_path: Path) -> None:
    out, plain = tmp_path / "out", tmp_path / "plain"
    said = call("lab", "export", LAB, "--format", "containerlab", "-o", str(out))
    assert said.code == 0, said.err
    assert (
        f"{out / 'lab.clab.yml'}: 28 nodes, 56 links; containerlab has not booted it\n" in said.out
    )
    assert said.out.endswith(f"\nservers: 16 as linux\nread {out / 'README.md'} first\n")
    call("render", LAB, "-o", str(plain))
    made, rendered = tree(out), tree(plain)
    assert {"lab.clab.yml", "README.md", "image/Dockerfile", "image/start"} <= made.keys()
    switches = {path for path in rendered if path.startswith(("frontend/", "backend/"))}
    assert {path: made.get(path) for path in switches} == {p: rendered[p] for p in switches}
    assert os.access(out / "image" / "start", os.X_OK)


@pytest.mark.parametrize(
    ("platform", "kind", "said"),
    [
        ("eos", "arista_ceos", "eos: 12 switches as arista_ceos"),
        ("sonic", "sonic-vs", "sonic: 12 switches as sonic-vs"),
        ("linux", "linux", "linux: 12 switches as linux"),
    ],
)
def test_another_platform(tmp_path: Path, platform: str, kind: str, said: str) -> None:
    done = call("lab", "export", LAB, "-o", str(tmp_path / "out"), "--as", platform)
    assert done.code == 0, done.err
    assert said in done.out
    nodes = yaml.safe_load((tmp_path / "out" / "lab.clab.yml").read_text())["topology"]["nodes"]
    assert nodes["fe-leaf01"]["kind"] == kind


def test_each_kind_says_what_it_leaves_out(tmp_path: Path) -> None:
    said = call("lab", "export", FULL, "-o", str(tmp_path / "out"))
    for platform in ("eos", "sonic"):
        for sentence in kind_of(platform).differs:
            assert sentence in said.out
            assert sentence in (tmp_path / "out" / "README.md").read_text()


def test_a_part(tmp_path: Path) -> None:
    said = call("lab", "export", FULL, "-o", str(tmp_path / "out"), "--fabric", "frontend")
    assert "92 nodes, 180 links" in said.out
    assert not (tmp_path / "out" / "backend").exists()


def test_a_large_lab_secrets_and_outside_peers_are_warned_of(tmp_path: Path) -> None:
    said = call("lab", "export", TENANTS, "-o", str(tmp_path / "out"))
    assert "88 nodes are many for one machine" in said.err
    assert "references instead of secrets: env:FABRIC_ADMIN_HASH" in said.err
    assert "external peer fe-leaf05 red_isp1 has no node" in said.err
    assert "large lab" not in call("lab", "export", LAB, "-o", str(tmp_path / "lab")).err


@pytest.mark.parametrize(("most", "large"), [(91, True), (92, False)])
def test_more_nodes_than_one_machine_boots_well_are_warned_of(
    most: int, *, large: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("fabricgen.operate.export.containerlab.folder.MANY_NODES", most)
    said = call("lab", "export", FULL, "-o", str(tmp_path / "out"), "--fabric", "frontend")
    assert ("92 nodes are many" in said.err) is large


def test_what_containerlab_takes_for_a_template_is_warned_of(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    text = (ROOT / "intent" / "rail-only" / "site.yaml").read_text()
    (site / "site.yaml").write_text(
        text.replace("  management:", '  management:\n    banner: "{{ no template }}"', 1)
    )
    said = call("lab", "export", str(site), "-o", str(tmp_path / "out"))
    assert said.code == 0, said.err
    assert "eos.cfg contains {{, which containerlab reads as a template" in said.err


def test_again_is_the_same_and_another_site_leaves_nothing_behind(tmp_path: Path) -> None:
    out = tmp_path / "out"
    call("lab", "export", LAB, "-o", str(out))
    first = tree(out)
    call("lab", "export", LAB, "-o", str(out))
    assert tree(out) == first
    call("lab", "export", LAB, "-o", str(out), "--as", "eos", "--fabric", "backend")
    assert not [path for path in tree(out) if path.startswith("frontend/")]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_unknown_format_is_wrong_usage(tmp_path: Path) -> None:
    said = call("lab", "export", LAB, "--format", "gns3", "-o", str(tmp_path / "out"))
    assert said.code == 64
    assert "'gns3' is not 'containerlab'" in said.err
    assert not (tmp_path / "out").exists()


def test_an_unknown_fabric_is_an_error(tmp_path: Path) -> None:
    said = call("lab", "export", LAB, "-o", str(tmp_path / "out"), "--fabric", "fronted")
    assert said.code == 1
    assert "no fabric 'fronted' in this site" in said.err
    assert "did you mean 'frontend'" in said.err
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    said = call("lab", "export", LAB, "-o", str(tmp_path / "out"))
    assert (said.code, said.err.count("FG501")) == (1, 1)
    assert (tmp_path / "out").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = call("lab", "export", LAB, "-o", str(tmp_path / "file" / "out"))
    assert (said.code, said.err.count("FG501")) == (1, 1)
    assert "Traceback" not in said.err


def test_what_containerlab_left_beside_the_topology_is_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "out"
    call("lab", "export", LAB, "-o", str(out))
    (out / "clab-lab").mkdir()
    (out / "clab-lab" / "kept").write_text("x")
    said = call("lab", "export", LAB, "-o", str(out), "--as", "eos")
    assert said.code == 1
    assert "for example clab-lab/kept" in said.err
    assert (out / "clab-lab" / "kept").exists()


def test_a_platform_without_a_kind_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = replace(nos("linux"), containerlab=None)
    monkeypatch.setattr(topology, "nos", lambda name: runs if name == "linux" else nos(name))
    said = call("lab", "export", LAB, "-o", str(tmp_path / "out"))
    assert (said.code, said.err.count("FG401 containerlab does not support linux")) == (1, 1)
    assert not (tmp_path / "out").exists()


def test_intent_with_errors_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("site: {nme: x}\n")
    said = call("lab", "export", str(tmp_path), "-o", str(tmp_path / "out"))
    assert said.code == 1
    assert not (tmp_path / "out").exists()


def test_every_kind_speaks_whole_sentences() -> None:
    for kind in map(kind_of, OURS):
        assert all(sentence.endswith(".") for sentence in (kind.unchanged, *kind.differs))
