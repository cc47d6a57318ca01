"""Prints incidents as text and as a Markdown table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.api.comment_parts import cell
from fabricgen.api.incidents import time_text
from fabricgen.core.plain_text import clean
from fabricgen.core.tables import markdown_table
from fabricgen.core.units import counted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    return f"since {time_text(incident.since)}" if incident.since is not None else ""


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
            time_text(each.since) if each.since is not None else "",
        )
        for each in incidents[:_MOST]
    ]
    heads = ("incident", "kind", "cause", "findings", "impact", "since")
    more = len(incidents) - _MOST
    rest = [f"\n{counted(more, 'more incident')}"] if more > 0 else []
    return [*markdown_table(heads, rows), *rest, ""]
