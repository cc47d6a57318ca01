"""`fabricgen explain SITE SWITCH [LINE|TEXT]`: why a line is in a switch's configuration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from fabricgen.cli.saying import as_option, compiled_or_said, print_findings, site_argument
from fabricgen.diagnostics import Code, Diagnostic, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.fabric.switch import Fabric, Site, SwitchSlice
    from fabricgen.intent.source import SourceMap
    from fabricgen.reports.explanation import Line

_MOST = 40


@click.command("explain")
@site_argument
@click.argument("switch")
@click.argument("what", required=False, metavar="[LINE|TEXT]")
@as_option
def command(site: Path, switch: str, what: str | None, as_platform: str | None) -> int:
    """Tell which intent lines and which rule made a line of SWITCH.

    LINE is a line number (of FILE with FILE:LINE), TEXT a part of the line. Without either, every
    rule of the switch is listed once with the first line it made.
    """
    pair = compiled_or_said(site, as_platform)
    if pair is None:
        return 1
    loaded, made = pair
    assert made.site is not None
    found = _find(made.site, switch)
    if found is None:
        names = [s.name for fabric in made.site.fabrics for s in fabric.topology.switches]
        print_findings(
            [
                Diagnostic(
                    Code.NO_SUCH_OBJECT,
                    f"no switch {switch!r} in this site",
                    hint=did_you_mean(switch, names),
                )
            ],
            loaded.source,
            err=True,
        )
        return 1
    from fabricgen.reports.derivations import derivations
    from fabricgen.reports.explanation import explain_switch

    fabric, piece = found
    lines = list(explain_switch(piece))
    chosen = _first_of_each_rule(lines) if what is None else _matching(lines, what)
    if not chosen:
        print_findings(
            [
                Diagnostic(
                    Code.NO_SUCH_OBJECT,
                    f"no line of {switch} matches {what!r}",
                    hint="TEXT is a part of a line as it is rendered",
                )
            ],
            loaded.source,
            err=True,
        )
        return 1
    _print(chosen, loaded.source, derivations(fabric, piece))
    return 0


def _find(site: Site, name: str) -> tuple[Fabric, SwitchSlice] | None:
    from fabricgen.design.slices import Slicer

    for fabric in site.fabrics:
        for switch in fabric.topology.switches:
            if switch.name == name:
                return fabric, Slicer(fabric).slice(switch)
    return None


def _matching(lines: list[Line], what: str) -> list[Line]:
    file, colon, number = what.rpartition(":")
    if what.isdigit():
        return [line for line in lines if line.number == int(what)][:1]
    if colon and number.isdigit():
        hits = [line for line in lines if line.file.endswith(file) and line.number == int(number)]
        if hits:
            return hits
    return [line for line in lines if what in line.text]


def _first_of_each_rule(lines: list[Line]) -> list[Line]:
    seen: set[object] = set()
    chosen = []
    for line in lines:
        if line.reasons and line.reasons[0] not in seen:
            seen.add(line.reasons[0])
            chosen.append(line)
    return chosen


def _print(lines: list[Line], source: SourceMap, numbers: dict[str, str]) -> None:
    for line in lines[:_MOST]:
        click.echo(f"{line.file}:{line.number}  {line.text.strip()}")
        for word in dict.fromkeys(re.findall(r"[0-9a-f.:]*[0-9][0-9a-f.:]*", line.text)):
            if word in numbers:
                click.echo(f"    {word}: {numbers[word]}")
        if not line.reasons:
            click.echo("    always there on this platform")
        for reason in line.reasons:
            click.echo(f"    {reason.rule}")
            for path in filter(None, reason.paths):
                place = source.locate(tuple(_segment(part) for part in path.split(".")))
                where = f"{place}  " if place else ""
                click.echo(f"      from {where}{path}")
    if len(lines) > _MOST:
        click.echo(f"… and {len(lines) - _MOST} more lines; name more of the text")


def _segment(part: str) -> str | int:
    return int(part) if part.isdigit() else part
