"""Implements `fabricgen failures SITE`, which simulates failures and checks requirements."""

from __future__ import annotations

from pathlib import Path

import click

from fabricgen.cli.candidates import complete_owners
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    answered,
    data_option,
    designed,
    print_findings,
    site_argument,
)
from fabricgen.cli.plain import say


@define_verb(
    "failures",
    examples=("failures intent/lab", "failures intent/lab --fail fe-spine1 --fail fe-leaf01"),
    codes={0: "All availability requirements hold", 1: "Error, or a requirement is broken"},
)
@site_argument
@click.option(
    "--fail",
    "fails",
    multiple=True,
    metavar="SWITCH|SWITCH:PORT|SERVER:PORT",
    shell_complete=complete_owners,
    help="Simulate only the failure of all named parts together.",
)
@data_option
def command(site: Path, fails: tuple[str, ...], form: str) -> int:
    """Simulate link, switch and power failures.

    The report shows the remaining bandwidth of servers after each failure. It also checks the
    availability requirements of SITE (`failures.promises`).
    """
    design = designed(site, None)
    from fabricgen.api.failures import simulate
    from fabricgen.cli.formats.failures import text

    with answered(design.source):
        report = simulate(design.site, fails)
    say(document(report.as_data()) if form == "json" else text(report), nl=False)
    if report.broken:
        print_findings(report.broken, design.source, err=True)
    return 1 if report.broken else 0
