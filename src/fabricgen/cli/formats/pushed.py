"""How a push ended: a summary for people, a document for programs; every switch has its result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fabricgen.cli.formats.entry import clean
from fabricgen.deploy.journal.words import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.deploy.plan.document import Entry
    from fabricgen.deploy.push.push import Outcome

_FINE = {Phase.CONFIRMED, Phase.SKIPPED}


def summary(outcome: Outcome, unknown: Sequence[Entry]) -> str:
    """Name every switch that is not as it should be, then count."""
    lines = [
        f"{ended.phase.value}: {name}{f': {clean(ended.said)}' if ended.said else ''}"
        for name, ended in outcome.ended.items()
        if ended.phase not in _FINE
    ]
    lines += [f"{entry.state}: {entry.switch}: {clean(entry.said)}" for entry in unknown]
    counts = Counter(ended.phase.value for ended in outcome.ended.values())
    counted = ", ".join(f"{count} {word}" for word, count in counts.items())
    head = f"{outcome.push} of {outcome.change}: {outcome.result.value}: {counted}"
    lines.append(f"{head}; {clean(outcome.said)}" if outcome.said else head)
    return "\n".join(lines) + "\n"


def as_json(outcome: Outcome, unknown: Sequence[Entry]) -> dict[str, Any]:
    """Return the document that ends a stream of events."""
    return {
        "format_version": 1,
        "push": outcome.push,
        "plan": outcome.change,
        "result": outcome.result.value,
        "said": outcome.said,
        "switches": {
            **{
                name: {"result": ended.phase.value, "said": ended.said}
                for name, ended in outcome.ended.items()
            },
            **{entry.switch: {"result": entry.state, "said": entry.said} for entry in unknown},
        },
    }
