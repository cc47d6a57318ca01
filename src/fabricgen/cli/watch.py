"""Implements `fabricgen watch SITE`, which watches lossless traffic next to computed thresholds."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.duration import Duration
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import designed, form_option
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.state.watch.looks import Look
    from fabricgen.operate.state.watch.report import Report
    from fabricgen.prove.catalogue.thresholds import LosslessPlan

    Source = tuple[Site, Mapping[str, LosslessPlan], int, Iterator[Look]]

_LINES = 200
"""Lines of a view that is printed and does not stay on a screen."""


@record(kw_only=True)
class WatchOptions:
    """How `watch` looks, and what it prints.

    Attributes:
        interval: Seconds between two looks.
        lasts: Seconds from the first look to the last one. None: until Ctrl-C.
        form: Output format.
        output: File of the output, replaced at each look.
        series: Folder of a recorded series.
        target: Folder for a new series.
        hosts: Folder with counters of NICs.
    """

    interval: float
    lasts: float | None
    form: str
    output: Path | None
    series: Path | None
    target: Path | None
    hosts: Path | None


def _folder(name: str, dest: str, text: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option(name, dest, metavar="DIR", type=kind, help=text)


@define_verb(
    "watch",
    examples=(
        "watch intent/full --limit backend",
        "watch intent/full --format prometheus -o fabricgen.prom",
    ),
    codes={
        0: "No limit was exceeded in the last look",
        2: "A limit was exceeded in the last look",
        3: "No limit was exceeded, but some switches did not answer",
    },
    sections={"Time": ("--once", "--interval", "--for")},
)
@asking
@form_option("text", "jsonl", "prometheus")
@click.option("--once", is_flag=True, help="Print one report, after two looks.")
@click.option(
    "--interval", type=Duration(), default="10s", show_default=True, help="Time between two looks."
)
@click.option("--for", "lasts", type=Duration(), help="End after this time.")
@_folder("--from", "series", "Read a recorded series instead of switches.")
@_folder("--record", "target", "Store the measures of each look in this folder.")
@_folder("--hosts", "hosts", "Folder with NIC counters, one file for each server.")
@click.option(
    *("-o", "--output", "output"),
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Replace this file at each look instead of printing.",
)
@reaching
def command(
    *,
    asked: SiteSelection,
    once: bool,
    interval: float,
    lasts: float | None,
    form: str,
    output: Path | None,
    series: Path | None,
    target: Path | None,
    hosts: Path | None,
) -> int:
    """Watch lossless traffic next to the computed thresholds.

    The verb compares pauses, ECN, drops, storms and peaks of SITE with the design.
    """
    if output is not None and form == "text":
        raise click.UsageError("-o needs --format jsonl or prometheus")
    if once and lasts is not None:
        raise click.UsageError("--once cannot be combined with --for")
    is_one = once or (form == "prometheus" and output is None)
    return _run(
        asked,
        WatchOptions(
            interval=interval,
            lasts=interval if is_one and lasts is None else lasts,
            form=form,
            output=output,
            series=series,
            target=target,
            hosts=hosts,
        ),
        is_one=is_one,
    )


def _run(asked: SiteSelection, options: WatchOptions, *, is_one: bool) -> int:
    """Watch until the end, and return the exit code of the last look."""
    from fabricgen.cli.look_notes import note_of_watch
    from fabricgen.model.settings.watching import WatchLimits
    from fabricgen.operate.state.watch.live import sources_of
    from fabricgen.operate.state.watch.report import Watcher

    site, plans, others, looks = _source(asked, options)
    if not plans:
        say("no switch of the selection has a lossless class")
        return 0
    watcher = Watcher(
        plans,
        site.limits or WatchLimits(),
        site=site.name,
        others=others,
        sources=sources_of(plans),
    )
    note = note_of_watch(asked, site.name) if options.series is None else None
    last: Report | None = None
    with _shown(options, is_one=is_one) as show:
        try:
            for number, look in enumerate(looks, 1):
                if options.target is not None:
                    _record(options.target, number, look)
                last = watcher.report(look)
                if not is_one:
                    show(last)
                if note is not None:
                    note(look)
        except KeyboardInterrupt:
            if last is None:
                raise
        if is_one and last is not None:
            show(last)
    return _code(last)


def _code(last: Report | None) -> int:
    if last is None:
        return 0
    if last.above:
        return CHANGES
    return UNREACHED if last.silent else 0


def _source(asked: SiteSelection, options: WatchOptions) -> Source:
    """Return the site, its lossless switches, the number of others, and the looks."""
    from fabricgen.cli.switch_connections import narrowed
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.operate.state.watch.live import Live, repeated
    from fabricgen.operate.state.watch.plans import lossless_plans
    from fabricgen.operate.state.watch.series import replay

    if options.series is not None:
        site = designed(asked.site, None).site
        names = narrowed(targets_of(site), asked.limit).keys()
        plans = lossless_plans(site, names)
        looks = _readable(replay(options.series, plans.keys()))
        return site, plans, len(names) - len(plans), looks
    ready = deployment(asked, files=False)
    plans = lossless_plans(ready.site, ready.targets.keys())
    live = Live(fleet=ready.fleet, plans=plans, hosts=options.hosts)
    looks = repeated(live.look, options.interval, options.lasts)
    return ready.site, plans, len(ready.targets) - len(plans), looks


def _readable(looks: Iterator[Look]) -> Iterator[Look]:
    """Yield recorded looks. An unreadable series ends the verb."""
    from fabricgen.operate.state.watch.series import SeriesError

    try:
        yield from looks
    except SeriesError as error:
        say(f"error: {error}", err=True)
        raise click.exceptions.Exit(1) from error


def _record(folder: Path, number: int, look: Look) -> None:
    from fabricgen.operate.state.watch.series import record

    try:
        record(folder, number, look)
    except OSError as error:
        say(f"error: {folder}: {error.strerror}", err=True)
        raise click.exceptions.Exit(1) from error


def _shown(
    options: WatchOptions, *, is_one: bool
) -> AbstractContextManager[Callable[[Report], None]]:
    """Return what shows each report: a live view, printed views, or lines of data."""
    if options.form != "text":
        return nullcontext(_data(options))
    from fabricgen.cli.progress import is_terminal

    if is_one or not is_terminal(sys.stdout):
        return nullcontext(_printed)
    from fabricgen.cli.formats.watch_live import live_view

    return live_view()


def _printed(report: Report) -> None:
    from fabricgen.cli.formats.watch import View
    from fabricgen.cli.plain import console

    console(soft_wrap=False).print(View(report, height=_LINES))


def _data(options: WatchOptions) -> Callable[[Report], None]:
    import json
    from datetime import UTC, datetime

    from fabricgen.operate.state.watch.data import as_data, exposed

    def show(report: Report) -> None:
        now = datetime.now(UTC)
        if options.form == "jsonl":
            text = json.dumps(as_data(report, now.isoformat(timespec="milliseconds"))) + "\n"
        else:
            text = exposed(report, now.timestamp())
        if options.output is None:
            say(text, nl=False)
            sys.stdout.flush()
        else:
            _replace(options.output, text)

    return show


def _replace(path: Path, text: str) -> None:
    from fabricgen.core.confined import write_whole

    try:
        write_whole(path, text, mode=0o644)  # node_exporter runs as another user
    except OSError as error:
        say(f"error: {path}: {error.strerror}", err=True)
        raise click.exceptions.Exit(1) from error
