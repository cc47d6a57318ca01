"""Implements `fabricgen unlock SITE`, which releases the locks of terminated pushes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import clean, say
from fabricgen.cli.switch_connections import REFUSED, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.nos.driver import SwitchLock
    from fabricgen.operate.deploy.setup import Deployment


@click.command("unlock")
@asking
@click.option("--yes", is_flag=True, help="Do not ask; you made sure that the pushes are dead.")
@click.option("--force", is_flag=True, help="Release the lock of a running push, too.")
@reaching
def command(*, asked: SiteSelection, yes: bool, force: bool) -> int:
    """Give up what dead pushes still hold on the switches of SITE.

    Make sure first that they are dead: a push from another machine cannot be seen from here. What
    runs stays as it is. A commit that waits is left to its own timer, or to the next push there.

    Exit codes: 0 nothing is held any more, 3 a switch was not reached or has a commit that waits,
    4 a push lives, 1 errors.
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
        say(f"refused: {processes} of this machine lives; --force all the same", err=True)
        return REFUSED
    if held:
        if not yes:
            them = counted(len(held), "switch")
            click.confirm(f"are they dead? unlock {them}", abort=True, err=True)
        left |= _given_up(asked, ready, held, force=force)
    say(f"{len(held)} of {len(looks)} switches were held, {len(left)} are left")
    return UNREACHED if left else 0


def _given_up(
    asked: SiteSelection, ready: Deployment, held: dict[str, SwitchLock], *, force: bool
) -> dict[str, str]:
    """Give the claims up; return, and say, where it did not succeed."""
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
