"""From the verbs: a spoiled template keeps the tree from being written; memory stays flat."""

from pathlib import Path

import pytest
from tests.unit.proof.qos.rendered import RAIL_OPTIMIZED

from fabricgen.api import proof
from fabricgen.cli.main import run
from fabricgen.compile.compiler import File, Piece, compile_site
from fabricgen.core.workers import mapped
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.eos.readback import queues as eos

SITE = RAIL_OPTIMIZED.format(platform="eos", model="7060X6-64PE", speed="400G", more="")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(SITE)
    return tmp_path


@pytest.fixture
def spoiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file lose its pauses between template and tree."""

    def without(folder: str, group: list[File]) -> dict[str, str]:
        found = {file.path.removeprefix(f"{folder}/"): file.text for file in group}
        return {
            path: text.replace("   priority-flow-control on\n", "") for path, text in found.items()
        }

    monkeypatch.setattr(proof, "_texts", without)


def test_a_broken_chain_leaves_the_old_tree_as_it_was(
    folder: Path, spoiled: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["render", str(folder / "site"), "-o", str(folder / "out")]) == 1
    assert "FG319" in capsys.readouterr().err
    assert not (folder / "out").exists()
    assert [path.name for path in folder.iterdir()] == ["site"]


def test_check_reads_back_when_it_is_asked_to(
    folder: Path, spoiled: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(folder / "site")]) == 0
    assert run(["check", "--rendered", str(folder / "site")]) == 1
    assert "has PFC for nothing; it must be 3" in capsys.readouterr().out


def test_a_sound_site_is_written_and_proven_again_only_where_it_changed(folder: Path) -> None:
    words = ["render", str(folder / "site"), "-o", str(folder / "out")]
    assert run(words) == 0
    assert (folder / "out" / "backend" / "be-spine1" / "eos.cfg").exists()
    assert run(words) == 0


def made_site() -> Site:
    made = compile_site(load_texts({"site.yaml": SITE}))
    assert made.site is not None
    return made.site


def pieces_of(bench: proof.Bench) -> list[Piece]:
    return [bench.cutter.cut(owner) for owner in bench.owners()]


def test_a_verdict_of_another_process_is_as_good(spoiled: None) -> None:
    site = made_site()
    here, there = proof.Bench(site), proof.Bench(site)
    for _, judged in map(here.proven, pieces_of(here)):
        here.take(judged)
    for _, judged in mapped(there.proven, pieces_of(there), 2):
        there.take(judged)
    assert here.results() == there.results()
    assert here.results()[1].findings


def test_links_are_judged_between_verdicts_of_two_processes() -> None:
    site = made_site()
    bench = proof.Bench(site)
    for _, judged in mapped(bench.proven, pieces_of(bench), 3):
        bench.take(judged)
    bench.insist()
    counts = {each.check: each.objects for each in proof.read_back(site) if not each.not_run}
    assert {each.check: each.objects for each in bench.results()}.items() <= counts.items()


def test_equal_texts_are_parsed_once() -> None:
    site = made_site()
    eos._parsed.cache_clear()
    assert not [each for each in proof.read_back(site) if each.findings]
    read = eos._parsed.cache_info()
    assert read.misses < read.hits + read.misses == len(site.fabrics[0].topology.switches)
