"""Implements `fabricgen lossless SITE`, which prints headroom, buffer and ECN calculations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_switches
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    as_option,
    data_option,
    designed,
    ended,
    site_argument,
)
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic, did_you_mean

if TYPE_CHECKING:
    from fabricgen.compile.reports.lossless import SwitchKind
    from fabricgen.model.fabric.switch import Site
    from fabricgen.model.lossless.marking import Points


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
    from fabricgen.cli.formats.lossless import text
    from fabricgen.compile.reports.lossless import as_data, commons, kinds
    from fabricgen.compile.reports.ratios import ratio_line, ratios

    shown = kinds(design.site, switch)
    if not shown:
        ended([_nothing(design.site, switch)], design.source)
    if pictures is not None:
        _draw(design.site, shown, pictures)
    shared = commons(design.site)
    lossless = [fabric for fabric in design.site.fabrics if fabric.lossless is not None]
    if form == "json":
        ratios_of = {fabric.name: ratios(fabric.topology) for fabric in lossless}
        say(document(as_data(shown, shared) | {"oversubscription": ratios_of}), nl=False)
    else:
        say(text(shown, shared), nl=False)
        for fabric in lossless:
            say(ratio_line(fabric))
    return 0


def _nothing(site: Site, switch: str | None) -> Diagnostic:
    """Return the finding that explains the missing report, with the nearest switch name."""
    if switch is None:
        hint = "it needs a backend with roce.enabled and switch models of known packet memory"
        return Diagnostic(Code.NO_SUCH_OBJECT, "the site has no lossless fabric", hint=hint)
    for fabric in site.fabrics:
        if any(item.name == switch for item in fabric.topology.switches):
            sentence = (
                f"switch {switch} of {fabric.name} has no lossless class or unknown packet memory"
            )
            return Diagnostic(Code.NO_SUCH_OBJECT, sentence)
    names = [
        name for fabric in site.fabrics if fabric.lossless for name in fabric.lossless.switches
    ]
    sentence = f"no lossless switch {switch!r}"
    return Diagnostic(Code.NO_SUCH_OBJECT, sentence, hint=did_you_mean(switch, names))


def _plans(site: Site, kind: SwitchKind) -> tuple[tuple[str, Points], ...]:
    """Return the marking plans of a kind of switch, each with the name of its class."""
    fabric = next(item for item in site.fabrics if item.name == kind.fabric)
    if fabric.lossless is None:
        return ()
    first = next(item for item in fabric.topology.switches if item.name == kind.names[0])
    return tuple((item.value, plan) for item, plan in fabric.lossless.plans_of(first.role))


def _draw(site: Site, shown: list[SwitchKind], folder: Path) -> None:
    from fabricgen.compile.reports.buffer_picture import picture

    folder.mkdir(parents=True, exist_ok=True)
    for kind in shown:
        speed = max(port.speed for port, _ in kind.buffers.ports)
        plans = {name: plan for name, plan in _plans(site, kind) if plan.speed == speed}
        drawn = picture(kind.title, kind.buffers, plans)
        (folder / f"{kind.names[0]}.svg").write_text(drawn)
