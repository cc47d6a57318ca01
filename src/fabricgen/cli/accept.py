"""Implements `fabricgen accept SITE`, which plans an acceptance test and checks its results."""

from __future__ import annotations

from pathlib import Path

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import data_option, exported, force_option, site_argument, warned
from fabricgen.cli.plain import say


@define_verb(
    "accept",
    examples=("accept intent/rail-only -o acceptance", "accept intent/rail-only --format json"),
)
@site_argument
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the sheet and the scripts of the servers.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Check the results in this folder.",
)
@force_option
@data_option
def command(
    *, site: Path, target: Path | None, results: Path | None, force: bool, form: str
) -> int:
    """Plan the acceptance test of a network and check its results.

    Each measurement has a limit from the design, or is recorded without one.
    """
    from fabricgen.cli.formats.acceptance import data, report
    from fabricgen.plan.acceptance.measures import measures, unmeasured
    from fabricgen.plan.acceptance.results import Unreadable, accepted, lab_proofs
    from fabricgen.plan.acceptance.results import results as judged
    from fabricgen.plan.acceptance.runs import acceptance_files

    if target is not None and results is not None:
        raise click.UsageError("use either -o or --results")
    design = warned(site, None)
    if target is not None:
        files = acceptance_files(design.site)
        exported(design, target, files, unmeasured(design.site), force=force)
        say(f"{target}: {len(files):,} files. Start with {target}/README.txt")
        return 0
    rows = measures(design.site)
    try:
        found = judged(rows, results) if results is not None else None
        lab = lab_proofs(results) if results is not None else []
    except Unreadable as fault:
        raise click.ClickException(str(fault)) from None
    if form == "json":
        from fabricgen.cli.formats.document import document

        say(document(data(rows, found, lab)), nl=False)
    else:
        say(report(rows, found, unmeasured(design.site), lab), nl=False)
    return int(found is not None and not accepted(found))
