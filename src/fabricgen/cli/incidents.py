"""Groups the findings of `verify` into incidents, where the failure analysis is installed."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.state.timeline.begun import Began
    from fabricgen.operate.state.verified import Verified


@record()
class Grouped:
    """Incidents in each format: lines of text, data, and lines of Markdown."""

    text: list[str] = field(default_factory=list)
    data: list[dict[str, Any]] = field(default_factory=list)
    markdown: list[str] = field(default_factory=list)


def grouped(site: Site, result: Verified, began: Began | None = None) -> Grouped:
    """Return the incidents of a site, the worst first. `began`: first times of findings."""
    if not (is_installed("prove.incidents") and is_installed("prove.failures")):
        return Grouped()
    from fabricgen.cli.formats import incidents as formats
    from fabricgen.prove.incidents.grouping import incidents
    from fabricgen.prove.incidents.model import Found, Seen

    seen = {}
    for name, look in result.looks.items():
        findings: list[Found] = [it for one in result.results[name] for it in one.findings]
        seen[name] = Seen(expected=look.expected, observed=look.observed, findings=findings)
    silent = {name: why for name, why in result.unread.items() if name not in seen}
    found = [
        replace(each, since=_since(each.findings, began or {}))
        for each in incidents(site, seen, silent)
    ]
    return Grouped([*formats.text(found)], formats.data(found), formats.table(found))


def _since(findings: Iterable[object], began: Began) -> float | None:
    """Return the earliest time of the findings of an incident, if one is known."""
    from fabricgen.operate.state.timeline.begun import finding_key
    from fabricgen.prove.catalogue.model import Finding

    known = (each for each in findings if isinstance(each, Finding))
    keys = [(each.switch, finding_key(each.check, each.key)) for each in known]
    return min((began[key] for key in keys if key in began), default=None)
