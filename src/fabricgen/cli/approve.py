"""Implements `fabricgen approve PLAN`, which signs a plan in a file next to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.authorization import rules_at
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import reaching
from fabricgen.cli.switch_options import key_option

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.records import Signed
    from fabricgen.operate.deploy.plan.document import Plan
    from fabricgen.operate.deploy.team.authorization import Rules


@click.command("approve")
@click.argument("document", type=click.Path(path_type=Path), metavar="PLAN")
@key_option
@click.option(
    "--for", "hours", type=click.IntRange(1, 720), metavar="HOURS", help="How long it holds."
)
@click.option("--sha", metavar="HEX", help="Approve only if the plan's sha256 begins so.")
@click.option(
    "--inventory",
    type=click.Path(path_type=Path),
    default=Path("inventory"),
    show_default=True,
    metavar="DIR",
    help="Where team.yaml is.",
)
@click.option("--yes", is_flag=True, help="Do not show it, do not ask: you have read it.")
@reaching
def command(
    *,
    document: Path,
    key: Path | None,
    hours: int | None,
    sha: str | None,
    inventory: Path,
    yes: bool,
) -> int:
    """Show a PLAN, ask, and sign it with your SSH key, in PLAN.approvals/.

    Exit codes: 0 signed, 1 errors, 4 you may not.
    """
    from fabricgen.cli.formats.plan import show
    from fabricgen.operate.deploy.plan.document import read_plan
    from fabricgen.operate.deploy.team.signed import keep

    plan = read_plan(document)
    plan.begins(sha)
    if key is None:
        raise click.UsageError("--key FILE, the SSH key that team.yaml knows you by")
    rules = rules_at(inventory, plan)
    if not yes:
        say(show(plan, "text"), nl=False)
        click.confirm(f"approve plan {plan.id}?", abort=True, err=True)
    signed = _signed(plan, document, rules, key, hours)
    try:
        path = keep(document, signed)
    except OSError as error:
        raise click.ClickException(f"{document}: {error.strerror}") from None
    say(f"{signed.who} approves {plan.sha256} until {signed.until:%F %H:%M} UTC: {path}")
    return 0


def _signed(plan: Plan, document: Path, rules: Rules, key: Path, hours: int | None) -> Signed:
    """Sign; refuse who planned it, since that would not count."""
    from fabricgen.operate.deploy.journal.records import Act
    from fabricgen.operate.deploy.team.authorization import NotAuthorizedError
    from fabricgen.operate.deploy.team.signed import kept

    signed = rules.signed(Act.APPROVE, plan.sha256, key, hours)
    counts, _ = rules.counted(plan, [*kept(document), ("", signed)])
    if signed not in counts:
        raise NotAuthorizedError(f"{signed.who} planned it, and may not approve it")
    return signed
