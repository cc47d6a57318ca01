"""Implements `fabricgen approve PLAN`, which signs a plan in a file next to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.authorization import rules_at
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import confirm
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import reaching
from fabricgen.cli.switch_options import inventory_option, key_option, sha_option

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.records import Signed
    from fabricgen.operate.deploy.plan.document import Plan
    from fabricgen.operate.deploy.team.authorization import Rules


@define_verb(
    "approve",
    examples=(
        "approve plan.json --key ~/.ssh/id_ed25519",
        "approve plan.json --key ~/.ssh/id_ed25519 --for 8 --sha 3f8a",
    ),
    codes={0: "Signed", 4: "Not authorized"},
)
@click.argument("document", type=click.Path(path_type=Path), metavar="PLAN")
@key_option
@click.option(
    "--for",
    "hours",
    type=click.IntRange(1, 720),
    metavar="HOURS",
    help="Hours until the approval expires. Default: the limit of team.yaml.",
)
@sha_option
@inventory_option
@click.option("--yes", is_flag=True, help="Sign without showing the plan and without a question.")
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
    """Sign a plan.

    The verb shows the plan, asks, and signs it with your SSH key. The signature is a file in the
    folder PLAN.approvals. The author of a plan cannot approve it.
    """
    from fabricgen.cli.formats.plan import show
    from fabricgen.operate.deploy.plan.document import read_plan
    from fabricgen.operate.deploy.team.signed import keep

    plan = read_plan(document)
    plan.begins(sha)
    if key is None:
        raise click.UsageError("missing option --key FILE: the SSH key that team.yaml lists")
    rules = rules_at(inventory, plan)
    if not yes:
        say(show(plan, "text"), nl=False)
        confirm(f"approve plan {plan.id}?")
    signed = _signed(plan, document, rules, key, hours)
    try:
        path = keep(document, signed)
    except OSError as error:
        raise click.ClickException(f"{document}: {error.strerror}") from None
    say(f"{signed.who} approved {plan.sha256} until {signed.until:%F %H:%M} UTC: wrote {path}")
    return 0


def _signed(plan: Plan, document: Path, rules: Rules, key: Path, hours: int | None) -> Signed:
    """Sign a plan.

    Raises:
        NotAuthorizedError: The signer created the plan.
    """
    from fabricgen.operate.deploy.journal.records import Act
    from fabricgen.operate.deploy.team.authorization import NotAuthorizedError
    from fabricgen.operate.deploy.team.signed import kept

    signed = rules.signed(Act.APPROVE, plan.sha256, key, hours)
    counts, _ = rules.counted(plan, [*kept(document), ("", signed)])
    if signed not in counts:
        raise NotAuthorizedError(f"{signed.who} created plan {plan.id} and cannot approve it")
    return signed
