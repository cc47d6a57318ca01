"""Stores the looks of `verify` in the timeline, and prints the changes since another state."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import say
from fabricgen.cli.switch_options import taking
from fabricgen.core.plain_text import clean
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.cli.switch_options import SiteSelection
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.state.timeline.begun import Began
    from fabricgen.operate.state.timeline.records import Identity, Lane
    from fabricgen.operate.state.timeline.report import Report
    from fabricgen.operate.state.timeline.snapshot import Seen
    from fabricgen.operate.state.verified import Verified

_AGE = re.compile(r"(\d{1,6})(m|h|d|w)")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_NAME = re.compile(r"[A-Za-z][\w.-]{0,99}")
_PLAN = re.compile(r"[0-9a-f]{6,64}|push-[0-9a-f]+")


@record(kw_only=True)
class HistoryOptions:
    """Options of `verify` about earlier states.

    Attributes:
        since: A time, an age, a plan, a push or a baseline.
        baseline: Name of a baseline to compare with.
        save: Name of the baseline to store.
        retain: Days after which changes are deleted.
    """

    since: str | None = None
    baseline: str | None = None
    save: str | None = None
    retain: int = 30

    def __post_init__(self) -> None:
        """Refuse two states to compare with, and names that look like a time or a plan."""
        if self.since and self.baseline:
            raise click.UsageError("--since and --baseline: give only one")
        bad = self.save is not None and (not _NAME.fullmatch(self.save) or _is_other(self.save))
        if bad:
            raise click.UsageError(
                f"--save-baseline {clean(self.save or '')}: a name begins with a letter, has only "
                "letters, digits and - _ . and is no age, time or plan"
            )


def _is_other(word: str) -> bool:
    return bool(_AGE.fullmatch(word) or _PLAN.fullmatch(word))


_OPTIONS = (
    click.option(
        "--since",
        metavar="WHEN",
        help="Show changes since a time (2026-11-20T19:00, UTC), an age (2h, 3d), a plan, a push or"
        " a baseline.",
    ),
    click.option("--baseline", metavar="NAME", help="Show changes since this baseline."),
    click.option(
        "--save-baseline", "save", metavar="NAME", help="Store the state under this name."
    ),
    click.option(
        "--retain",
        type=click.IntRange(1, 3650),
        default=30,
        show_default=True,
        metavar="DAYS",
        envvar="FABRICGEN_RETAIN",
        help="Delete older changes and hourly summaries. Baselines and the last state remain.",
    ),
)


history_options = taking(_OPTIONS, HistoryOptions, "history")
"""The options about earlier states, as one argument `history`."""


def lane_of(asked: SiteSelection, site: str, *, recorded: bool = False) -> Lane:
    """Return which states of a site a verb sees: of its switches, a lab or recorded answers."""
    from fabricgen.operate.state.timeline import records

    lane = records.RECORDING if recorded else records.lane_of(asked.lab)
    return records.Lane(site=site, lane=lane)


def store(
    asked: SiteSelection,
    result: Verified,
    history: HistoryOptions | None = None,
    *,
    recorded: bool = False,
) -> Report | None:
    """Store a look in the timeline, and return the changes that the options ask for.

    A look that cannot be stored is reported on stderr. `verify` itself needs no journal.
    """
    try:
        return _stored(asked, result, history or HistoryOptions(), recorded=recorded)
    except ModuleNotFoundError as missing:
        install = f"missing package {missing.name}: run pip install '.[deploy]'"
        say(f"warning: timeline not written ({install})", err=True)
        return None


def _stored(
    asked: SiteSelection, result: Verified, options: HistoryOptions, *, recorded: bool
) -> Report | None:
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.plan.make import operator
    from fabricgen.operate.state.timeline.records import Identity
    from fabricgen.operate.state.timeline.snapshot import Source

    source = Source.RECORDING if recorded else Source.VERIFY
    identity = Identity(source=source, who=operator())
    lane = lane_of(asked, result.site, recorded=recorded)
    looks = seen_in(result, recorded=recorded)
    written = False
    try:
        with asked.open_journal() as journal:
            written = _written(journal, lane, looks, identity, options)
    except JournalFailure as failure:
        say(f"warning: timeline not written ({failure})", err=True)
    if not (options.since or options.baseline or options.save):
        return None
    try:
        with asked.open_journal(make=False) as journal:
            if options.save:
                if not written:
                    why = "the baseline was not stored: this look is not written"
                    raise click.ClickException(why)
                _save(journal, lane, options.save, identity, looks)
            return _report(journal, lane, options, {} if written else looks, looks)
    except JournalFailure as failure:
        raise click.ClickException(str(failure)) from None


def first_times(
    asked: SiteSelection, result: Verified, history: HistoryOptions, *, recorded: bool = False
) -> Began:
    """Return since when the timeline has each finding of a look; empty without a journal."""
    try:
        from fabricgen.operate.deploy.journal.records import JournalFailure
        from fabricgen.operate.state.timeline.begun import begun
        from fabricgen.operate.state.timeline.reading import History
    except ModuleNotFoundError:  # `store` has reported it
        return {}
    lane = lane_of(asked, result.site, recorded=recorded)
    failed = {name for name, found in result.results.items() if any(it.findings for it in found)}
    after = datetime.now(UTC) - timedelta(days=history.retain)
    try:
        with asked.open_journal(make=False) as journal:
            return begun(History(journal.database, lane), sorted(failed), after)
    except JournalFailure:
        return {}


def seen_in(result: Verified, *, recorded: bool = False) -> dict[str, Seen]:
    """Return the stored part of the looks. A switch without a recording has no look."""
    from fabricgen.operate.state.timeline.snapshot import seen, silent

    looks = {} if recorded else {name: silent(why) for name, why in result.unread.items()}
    for name, look in result.looks.items():
        looks[name] = seen(look.observed, look.expected.about, result.results.get(name, ()))
    return looks


def _written(
    journal: Journal,
    lane: Lane,
    looks: Mapping[str, Seen],
    identity: Identity,
    options: HistoryOptions,
) -> bool:
    """Write the looks, and report switches with a newer stored look."""
    from fabricgen.core.units import shortened
    from fabricgen.operate.state.timeline.timeline import Timeline

    timeline = Timeline(journal.database, retained=timedelta(days=options.retain))
    outcome = timeline.write(lane, looks, identity)
    if outcome.outdated:
        names = shortened(outcome.outdated)
        say(f"timeline not written for {names}: a newer look is stored", err=True)
    return True


def _save(
    journal: Journal, lane: Lane, name: str, identity: Identity, looks: Mapping[str, Seen]
) -> None:
    from fabricgen.core.units import counted
    from fabricgen.operate.state.timeline.baselines import BaselineExistsError, Baselines
    from fabricgen.operate.state.timeline.timeline import Timeline

    answered = [each for each, look in looks.items() if look.answered]
    try:
        number = Baselines(Timeline(journal.database), lane).save(name, identity.who, answered)
    except BaselineExistsError:
        raise click.ClickException(
            f"baseline {name} exists; delete it with `fabricgen history SITE --delete-baseline "
            f"{name}`"
        ) from None
    say(f"baseline {name}: {counted(number, 'switch')}", err=True)


def _report(
    journal: Journal,
    lane: Lane,
    options: HistoryOptions,
    unwritten: Mapping[str, Seen],
    looks: Mapping[str, Seen],
) -> Report | None:
    """Return the changes since the state of the options.

    `unwritten`: looks that are not stored. Their changes are added.
    """
    from fabricgen.operate.state.timeline.baselines import Baselines
    from fabricgen.operate.state.timeline.causes import causes_since
    from fabricgen.operate.state.timeline.reading import History
    from fabricgen.operate.state.timeline.report import report
    from fabricgen.operate.state.timeline.timeline import Timeline
    from fabricgen.operate.state.timeline.unwritten import with_unwritten

    word = options.baseline or options.since
    if not word:
        return None
    baselines = Baselines(Timeline(journal.database), lane)
    history = History(journal.database, lane)
    moment = None if options.baseline else moment_of(word, journal, lane.site)
    if moment is None:
        against = baselines.compare(word, looks)
        if against is None:
            raise click.ClickException(_unknown(word, [each.name for each in baselines.list()]))
        time = datetime.fromtimestamp(against.at, UTC)
        label, pasts = f"baseline {word}", [*against.pasts.values()]
    else:
        label, time = moment
        pasts = history.since(time, looks)
    pasts = with_unwritten(pasts, history, unwritten)
    begin = min([time, *(datetime.fromtimestamp(past.first, UTC) for past in pasts)])
    unknown = sorted(looks.keys() - {past.switch for past in pasts})
    causes = causes_since(journal, lane.site, begin)
    return report(label, time.timestamp(), pasts, causes.of, unknown)


def _unknown(word: str, names: list[str]) -> str:
    known = ", ".join(names) or "none"
    return f"{clean(word)} is no baseline, plan, push, time or age (baselines: {known})"


def moment_of(
    word: str, journal: Journal, site: str, now: datetime | None = None
) -> tuple[str, datetime] | None:
    """Return the words and the time of a moment; None if the word must be a baseline.

    The moment of a plan or a push is its start.
    """
    now = now or datetime.now(UTC)
    if found := _AGE.fullmatch(word):
        time = now - timedelta(**{_UNITS[found[2]]: int(found[1])})
        return f"{time:%Y-%m-%d %H:%M} UTC", time
    if word[:1].isdigit() and "-" in word:
        try:
            time = datetime.fromisoformat(word)
        except ValueError:
            return None
        time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        return f"{time:%Y-%m-%d %H:%M} UTC", time
    if not _PLAN.fullmatch(word):
        return None
    pushes = [journal.push(word)] if word.startswith("push-") else journal.history(site, plan=word)
    push = next(iter(pushes), None)
    if push is None:
        return None
    return f"{push.kind} of plan {push.plan} ({push.id}, {push.started:%Y-%m-%d %H:%M} UTC)", (
        push.started
    )
