"""Write the result of a push for the textfile collector of node_exporter.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.operate.deploy.journal.records import Phase, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from fabricgen.operate.deploy.push.batch import Ended


@record(kw_only=True)
class Measured:
    """A finished push. kind: push or rollback; glass: whether break-glass was used."""

    site: str
    kind: str
    began: datetime
    ended: datetime
    result: Result
    switches: Mapping[str, Ended]
    glass: bool


def exposed(push: Measured) -> str:
    """Return the metrics of the last push of a site as gauges."""
    return "".join(f"{line}\n" for line in _lines(push))


def _lines(push: Measured) -> Iterator[str]:
    own = f'site="{_escaped(push.site)}",kind="{_escaped(push.kind)}"'
    phases = Counter(each.phase for each in push.switches.values())
    seconds = (push.ended - push.began).total_seconds()
    yield from _gauge("end_timestamp_seconds", "End time.", {own: push.ended.timestamp()})
    yield from _gauge("duration_seconds", "Duration.", {own: seconds})
    results = {f'{own},result="{it}"': float(it is push.result) for it in Result}
    yield from _gauge("result", "1 for the actual result.", results)
    counts = {f'{own},phase="{phase}"': float(phases[phase]) for phase in Phase}
    yield from _gauge("switches", "Number of switches by final phase.", counts)
    yield from _gauge("break_glass", "1 if break-glass was used.", {own: push.glass})


def _gauge(name: str, about: str, values: Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP fabricgen_push_{name} Last push of a site: {about}"
    yield f"# TYPE fabricgen_push_{name} gauge"
    yield from (
        f"fabricgen_push_{name}{{{labels}}} {value:.3f}" for labels, value in values.items()
    )


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
