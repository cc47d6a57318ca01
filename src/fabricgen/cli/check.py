"""Implements `fabricgen check SITE`, which reports all errors of a site at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    as_option,
    compiled,
    designed,
    format_option,
    print_findings,
    site_argument,
)
from fabricgen.cli.plain import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.compile.compiler import Compiled
    from fabricgen.core.diagnostics import Diagnostic, Examined
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site


@define_verb("check", examples=("check intent/lab", "check intent/full --rendered"))
@site_argument
@format_option
@click.option(
    "--rendered",
    is_flag=True,
    help="Also render every switch and compare each rendered line with the model.",
)
@click.option(
    "--models",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also validate each file against vendor models (YANG) in DIR, of one release or in a "
    "folder for each release. For SONiC, FABRICGEN_SONIC_YANG has the same effect.",
)
@click.option(
    "--with-site",
    "others",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="SITE",
    shell_complete=complete_sites,
    multiple=True,
    help="Also check for conflicts with this site.",
)
@click.option("--acknowledged", is_flag=True, help="List the acknowledged findings, too.")
@click.option(
    "--against",
    "saved",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also compare the meaning of saved switch configurations in DIR with the site.",
)
@as_option
def command(
    *,
    site: Path,
    form: str,
    rendered: bool,
    acknowledged: bool,
    folder: Path | None,
    others: tuple[Path, ...],
    saved: Path | None,
    as_platform: str | None,
) -> int:
    """Validate a site.

    The verb loads SITE, designs its fabrics and reports all errors at once.
    """
    loaded, result = compiled(site, as_platform)
    if rendered and result.ok and result.site is not None:
        from fabricgen.api.proof import read_back

        result = _with(result, read_back(result.site))
    if result.ok and result.site is not None:
        from fabricgen.prove.models import held

        result = _with(result, held(result.site, folder))
    if others and result.ok and result.site is not None:
        result = _with(result, [_compared(result.site, others, as_platform)])
    if saved is not None and result.ok and result.site is not None:
        from fabricgen.prove.saved import against

        result = _with(result, [against(result.site, saved)])
    from fabricgen.intent.acknowledging import acknowledge, unused

    found = (*result.findings, *unused(result.findings, loaded.intent))
    findings = acknowledge(found, loaded.intent)
    if acknowledged and form == "text":
        _list_acknowledged(findings, loaded.source)
    print_findings(findings, loaded.source, form, result.examined)
    if form == "text" and result.ok and result.site is not None:
        from fabricgen.compile.reports.ratios import ratio_lines

        for line in ratio_lines(result.site):
            say(line)
    return 0 if result.ok else 1


def _list_acknowledged(findings: Iterable[Diagnostic], source: SourceMap) -> None:
    from fabricgen.api.findings import entries, split_acknowledged
    from fabricgen.cli.formats.findings import acknowledged
    from fabricgen.cli.output import today

    say(acknowledged(split_acknowledged(entries(findings, source), today())[1]), nl=False)


def _compared(site: Site, others: Iterable[Path], as_platform: str | None) -> Examined:
    """Compare a site with others. An invalid site ends the verb with its errors."""
    from fabricgen.compile.checks.across import Across

    across = Across(site)
    for other in others:
        across.beside(designed(other, as_platform).site)
    return across.result()


def _with(result: Compiled, more: Iterable[Examined]) -> Compiled:
    """Return a compiled site with the findings of more checks."""
    examined = (*result.examined, *more)
    added = (found for check in examined[len(result.examined) :] for found in check.findings)
    return replace(result, findings=(*result.findings, *added), examined=examined)
