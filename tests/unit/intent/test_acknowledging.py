"""Acknowledged findings carry reason, owner and date; errors and surplus findings do not."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from fabricgen.api.findings import entries, split_acknowledged
from fabricgen.cli.main import run
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.acknowledging import acknowledge, unused
from fabricgen.intent.load import load_texts
from fabricgen.intent.source import SourceMap

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.intent.model.intent import Intent

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-only
  servers: {count: 8, gpus: 2, nic_speed: 400G, cable_length: 5}
  leaf: {model: 7060X6-64PE, platform: sonic}
  roce: {}
"""
ENTRY = {"code": "FG211", "where": "backend", "why": "known", "until": "2027-06-30"}
FOUND = Diagnostic(
    Code.HEADROOM_DIFFERS, "26.8 % below", ("backend", "roce"), severity=Severity.WARNING
)


def intent(*listed: dict[str, Any]) -> Intent:
    """Return the intent of a small site with acknowledgments."""
    flow = ", ".join(
        "{" + ", ".join(f"{key}: {value!r}" for key, value in entry.items()) + "}"
        for entry in listed
    )
    loaded = load_texts({"site.yaml": f"{SITE}acknowledge: [{flow}]\n"})
    assert not loaded.findings, loaded.findings
    assert loaded.intent is not None
    return loaded.intent


def test_a_finding_below_the_place_is_acknowledged() -> None:
    (marked,) = acknowledge([FOUND], intent({**ENTRY, "owner": "net"}))
    assert marked.acknowledged is not None
    assert (marked.acknowledged.why, marked.acknowledged.owner) == ("known", "net")
    assert marked.acknowledged.until == date(2027, 6, 30)


@pytest.mark.parametrize(
    "other", [{"code": "FG212"}, {"where": "backen"}, {"where": "frontend"}, {"text": "26.9 %"}]
)
def test_another_code_place_or_text_is_not(other: dict[str, str]) -> None:
    acknowledging = intent({**ENTRY, **other})
    assert acknowledge([FOUND], acknowledging) == (FOUND,)
    (note,) = unused([FOUND], acknowledging)
    assert (note.code, note.path) == (Code.ACKNOWLEDGED_NOTHING, ("acknowledge", 0))


def test_an_error_is_never_acknowledged() -> None:
    error = Diagnostic(Code.HEADROOM_DIFFERS, "too small", ("backend", "roce"))
    (marked,) = acknowledge([error], intent(ENTRY))
    assert marked.acknowledged is None
    assert "errors cannot be acknowledged" in marked.hint


def test_all_return_when_there_are_more_than_counted() -> None:
    other = Diagnostic(Code.HEADROOM_DIFFERS, "35 %", ("backend",), severity=Severity.WARNING)
    marked = acknowledge([FOUND, other], intent(ENTRY))
    assert [item.acknowledged for item in marked] == [None, None]
    assert all("2 findings match and 1 acknowledged" in item.hint for item in marked)
    counted = acknowledge([FOUND, other], intent({**ENTRY, "count": 2}))
    assert all(item.acknowledged for item in counted)


@pytest.mark.parametrize(("day", "hidden"), [(date(2027, 6, 30), 1), (date(2027, 7, 1), 0)])
def test_a_finding_returns_on_the_day_after_the_last(day: date, hidden: int) -> None:
    rows = entries(acknowledge([FOUND], intent(ENTRY)), SourceMap())
    is_open, accepted = split_acknowledged(rows, day)
    assert (len(is_open), len(accepted)) == (1 - hidden, hidden)
    assert all("its acknowledgment expired on 2027-06-30: known" in row.hint for row in is_open)


def test_a_date_that_is_none_is_refused() -> None:
    loaded = load_texts(
        {"site.yaml": f"{SITE}acknowledge: [{{code: FG211, where: a, why: b, until: soon}}]\n"}
    )
    assert ["must be a date" in item.message for item in loaded.findings] == [True]


@pytest.mark.parametrize(("options", "listed"), [([], False), (["--acknowledged"], True)])
def test_check_counts_them_and_lists_them_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], *, listed: bool
) -> None:
    until = "until: 9999-12-31"
    text = f"{SITE}acknowledge: [{{code: FG211, where: backend, why: measured, {until}}}]\n"
    (tmp_path / "site.yaml").write_text(text, encoding="utf-8")
    assert run(["check", str(tmp_path), *options]) == 0
    said = capsys.readouterr().out
    assert ", 1 acknowledged" in said
    assert ("acknowledged until 9999-12-31: measured" in said) is listed
    assert ("FG211" in said) is listed


def test_other_verbs_count_warnings_and_list_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(SITE, encoding="utf-8")
    for _ in range(2):  # the second finds nothing to do
        assert run(["render", str(tmp_path / "site"), "-o", str(tmp_path / "out")]) == 0
        said = capsys.readouterr()
        assert f"1 warning (fabricgen check {tmp_path / 'site'})" in said.out
        assert "FG102" not in said.out + said.err
