"""Reads the sides that `fabricgen diff` compares: A and B, a plan, or a push."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.api import is_installed
from fabricgen.cli.output import print_findings
from fabricgen.core.diagnostics import has_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.review.side import Side


def with_sides(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb both sides instead of their names. Errors of a side end the verb."""

    @functools.wraps(verb)
    def taking(
        *,
        before: str | None,
        after: str | None,
        form: str,
        push: str | None = None,
        journal: str | None = None,
        sides: tuple[Side, Side] | None = None,
        **more: Any,
    ) -> int:
        sides = sides or sides_of(before, after, push, journal)
        failed = [side for side in sides if has_errors(side.findings)]
        for side in failed:
            shown = form if form != "markdown" else "text"
            print_findings(side.findings, side.source, shown, err=True)
        return 1 if failed else verb(sides=sides, form=form, **more)

    return taking


def sides_of(
    before: str | None, after: str | None, push: str | None = None, journal: str | None = None
) -> tuple[Side, Side]:
    """Return both sides. A usage error ends the verb.

    Args:
        before: Side A, or a plan without B, or the site of a push.
        after: Side B.
        push: Id of a push.
        journal: Journal of the push. Default: the journal of the site.
    """
    if push is not None:
        if after is not None:
            raise click.UsageError("--push cannot be combined with B")
        return pushed_sides(Path(before or "."), push, journal)
    if before is None:
        raise click.UsageError("missing argument A: give a site, tree or REV:path")
    if after is not None:
        from fabricgen.review.sides import read_sides

        return read_sides(before, after)
    planned = planned_sides(before)
    if planned is None:
        more = ", or use --live" if is_installed("operate") else ""
        raise click.UsageError(f"missing argument B: give a site, tree or REV:path{more}")
    return planned


def planned_sides(name: str) -> tuple[Side, Side] | None:
    """Return both sides of a plan, which is a file; None for a folder or a revision."""
    if not is_installed("operate") or not Path(name).is_file():
        return None
    from fabricgen.review.plans import pair_of_plan

    return pair_of_plan(Path(name))


def pushed_sides(site: Path, push: str, journal: str | None) -> tuple[Side, Side]:
    """Return both sides of a push. A journal that cannot be read ends the verb."""
    assert is_installed("operate")
    try:
        from fabricgen.operate.deploy.journal.journal import Journal, journal_of
        from fabricgen.operate.deploy.journal.records import JournalFailure
        from fabricgen.review.pushes import pair_of_push
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"missing package {missing.name}: run pip install '.[deploy]'"
        ) from None
    try:
        with Journal.open(journal or journal_of(site), make=False) as opened:
            return pair_of_push(opened, push)
    except JournalFailure as failure:
        raise click.ClickException(str(failure)) from None
