"""Implements `fabricgen reach --live`, which compares one path on running switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.output import Designed, answered, designed, ended
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, lab_of, reaching
from fabricgen.cli.switch_options import SiteSelection
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from fabricgen.cli.live_selection import LiveSelection
    from fabricgen.compile.compiler import Owner
    from fabricgen.model.fabric.switch import Site
    from fabricgen.prove.reach.live.follow import Route
    from fabricgen.prove.reach.live.steps import LivePath
    from fabricgen.prove.reach.matrix import Case
    from fabricgen.prove.walk.exchange import Exchange

    Texts = Iterable[tuple[Owner, Mapping[str, str]]]


@record(kw_only=True)
class LiveOptions:
    """Options of a live path: its switches, site, folder of files and output format."""

    running: LiveSelection
    site: Path
    folder: Path | None
    form: str

    @property
    def of(self) -> SiteSelection:
        """Return the switch selection."""
        running = self.running
        return SiteSelection(
            site=self.site, inventory=running.inventory, lab=running.lab, journal=None
        )


@reaching
def compare_live(
    options: LiveOptions,
    cases_of: Callable[[Site, Texts], tuple[list[Case], Exchange]],
) -> int:
    """Print the path of the one matching pair, and return the exit code.

    Args:
        options: Options of the command line.
        cases_of: Returns the asked pairs, and the routes that the files exchange.
    """
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.prove.reach.live.evidence import files_of

    lab = lab_of(options.of.lab)
    design = designed(options.of.site, lab.lifted if lab else None)
    there = targets_of(design.site)
    there = lab.part(there) if lab else there
    texts = files_of(_files(design.site, options.folder), there)
    with answered(design.source):
        every, exchange = cases_of(design.site, texts)
    path = _path(options, design, (texts, exchange), _one(every, design))
    _print(path, options.form)
    return _code(path)


def _code(path: LivePath) -> int:
    from fabricgen.prove.reach.live.steps import State

    return {State.SAME: 0, State.DIFFERS: CHANGES, State.UNKNOWN: UNREACHED}[path.state]


def _files(site: Site, folder: Path | None) -> Texts:
    from fabricgen.prove.evidence import rendered, standing

    return standing(site, folder) if folder else rendered(site)


def _one(every: list[Case], design: Designed) -> Case:
    """Return the one pair of endpoints, IPv4 first; more pairs end the verb."""
    pairs = dict.fromkeys((each.one.station.name, each.other.station.name) for each in every)
    if len(pairs) == 1:
        return every[0]
    if not pairs:
        message = "the two ends have no addresses of the same IP version"
        ended([Diagnostic(Code.NO_SUCH_OBJECT, message)], design.source)
    shown = ", ".join(f"{one} to {other}" for one, other in list(pairs)[:3])
    raise click.UsageError(
        f"--live follows one pair, but {len(pairs):,} match ({shown}); name interfaces"
    )


def _path(
    options: LiveOptions, design: Designed, files: tuple[Texts, Exchange], case: Case
) -> LivePath:
    """Return the compared path of a pair: of running switches, or of a recording."""
    from fabricgen.operate.deploy.look import look_at, read_recordings
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.operate.state.recordings import RecordingError
    from fabricgen.prove.reach.live.branches import NotFollowed
    from fabricgen.prove.reach.live.evidence import ground_of, live_path
    from fabricgen.prove.reach.live.follow import route

    stored = options.running.recordings
    ready = deployment(options.of, files=False, design=design) if stored is None else None
    there = ready.there if ready is not None else targets_of(design.site)
    ground = ground_of(design.site, there)
    way = _way(lambda: route(ground, case, options.running.dscp), NotFollowed, case, design)
    asked = {name: ground.expected[name].facts | way.asks(name) for name in way.switches}
    if ready is not None:
        return live_path(way, ground, files, *look_at(ready, asked))
    assert stored is not None
    try:
        found = read_recordings(stored, {name: there[name].platform for name in asked})
    except RecordingError as error:
        say(f"error: {error}", err=True)
        raise click.exceptions.Exit(1) from error
    return live_path(way, ground, files, *found)


def _way(
    make: Callable[[], Route], refused: type[Exception], case: Case, design: Designed
) -> Route:
    """Return the branches of the model. A packet without a path ends the verb."""
    from fabricgen.prove.walk.packet import Outcome

    try:
        if case.model.outcome is Outcome.REACHES:
            return make()
        why = case.model.rule
    except refused as reason:
        why = str(reason)
    message = f"{case.name} has no path to follow: {why}"
    return ended([Diagnostic(Code.NOT_REACHED, message)], design.source)


def _print(path: LivePath, form: str) -> None:
    from fabricgen.cli.formats.reach_live import live_data, live_markdown, live_text

    if form == "json":
        say(document(live_data(path)), nl=False)
    else:
        say(live_markdown(path) if form == "markdown" else live_text(path), nl=False)
