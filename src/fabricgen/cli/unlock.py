"""Implements `fabricgen unlock SITE`, which releases the locks of terminated pushes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import confirm
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import REFUSED, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.nos.driver import SwitchLock
    from fabricgen.operate.deploy.setup import Deployment


@define_verb(
    "unlock",
    examples=("unlock intent/full", "unlock intent/full --limit backend --yes"),
    codes={
        0: "No lock is left",
        3: "A switch was not reached or has an unconfirmed commit",
        4: "A push still runs",
    },
)
@asking
@click.option("--yes", is_flag=True, help="Release the locks without a question.")
@click.option("--force", is_flag=True, help="Release the lock of a running push, too.")
@reaching
def command(*, asked: SiteSelection, yes: bool, force: bool) -> int:
    """Release locks of terminated pushes.

    First make sure that the pushes have ended: the verb cannot detect a push from another machine.
    The running configuration of SITE stays. An unconfirmed commit is left to its timer or to the
    next push.
    """
    from fabricgen.operate.deploy.unlock import claims, living

    ready = deployment(asked, files=False)
    looks = claims(ready.fleet, ready.targets)
    held = {name: outcome.value for name, outcome in looks.items() if outcome.value is not None}
    left = {name: outcome.said for name, outcome in looks.items() if outcome.fault}
    _say({name: it.said for name, it in held.items()})
    _say(left)
    here = {it.plan: it.pid for it in held.values() if living(it)}
    if here and not force:
        processes = ", ".join(f"plan {plan} in process {pid}" for plan, pid in here.items())
        say(f"refused: {processes} of this machine still runs; use --force to unlock", err=True)
        return REFUSED
    if held:
        if not yes:
            confirm(f"have these pushes ended? unlock {counted(len(held), 'switch')}?")
        left |= _given_up(asked, ready, held, force=force)
    say(f"{len(held)} of {len(looks)} switches were locked, {len(left)} are left")
    return UNREACHED if left else 0


def _given_up(
    asked: SiteSelection, ready: Deployment, held: dict[str, SwitchLock], *, force: bool
) -> dict[str, str]:
    """Release the locks. Print and return the failures by switch."""
    from fabricgen.operate.deploy.plan.make import operator
    from fabricgen.operate.deploy.unlock import unlock

    with asked.open_journal() as kept:
        outcomes = unlock(ready.fleet, kept, ready.site.name, operator(), held, force=force)
    failed = {name: outcome.said for name, outcome in outcomes.items() if outcome.fault}
    _say(failed)
    return failed


def _say(sentences: Mapping[str, str]) -> None:
    for name, held in sentences.items():
        say(f"{name}: {clean(held)}")
