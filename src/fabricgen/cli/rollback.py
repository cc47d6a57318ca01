"""`fabricgen rollback PLAN-ID SITE`: switches get back what they ran before a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.push import concluded, run
from fabricgen.cli.reach import (
    Asked,
    Manner,
    asking,
    deployment,
    pushing_manner,
    reaching,
    reload_option,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabricgen.deploy.journal.words import Push
    from fabricgen.deploy.setup import Deployment


@click.command("rollback")
@click.argument("plan", metavar="PLAN-ID")
@asking
@click.option("--yes", is_flag=True, help="Do not ask.")
@reload_option
@pushing_manner
@reaching
def command(*, plan: str, asked: Asked, yes: bool, reload: bool, manner: Manner) -> int:
    """Give the switches of SITE back what they ran before the plan of that id.

    The switches kept it themselves, byte for byte. It goes as a push does: batches in reverse,
    against the clock, through the gate. A switch that was changed since is refused.

    Exit codes: as of push.
    """
    from fabricgen.deploy.plan.document import fresh_id
    from fabricgen.deploy.push.change import Back

    pushed, whole, after = _found(asked, plan)
    ready = deployment(asked, slowest=manner.timer, needed=False, only=after)
    _reachable(plan, after, ready, asked.limit)
    batches = [kept for batch in whole if (kept := tuple(filter(ready.targets.get, batch)))]
    if not yes:
        names = sum(len(batch) for batch in batches)
        said = f"undo {pushed.id} of {pushed.started:%Y-%m-%d %H:%M} UTC on {names} switches?"
        click.confirm(said, abort=True, err=True)
    back = Back(id=fresh_id(), plan=plan, after=after, reload=reload)
    return concluded(run(ready, asked, manner, back, batches, floor=0), manner.form)


def _reachable(
    plan: str, names: Collection[str], ready: Deployment, limit: tuple[str, ...]
) -> None:
    """Refuse when a switch of the plan is gone from the site, or the limit leaves none of them."""
    gone = sorted(set(names) - ready.there) if not limit else []
    if gone:
        raise click.ClickException(
            f"plan {plan} changed {', '.join(gone)}, which the site no longer has; "
            "`--limit` names those to give back"
        )
    if not ready.targets:
        raise click.ClickException(f"plan {plan} changed no switch of --limit {' '.join(limit)}")


Found = tuple["Push", list[tuple[str, ...]], dict[str, str | None]]


def _found(asked: Asked, plan: str) -> Found:
    """Return the push of a plan, its batches in reverse, and what it left each switch with."""
    from fabricgen.deploy.journal.journal import Journal, journal_of
    from fabricgen.deploy.journal.words import Phase

    with Journal.open(asked.journal or journal_of(asked.site), make=False) as kept:
        pushes = kept.history(plan=plan, limit=None)
        if not pushes:
            raise click.ClickException(f"no push of plan {plan} is in the journal {kept.name}")
        batches: dict[int, list[str]] = {}
        after: dict[str, str | None] = {}
        for push in pushes:  # a plan may have been pushed again, for what failed the first time
            for name, step in kept.states(push.id).items():
                if step.phase is Phase.CONFIRMED and name not in after:
                    after[name] = step.after
                    batches.setdefault(step.batch, []).append(name)
    if not after:
        raise click.ClickException(f"plan {plan} changed no switch")
    return pushes[0], [tuple(batches[number]) for number in sorted(batches, reverse=True)], after
