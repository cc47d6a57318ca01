"""Prints incidents as text, as data and as a Markdown table."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fabricgen.api.comment_parts import cell
from fabricgen.core.plain_text import clean
from fabricgen.core.tables import markdown_table
from fabricgen.core.units import counted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from fabricgen.prove.incidents.model import Impact, Incident

_MOST = 40
"""Incidents of a text or a comment. JSON has all incidents."""
_NAMES = 4


def text(incidents: Sequence[Incident]) -> Iterator[str]:
    """Yield two lines for each incident, the worst first, below a heading."""
    if not incidents:
        return
    findings = sum(len(each.findings) for each in incidents)
    explain = "explains" if len(incidents) == 1 else "explain"
    yield f"{counted(len(incidents), 'incident')} {explain} {counted(findings, 'finding')}:"
    for each in incidents[:_MOST]:
        yield f"{each.id}  {each.cause.kind}: {clean(each.cause.sentence)}"
        yield f"    {'; '.join(filter(None, (_scope(each), impact(each.impact), _since(each))))}"
    if len(incidents) > _MOST:
        yield f"and {counted(len(incidents) - _MOST, 'more incident')}"


def _scope(incident: Incident) -> str:
    switches = incident.switches
    if not switches:
        return "no finding"
    where = shortened([*map(clean, switches)], _NAMES)
    return f"{counted(len(incident.findings), 'finding')} on {where}"


def _since(incident: Incident) -> str:
    return f"since {_time(incident.since)}" if incident.since is not None else ""


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def impact(each: Impact) -> str:
    """Return the loss of servers in one line; without a simulated failure, the tenants."""
    tenants = f"tenants {shortened(each.tenants, _NAMES)}" if each.tenants else ""
    if not each.failure:
        return tenants
    hit = f"{counted(each.servers, 'server')} and {counted(each.gpus, 'GPU')} keep less"
    lost = f"{counted(len(each.lost), 'server')} without network" if each.lost else ""
    rails = f"rails {', '.join(each.rails)}" if each.rails else ""
    jobs = f"jobs {shortened(each.jobs, _NAMES)}" if each.jobs else ""
    return ", ".join(
        filter(None, (hit if each.servers else "no server", lost, tenants, rails, jobs))
    )


def data(incidents: Sequence[Incident]) -> list[dict[str, Any]]:
    """Return all incidents as data, with the sentences of their findings."""
    return [
        {
            "id": each.id,
            "kind": each.cause.kind.value,
            "root": [clean(word) for word in each.cause.root],
            "sentence": clean(each.cause.sentence),
            "switches": [*map(clean, each.switches)],
            "since": _time(each.since) if each.since is not None else "",
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


def table(incidents: Sequence[Incident]) -> list[str]:
    """Return the lines of a table for a pull-request comment."""
    if not incidents:
        return []
    rows = [
        (
            each.id,
            each.cause.kind.value,
            cell(each.cause.sentence),
            str(len(each.findings)),
            cell(impact(each.impact)),
            _time(each.since) if each.since is not None else "",
        )
        for each in incidents[:_MOST]
    ]
    heads = ("incident", "kind", "cause", "findings", "impact", "since")
    more = len(incidents) - _MOST
    rest = [f"\n{counted(more, 'more incident')}"] if more > 0 else []
    return [*markdown_table(heads, rows), *rest, ""]
