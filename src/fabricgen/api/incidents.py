"""Groups the findings of running switches into incidents, and returns these as data."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed
from fabricgen.core.plain_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.state.timeline.begun import Began
    from fabricgen.operate.state.verified import Verified
    from fabricgen.prove.incidents.model import Found, Impact, Incident


def incidents_of(site: Site, result: Verified, began: Began | None = None) -> list[Incident]:
    """Return the incidents of a site, the worst first. `began`: first times of findings.

    Without the failure analysis there are none.
    """
    if not (is_installed("prove.incidents") and is_installed("prove.failures")):
        return []
    from fabricgen.prove.incidents.grouping import incidents
    from fabricgen.prove.incidents.model import Seen

    seen = {}
    for name, look in result.looks.items():
        findings: list[Found] = [it for one in result.results[name] for it in one.findings]
        seen[name] = Seen(expected=look.expected, observed=look.observed, findings=findings)
    silent = {name: why for name, why in result.unread.items() if name not in seen}
    found = incidents(site, seen, silent)
    return [replace(each, since=_since(each.findings, began or {})) for each in found]


def _since(findings: Iterable[object], began: Began) -> float | None:
    """Return the earliest time of the findings of an incident, if one is known."""
    if not began:
        return None
    assert is_installed("operate")
    from fabricgen.operate.state.timeline.begun import finding_key
    from fabricgen.prove.catalogue.model import Finding

    known = (each for each in findings if isinstance(each, Finding))
    keys = [(each.switch, finding_key(each.check, each.key)) for each in known]
    return min((began[key] for key in keys if key in began), default=None)


def time_text(seconds: float) -> str:
    """Return a time in UTC, in seconds."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def data(incidents: Sequence[Incident]) -> list[dict[str, Any]]:
    """Return all incidents as data, with the sentences of their findings."""
    return [
        {
            "id": each.id,
            "kind": each.cause.kind.value,
            "root": [clean(word) for word in each.cause.root],
            "sentence": clean(each.cause.sentence),
            "switches": [*map(clean, each.switches)],
            "since": time_text(each.since) if each.since is not None else "",
            "findings": [clean(found.sentence) for found in each.findings],
            "impact": _impact(each.impact),
        }
        for each in incidents
    ]


def _impact(each: Impact) -> dict[str, Any]:
    return {
        "failure": each.failure,
        "servers": each.servers,
        "gpus": each.gpus,
        "without_network": list(each.lost),
        "tenants": list(each.tenants),
        "rails": list(each.rails),
        "jobs": list(each.jobs),
        "keeps": {group.label: _share(outcome.keeps) for group, outcome in each.outcomes},
    }


def _share(share: Fraction) -> float:
    """Return a share in percent."""
    return round(float(share) * 100, 2)
