"""`fabricgen plan SITE`: what a push would change where, in which order, and how much it hurts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.deploy_saying import (
    CHANGES,
    UNREACHED,
    Asked,
    Order,
    asking,
    ordering,
    reaching,
)

if TYPE_CHECKING:
    from fabricgen.deploy.plan.document import Plan

FORMATS = ("text", "json", "markdown")

form_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True
)


@click.command("plan")
@asking
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), help="Write the plan here."
)
@ordering
@form_option
@reaching
def command(*, asked: Asked, target: Path | None, order: Order, form: str) -> int:
    """Ask every switch of SITE what would change on it. Nothing is changed.

    Exit codes: 0 no changes, 2 changes, 3 some switches were not reached, 1 errors.
    """
    from fabricgen.cli.formats.plan import show
    from fabricgen.cli.looking import planned_as
    from fabricgen.deploy.plan.document import write_plan

    plan = planned_as(asked, order)
    if plan is None:
        return 1
    if target is not None:
        try:
            write_plan(target, plan)
        except OSError as error:
            click.echo(f"error: {target}: {error.strerror}", err=True)
            return 1
    click.echo(show(plan, form), nl=False)
    return code_of(plan)


def code_of(plan: Plan) -> int:
    """Return the exit code of a plan."""
    if plan.unknown:
        return UNREACHED
    return CHANGES if plan.changing else 0
