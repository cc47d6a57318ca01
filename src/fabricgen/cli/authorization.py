"""Checks the authorization of a change by the rules of team.yaml, with a key and a reason."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import say
from fabricgen.core.plain_text import clean

if TYPE_CHECKING:
    from fabricgen.cli.switch_options import PushOptions, SiteSelection
    from fabricgen.operate.deploy.inventory.files import Read
    from fabricgen.operate.deploy.journal.records import Signed
    from fabricgen.operate.deploy.plan.document import Plan
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.team.authorization import Authorization, Beside, Rules


def rules_at(inventory: Path, plan: Plan) -> Rules:
    """Return the rules of an inventory for the signers of a plan, which must bind the plan."""
    from fabricgen.cli.output import ended
    from fabricgen.core.diagnostics import Code
    from fabricgen.operate.deploy.inventory.files import read_inventory
    from fabricgen.operate.deploy.team.authorization import bound

    read = read_inventory(inventory, {})
    if errors := [found for found in read.findings if found.code is not Code.UNKNOWN_REFERENCE]:
        ended(errors, read.source)
    rules = _rules(read, plan.site)
    if rules is None:
        raise click.ClickException(f"{inventory}/team.yaml is missing: plans need no signature")
    bound(plan, rules.policy)
    return rules


def _rules(read: Read, site: str, lab: str | None = None) -> Rules | None:
    """Return the rules of team.yaml, if the inventory has one. A lab has no rules."""
    from fabricgen.operate.deploy.team import authorization as leave

    team = read.inventory.team
    if team is None or read.policy is None or lab is not None:
        return None
    return leave.Rules(team=team, policy=read.policy, site=site, clock=leave.now)


def to_plan(
    key: Path, target: Path | None, asked: SiteSelection, ready: Deployment
) -> Rules | None:
    """Check that the holder of a key may sign a plan. Return None without team.yaml."""
    from fabricgen.operate.deploy.journal.records import Act

    rules = _rules(ready.read, ready.site.name, asked.lab)
    if rules is not None:
        if target is None:
            raise click.UsageError("--key needs -o FILE: it signs the written plan")
        rules.holder(key, Act.PLAN)
    return rules


def to_push(
    plan: Plan, beside: Beside | None, asked: SiteSelection, manner: PushOptions, ready: Deployment
) -> Authorization:
    """Check that a plan may be pushed, before any switch is touched.

    Raises:
        NotAuthorizedError: The rules refuse the push.
    """
    from fabricgen.operate.deploy.team.authorization import Authorization, bound

    bound(plan, None if asked.lab else ready.read.policy)
    rules = _rules(ready.read, ready.site.name, asked.lab)
    if rules is None:
        _no_glass(manner)
        return Authorization()
    _check_clock(rules, asked, ready.site.name)
    pusher = _pusher(rules, manner, plan.sha256)
    leave = rules.to_push(plan, beside, pusher)
    for remark in leave.remarks:
        say(f"warning: {remark}", err=True)
    return leave


def to_go_back(
    plan: str, site: str, asked: SiteSelection, manner: PushOptions, read: Read
) -> Authorization:
    """Check that a rollback may run. It needs no second person and ignores windows."""
    from fabricgen.operate.deploy.team.authorization import Authorization

    rules = _rules(read, site, asked.lab)
    if rules is None:
        _no_glass(manner)
        return Authorization()
    return rules.to_go_back(_pusher(rules, manner, plan))


def _no_glass(manner: PushOptions) -> None:
    if manner.reason is not None:
        raise click.UsageError("--break-glass is not needed: the inventory has no team.yaml")


def _pusher(rules: Rules, manner: PushOptions, plan: str) -> Signed | None:
    """Let the user sign the push. Print a loud line for --break-glass."""
    from fabricgen.operate.deploy.journal.records import Act

    if manner.reason is None:
        return rules.signed(Act.PUSH, plan, manner.key) if manner.key else None
    if manner.key is None or not manner.reason.strip() or not manner.reason.isprintable():
        raise click.UsageError("--break-glass needs a REASON of one line and --key FILE")
    signed = rules.signed(Act.BREAK_GLASS, plan, manner.key, reason=manner.reason)
    sentence = f"{signed.who} pushes without approvals, windows and freezes"
    say(f"BREAK GLASS: {sentence}: {clean(signed.reason)}", err=True)
    return signed


def _check_clock(rules: Rules, asked: SiteSelection, site: str) -> None:
    """Refuse a clock that is behind the journal: on such a clock, no approval ever expires."""
    from fabricgen.operate.deploy.journal.records import NoJournal
    from fabricgen.operate.deploy.team.authorization import require_current_clock

    with suppress(NoJournal), asked.open_journal(make=False) as journal:
        require_current_clock(rules.clock(), journal.latest(site))
