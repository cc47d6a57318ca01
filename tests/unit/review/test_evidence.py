"""Evidence labels changed lines, and the same two sides give the same verdict again."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fabricgen.intent.declared import read_declaration
from fabricgen.review import evidence_file
from fabricgen.review.build import review
from fabricgen.review.declared import Verdict, Word
from fabricgen.review.evidence import compiler, digests, evidence, replayed
from fabricgen.review.evidence_file import BadEvidence, Evidence, as_text, evidence_of
from fabricgen.review.side import Side
from fabricgen.review.sides import read_sides

LAB = Path(__file__).resolve().parents[3] / "intent/lab"
DECLARED = "meaning: m\neffects: [{effect: added ntp *}]\n"


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Side, Side]:
    return edited(tmp_path_factory.mktemp("site"), "10.255.0.251", "10.255.0.252")


def edited(folder: Path, old: str, new: str) -> tuple[Side, Side]:
    for file in LAB.rglob("*.yaml"):
        target = folder / file.relative_to(LAB)
        target.parent.mkdir(exist_ok=True)
        target.write_text(file.read_text().replace(old, new))
    return read_sides(str(LAB), str(folder))


def made(sides: tuple[Side, Side], **keys: Any) -> Evidence:
    return evidence(
        review(*sides),
        sides,
        keys.pop("verdict", Verdict(word=Word.AS_DECLARED)),
        declared=read_declaration("c", keys.pop("declared", DECLARED)),
        **keys,
    )


def test_lines_that_are_read_and_checked_are_labelled_so(sides: tuple[Side, Side]) -> None:
    found = made(sides)
    assert found.lines
    assert {each.labels for each in found.lines} == {("read back", "model check")}


def test_a_line_without_a_grammar_row_is_not_read_back(sides: tuple[Side, Side]) -> None:
    one, other = sides
    path = next(name for name in other.files if name.endswith("frr.conf"))
    files = {**other.files, path: other.files[path] + "no such command\n"}
    found = made((one, replace(other, files=files)))
    folder = path.rpartition("/")[0].removesuffix("/etc/frr")
    odd = [each for each in found.lines if each.file.endswith("frr.conf")]
    assert [each.labels for each in odd if folder in each.devices] == [("model check",)]


def test_sides_without_an_intent_are_not_checked(sides: tuple[Side, Side]) -> None:
    plain = tuple(replace(side, site=None, loaded=None) for side in sides)
    found = made((plain[0], plain[1]))
    assert {each.labels for each in found.lines} == {("read back",)}
    assert (found.before.intent, found.before.templates) == (None, None)


def test_lines_of_devices_in_a_lab_run_are_labelled_so(sides: tuple[Side, Side]) -> None:
    every = made(sides)
    names = {folder.rpartition("/")[2] for each in every.lines for folder in each.devices}
    assert all("lab run" in each.labels for each in made(sides, lab=names).lines)
    assert not any("lab run" in each.labels for each in made(sides, lab={min(names)}).lines)


def test_lines_that_nothing_supports_say_so(sides: tuple[Side, Side]) -> None:
    one, other = (
        replace(side, site=None, files={"hosts/x/a": text}, unchanged=frozenset())
        for side, text in zip(sides, ("a\n", "b\n"), strict=True)
    )
    assert {each.labels for each in made((one, other)).lines} == {("nothing",)}


def test_a_new_device_has_its_complete_files(sides: tuple[Side, Side]) -> None:
    one, other = sides
    gone = next(name.partition("/etc")[0] for name in one.files if "be-spine1/" in name)
    files = {name: text for name, text in one.files.items() if not name.startswith(f"{gone}/")}
    found = made((replace(one, files=files), other))
    whole = [each for each in found.lines if each.whole]
    assert {each.devices for each in whole} == {(gone,)}
    assert any(each.file.endswith("frr.conf") for each in whole)


def test_the_same_sides_give_the_same_verdict(sides: tuple[Side, Side]) -> None:
    old = evidence_of(as_text(made(sides)).encode(), "e.json")
    again = replace(sides[0], name="another name"), sides[1]
    assert replayed(old, made(again)) == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": Verdict(word=Word.NOT_DECLARED)}, "the verdict was 'as declared' and is"),
        ({"declared": DECLARED.replace("ntp", "dns")}, "the declared change differs"),
        ({"approvers": ["@a"]}, "the approving owners differ"),
        ({"refused": ["x"]}, "had 0 refusals and has 1"),
    ],
)
def test_a_replay_names_what_differs(
    sides: tuple[Side, Side], change: dict[str, Any], message: str
) -> None:
    found = replayed(made(sides), made(sides, **change))
    assert any(message in each for each in found)


def test_an_edited_intent_is_another_side(sides: tuple[Side, Side], tmp_path: Path) -> None:
    other = edited(tmp_path, "10.255.0.251", "10.255.0.253")
    (first, *_) = replayed(made(sides), made(other))
    assert first == "side B differs from the evidence: intent, files"


def test_another_compiler_is_named(sides: tuple[Side, Side]) -> None:
    old = made(sides)
    other = old.compiler.model_copy(update={"source": "0" * 64})
    (text,) = replayed(old.model_copy(update={"compiler": other}), old)
    assert "digest of the source different" in text


def test_a_forged_digest_of_a_declaration_is_not_believed(sides: tuple[Side, Side]) -> None:
    old = made(sides)
    assert old.declared is not None
    forged = old.declared.model_copy(update={"text": DECLARED + "# more\n"})
    found = replayed(old.model_copy(update={"declared": forged}), made(sides))
    assert found == ("the declared change differs",)


def test_digests_depend_on_files_and_equal_folders(sides: tuple[Side, Side]) -> None:
    side = sides[1]
    path = next(iter(side.files))
    files = {**side.files, path: side.files[path] + "\n"}
    every = {
        digests(each).files
        for each in (side, replace(side, files=files), replace(side, unchanged=frozenset("x")))
    }
    assert len(every) == 3


def test_the_compiler_is_the_same_for_every_verdict() -> None:
    compiler.cache_clear()
    assert compiler() == compiler.__wrapped__()


@cache
def _valid() -> dict[str, Any]:
    digest = {"name": "a", "intent": None, "catalog": None, "templates": None, "files": "0" * 64}
    return {
        "format_version": 1,
        "kind": "fabricgen evidence",
        "before": digest,
        "after": digest,
        "compiler": {"version": "1", "source": "0" * 64},
        "verdict": "no change",
    }


def test_a_small_file_is_evidence() -> None:
    assert evidence_of(json.dumps(_valid()).encode(), "e").verdict == "no change"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "is not a JSON file"),
        (b"[" * 100_000, "is not a JSON file"),
        (b"[]", "is not evidence of fabricgen"),
        (json.dumps(_valid() | {"format_version": 2}).encode(), "has format 2, this version"),
        (json.dumps(_valid() | {"more": 1}).encode(), "more: Extra inputs"),
        (
            json.dumps(_valid() | {"after": {}}).encode(),
            "valid evidence, after.name: Field required",
        ),
        (json.dumps(_valid() | {"verdict": 1}).encode(), "verdict: Input should be a valid string"),
    ],
)
def test_a_hostile_file_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(BadEvidence, match=message):
        evidence_of(content, "e.json")


def test_a_file_that_is_too_large_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence_file, "MAX_BYTES", 10)
    with pytest.raises(BadEvidence, match="is larger than"):
        evidence_of(b" " * 11, "e.json")


def test_other_labels_of_a_line_are_named(sides: tuple[Side, Side]) -> None:
    old = made(sides)
    first = old.lines[0].model_copy(update={"labels": ("nothing",)})
    found = replayed(old.model_copy(update={"lines": (first, *old.lines[1:])}), old)
    assert found == ("1 template of changed lines or of labels differs",)
