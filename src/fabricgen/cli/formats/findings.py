"""Prints findings as text, JSON, Markdown, SARIF, JUnit, or as GitHub and GitLab show them."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence

from fabricgen.api.findings import Finding, as_row
from fabricgen.cli.formats.document import document
from fabricgen.core import VERSION
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.core.tables import markdown_table
from fabricgen.core.units import counted

PAGE = "docs/diagnostics/{}.md"
_SARIF_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_GITHUB_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_GITLAB_LEVEL = {Severity.ERROR: "blocker", Severity.WARNING: "major", Severity.NOTE: "info"}
_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}  # SGR codes
_DIM = "2"
Format = Callable[[list[Finding], list[Examined], Sequence[Finding]], str]
"""Prints open findings, checks, and acknowledged findings."""


def summed(entries: list[Finding], accepted: Sequence[Finding] = ()) -> str:
    """Return the numbers of findings: `2 errors, 1 warning, 1 acknowledged`."""
    parts = []
    for severity in Severity:
        number = sum(entry.severity is severity for entry in entries)
        if number:
            parts.append(counted(number, severity.value))
    if accepted:
        parts.append(f"{len(accepted):,} acknowledged")
    return ", ".join(parts) or "no findings"


def text(
    entries: list[Finding],
    examined: list[Examined],
    accepted: Sequence[Finding] = (),
    *,
    paint: bool = False,
) -> str:
    """Return one line per finding with its hint below, then the numbers of checks and objects.

    The argument `paint` adds colors by severity.
    """
    lines = []
    for entry in entries:
        level = "" if entry.severity is Severity.ERROR else f"{entry.severity.value}: "
        line = " ".join(filter(None, (entry.place, entry.code, level + entry.message)))
        lines.append(_painted(line, _COLORS[entry.severity]) if paint else line)
        if entry.hint:
            hint = f"    hint: {entry.hint}"
            lines.append(_painted(hint, _DIM) if paint else hint)
    if examined and not any(entry.severity is Severity.ERROR for entry in entries):
        total = sum(item.objects for item in examined)
        ran = sum(not item.not_run for item in examined)
        lines.append(f"{counted(ran, 'check')} examined {counted(total, 'object')}")
    lines += [f"not run: {item.check}: {item.not_run}" for item in examined if item.not_run]
    lines.append(summed(entries, accepted))
    return "\n".join(lines) + "\n"


def acknowledged(accepted: Sequence[Finding]) -> str:
    """Return acknowledged findings, each with its reason, owner and last day."""
    lines = []
    for entry in accepted:
        lines.append(" ".join(filter(None, (entry.place, entry.code, entry.message))))
        owner = f" ({entry.owner})" if entry.owner else ""
        lines.append(f"    acknowledged until {entry.until}{owner}: {entry.why}")
    return "".join(f"{line}\n" for line in lines)


def _painted(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"


def as_json(
    entries: list[Finding], examined: list[Examined], accepted: Sequence[Finding] = ()
) -> str:
    """Return a versioned document with findings and checks."""
    checks = [
        {
            "check": item.check,
            "examined": item.objects,
            "noun": item.noun,
            "findings": len(item.findings),
            **({"not_run": item.not_run} if item.not_run else {}),
        }
        for item in examined
    ]
    more = {"acknowledged": list(map(as_row, accepted))} if accepted else {}
    return document({"findings": list(map(as_row, entries)), **more, "checks": checks})


def markdown(
    entries: list[Finding], examined: list[Examined], accepted: Sequence[Finding] = ()
) -> str:
    """Return a table for a pull-request comment."""
    from fabricgen.api.comment_parts import cell

    lines = ["<!-- fabricgen:check -->", f"**fabricgen check**: {summed(entries, accepted)}", ""]
    if entries:
        shown = entries[:200]
        rows = ((cell(e.place), e.code, cell(e.message), cell(e.hint)) for e in shown)
        lines += markdown_table(("place", "code", "finding", "hint"), rows)
        if len(entries) > 200:
            lines.append(f"\n{len(entries) - 200} more findings are not shown.")
    if examined:
        checks = ((cell(item.check), _extent(item)) for item in examined)
        lines += ["", *markdown_table(("check", "examined"), checks)]
    return "\n".join(lines) + "\n"


def _extent(item: Examined) -> str:
    from fabricgen.api.comment_parts import cell

    return cell(f"not run: {item.not_run}") if item.not_run else f"{item.objects:,} {item.noun}"


def sarif(
    entries: list[Finding], examined: list[Examined], accepted: Sequence[Finding] = ()
) -> str:
    """Return SARIF 2.1.0 for code scanning. Each entry must have a place (`entry.placed`).

    An acknowledged finding is a result with a suppression (SARIF 2.1.0, section 3.35).
    """
    rows = [*entries, *accepted]
    codes = sorted({entry.code for entry in rows})
    results = []
    for entry in rows[:5000]:  # the limit of GitHub
        place = {
            "artifactLocation": {"uri": entry.file},
            "region": {"startLine": entry.line, "startColumn": entry.column},
        }
        result: dict[str, object] = {
            "ruleId": entry.code,
            "level": _SARIF_LEVEL[entry.severity],
            "message": {"text": f"{entry.message}. {entry.hint}".rstrip(". ") + "."},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"fabricgen/v1": fingerprint(entry)},
        }
        if entry.until:
            result["suppressions"] = [{"kind": "external", "justification": entry.why}]
        results.append(result)
    rules = [_rule(code) for code in codes]
    run = {
        "tool": {"driver": {"name": "fabricgen", "version": VERSION, "rules": rules}},
        "invocations": [_invocation(examined)],
        "results": results,
    }
    head = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"}
    return json.dumps({**head, "runs": [run]}, indent=1) + "\n"


def _invocation(examined: list[Examined]) -> dict[str, object]:
    """Return the invocation with the checks that did not run."""
    return {
        "executionSuccessful": True,
        "toolExecutionNotifications": [
            {"level": "note", "message": {"text": f"not run: {item.check}: {item.not_run}"}}
            for item in examined
            if item.not_run
        ],
    }


def _rule(code: str) -> dict[str, str]:
    """Return a rule, with its page if it is a code of fabricgen."""
    return {"id": code, "helpUri": PAGE.format(code)} if code in set(Code) else {"id": code}


def junit(entries: list[Finding], examined: list[Examined], _: Sequence[Finding] = ()) -> str:
    """Return JUnit XML with one case per check and per finding."""
    from xml.sax.saxutils import escape, quoteattr  # loads a client of HTTP

    cases = [
        f'  <testcase classname="check" name={quoteattr(item.check)}'
        + (f"><skipped message={quoteattr(item.not_run)}/></testcase>" if item.not_run else "/>")
        for item in examined
        if not item.findings
    ]
    for entry in entries:
        name = quoteattr(f"{entry.code} {entry.place}".strip())
        body = f"<system-out>{escape(entry.message)}</system-out>"
        if entry.severity is Severity.ERROR:
            body = f"<failure message={quoteattr(entry.message)}>{escape(entry.hint)}</failure>"
        cases.append(f'  <testcase classname="finding" name={name}>{body}</testcase>')
    failed = sum(entry.severity is Severity.ERROR for entry in entries)
    head = f'<testsuite name="fabricgen" tests="{len(cases)}" failures="{failed}">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>"]
    return "\n".join(lines) + "\n"


def github(
    entries: list[Finding], examined: list[Examined], accepted: Sequence[Finding] = ()
) -> str:
    """Return workflow commands that annotate the lines of a pull request."""
    lines = [
        f"::notice title={item.check}::not run: {item.not_run}" for item in examined if item.not_run
    ]
    for entry in entries:
        text = f"{entry.message}. {entry.hint}" if entry.hint else entry.message
        text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        place = f"file={_property(entry.file)},line={entry.line},col={entry.column},"
        where = place if entry.file else ""
        lines.append(f"::{_GITHUB_LEVEL[entry.severity]} {where}title={entry.code}::{text}")
    return "\n".join([*lines, summed(entries, accepted)]) + "\n"


def _property(text: str) -> str:
    for letter, code in (("%", "%25"), (":", "%3A"), (",", "%2C")):
        text = text.replace(letter, code)
    return text


def fingerprint(entry: Finding) -> str:
    """Return a digest that a finding keeps when it moves to another line."""
    words = f"{entry.code}|{entry.path}|{entry.message}"
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def gitlab(entries: list[Finding], _: list[Examined], __: Sequence[Finding] = ()) -> str:
    """Return the open findings as code quality (docs.gitlab.com/ci/testing/code_quality).

    Each entry must have a place (`findings.placed`). GitLab shows one finding for each
    fingerprint, so equal findings are numbered.
    """
    seen: Counter[str] = Counter()
    rows = []
    for entry in entries:
        mark = fingerprint(entry)
        seen[mark] += 1
        if seen[mark] > 1:
            mark = hashlib.sha256(f"{mark}|{seen[mark]}".encode()).hexdigest()[:32]
        rows.append(
            {
                "description": f"{entry.message}. {entry.hint}".rstrip(". ") + ".",
                "check_name": entry.code,
                "fingerprint": mark,
                "severity": _GITLAB_LEVEL[entry.severity],
                "location": {
                    "path": entry.file.removeprefix("./"),
                    "lines": {"begin": max(1, entry.line)},
                },
            }
        )
    return json.dumps(rows, indent=1) + "\n"


FORMATS: dict[str, Format] = {
    "text": text,
    "json": as_json,
    "markdown": markdown,
    "sarif": sarif,
    "junit": junit,
    "github": github,
    "gitlab": gitlab,
}
