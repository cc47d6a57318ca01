"""Adds the declared change to a plan: the reviewed verdict, and what the switches do beyond it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.output import print_findings
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabricgen.intent.declared import Declaration
    from fabricgen.operate.deploy.plan.document import Plan
    from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
    from fabricgen.review.declared import Verdict
    from fabricgen.review.diff_parts import Parts
    from fabricgen.review.side import Side

_STEP = "this plan is one step of a change with several steps, which is not the reviewed change"
_UNREAD = "the files of the switch are not known"


@record(kw_only=True)
class Promise:
    """A declared change with the verdict of the reviewed change from `base` to the site."""

    declared: Declaration
    base: str
    sides: tuple[Side, Side]
    verdict: Verdict
    refused: tuple[str, ...]

    def added(self, plan: Plan, looks: Sequence[SwitchPreview], files: Mapping[str, Parts]) -> Plan:
        """Return the plan with the declared change and its verdict.

        The plan has the verdict of the review, unless a switch does more than was reviewed.

        Args:
            plan: The plan without a declared change.
            looks: Previews of its switches.
            files: Running and new files of each switch that changes.
        """
        from fabricgen.operate.deploy.plan.document import DeclaredPlan, identified
        from fabricgen.review.declared import Word
        from fabricgen.review.evidence import sha256

        beyond = [*self.refused, *self._beyond(plan, looks, files)]
        word = Word.NOT_DECLARED if beyond and self.verdict.passes else self.verdict.word
        change = self.declared.change
        own = DeclaredPlan(
            name=self.declared.name,
            sha256=sha256(self.declared.text),
            meaning=change.meaning if change is not None else "",
            base=self.base,
            verdict=word.value,
            reasons=(*self.verdict.texts, *beyond),
        )
        return identified(plan.model_copy(update={"declared": own}))

    def _beyond(
        self, plan: Plan, looks: Sequence[SwitchPreview], files: Mapping[str, Parts]
    ) -> list[str]:
        """Return what the switches do beyond the reviewed change."""
        from fabricgen.compile.compiler import folder_of
        from fabricgen.review.running import beyond_review

        site = self.sides[1].site
        switches = [] if site is None else [
            each for fabric in site.fabrics for each in fabric.topology.switches
        ]  # fmt: skip
        folders = {each.name: folder_of(each) for each in switches}
        models = {folder_of(each): each.model for each in switches}
        names = [each.entry.switch for each in looks if each.entry.state == "changes"]
        changing = {
            folders[name]: (files[name].before, files[name].after)
            for name in names
            if name in files and name in folders
        }
        beyond = [_STEP] if plan.step is not None else []
        beyond += [
            f"{name}: {_UNREAD}"
            for name in names
            if not all(changing.get(folders.get(name, ""), ("", "")))
        ]
        trees = self.sides[0].tree, self.sides[1].tree
        return [*beyond, *beyond_review(changing, trees, models)]


def promise_of(file: str | None, base: str | None, site: Path) -> Promise | None:
    """Return the declared change of a plan with its verdict; None without `--declared`.

    Raises:
        Exit: The declared change or a side has errors, which are printed.
    """
    if (file is None) != (base is None):
        raise click.UsageError("--declared and --base need each other")
    if file is None or base is None:
        return None
    from fabricgen.api.changes import reviewed
    from fabricgen.core.diagnostics import has_errors
    from fabricgen.review.declared import verdict
    from fabricgen.review.gates import rules_of
    from fabricgen.review.provided import own_declaration, read_provided
    from fabricgen.review.sides import read_sides

    declared = read_provided(file)
    if declared.change is None:
        print_findings(declared.findings, declared.source, err=True)
        raise click.exceptions.Exit(1)
    sides = read_sides(base, str(site))
    for side in sides:
        if has_errors(side.findings):
            print_findings(side.findings, side.source, err=True)
            raise click.exceptions.Exit(1)
    own = own_declaration(declared, (base, str(site)), rules_of(sides[0]))
    return Promise(
        declared=declared,
        base=base,
        sides=sides,
        verdict=verdict(reviewed(*sides), declared),
        refused=(own,) if own else (),
    )
