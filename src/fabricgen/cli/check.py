"""`fabricgen check SITE`: everything that is wrong with a site, at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fabricgen.cli.saying import as_option, compiled, format_option, print_findings, site_argument

if TYPE_CHECKING:
    from pathlib import Path


@click.command("check")
@site_argument
@format_option
@click.option(
    "--rendered",
    is_flag=True,
    help="Also render every switch, read every line back and prove it, rail paths above all.",
)
@as_option
def command(*, site: Path, form: str, rendered: bool, as_platform: str | None) -> int:
    """Load, design and check SITE. Exit code 1 when there are errors."""
    loaded, made = compiled(site, as_platform)
    if rendered and made.ok and made.site is not None:
        from fabricgen.cli.proof import read_back

        proofs = read_back(made.site)
        findings = (*made.findings, *(each for proof in proofs for each in proof.findings))
        made = replace(made, findings=findings, examined=(*made.examined, *proofs))
    print_findings(made.findings, loaded.source, form, made.examined)
    if form == "text" and made.ok and made.site is not None:
        from fabricgen.reports.ratios import ratio_lines

        for line in ratio_lines(made.site):
            click.echo(line)
    return 0 if made.ok else 1
