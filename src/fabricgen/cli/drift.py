"""Implements `fabricgen drift SITE`, which lists switches that differ from the rendered files."""

from __future__ import annotations

import functools
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, SwitchSelection, asking, reach_options
from fabricgen.cli.verify import chosen_checks
from fabricgen.cli.verify_output import code_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from fabricgen.cli.formats.drift import Drifts
    from fabricgen.operate.deploy.coordination.agreement import Step

FORMATS = ("text", "json", "markdown")


@define_verb(
    "drift",
    examples=("drift intent/full --limit frontend", "drift intent/lab --lab lab --format json"),
    codes={
        0: "All switches run the rendered configuration",
        2: "Some switches differ",
        3: "Some switches were not reached",
    },
)
@asking
@click.option("--state", is_flag=True, help="Also compare the running state with the model.")
@form_option(*FORMATS)
def command(*, asked: SiteSelection, state: bool, form: str) -> int:
    """List switches that differ from the rendered configuration.

    The verb compares the running configuration of every switch of SITE and changes nothing. Each
    difference has its meaning, its place in the intent and the risk of its correction.
    """
    return compared_live(asked, form, state=state)


_live_option = click.option(
    "--live",
    is_flag=True,
    help="Compare site A with the running configuration of its switches instead of B.",
)


_push_option = click.option(
    "--push",
    "push",
    metavar="PUSH-ID",
    help="Show the change of this push from the journal of site A.",
)


def with_switches(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb that compares A with B the options for switches and pushes of A."""

    @functools.wraps(verb)
    def compared(
        *,
        before: str | None,
        after: str | None,
        live: bool,
        push: str | None,
        reach: SwitchSelection,
        form: str,
        **more: Any,
    ) -> int:
        if live and (after is not None or push is not None):
            raise click.UsageError(f"--live cannot be combined with {'B' if after else '--push'}")
        if live and before is not None:
            return _reviewed_live(verb, reach.of(Path(before)), before, form, more)
        if reach.limit:
            raise click.UsageError("--limit needs --live")
        more |= {"push": push, "journal": reach.journal}
        return verb(before=before, after=after, form=form, **more)

    return _live_option(_push_option(reach_options(compared)))


@reaching
def _reviewed_live(
    verb: Callable[..., int], asked: SiteSelection, before: str, form: str, more: Mapping[str, Any]
) -> int:
    """Run a verb that compares A with B for the running switches and the site."""
    from fabricgen.cli.live_sides import live_sides

    return verb(before=before, after=None, form=form, sides=live_sides(asked), **more)


@reaching
def compared_live(asked: SiteSelection, form: str, *, state: bool) -> int:
    """Print the differences of running and rendered configuration. Return the exit code."""
    from fabricgen.cli.formats.drift import show

    found = _found(asked, state=state)
    say(show(found, form), nl=False)
    if any(entry.state not in {"same", "changes"} for entry in found.entries):
        return UNREACHED
    running = code_of(found.state) if found.state is not None else 0
    return CHANGES if any(it.state == "changes" for it in found.entries) else running


def _found(asked: SiteSelection, *, state: bool) -> Drifts:
    """Compare the selected switches with their files, without a following push."""
    from fabricgen.cli.formats.drift import Drifts
    from fabricgen.cli.plan import looked
    from fabricgen.operate.deploy.plan.make import drained_now, stepping
    from fabricgen.operate.deploy.verify import verified
    from fabricgen.review.attribution import Design
    from fabricgen.review.drifted import drift_of
    from fabricgen.review.live import storing

    ready = deployment(asked)
    lens = storing(ready.lens)
    looks = looked(asked, replace(ready, lens=lens), sys.maxsize, reload=True)
    step, drained = stepping(ready.site, looks).step, drained_now(looks)
    design = Design(ready.site)
    meanings = {
        look.entry.switch: drift_of(
            f"{look.entry.fabric}/{look.entry.switch}", lens.files[look.entry.switch], design
        )
        for look in looks
        if look.entry.switch in lens.files
    }
    return Drifts(
        entries=tuple(look.entry for look in looks),
        meanings=meanings,
        source=ready.source,
        between="; ".join(filter(None, (_between(step), _drained(drained)))),
        state=verified(ready, chosen_checks(), 0, drained) if state else None,
    )


def _between(step: Step | None) -> str:
    """Return the progress of a change with several steps. Empty before its second step."""
    if step is None or step.number == 1:
        return ""
    done = f"{step.number - 1} of {step.number + step.left} steps of a change are done"
    return f"{done}; run `fabricgen plan` for the next step: {step.said}"


def _drained(names: Collection[str]) -> str:
    """Return the sentence about drained switches. Empty without any."""
    if not names:
        return ""
    return f"{', '.join(sorted(names))} drained; run `plan` without --drain to restore traffic"
