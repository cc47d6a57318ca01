"""The options of a review: its verdict, the gates of side A, and evidence that can be replayed."""

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from fabricgen.api.changes import reviewed
from fabricgen.cli.review_options import (
    ReviewOptions,
    replay,
    review_options,
    verdict_of,
    write_evidence,
)
from fabricgen.review.declare import declare
from fabricgen.review.sides import read_sides

LAB = Path(__file__).resolve().parents[2] / "intent/lab"
Run = Callable[..., Result]


@click.command()
@click.argument("before")
@click.argument("after")
@review_options
def verb(*, before: str, after: str, options: ReviewOptions) -> int:
    """Compute a verdict as `diff` does."""
    sides = read_sides(before, after)
    review = reviewed(*sides)
    if options.declare:
        click.echo(declare(review, "more"), nl=False)
        return 0
    if options.replay is not None:
        return replay(review, sides, options.replay)
    outcome = verdict_of(review, sides, options)
    if outcome is None or not write_evidence(review, sides, outcome, options):
        return 1
    click.echo(f"[{outcome.word}]")
    for reason in outcome.reasons:
        click.echo(reason)
    return 0 if outcome.passes else 1


def site(folder: Path, *edits: tuple[str, str], more: str = "") -> str:
    folder.mkdir()
    for file in LAB.rglob("*.yaml"):
        target = folder / file.relative_to(LAB)
        target.parent.mkdir(exist_ok=True)
        text = file.read_text()
        for old, new in edits:
            text = text.replace(old, new)
        target.write_text(text)
    with (folder / "site.yaml").open("a") as file_:
        file_.write(more)
    return str(folder)


NTP = ("10.255.0.251", "10.255.0.252")
GATES = "review: {freeze: [site/management], owners: {review: ['@net']}}\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def called(*words: str) -> Result:
        return CliRunner().invoke(verb, [*words], standalone_mode=False)

    site(tmp_path / "a")
    site(tmp_path / "b", NTP)
    return called


def test_a_written_declaration_is_as_declared(run: Run) -> None:
    Path("c.yaml").write_text(run("a", "b", "--declare").output)
    found = run("a", "b", "--declared", "c.yaml")
    assert (found.return_value, found.output) == (0, "[as declared]\n")


def test_another_change_than_the_declared_one_fails(run: Run) -> None:
    Path("c.yaml").write_text("meaning: m\neffects: [{effect: added ntp *}]\n")
    found = run("a", "b", "--declared", "c.yaml")
    assert found.return_value == 1
    assert "[not declared: do not apply]\n'removed ntp 10.255.0.251' is not" in found.output


def test_a_bad_declaration_is_an_error_at_its_place(run: Run) -> None:
    Path("c.yaml").write_text("meaning: m\nefects: []\n")
    found = run("a", "b", "--declared", "c.yaml")
    assert found.return_value == 1
    assert "c.yaml:2:1" in found.output


def test_without_a_declaration_there_is_no_verdict(run: Run) -> None:
    assert run("a", "b").output == "[]\n"


def test_the_gates_of_side_a_refuse(run: Run, tmp_path: Path) -> None:
    site(tmp_path / "gated", more=GATES)
    site(tmp_path / "open", NTP, more="review: {}\n")
    found = run("gated", "open")
    assert found.return_value == 1
    assert "[refused]\nreview.freeze: site/management is frozen" in found.output
    assert "edits its own gates" in found.output
    assert "edits its own gates" not in run("gated", "open", "--owner", "@net").output
    assert run("open", "gated").output.count("is frozen") == 0


def test_evidence_is_replayed_from_the_same_sides(run: Run, tmp_path: Path) -> None:
    Path("c.yaml").write_text(run("a", "b", "--declare").output)
    run("a", "b", "--declared", "c.yaml", "--evidence", "e.json")
    assert json.loads(Path("e.json").read_text())["verdict"] == "as declared"
    Path("c.yaml").unlink()
    found = run("a", "b", "--replay", "e.json")
    assert (found.return_value, found.output) == (0, "same verdict: as declared\n")
    site(tmp_path / "other", (NTP[0], "10.255.0.253"))
    found = run("a", "other", "--replay", "e.json")
    assert found.return_value == 1
    assert "side B differs from the evidence: intent, files" in found.output
    assert "the verdict was 'as declared' and is 'not declared: do not apply'" in found.output


@pytest.mark.parametrize("content", ["", "{}", "[" * 9999])
def test_hostile_evidence_is_one_error(run: Run, content: str) -> None:
    Path("e.json").write_text(content)
    found = run("a", "b", "--replay", "e.json")
    assert (found.return_value, found.exception) == (1, None)
    assert found.output.startswith("error: e.json is not")


@pytest.mark.parametrize(
    "words",
    [
        ("--declare", "--declared", "c.yaml"),
        ("--replay", "e.json", "--owner", "@a"),
        ("--declare", "--evidence", "e.json"),
    ],
)
def test_options_that_contradict_are_a_wrong_use(run: Run, words: tuple[str, ...]) -> None:
    assert isinstance(run("a", "b", *words).exception, click.UsageError)
