"""Write the result of a push for the textfile collector of node_exporter."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.operate.deploy.journal.records import Phase, Result
from fabricgen.operate.exposition import gauge, labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from fabricgen.operate.deploy.push.batch import Ended


@record(kw_only=True)
class Measured:
    """A finished push.

    Attributes:
        kind: `push` or `rollback`.
        glass: Whether break-glass was used.
    """

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
    own = {"site": push.site, "kind": push.kind}
    phases = Counter(each.phase for each in push.switches.values())
    seconds = (push.ended - push.began).total_seconds()
    results = {labels(**own, result=it): float(it is push.result) for it in Result}
    counts = {labels(**own, phase=phase): float(phases[phase]) for phase in Phase}
    for name, about, values in (
        ("end_timestamp_seconds", "End time.", {labels(**own): push.ended.timestamp()}),
        ("duration_seconds", "Duration.", {labels(**own): seconds}),
        ("result", "1 for the actual result.", results),
        ("switches", "Number of switches by final phase.", counts),
        ("break_glass", "1 if break-glass was used.", {labels(**own): float(push.glass)}),
    ):
        yield from gauge(f"fabricgen_push_{name}", f"Last push of a site: {about}", values)
