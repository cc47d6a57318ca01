"""Implements `fabricgen verify SITE`, which checks every running switch against the model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from fabricgen.cli.duration import Duration
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import Designed, designed, form_option
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import deployment, narrowed, reaching
from fabricgen.cli.switch_options import SiteSelection, asking
from fabricgen.cli.verify_history import HistoryOptions, first_times, history_options, store
from fabricgen.cli.verify_output import code_of, show

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabricgen.nos.questions import Answers
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.verify import Record
    from fabricgen.operate.state.verified import Verified
    from fabricgen.prove.catalogue.model import Check

FORMATS = ("text", "json", "junit", "markdown")


@define_verb(
    "verify",
    examples=(
        "verify intent/full --tag lossless --record answers",
        "verify intent/full --since 2h",
    ),
    codes={
        0: "Every check passed, or only warnings",
        2: "A check failed, or has not passed yet",
        3: "No check failed, but something was not read",
    },
    sections={"Checks": ("--check", "--tag"), "Time": ("--settle", "--for")},
)
@asking
@form_option(*FORMATS)
@click.option("--check", "names", multiple=True, metavar="NAME", help="Run only this check.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Run only checks with this tag.")
@click.option("--settle", default=0, metavar="SECONDS", help="Seconds to wait for convergence.")
@click.option("--for", "apart", type=Duration(), help="Compare two looks with this time between.")
@click.option(
    "--from",
    "place",
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR|TAR",
    help="Read recorded answers instead of switches.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Store the answers of the switches, without secrets.",
)
@history_options
def command(
    *,
    asked: SiteSelection,
    form: str,
    names: tuple[str, ...],
    tags: tuple[str, ...],
    settle: int,
    apart: float | None,
    place: Path | None,
    record: Path | None,
    history: HistoryOptions,
) -> int:
    """Check the state of switches against the model.

    The verb runs the catalogue of checks on every switch of SITE.
    """
    checks = chosen_checks(names, tags)
    if place is None:
        return _live(asked, form, checks, Looking(settle, apart or 0.0, record), history)
    if record is not None or settle or apart or asked.lab:
        raise click.UsageError("--from cannot be combined with --record, --settle, --for or --lab")
    return _recorded(asked, form, checks, place, history)


class Looking(NamedTuple):
    """How to look at switches.

    Attributes:
        settle: Seconds to wait for convergence.
        apart: Seconds between two looks. 0: one look.
        record: Folder for the answers.
    """

    settle: int = 0
    apart: float = 0.0
    record: Path | None = None


_ONE_LOOK = Looking()


@reaching
def _live(
    asked: SiteSelection,
    form: str,
    checks: tuple[Check, ...],
    how: Looking,
    history: HistoryOptions,
) -> int:
    """Check running switches, and print the results."""
    result, design = looked(asked, checks, how)
    changes = store(asked, result, history)
    show(asked, result, design, form, changes, first_times(asked, result, history))
    return code_of(result)


def _recorded(
    asked: SiteSelection,
    form: str,
    checks: tuple[Check, ...],
    place: Path,
    history: HistoryOptions,
) -> int:
    """Check recorded switches, without an inventory, and print the results."""
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.operate.state.recordings import RecordingError, opened
    from fabricgen.operate.state.verified import recorded

    design = designed(asked.site, None)
    everything = targets_of(design.site)
    targets = narrowed(everything, asked.limit)
    try:
        with opened(place) as recordings:
            for name in sorted(recordings.switches - everything.keys()):
                say(f"warning: {name} is not a switch of this site ({place})", err=True)
            result = recorded(design.site, targets, everything, checks, recordings)
    except RecordingError as error:
        say(f"error: {error}", err=True)
        return 1
    changes = store(asked, result, history, recorded=True)
    began = first_times(asked, result, history, recorded=True)
    show(asked, result, design, form, changes, began)
    return code_of(result)


def chosen_checks(names: tuple[str, ...] = (), tags: tuple[str, ...] = ()) -> tuple[Check, ...]:
    """Return the checks of the options. An unknown name ends the verb with the nearest names."""
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.prove.catalogue.load import catalogue, chosen

    known = {each.name for each in catalogue()}
    groups = {tag for each in catalogue() for tag in each.tags}
    for option, words, all_words in (("--check", names, known), ("--tag", tags, groups)):
        for word in words:
            if word not in all_words:
                hint = did_you_mean(word, all_words, likeness=0.5, most=20)
                raise click.UsageError(f"unknown name {word!r} of {option}; {hint}")
    return chosen(names, tags)


def looked(
    asked: SiteSelection,
    checks: tuple[Check, ...],
    how: Looking = _ONE_LOOK,
    drained: Collection[str] = (),
) -> tuple[Verified, Designed]:
    """Check the switches.

    Args:
        asked: Site and switches of the command line.
        checks: The checks.
        how: Waiting, second look and recording.
        drained: Switches that a plan drained, but not the intent.

    Returns:
        The results, and the compiled site.
    """
    from fabricgen.operate.deploy.verify import verified

    ready = deployment(asked, files=how.record is not None, needed=False)
    recorder = _recorder(ready, how.record) if how.record is not None else None
    result = verified(ready, checks, how.settle, drained, recorder, how.apart)
    return result, Designed(ready.site, ready.source, ())


def _recorder(ready: Deployment, folder: Path) -> Record:
    """Return the function that stores the answers of a switch without the secrets of the site."""
    from fabricgen.operate.state.recordings import Recorded, Recorder

    recorder = Recorder(folder, ready.lens.hide)
    models = {
        switch.name: switch.model.name
        for fabric in ready.site.fabrics
        for switch in fabric.topology.switches
    }

    def store(name: str, answers: Answers) -> None:
        target = ready.targets[name]
        about = Recorded(
            switch=name, platform=target.platform, release=target.release, model=models[name]
        )
        recorder.write(about, answers)

    return store


def after_push(
    asked: SiteSelection, form: str, drained: Collection[str]
) -> tuple[int, dict[str, object]]:
    """Check the switches after a push with all checks, and print the results only as text.

    Returns:
        The exit code and the results as data.
    """
    from fabricgen.api.verify_data import facts

    result, design = looked(asked, chosen_checks(), drained=drained)
    store(asked, result)
    if form != "json":
        show(asked, result, design, "text")
    return code_of(result), facts(result, design.source)
