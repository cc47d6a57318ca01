"""Add the changes of a look that could not be stored to the stored changes."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from fabricgen.operate.state.timeline.changes import Net, add, compare
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.records import Past
from fabricgen.operate.state.timeline.snapshot import Seen, completed


def with_unwritten(
    pasts: Iterable[Past], history: History, looks: Mapping[str, Seen]
) -> list[Past]:
    """Return the changes of switches, with the changes of looks that are not stored."""
    now = time.time()
    return [_with(past, history, looks.get(past.switch), now) for past in pasts]


def _with(past: Past, history: History, look: Seen | None, now: float) -> Past:
    if look is None:
        return past
    before = history.facts(past.switch)
    sums = dict(past.sums)
    for each in compare(before, completed(before, look)):
        add(sums, each.spot, Net(each.old, each.new, past.at, now, look.sessions))
    return replace(past, sums=sums, at=now)
