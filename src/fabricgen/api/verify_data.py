"""Returns the results of checks of running switches as data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fabricgen.api.findings import short
from fabricgen.core.diagnostics import dotted
from fabricgen.core.plain_text import clean
from fabricgen.prove.catalogue.model import Outcome

if TYPE_CHECKING:
    from fabricgen.intent.source import SourceMap
    from fabricgen.operate.state.verified import Verified
    from fabricgen.prove.catalogue.model import Finding, Result


def place(finding: Finding, source: SourceMap) -> str:
    """Return the line of the intent as `file:line`, or an empty text."""
    at = source.locate(finding.because.main) if finding.because is not None else None
    return clean(f"{short(at.file)}:{at.line}") if at is not None else ""


def facts(result: Verified, source: SourceMap) -> dict[str, Any]:
    """Return the results as data; docs/reference/verify.schema.json describes them."""
    counts = Counter(each.outcome for each in result.every())
    return {
        "site": result.site,
        "counts": {kind.value: counts[kind] for kind in Outcome},
        "switches": [
            {
                "name": clean(name),
                "platform": look.expected.platform,
                "release": look.expected.release[0],
                "runs": clean(look.observed.runs),
                "results": [_result(each, source) for each in result.results[name]],
            }
            for name, look in result.looks.items()
        ],
        "unread": {clean(name): clean(why) for name, why in result.unread.items()},
        "unasked": dict(result.unasked),
    }


def _result(each: Result, source: SourceMap) -> dict[str, Any]:
    return {
        "check": each.check,
        "outcome": each.outcome.value,
        "severity": each.severity.value,
        "reason": clean(each.reason),
        "objects": each.objects,
        "findings": [finding(one, source) for one in each.findings],
    }


def finding(each: Finding, source: SourceMap) -> dict[str, Any]:
    """Return a finding as data."""
    return {
        "outcome": each.outcome.value,
        "sentence": clean(each.sentence),
        "object": [clean(word) for word in each.key],
        "attribute": each.attribute,
        "expected": clean(each.expected),
        "actual": clean(each.actual),
        "source": clean(each.source),
        "intent": dotted(each.because.main) if each.because is not None else "",
        "place": place(each, source),
    }
