"""Shows the progress of a push as a bar, lines or JSON, and its result for each switch."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fabricgen.cli.plain import say
from fabricgen.core.plain_text import clean
from fabricgen.core.progress import stage, watcher
from fabricgen.operate.deploy.journal.records import Phase
from fabricgen.operate.deploy.push.events import Event, EventKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fabricgen.operate.deploy.plan.document import Entry
    from fabricgen.operate.deploy.push.events import Tell
    from fabricgen.operate.deploy.push.push import Outcome

_PARTS = 10  # lines of progress in a pipe, one per tenth of the switches


@contextlib.contextmanager
def looking(total: int) -> Iterator[Callable[[Entry], None]]:
    """Show the number of switches that were compared."""
    if watcher() is not None:
        with stage("comparing switches", total) as compared:
            yield lambda _: compared.advance()
        return
    lock, seen = threading.Lock(), 0

    def count(_: Entry) -> None:
        nonlocal seen
        with lock:
            seen += 1
            if total >= _PARTS and seen % max(1, total // _PARTS) == 0:
                say(f"compared {seen} of {total} switches", err=True)

    yield count


_WORDS = {
    EventKind.BEGUN: "{said}",
    EventKind.MOVED: "{switch}: {said}",
    EventKind.BATCH: "batch {batch}: {said}",
    EventKind.READY: "batch {batch}: {switch} is ready",
    EventKind.COMMITTED: "batch {batch}: {switch} runs the new configuration{path}, unconfirmed",
    EventKind.REMARK: "batch {batch}: {switch}: {said}",
    EventKind.BESIDE: "batch {batch}: {said}",
    EventKind.PINGED: "batch {batch}: {said}",
    EventKind.UNSEEN: "batch {batch}: not covered by the health check: {said}",
    EventKind.OLD: "batch {batch}: {switch} differed from the design before this push: {said}",
    EventKind.LEFT: "batch {batch}: {switch}: removed by other switches: {said}",
    EventKind.GATE: "batch {batch}: checking network health",
    EventKind.LOST: "batch {batch}: {switch}: {said}",
    EventKind.OVER: "batch {batch} ended: {said}",
    EventKind.ENDED: "batch {batch}: {switch} {said}",
    EventKind.RECOVERED: "{said}",
}
_QUIET = {EventKind.READY}


@contextlib.contextmanager
def pushing(form: str, total: int) -> Iterator[Tell]:
    """Show the events of a push as JSON lines, as lines, or on a terminal with a bar."""
    lock = threading.Lock()
    if form == "json":

        def as_json(event: Event) -> None:
            with lock:
                say(json.dumps({"event": event.what.value, **_facts(event)}))

        yield as_json
        return
    is_watched = watcher() is not None
    with stage("pushing", total) as pushed:

        def as_line(event: Event) -> None:
            with lock:
                if not (is_watched and event.what in _QUIET):
                    say(_line(event), err=True)
                pushed.advance(event.what is EventKind.ENDED)

        yield as_line


def _facts(event: Event) -> dict[str, object]:
    return {key: value for key, value in asdict(event).items() if key != "what" and value}


def _line(event: Event) -> str:
    reason = clean(event.said)
    path = f" {reason}" if reason else ""
    return _WORDS[event.what].format(batch=event.batch, switch=event.switch, said=reason, path=path)


_FINE = {Phase.CONFIRMED, Phase.SKIPPED}


def summary(outcome: Outcome, unknown: Sequence[Entry]) -> str:
    """Return a line per failed switch, then the numbers."""
    lines = [
        f"{ended.phase.value}: {name}{f': {clean(ended.said)}' if ended.said else ''}"
        for name, ended in outcome.ended.items()
        if ended.phase not in _FINE
    ]
    lines += [f"{entry.state}: {entry.switch}: {clean(entry.said)}" for entry in unknown]
    counts = Counter(ended.phase.value for ended in outcome.ended.values())
    counted = ", ".join(f"{count} {word}" for word, count in counts.items())
    head = f"{outcome.push} of {outcome.change}: {outcome.result.value}: {counted}"
    sentence = clean(outcome.said)
    lines.append(sentence if not outcome.push else f"{head}; {sentence}" if sentence else head)
    return "\n".join(lines) + "\n"


def as_json(outcome: Outcome, unknown: Sequence[Entry]) -> dict[str, Any]:
    """Return the last document of a stream of events."""
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
