"""Stores the looks of pushes and of `watch` in the timeline."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fabricgen.cli.plain import say
from fabricgen.cli.verify_history import lane_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabricgen.cli.notifications import Reached
    from fabricgen.cli.switch_options import SiteSelection
    from fabricgen.nos.health import Health
    from fabricgen.operate.state.timeline.snapshot import Seen, Source
    from fabricgen.operate.state.watch.looks import Look

_PAUSE = 60.0
"""Seconds between two stored looks of `watch`. Switches sample watermarks as often by default."""


class LookNotes:
    """Writes looks of one verb. The first failure is printed, and ends the writing."""

    def __init__(self, asked: SiteSelection, site: str, source: Source) -> None:
        """Set the selection of the command line, the name of the site, and the verb."""
        self._asked, self._site, self._source = asked, site, source
        self._is_failed = False

    def write(self, looks: Mapping[str, Seen], taken: float) -> None:
        """Store looks that were taken at a value of `time.monotonic`."""
        from fabricgen.operate.deploy.journal.records import JournalFailure
        from fabricgen.operate.deploy.plan.make import operator
        from fabricgen.operate.state.timeline.records import Identity
        from fabricgen.operate.state.timeline.timeline import Timeline

        if self._is_failed or not looks:
            return
        identity = Identity(source=self._source, who=operator(), taken=taken)
        lane = lane_of(self._asked, self._site)
        try:
            with self._asked.open_journal() as journal:
                Timeline(journal.database).write(lane, looks, identity)
        except JournalFailure as failure:
            self._is_failed = True
            say(f"warning: timeline not written ({failure})", err=True)


def note_of_push(
    asked: SiteSelection, reached: Reached
) -> Callable[[Mapping[str, Health], float], None]:
    """Return the function that stores the snapshots of a push. They have some facts only."""
    from fabricgen.nos.registry import reader_of
    from fabricgen.operate.state.timeline.snapshot import Source, seen

    notes = LookNotes(asked, reached.site, Source.PUSH)

    def note(looks: Mapping[str, Health], taken: float) -> None:
        found = {}
        for name, health in looks.items():
            reader = reader_of(reached.fleet.target(name).platform)
            if reader is not None and health.observed is not None:
                found[name] = seen(health.observed, reader.about, partial=True)
        notes.write(found, taken)

    return note


def note_of_watch(asked: SiteSelection, site: str) -> Callable[[Look], None]:
    """Return the function that stores the measures of looks, at most once a minute."""
    from fabricgen.operate.state.timeline.snapshot import Source, measured

    notes = LookNotes(asked, site, Source.WATCH)
    last: float | None = None

    def note(look: Look) -> None:
        nonlocal last
        if last is not None and look.taken - last < _PAUSE:
            return
        last = look.taken
        found = {name: measured(each.measures, each.clock) for name, each in look.seen.items()}
        notes.write(found, time.monotonic())

    return note
