"""Prints the results of `verify` as JSON, JUnit XML and Markdown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabricgen.api.comment_parts import cell
from fabricgen.api.verify_data import facts, place
from fabricgen.cli.formats.document import document
from fabricgen.core.plain_text import clean
from fabricgen.core.tables import markdown_table
from fabricgen.core.units import counted
from fabricgen.operate.state.verified import fails
from fabricgen.prove.catalogue.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.intent.source import SourceMap
    from fabricgen.operate.state.verified import Verified
    from fabricgen.prove.catalogue.model import Result

MOST = 200
"""Findings of a Markdown comment."""
_NONE = (Outcome.PASSED, Outcome.NOT_APPLICABLE)


def tally(result: Verified) -> str:
    """Return the number of results of each kind."""
    counts = Counter(each.outcome for each in result.every())
    return ", ".join(f"{counts[kind]:,} {kind.value}" for kind in Outcome)


def as_json(result: Verified, source: SourceMap, more: Mapping[str, object]) -> str:
    """Return a versioned document with the result of each check on each switch, and more keys."""
    return document({**facts(result, source), **more})


def junit(result: Verified, source: SourceMap) -> str:
    """Return JUnit XML: one suite for each switch, one case for each check.

    A value that could not be read is an error, not a failure. A check that does not apply, and a
    failed check with the severity of a warning, are skipped.
    """
    from xml.sax.saxutils import quoteattr  # loads a client of HTTP

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="fabricgen verify">']
    for name, results in result.results.items():
        failed = sum(map(fails, results))
        errors = sum(each.outcome is Outcome.UNREAD for each in results)
        lines.append(
            f'<testsuite name={quoteattr(clean(name))} tests="{len(results)}" '
            f'failures="{failed}" errors="{errors}">'
        )
        lines += [_case(clean(name), each, source) for each in results]
        lines.append("</testsuite>")
    for name, why in _unreached(result):
        error = f"<error message={quoteattr(why)}/>"
        lines += [
            f'<testsuite name={quoteattr(name)} tests="1" failures="0" errors="1">',
            f'  <testcase classname={quoteattr(name)} name="read">{error}</testcase>',
            "</testsuite>",
        ]
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _unreached(result: Verified) -> Iterator[tuple[str, str]]:
    """Yield the switches without a result, with the reason."""
    for name, why in result.unread.items():
        yield clean(name), clean(why)
    for platform, names in result.unasked.items():
        yield from ((clean(name), f"the state of {platform} is not supported") for name in names)


def _case(switch: str, each: Result, source: SourceMap) -> str:
    from xml.sax.saxutils import escape, quoteattr

    head = f"  <testcase classname={quoteattr(switch)} name={quoteattr(each.check)}"
    if each.outcome is Outcome.PASSED:
        return f"{head}/>"
    message = quoteattr(clean(each.reason or (each.findings[0].sentence if each.findings else "")))
    if each.outcome is Outcome.NOT_APPLICABLE:
        return f"{head}><skipped message={message}/></testcase>"
    tag = "failure" if fails(each) else "error" if each.outcome is Outcome.UNREAD else "skipped"
    body = "\n".join(
        escape(" ".join(filter(None, (place(one, source), clean(one.sentence)))))
        for one in each.findings
    )
    return f"{head}><{tag} message={message}>{body}</{tag}></testcase>"


def markdown(result: Verified, source: SourceMap, incidents: Iterable[str]) -> str:
    """Return tables of incidents and findings for a pull-request comment."""
    lines = ["<!-- fabricgen:verify -->", f"**fabricgen verify**: {tally(result)}", ""]
    lines += incidents
    found = result.findings
    rows = (
        (
            cell(each.check),
            each.outcome.value,
            cell(each.sentence),
            cell(each.expected),
            cell(each.actual),
            cell(place(each, source)),
        )
        for each in found[:MOST]
    )
    heads = ("check", "result", "finding", "expected", "actual", "intent")
    lines += markdown_table(heads, rows) if found else ["No finding."]
    if len(found) > MOST:
        lines.append(f"\n{len(found) - MOST:,} more findings are not shown.")
    unread = [(cell(name), cell(why)) for name, why in _unreached(result)]
    if unread:
        lines += ["", *markdown_table(("not read", "reason"), unread[:MOST])]
    return "\n".join(lines) + "\n"


def summary(result: Verified) -> str:
    """Return the last line of the text: the number of switches without a finding."""
    fine = sum(all(each.outcome in _NONE for each in one) for one in result.results.values())
    unasked = sum(map(len, result.unasked.values()))
    everything = len(result.results) + len(result.unread.keys() - result.results.keys()) + unasked
    return f"{fine:,} of {counted(everything, 'switch')} passed; checks: {tally(result)}"
