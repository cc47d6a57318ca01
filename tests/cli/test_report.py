"""The verb `report` writes a folder of pages, and refuses what it cannot write."""

from pathlib import Path
from shutil import copytree

import pytest
from tests.cli.calling import ROOT

from fabricgen.cli.main import run

LAB = str(ROOT / "intent" / "lab")


def test_a_report_has_a_script_of_data_for_each_switch_and_server(tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert run(["report", LAB, "-o", str(out)]) == 0
    assert (out / "index.html").is_file()
    for name in ("switch/fe-leaf01", "files/fe-leaf01", "server/gpu0001", "files/gpu0001"):
        assert (out / "data" / f"{name}.js").read_text().startswith(f'fabricgen.receive("{name}",')


def test_only_files_of_named_switches_are_written(tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert run(["report", LAB, "-o", str(out), "--switch", "fe-leaf01"]) == 0
    assert [path.name for path in (out / "data" / "files").iterdir()] == ["fe-leaf01.js"]
    assert (out / "data" / "switch" / "fe-leaf02.js").is_file()


def test_an_unknown_switch_is_refused_with_the_nearest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    assert run(["report", LAB, "-o", str(out), "--switch", "fe-leaf1"]) == 1
    assert "did you mean 'fe-leaf01'" in capsys.readouterr().err
    assert not out.exists()


def test_a_site_with_errors_has_a_page_of_its_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, out = copytree(LAB, tmp_path / "site"), tmp_path / "report"
    (site / "site.yaml").write_text("site: {name: lab, nme: x}\n")
    assert run(["report", str(site), "-o", str(out)]) == 1
    assert "FG101" in capsys.readouterr().err
    assert '"FG101"' in (out / "data" / "site.js").read_text()
    assert not (out / "data" / "devices.js").exists()


def test_a_folder_of_others_stays(tmp_path: Path) -> None:
    out = tmp_path / "report"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    assert run(["report", LAB, "-o", str(out)]) == 1
    assert [path.name for path in out.iterdir()] == ["notes.txt"]
