"""Implements `fabricgen lossless SITE`, which prints headroom, buffer and ECN calculations."""

from __future__ import annotations

from pathlib import Path

import click

from fabricgen.cli.candidates import complete_switches
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    answered,
    as_option,
    data_option,
    designed,
    site_argument,
)
from fabricgen.cli.plain import say


@define_verb(
    "lossless",
    examples=("lossless intent/full --switch be-spine1", "lossless intent/full --pictures buffers"),
)
@site_argument
@click.option("--switch", "switch", shell_complete=complete_switches, help="Only this switch.")
@data_option
@click.option(
    "--pictures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also draw the packet memory of each kind of switch as SVG files in DIR.",
)
@as_option
def command(
    site: Path, switch: str | None, form: str, pictures: Path | None, as_platform: str | None
) -> int:
    """Show headroom, buffer and ECN calculations.

    Headroom holds the packets that arrive after a pause. The report shows every term of each
    number with its source.
    """
    design = designed(site, as_platform)
    from fabricgen.api.lossless import lossless_report
    from fabricgen.cli.formats.lossless import text

    with answered(design.source):
        report = lossless_report(design.site, switch)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for name, drawn in report.pictures():
            (pictures / f"{name}.svg").write_text(drawn)
    say(document(report.as_data()) if form == "json" else text(report), nl=False)
    return 0
