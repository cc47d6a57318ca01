"""`fabricgen init`: each shape is clean in `check` and renders, and no file is overwritten."""

from pathlib import Path

import pytest
from tests.cli.calling import call

from fabricgen.intent.starters import SHAPES

SCHEMA = "fabricgen.schema.json"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_clean_and_renders(shape: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    said = call("init", str(site), "--shape", shape)
    assert said.code == 0, said.err
    assert (site / SCHEMA).exists()
    checked = call("check", str(site))
    assert checked.code == 0, checked.out
    assert "warning" not in checked.out
    rendered = call("render", str(site), "-o", str(tmp_path / "out"), "--jobs", "1")
    assert rendered.code == 0, rendered.err
    assert "no warnings" in rendered.out or shape == "lab"


def test_without_a_shape_the_shapes_are_listed(tmp_path: Path) -> None:
    said = call("init")
    assert said.code == 0
    for shape, description in {**SHAPES, "netbox": "NetBox export"}.items():
        assert shape in said.out
        assert description in said.out
    target = tmp_path / "site"
    refused = call("init", str(target))
    assert refused.code == 64
    assert "--shape is missing" in refused.err
    assert "four-fabrics" in refused.out
    assert not target.exists()


def test_an_unknown_shape_lists_the_shapes(tmp_path: Path) -> None:
    said = call("init", str(tmp_path / "site"), "--shape", "clos")
    assert said.code == 64
    for shape in (*SHAPES, "netbox"):
        assert shape in said.err


def test_a_folder_with_a_site_is_refused(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert call("init", str(site), "--shape", "lab").code == 0
    before = {each.name: each.read_bytes() for each in site.iterdir()}
    said = call("init", str(site), "--shape", "rail-only")
    assert said.code == 1
    assert "contains a site: nothing is written" in said.err
    assert {each.name: each.read_bytes() for each in site.iterdir()} == before


def test_a_folder_with_other_files_and_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert "is not an empty folder" in call("init", str(tmp_path), "--shape", "lab").err
    said = call("init", str(tmp_path / "notes.txt"), "--shape", "lab")
    assert said.code == 1
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "name",
    ["a b; rm -rf x", "$(touch owned)", "line\nbreak", "\x1b[31mred", "--force", "'quote'", "ünï"],
)
def test_names_of_folders_do_no_harm(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = call("init", "--shape", "lab", "--", name)
    assert said.code == 0, said.err
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert "\x1b" not in said.out
    assert name not in (tmp_path / name / "site.yaml").read_text()
    assert call("check", f"./{name}").code == 0


def test_a_place_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = call("init", str(tmp_path / "file" / "new"), "--shape", "lab")
    assert (said.code, said.out) == (1, "")
    assert f"cannot write {tmp_path}/file/new: Not a directory" in said.err


def test_a_name_too_long_is_one_error(tmp_path: Path) -> None:
    said = call("init", str(tmp_path / ("x" * 300)), "--shape", "lab")
    assert said.code == 1
    assert "File name too long" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("shape", ["collapsed", "rail-only", "rail-optimized", "lab"])
def test_a_netbox_export_becomes_a_clean_site(shape: str, tmp_path: Path) -> None:
    first, export, again = (tmp_path / name for name in ("first", "export", "again"))
    assert call("init", str(first), "--shape", shape).code == 0
    assert call("export", "netbox", str(first), "-o", str(export)).code == 0
    said = call("init", str(again), "--shape", "netbox", "--from", str(export))
    assert said.code == 0, said.err
    checked = call("check", str(again))
    assert checked.code == 0, checked.out
    assert "warning" not in checked.out
    assert _counts(again) == _counts(first)


def _counts(site: Path) -> list[list[str]]:
    """Return fabric, design, switches, servers, GPUs and links that `render` prints."""
    said = call("render", str(site), "-o", str(site.with_name(f"{site.name}-out")), "--jobs", "1")
    assert said.code == 0, said.err
    lines = said.out.split("─\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[:6] for line in lines]


def test_netbox_and_from_need_each_other(tmp_path: Path) -> None:
    target = str(tmp_path / "site")
    for words in (("--shape", "netbox"), ("--shape", "lab", "--from", str(tmp_path))):
        said = call("init", target, *words)
        assert said.code == 64
        assert "need each other" in said.err
    assert not Path(target).exists()


def test_an_export_without_switches_is_one_error(tmp_path: Path) -> None:
    export, target = tmp_path / "export", tmp_path / "site"
    export.mkdir()
    said = call("init", str(target), "--shape", "netbox", "--from", str(export))
    assert said.code == 1
    assert "FG881" in said.err
    assert not target.exists()
    said = call("init", str(target), "--shape", "netbox", "--from", str(tmp_path / "none"))
    assert said.code == 1
    assert "No such file or directory" in said.err
