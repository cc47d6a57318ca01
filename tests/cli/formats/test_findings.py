"""Findings in each format, word for word."""

import json
import xml.etree.ElementTree as ET

import pytest

from fabricgen.api.comment_parts import cell
from fabricgen.api.findings import Finding
from fabricgen.cli.formats.findings import (
    as_json,
    github,
    junit,
    markdown,
    sarif,
    summed,
    text,
)
from fabricgen.core.diagnostics import Diagnostic, Examined, Severity


def entry(severity: Severity = Severity.ERROR, **more: object) -> Finding:
    words: dict[str, object] = {"code": "FG101", "message": "unknown key 'nme'", "hint": ""}
    words |= {"file": "a:1,b.yaml", "line": 2, "column": 3, "path": "site.nme", **more}
    return Finding(severity=severity, **words)  # type: ignore[arg-type]


ERROR = entry(hint="did you mean 'name'?")
WARNING = entry(Severity.WARNING, code="FG301", message="50% is\nmuch", file="", line=0, column=0)
NOTE = entry(Severity.NOTE, code="ACME7", message="a note")
ROWS = [ERROR, WARNING, NOTE]
CLEAN = Examined(check="mtu", objects=1200, noun="links", findings=())
BAD = Examined(check="vnis", objects=3, noun="VNIs", findings=(Diagnostic("FG301", "x"),))


def test_findings_are_counted_by_severity() -> None:
    assert summed([]) == "no findings"
    assert summed(ROWS) == "1 error, 1 warning, 1 note"
    assert summed([ERROR, ERROR, NOTE, NOTE]) == "2 errors, 2 notes"


def test_text_is_place_code_and_message_with_the_hint_below() -> None:
    assert text(ROWS, [CLEAN]) == (
        "a:1,b.yaml:2:3 FG101 unknown key 'nme'\n"
        "    hint: did you mean 'name'?\n"
        "FG301 warning: 50% is\nmuch\n"
        "a:1,b.yaml:2:3 ACME7 note: a note\n"
        "1 error, 1 warning, 1 note\n"
    )


def test_what_was_examined_is_said_where_there_is_no_error() -> None:
    assert text([NOTE], [CLEAN, BAD]).splitlines()[1:] == [
        "2 checks examined 1,203 objects",
        "1 note",
    ]
    one = Examined(check="mtu", objects=1, noun="links", findings=())
    assert text([], [one]).startswith("1 check examined 1 object\n")
    assert text([], []) == "no findings\n"


def test_each_severity_has_its_color_and_hints_are_dim() -> None:
    assert text(ROWS, [], paint=True).splitlines() == [
        "\x1b[31ma:1,b.yaml:2:3 FG101 unknown key 'nme'\x1b[0m",
        "\x1b[2m    hint: did you mean 'name'?\x1b[0m",
        "\x1b[33mFG301 warning: 50% is",
        "much\x1b[0m",
        "\x1b[36ma:1,b.yaml:2:3 ACME7 note: a note\x1b[0m",
        "1 error, 1 warning, 1 note",
    ]


def test_json_has_every_field_of_a_finding_and_of_a_check() -> None:
    assert json.loads(as_json([ERROR], [BAD])) == {
        "format_version": 1,
        "findings": [
            {
                "code": "FG101",
                "severity": "error",
                "message": "unknown key 'nme'",
                "hint": "did you mean 'name'?",
                "file": "a:1,b.yaml",
                "line": 2,
                "column": 3,
                "path": "site.nme",
            }
        ],
        "checks": [{"check": "vnis", "examined": 3, "noun": "VNIs", "findings": 1}],
    }


def test_a_cell_of_markdown_holds_no_markup_and_mentions_nobody() -> None:
    assert cell("a|b <i> `c` *d* _e_ [f] \\ @team") == (
        "a\\|b \\<i\\> \\`c\\` \\*d\\* \\_e\\_ \\[f\\] \\\\ @\u200bteam"
    )


def test_markdown_is_a_table_of_findings_and_one_of_checks() -> None:
    assert markdown([ERROR], [CLEAN]).splitlines() == [
        "<!-- fabricgen:check -->",
        "**fabricgen check**: 1 error",
        "",
        "| place | code | finding | hint |",
        "|--|--|--|--|",
        "| a:1,b.yaml:2:3 | FG101 | unknown key 'nme' | did you mean 'name'? |",
        "",
        "| check | examined |",
        "|--|--|",
        "| mtu | 1,200 links |",
    ]
    assert markdown([], []) == "<!-- fabricgen:check -->\n**fabricgen check**: no findings\n\n"


@pytest.mark.parametrize(("count", "more"), [(200, None), (201, 1), (350, 150)])
def test_a_comment_shows_200_findings(count: int, more: int | None) -> None:
    shown = markdown([ERROR] * count, [])
    assert shown.count("| FG101 |") == min(count, 200)
    assert shown.endswith(f"\n{more} more findings are not shown.\n") == (more is not None)
    assert ("not shown" in shown) == (more is not None)


def test_sarif_has_a_result_for_each_finding_and_a_rule_for_each_code() -> None:
    whole = json.loads(sarif(ROWS, [CLEAN]))
    assert (whole["$schema"], whole["version"]) == (
        "https://json.schemastore.org/sarif-2.1.0.json",
        "2.1.0",
    )
    (run,) = whole["runs"]
    assert run["tool"]["driver"]["name"] == "fabricgen"
    assert run["tool"]["driver"]["rules"] == [
        {"id": "ACME7"},
        {"id": "FG101", "helpUri": "docs/diagnostics/FG101.md"},
        {"id": "FG301", "helpUri": "docs/diagnostics/FG301.md"},
    ]
    one, two, three = run["results"]
    assert (one["ruleId"], one["level"]) == ("FG101", "error")
    assert one["message"] == {"text": "unknown key 'nme'. did you mean 'name'?."}
    assert one["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a:1,b.yaml"},
                "region": {"startLine": 2, "startColumn": 3},
            }
        }
    ]
    assert (two["level"], two["message"]["text"]) == ("warning", "50% is\nmuch.")
    assert three["level"] == "note"


def test_a_finding_keeps_its_fingerprint_when_it_moves() -> None:
    moved = entry(hint="another", line=90)

    def mark(row: Finding) -> str:
        (result,) = json.loads(sarif([row], []))["runs"][0]["results"]
        fingerprint: str = result["partialFingerprints"]["fabricgen/v1"]
        return fingerprint

    assert mark(ERROR) == mark(moved) == "b28193517ad9e973d1b5b7daf2670083"
    assert len({mark(ERROR), mark(entry(path="site.nmx")), mark(entry(message="x"))}) == 3


def test_code_scanning_gets_5000_results() -> None:
    whole = json.loads(sarif([ERROR] * 5001, []))
    assert len(whole["runs"][0]["results"]) == 5000


def test_junit_has_a_case_for_each_check_without_findings_and_each_finding() -> None:
    shown = junit([entry(hint="<b>"), WARNING], [CLEAN, BAD])
    assert shown.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="fabricgen" ')
    suite = ET.fromstring(shown)  # noqa: S314 - our own
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("3", "1")
    check, error, warning = suite
    assert check.attrib == {"classname": "check", "name": "mtu"}
    assert error.attrib == {"classname": "finding", "name": "FG101 a:1,b.yaml:2:3"}
    assert [(it.tag, it.attrib, it.text) for it in error] == [
        ("failure", {"message": "unknown key 'nme'"}, "<b>")
    ]
    assert warning.attrib == {"classname": "finding", "name": "FG301"}
    assert [(it.tag, it.text) for it in warning] == [("system-out", "50% is\nmuch")]


def test_github_annotates_lines_and_nothing_in_a_message_is_a_command() -> None:
    words = "unknown key 'nme'. did you mean 'name'?"
    assert github(ROWS, [CLEAN]).splitlines() == [
        f"::error file=a%3A1%2Cb.yaml,line=2,col=3,title=FG101::{words}",
        "::warning title=FG301::50%25 is%0Amuch",
        "::notice file=a%3A1%2Cb.yaml,line=2,col=3,title=ACME7::a note",
        "1 error, 1 warning, 1 note",
    ]
    assert "%0D" in github([entry(message="a\rb")], [])
    assert "file=50%25.yaml," in github([entry(file="50%.yaml")], [])
