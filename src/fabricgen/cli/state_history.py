"""Prints the stored changes of a switch, and lists or deletes baselines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_labs, complete_switches
from fabricgen.cli.formats.document import document
from fabricgen.cli.plain import say
from fabricgen.cli.switch_options import taking
from fabricgen.cli.verify_history import moment_of
from fabricgen.core.record import record

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.state.timeline.baselines import Baselines
    from fabricgen.operate.state.timeline.records import Lane


@record(kw_only=True)
class StateOptions:
    """Options of `history` about the states of switches.

    Attributes:
        switch: Switch whose changes are shown.
        since: First moment of the changes.
        baselines: Whether baselines are listed.
        delete: Baseline to delete.
        prune: Age in days of the oldest change that remains.
        lab: Lab whose states are meant.
    """

    switch: str | None = None
    since: str | None = None
    baselines: bool = False
    delete: str | None = None
    prune: int | None = None
    lab: str | None = None

    def __post_init__(self) -> None:
        """Refuse two tasks at once, and a moment without a switch."""
        tasks = (self.switch, self.baselines, self.delete, self.prune)
        if sum(each not in (None, False) for each in tasks) > 1:
            raise click.UsageError(
                "--switch, --baselines, --delete-baseline, --prune: give only one"
            )
        if self.since and not self.switch:
            raise click.UsageError("--since needs --switch")

    @property
    def chosen(self) -> bool:
        """Return whether the states are meant instead of the pushes."""
        return bool(self.switch or self.baselines or self.delete or self.prune is not None)


_OPTIONS = (
    click.option(
        "--switch",
        metavar="NAME",
        shell_complete=complete_switches,
        help="Show the stored changes of this switch.",
    ),
    click.option(
        "--since", metavar="WHEN", help="First time of --switch: a time, an age, a plan or a push."
    ),
    click.option("--baselines", is_flag=True, help="List the baselines."),
    click.option("--delete-baseline", "delete", metavar="NAME", help="Delete a baseline."),
    click.option(
        "--prune",
        type=click.IntRange(min=0),
        metavar="DAYS",
        help="Delete changes and hourly summaries that are older.",
    ),
    click.option(
        "--lab",
        metavar="NAME",
        shell_complete=complete_labs,
        help="Use the states of this lab's switches.",
    ),
)


state_options = taking(_OPTIONS, StateOptions, "states")
"""The options about states, as one argument `states`."""


def show_states(journal: Journal, site: str, options: StateOptions, form: str) -> int:
    """Apply the options."""
    from fabricgen.operate.state.timeline import records
    from fabricgen.operate.state.timeline.baselines import Baselines
    from fabricgen.operate.state.timeline.timeline import Timeline

    if form == "jsonl":
        raise click.UsageError("--format jsonl is for pushes; use json")
    lane = records.Lane(site=site, lane=records.lane_of(options.lab))
    timeline = Timeline(journal.database)
    if options.prune is not None:
        days = timeline.prune(lane, timedelta(days=options.prune))
        say(f"{days} stored days of switches deleted")
        return 0
    if options.switch:
        return _show_switch(journal, lane, options.switch, options.since, form)
    return _show_baselines(Baselines(timeline, lane), options.delete, form)


def _show_baselines(baselines: Baselines, delete: str | None, form: str) -> int:
    from fabricgen.cli.formats.timeline import baselines_data, baselines_text

    if delete is not None:
        if not baselines.delete(delete):
            raise click.ClickException(f"no baseline {delete}")
        say(f"baseline {delete} deleted", err=True)
        return 0
    found = baselines.list()
    data = {"baselines": baselines_data(found)}
    say(document(data) if form == "json" else baselines_text(found), nl=False)
    return 0


def _show_switch(journal: Journal, lane: Lane, switch: str, since: str | None, form: str) -> int:
    from fabricgen.cli.formats.timeline import moments_data, moments_text
    from fabricgen.operate.state.timeline.causes import causes_since
    from fabricgen.operate.state.timeline.reading import History

    begin = datetime.fromtimestamp(0, UTC)
    if since is not None:
        moment = moment_of(since, journal, lane.site)
        if moment is None:
            raise click.ClickException(f"--since {since} is no time, age, plan or push")
        begin = moment[1]
    moments = History(journal.database, lane).moments(switch, begin)
    found = causes_since(journal, lane.site, begin)
    causes = [
        found.of(switch, (each.event.since, each.event.at), each.event.sessions).sentence
        for each in moments
    ]
    data = {"switch": switch, "history": moments_data(moments, causes)}
    say(document(data) if form == "json" else moments_text(moments, causes), nl=False)
    return 0
