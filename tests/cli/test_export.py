"""`fabricgen export batfish`, as people use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.calling import ROOT, TENANTS, call

if TYPE_CHECKING:
    from pathlib import Path


def test_a_snapshot_is_written_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = call("export", "batfish", TENANTS, "-o", str(out))
    assert said.code == 0, said.err
    configs, hosts = list((out / "configs").iterdir()), list((out / "hosts").iterdir())
    told = said.out.splitlines()[-1]
    assert told.startswith(f"{out}: {len(configs)} switches, {len(hosts)} hosts, ")
    assert told.endswith("Batfish was not asked")
    assert (out / "batfish" / "layer1_topology.json").is_file()
    assert "tagged VLANs" in said.err
    first = (out / "configs" / "fe-leaf01.cfg").read_text().splitlines()[0]
    assert first == "!RANCID-CONTENT-TYPE: arista"


def test_files_of_someone_else_are_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    said = call("export", "batfish", str(ROOT / "intent" / "lab"), "-o", str(tmp_path))
    assert said.code == 1
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "configs").exists()
