"""`fabricgen lossless SITE`: headroom, budget and marking of each kind of switch, with terms."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.saying import (
    as_option,
    coloured,
    compiled_or_said,
    print_findings,
    site_argument,
)
from fabricgen.diagnostics import Code, Diagnostic, did_you_mean

if TYPE_CHECKING:
    from rich.console import Console

    from fabricgen.fabric.buffers import MarkingPlan
    from fabricgen.fabric.switch import Site
    from fabricgen.reports.lossless import Kind


@click.command("lossless")
@site_argument
@click.option("--switch", "switch", help="Only this switch.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How to print.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also draw the memory of each kind of switch into DIR, as SVG.",
)
@as_option
def command(
    site: Path, switch: str | None, form: str, pictures: Path | None, as_platform: str | None
) -> int:
    """Print how much each lossless port keeps for what is in flight, and why, with every term."""
    pair = compiled_or_said(site, as_platform)
    if pair is None:
        return 1
    loaded, made = pair
    assert made.site is not None
    from fabricgen.reports.lossless import as_data, kinds

    found = kinds(made.site, switch)
    if not found:
        names = [
            name
            for fabric in made.site.fabrics
            if fabric.lossless
            for name in fabric.lossless.switches
        ]
        said = f"no lossless switch {switch!r}" if switch else "the site has no lossless fabric"
        print_findings(
            [
                Diagnostic(
                    Code.NO_SUCH_OBJECT, said, hint=did_you_mean(switch, names) if switch else ""
                )
            ],
            loaded.source,
            err=True,
        )
        return 1
    if pictures is not None:
        _draw(made.site, found, pictures)
    if form == "json":
        click.echo(json.dumps(as_data(made.site, found), indent=1))
        return 0
    _print(made.site, found)
    return 0


def _plans(site: Site, kind: Kind) -> tuple[tuple[str, MarkingPlan], ...]:
    """Return the marking plans of a fabric, each with the name of its class."""
    fabric = next(item for item in site.fabrics if item.name == kind.fabric)
    plans = fabric.lossless.plans if fabric.lossless else ()
    return tuple((item.value, plan) for item, plan in plans)


def _draw(site: Site, found: list[Kind], folder: Path) -> None:
    from fabricgen.reports.buffer_picture import picture

    folder.mkdir(parents=True, exist_ok=True)
    for kind in found:
        speed = max(port.speed for port, _ in kind.buffers.ports)
        plans = {name: plan for name, plan in _plans(site, kind) if plan.speed == speed}
        drawn = picture(f"{kind.names[0]} and {len(kind.names) - 1} more", kind.buffers, plans)
        (folder / f"{kind.names[0]}.svg").write_text(drawn)


def _print(site: Site, found: list[Kind]) -> None:
    from rich.console import Console

    console = Console(highlight=False, no_color=not coloured(sys.stdout), soft_wrap=True)
    for kind in found:
        _print_kind(console, kind)
        for name, plan in _plans(site, kind):
            _print_marking(console, name, plan)


def _print_kind(console: Console, kind: Kind) -> None:
    made = kind.buffers
    more = f" and {len(kind.names) - 1} more" if len(kind.names) > 1 else ""
    console.print(
        f"{kind.names[0]}{more}: {made.model} ({made.asic}), "
        f"{int(made.memory):,} bytes of packet memory",
        markup=False,
    )
    each = f"each of {made.classes} classes" if made.classes > 1 else "each"
    for port, count in made.ports:
        console.print(
            f"  {count} x {port.speed} on {port.length} m: {int(port.headroom):,} bytes "
            f"of headroom {each}, {port.rule}",
            markup=False,
        )
        shipped = (
            "no shipped row"
            if port.shipped is None
            else f"shipped {int(port.shipped):,} for {port.shipped_length} m"
        )
        console.print(
            f"    computed {int(port.computed):,} ({port.model}), {shipped}", markup=False
        )
        for term in port.terms:
            console.print(f"      {term.value:>12,}  {term.name}", markup=False)
    for term in made.terms:
        console.print(f"  {term.value:>14,}  {term.name}", markup=False)
    if made.pause_at is not None:
        console.print(
            f"  pause at {int(made.pause_at):,} bytes per group with all congested "
            f"(alpha {2.0**made.alpha:g})",
            markup=False,
        )


def _print_marking(console: Console, name: str, plan: MarkingPlan) -> None:
    of = "" if name == "lossless" else f" of {name}"
    console.print(
        f"  ECN{of} on {plan.speed}: {int(plan.minimum):,} to {int(plan.maximum):,} bytes, "
        f"{plan.probability} %",
        markup=False,
    )
    for term in plan.terms:
        console.print(f"      {term.value:>12,}  {term.name}", markup=False)
    for rule, holds, said in plan.verdicts:
        console.print(f"      {'holds ' if holds else 'BROKEN'} {rule}: {said}", markup=False)
