"""A finding as every format prints it: its place resolved, its text without control characters."""

from pathlib import Path

import pytest

from fabricgen.api.findings import Finding, as_row, entries, entries_from, kept
from fabricgen.core.diagnostics import Diagnostic, Position, Severity
from fabricgen.core.plain_text import clean
from fabricgen.intent.source import SourceMap

ROW = {
    "code": "FG101",
    "severity": Severity.ERROR,
    "message": "unknown key",
    "hint": "a hint",
    "file": "site.yaml",
    "line": 2,
    "column": 3,
    "path": "site.nme",
}


def rows(*findings: Diagnostic) -> list[Finding]:
    return entries(findings, SourceMap())


def at(line: int, column: int = 1, *, file: str = "a.yaml", **more: object) -> Diagnostic:
    return Diagnostic("FG101", "x", position=Position(file, line, column), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("plain, ä and 汉", "plain, ä and 汉"),
        ("\x1b[31m", "\\u001b[31m"),
        ("a\nb\x7f\x9b", "a\\u000ab\\u007f\\u009b"),
        ("\u202eabc\u2069\u2028", "\\u202eabc\\u2069\\u2028"),
    ],
)
def test_control_and_direction_characters_become_visible(written: str, shown: str) -> None:
    assert clean(written) == shown


def test_every_text_of_an_entry_is_clean() -> None:
    finding = Diagnostic(
        "FG101", "\x00m", path=("a\x00",), hint="\x00h", position=Position("\x00f", 1, 2)
    )
    (row,) = rows(finding)
    assert (row.message, row.hint, row.path, row.file) == (
        *("\\u0000m", "\\u0000h", "a\\u0000", "\\u0000f"),
    )


def test_a_place_is_file_line_and_column_or_nothing() -> None:
    assert [row.place for row in rows(at(2, 3), Diagnostic("FG101", "y"))] == ["", "a.yaml:2:3"]


def test_a_finding_without_a_place_has_no_file_line_or_column() -> None:
    (row,) = rows(Diagnostic("FG101", "y"))
    assert (row.file, row.line, row.column, row.place) == ("", 0, 0, "")


def test_errors_come_first_then_files_and_lines() -> None:
    found = rows(
        at(1, severity=Severity.NOTE),
        at(1, severity=Severity.WARNING),
        at(1, file="b.yaml"),
        at(10),
        at(2, 9),
        at(2, 1),
    )
    assert [(row.severity, row.file, row.line, row.column) for row in found] == [
        (Severity.ERROR, "a.yaml", 2, 1),
        (Severity.ERROR, "a.yaml", 2, 9),
        (Severity.ERROR, "a.yaml", 10, 1),
        (Severity.ERROR, "b.yaml", 1, 1),
        (Severity.WARNING, "a.yaml", 1, 1),
        (Severity.NOTE, "a.yaml", 1, 1),
    ]


def test_the_same_finding_twice_is_one() -> None:
    assert len(rows(at(1), at(1), at(2))) == 2


def test_files_below_the_working_folder_are_named_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = [f"{tmp_path}/site/a.yaml", "/elsewhere/b.yaml", "c.yaml"]
    assert [row.file for row in rows(*(at(1, file=file) for file in files))] == [
        "/elsewhere/b.yaml",
        "c.yaml",
        "site/a.yaml",
    ]


def test_kept_entries_follow_their_site_to_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inside = Finding(**ROW | {"file": "old/tenants/a.yaml"})  # type: ignore[arg-type]
    outside = Finding(**ROW | {"file": "/usr/share/b.yaml"})  # type: ignore[arg-type]
    nowhere = Finding(**ROW | {"file": ""})  # type: ignore[arg-type]
    data = kept([inside, outside, nowhere], tmp_path / "old")
    assert [row["file"] for row in data] == ["tenants/a.yaml", "/usr/share/b.yaml", ""]
    assert data[0] == as_row(inside) | {"file": "tenants/a.yaml"}
    again = entries_from(data, tmp_path / "new")
    assert [row.file for row in again] == ["new/tenants/a.yaml", "/usr/share/b.yaml", ""]
    assert again[0].severity is Severity.ERROR
    assert as_row(again[0]) == ROW | {"file": "new/tenants/a.yaml"}


@pytest.mark.parametrize("broken", [{"severity": "grave"}, None])
def test_what_was_not_kept_is_refused(tmp_path: Path, broken: dict[str, str] | None) -> None:
    row = {} if broken is None else ROW | broken
    with pytest.raises((KeyError, ValueError)):
        entries_from([row], tmp_path)
