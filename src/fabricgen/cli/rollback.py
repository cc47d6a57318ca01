"""Implements `fabricgen rollback PLAN-ID SITE`, which restores the configuration before a plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.execute_plan import run
from fabricgen.cli.help import define_verb
from fabricgen.cli.notifications import Reached
from fabricgen.cli.output import confirm
from fabricgen.cli.plain import say
from fabricgen.cli.push import concluded
from fabricgen.cli.switch_connections import deployment, reaching
from fabricgen.cli.switch_options import (
    PUSH_CODES,
    PushOptions,
    SiteSelection,
    SwitchSelection,
    pushing_manner,
    reach_options,
    reload_option,
)
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.journal.records import Push
    from fabricgen.operate.deploy.setup import Deployment


_ALONE = "use `rollback --from-switches`, which needs only the switches"


@define_verb(
    "rollback",
    examples=(
        "rollback 927daeaec00c intent/full",
        "rollback 927daeaec00c intent/full --from-switches --limit fe-leaf01",
    ),
    codes=PUSH_CODES,
)
@click.argument(
    "words", nargs=-1, required=True, metavar="[PLAN-ID] SITE", shell_complete=complete_sites
)
@reach_options
@click.option("--yes", is_flag=True, help="Restore without a question.")
@click.option(
    "--from-switches",
    "alone",
    is_flag=True,
    help="Restore from switch checkpoints, without intent or journal.",
)
@click.option(
    "--switch",
    "switches",
    multiple=True,
    metavar="NAME=PLATFORM@ADDRESS",
    help="With --from-switches: also restore this switch, which the site does not have.",
)
@click.option(
    "--rebuild-journal",
    "rebuild",
    is_flag=True,
    help="With --from-switches and no PLAN-ID: write the listed plans to the journal.",
)
@reload_option
@pushing_manner
@reaching
def command(
    *,
    words: tuple[str, ...],
    reach: SwitchSelection,
    yes: bool,
    alone: bool,
    switches: tuple[str, ...],
    rebuild: bool,
    reload: bool,
    manner: PushOptions,
) -> int:
    """Restore the configuration from before a plan.

    Each switch of SITE has a checkpoint from before the plan. The verb restores it in reverse
    batches, with the confirm timers and health checks of `push`. It refuses a switch that was
    changed since. With --from-switches, it shows the changes, asks, and restores one switch after
    the other.
    """
    from fabricgen.cli import from_switches

    *plans, site = words
    if len(plans) > 1 or (not plans and not alone):
        raise click.UsageError("missing or extra arguments: give PLAN-ID and SITE")
    if (switches or rebuild) and not alone:
        raise click.UsageError("--switch and --rebuild-journal need --from-switches")
    if rebuild and plans:
        raise click.UsageError("--rebuild-journal does not take a PLAN-ID")
    asked = reach.of(Path(site))
    if not alone:
        return _planned(plans[0], asked, manner, yes=yes, reload=reload)
    if not plans:
        return from_switches.listed(asked, switches, manner, rebuild=rebuild)
    return from_switches.given_back(plans[0], asked, switches, manner, yes=yes, reload=reload)


def _planned(
    plan: str, asked: SiteSelection, manner: PushOptions, *, yes: bool, reload: bool
) -> int:
    """Undo a plan by the records of the journal."""
    from fabricgen.cli.authorization import to_go_back
    from fabricgen.operate.deploy.batches.judge import joins_of, judge_batch
    from fabricgen.operate.deploy.plan.document import fresh_id
    from fabricgen.operate.deploy.push.change import RestoreChange
    from fabricgen.operate.deploy.push.renamed_state import Present
    from fabricgen.operate.deploy.targets import renamed

    pushed, whole, after, windows = _history(asked, plan)
    try:
        ready = deployment(asked, slowest=manner.timer, needed=False, only=after)
    except click.exceptions.Exit:
        say(f"to restore without the intent, {_ALONE}", err=True)
        raise
    now = renamed(ready.there.values(), after)
    after = {now[name]: running for name, running in after.items()}
    _reachable(plan, after, ready, asked.limit)
    whole = [tuple(now[name] for name in batch) for batch in whole]
    windows = [tuple(now[name] for name in batch) for batch in windows]
    leave = to_go_back(plan, ready.site.name, asked, manner, ready.read)
    batches = [kept for batch in whole if (kept := tuple(filter(ready.targets.get, batch)))]
    _whole_windows(ready.site, whole, batches, windows)
    if not yes:
        total = counted(sum(map(len, batches)), "switch")
        confirm(f"undo {pushed.id} of {pushed.started:%Y-%m-%d %H:%M} UTC on {total}?")
    back = RestoreChange(
        id=fresh_id(),
        undoes=plan,
        after=after,
        present=Present.of(ready.site),
        whole=tuple(windows),
        reload=reload,
    )

    def judge(names: Sequence[str], gone: Collection[str]) -> Sequence[str]:
        """Accept a window for a batch that was pushed as a window."""
        wrong = judge_batch(ready.site, names, 0, gone=gone)
        return wrong and judge_batch(ready.site, names, 0, window=joins_of(ready.site), gone=gone)

    reached = Reached(ready.site.name, ready.fleet, ready.read)
    outcome = run(reached, asked, manner, back, batches, judge, leave)
    return concluded(outcome, manner.form)


def _whole_windows(
    site: Site,
    whole: Sequence[tuple[str, ...]],
    batches: Sequence[tuple[str, ...]],
    windows: Sequence[tuple[str, ...]],
) -> None:
    """Refuse a limit that divides a window, because its switches work only together.

    Args:
        site: The site.
        whole: All batches of the push.
        batches: The batches within the limit.
        windows: Windows of the plan. Without a plan in the journal, the batch checks decide.
    """
    from fabricgen.operate.deploy.batches.judge import judge_batch

    there = {switch.name for fabric in site.fabrics for switch in fabric.topology.switches}
    for batch in whole:
        cut = batch not in batches and any(not {*kept}.isdisjoint(batch) for kept in batches)
        left = [name for name in batch if name in there]
        if cut and (batch in windows or judge_batch(site, left, 0)):
            raise click.ClickException(
                f"{', '.join(batch)} changed together in one batch: --limit must include all"
            )


def _reachable(
    plan: str, names: Collection[str], ready: Deployment, limit: tuple[str, ...]
) -> None:
    """Refuse if the site lacks a switch of the plan, or the limit excludes all switches."""
    removed = sorted(set(names) - set(ready.there)) if not limit else []
    if removed:
        raise click.ClickException(
            f"plan {plan} changed {', '.join(removed)}, which the site no longer has; use --limit "
            f"for the other switches; for removed switches, {_ALONE}"
        )
    if not ready.targets:
        raise click.ClickException(f"plan {plan} changed no switch of --limit {' '.join(limit)}")


Batches = list[tuple[str, ...]]
History = tuple["Push", Batches, dict[str, str | None], Batches]


def _history(asked: SiteSelection, plan: str) -> History:
    """Read the push of a plan from the journal.

    Returns:
        The push, its batches in reverse order, the hash of the configuration after the push by
        switch, and the batches that were windows of a plan in the journal.
    """
    from fabricgen.operate.deploy.journal.records import JournalFailure, Phase
    from fabricgen.operate.deploy.plan.document import readable

    try:
        journal = asked.open_journal(make=False)
    except JournalFailure as failure:
        raise click.ClickException(f"{failure}; {_ALONE}") from None
    with journal as kept:
        pushes = kept.history(plan=plan, limit=None)
        if not pushes:
            raise click.ClickException(
                f"no push of plan {plan} in the journal {kept.name}; {_ALONE}"
            )
        batches: dict[int, list[str]] = {}
        after: dict[str, str | None] = {}
        between = ""
        for push in pushes:  # a second push of a plan covers the failures of the first
            for name, step in kept.states(push.id).items():
                between = between or (name if step.phase.pending else "")
                if step.phase is Phase.CONFIRMED and name not in after:
                    after[name] = step.after
                    batches.setdefault(step.batch, []).append(name)
        document = readable(kept.plan(plan))
        if document is not None and document.step and (later := _later_step(kept, pushes[0])):
            raise click.ClickException(
                f"plan {later}, a later step of the same change, was pushed after plan {plan}: run "
                f"`fabricgen rollback {later} {asked.site}` first"
            )
    if not after:
        hint = f"{between} undoes its interrupted push, or `fabricgen resume` continues it"
        raise click.ClickException(
            f"the journal has no switch that plan {plan} changed; {hint if between else _ALONE}"
        )
    ordered = [tuple(batches[number]) for number in sorted(batches, reverse=True)]
    planned = document.batches if document is not None else ()
    windows = [{*batch.switches} for batch in planned if batch.window is not None]
    whole = [batch for batch in ordered if any({*batch} <= window for window in windows)]
    return pushes[0], ordered, after, whole


def _later_step(kept: Journal, pushed: Push) -> str:
    """Return the last plan of a later step that is not undone: it depends on this step.

    Each step is a separate plan. Only plans of the journal count.
    """
    from fabricgen.operate.deploy.journal.records import Kind
    from fabricgen.operate.deploy.plan.document import readable

    undone: set[str] = set()
    for push in kept.history(pushed.site, limit=None):
        if push.plan == pushed.plan:
            return ""
        if push.kind is Kind.ROLLBACK:
            undone.add(push.intent)
        elif push.plan not in undone:
            later = readable(kept.plan(push.plan))
            if later is not None and later.step is not None:
                return push.plan
    return ""
