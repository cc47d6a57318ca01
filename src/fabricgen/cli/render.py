"""`fabricgen render SITE -o OUT`: write the configuration of every switch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.saying import (
    as_option,
    compiled_or_said,
    print_findings,
    progress,
    site_argument,
)
from fabricgen.cli.summary import show_summary
from fabricgen.diagnostics import Code, Diagnostic, Severity, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.compiler import Job
    from fabricgen.fabric.switch import Site
    from fabricgen.intent.load import Loaded
    from fabricgen.output.tree import Written


@click.command("render")
@site_argument
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path),
    required=True,
    metavar="OUT",
    help="Folder of the rendered tree; replaced as a whole.",
)
@click.option("--fabric", "fabrics", multiple=True, help="Only this fabric; the rest stays.")
@click.option("--switch", "switches", multiple=True, help="Only this switch; the rest stays.")
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Write nothing; exit 2 when the tree is not up to date.",
)
@click.option("--force", is_flag=True, help="Overwrite files that were changed by hand.")
@as_option
def command(
    *,
    site: Path,
    target: Path,
    fabrics: tuple[str, ...],
    switches: tuple[str, ...],
    only_check: bool,
    force: bool,
    as_platform: str | None,
) -> int:
    """Write the configuration of every switch of SITE, all or, when there are errors, nothing."""
    from fabricgen.output.radius import Radius, weighed

    pair = compiled_or_said(site, as_platform)
    if pair is None:
        return 1
    loaded, made = pair
    assert made.site is not None
    unknown = _unknown(made.site, fabrics, switches)
    if unknown:
        print_findings(unknown, loaded.source, err=True)
        return 1
    if made.findings:
        print_findings(made.findings, loaded.source, err=True)
    chosen = _chosen(made.site, fabrics, switches)
    partial = bool(fabrics or switches)
    if only_check:
        return _compare(target, chosen, loaded, partial=partial)
    radius = Radius()
    chosen = weighed(target, chosen, radius, whole=not partial)
    written = _write(target, made.site, chosen, loaded, force=force, partial=partial)
    if written is None:
        return 1
    warnings = sum(item.severity is Severity.WARNING for item in made.findings)
    show_summary(made.site, site, target, written, radius, warnings=warnings)
    return 0


def _unknown(site: Site, fabrics: tuple[str, ...], switches: tuple[str, ...]) -> list[Diagnostic]:
    known = {
        "fabric": {fabric.name for fabric in site.fabrics},
        "switch": {s.name for fabric in site.fabrics for s in fabric.topology.switches},
    }
    return [
        Diagnostic(
            Code.NO_SUCH_OBJECT,
            f"no {kind} {name!r} in this site",
            hint=did_you_mean(name, known[kind]),
        )
        for kind, names in (("fabric", fabrics), ("switch", switches))
        for name in names
        if name not in known[kind]
    ]


def _chosen(site: Site, fabrics: tuple[str, ...], switches: tuple[str, ...]) -> Iterator[Job]:
    from fabricgen.compiler import jobs
    from fabricgen.fabric.topology import Switch

    total = sum(
        len(fabric.topology.switches) + (len(fabric.topology.servers) if fabric.hosts else 0)
        for fabric in site.fabrics
    )
    for job in progress(jobs(site), total, "rendering"):
        of_fabric = not fabrics or job.owner.fabric in fabrics
        named = isinstance(job.owner, Switch) and job.owner.name in switches
        if of_fabric and (not switches or named):
            yield job


def _compare(target: Path, chosen: Iterator[Job], loaded: Loaded, *, partial: bool) -> int:
    """Tell whether the tree on disk is what would be rendered."""
    from fabricgen.output.manifest import FILE

    stale, seen = [], set()
    for file in (file for job in chosen for file in job.render()):
        seen.add(file.path)
        try:
            same = (target / file.path).read_text() == file.text
        except (OSError, UnicodeDecodeError):
            same = False
        if not same:
            stale.append(file.path)
    if not partial and target.is_dir():
        found = {
            path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()
        }
        stale.extend(sorted(found - seen - {FILE}))
    if not stale:
        click.echo(f"{target} is up to date: {len(seen)} files")
        return 0
    print_findings(
        [
            Diagnostic(
                Code.OUTPUT_STALE,
                f"{path} is not what the intent renders",
                hint="run `fabricgen render` and commit the result",
            )
            for path in stale[:20]
        ],
        loaded.source,
    )
    click.echo(f"{len(stale)} of {len(seen)} files are out of date")
    return 2


def _write(
    target: Path, site: Site, chosen: Iterator[Job], loaded: Loaded, *, force: bool, partial: bool
) -> Written | None:
    from fabricgen.cli.proof import Unproven, proven
    from fabricgen.output.tree import write_tree

    try:
        jobs = proven(site, chosen)
        return write_tree(target, site.name, jobs, keep_rest=partial, force=force)
    except Unproven as unproven:
        print_findings(unproven.examined.findings, loaded.source, err=True)
    return None
