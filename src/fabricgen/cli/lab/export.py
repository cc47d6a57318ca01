"""Implements `fabricgen lab export SITE -o DIR`, which writes a folder for containerlab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_fabrics
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    as_option,
    ended,
    exported,
    folder_option,
    force_option,
    form_option,
    site_argument,
    warned,
)
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.export.containerlab.folder import Export, Summary

FORMATS = ("containerlab",)


@define_verb(
    "export",
    examples=(
        "lab export intent/lab -o clab",
        "lab export intent/tenants -o clab-eos --as eos --fabric frontend",
    ),
)
@site_argument
@form_option(*FORMATS)
@folder_option
@click.option(
    "--fabric",
    "fabrics",
    multiple=True,
    shell_complete=complete_fabrics,
    help="Export only this fabric.",
)
@force_option
@as_option
def command(
    *,
    site: Path,
    form: str,
    target: Path,
    fabrics: tuple[str, ...],
    force: bool,
    as_platform: str | None,
) -> int:
    """Export a lab to containerlab.

    The folder has a topology and the rendered files of SITE. containerlab boots vendor images.
    """
    del form  # containerlab is the only format
    design = warned(site, as_platform)
    lab = _made(design.site, fabrics, design.source)
    exported(design, target, lab.files, _warnings(lab.summary), force=force)
    _show(lab.summary, target)
    return 0


def _made(site: Site, fabrics: tuple[str, ...], source: SourceMap) -> Export:
    """Render the site, prove the files and return the lab."""
    from fabricgen.cli.proven import proven
    from fabricgen.operate.export.containerlab.folder import export as put_together
    from fabricgen.operate.export.containerlab.topology import only, refusals

    part = only(site, fabrics)
    refused = [*_unknown(site, fabrics), *refusals(part)]
    if refused:
        ended(refused, source)
    return put_together(part, proven(part, source))


def _unknown(site: Site, fabrics: tuple[str, ...]) -> list[Diagnostic]:
    known = [fabric.name for fabric in site.fabrics]
    return [
        Diagnostic(
            Code.NO_SUCH_OBJECT,
            f"no fabric {name!r} in this site",
            hint=did_you_mean(name, known),
        )
        for name in fabrics
        if name not in known
    ]


def _warnings(summary: Summary) -> Iterator[str]:
    """Yield the warnings for the user who deploys the lab."""
    from fabricgen.operate.export.containerlab.folder import MANY_NODES

    if summary.nodes > MANY_NODES:
        yield f"{summary.nodes} nodes are many for one machine; --fabric exports a part"
    if summary.secrets:
        references = ", ".join(secret.reference for secret in summary.secrets)
        yield f"the files have references instead of secrets: {references}"
    for path in summary.templated:
        yield f"{path} contains {{{{, which containerlab reads as a template"
    yield from summary.absent
    for peer in summary.outside:
        yield f"external peer {peer} has no node: its session stays down"


def _show(summary: Summary, target: Path) -> None:
    say(
        f"{target / summary.topology}: {summary.nodes} nodes, {summary.links} links; "
        "containerlab has not booted it"
    )
    for ran in summary.ran:
        say(f"\n{ran.platform}: {ran.switches} switches as {ran.kind}\n  {ran.unchanged}")
        for sentence in ran.differs:
            say(f"  - {sentence}")
    say(f"\nservers: {summary.servers} as linux\nread {target / 'README.md'} first")
