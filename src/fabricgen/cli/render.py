"""Implements `fabricgen render SITE -o OUT`, which writes the configuration of every switch."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.api.nearest import hinted
from fabricgen.cli.candidates import complete_fabrics, complete_servers, complete_switches
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    as_option,
    count_warnings,
    jobs_option,
    listed_by_check,
    output_option,
    print_findings,
    site_argument,
)
from fabricgen.cli.plain import say
from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.progress import stage
from fabricgen.core.record import record
from fabricgen.core.workers import usable_cores

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from fabricgen.api.render import Origin
    from fabricgen.api.rendering import Rendering
    from fabricgen.compile.compiler import File
    from fabricgen.compile.output.remembered import Remembered
    from fabricgen.intent.files import SiteFiles
    from fabricgen.intent.load import Loaded
    from fabricgen.model.fabric.switch import Site


@record(kw_only=True)
class RenderOptions:
    """Options of the verb. jobs: number of parallel processes."""

    site: Path
    target: Path
    fabrics: tuple[str, ...]
    switches: tuple[str, ...]
    servers: tuple[str, ...]
    only_check: bool
    force: bool
    as_platform: str | None
    jobs: int

    @property
    def partial(self) -> bool:
        """Whether only a part is rendered. The rest of the tree stays."""
        return bool(self.fabrics or self.switches or self.servers)


@define_verb(
    "render",
    examples=("render intent/lab -o rendered", "render intent/lab -o rendered --check"),
    codes={2: "The tree is not up to date (--check)"},
)
@site_argument
@output_option("OUT", "Folder of the rendered tree; replaced as a whole.")
@click.option(
    "--fabric",
    "fabrics",
    multiple=True,
    shell_complete=complete_fabrics,
    help="Render only this fabric; the rest of OUT stays.",
)
@click.option(
    "--switch",
    "switches",
    multiple=True,
    shell_complete=complete_switches,
    help="Render only this switch; the rest of OUT stays.",
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    shell_complete=complete_servers,
    help="Render only this server; the rest of OUT stays.",
)
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Compare OUT with the site without writing.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Render all files again; overwrite manually changed files.",
)
@jobs_option
@as_option
def command(
    *,
    site: Path,
    target: Path,
    fabrics: tuple[str, ...],
    switches: tuple[str, ...],
    servers: tuple[str, ...],
    only_check: bool,
    force: bool,
    jobs: int | None,
    as_platform: str | None,
) -> int:
    """Write the configuration of switches and servers.

    OUT gets one folder per switch and server of SITE. A site with errors writes nothing.
    """
    from fabricgen.api.render import Origin, hash_of, inputs_of
    from fabricgen.compile.output.exchange import recover
    from fabricgen.compile.output.remembered import known
    from fabricgen.intent.files import read_site

    order = RenderOptions(
        site=site,
        target=target,
        fabrics=fabrics,
        switches=switches,
        servers=servers,
        only_check=only_check,
        force=force,
        as_platform=as_platform,
        jobs=jobs or usable_cores(),
    )
    files = read_site(site)
    inputs = inputs_of(files, as_platform)
    whole = hash_of(inputs, site, files)
    if only_check or force:
        return _rendered(order, files, Origin(inputs.base, whole))
    recover(target)
    before = known(target)
    if whole and before is not None and _unchanged(order, whole, before):
        return 0
    return _rendered(order, files, Origin(inputs.base, whole, before))


def _unchanged(order: RenderOptions, inputs: str, before: Remembered) -> bool:
    """Check whether the tree was rendered from the same inputs. If so, print its summary again.

    Only a manifest that this machine wrote is trusted. Changed files are compared with their
    hashes.

    Raises:
        Refused: A file was changed manually.
    """
    from fabricgen.api.findings import entries_from
    from fabricgen.cli.rendering import outcome
    from fabricgen.compile.output.existing_tree import edits
    from fabricgen.compile.output.tree import Written

    manifest = before.manifest
    if manifest.inputs != inputs or not _has_named(order, manifest.files):
        return False
    try:
        entries = entries_from(manifest.findings, order.site)
    except (KeyError, ValueError, TypeError):  # written by another version
        return False
    edits(order.target, manifest, before.stamps, force=False, jobs=order.jobs)
    warned = listed_by_check(count_warnings(entries), order.site, order.as_platform)
    say(outcome(order.target, Written(files=len(manifest.files)), warned))
    say(f"{order.site} was not compiled again: no input has changed")
    return True


def _has_named(order: RenderOptions, paths: Iterable[str]) -> bool:
    """Return whether a tree has every fabric, switch and server that the options name."""
    from fabricgen.compile.output.manifest import folder_of_file

    if not order.partial:
        return True
    names = {name for path in paths for name in folder_of_file(path).split("/")}
    return names.issuperset((*order.fabrics, *order.switches, *order.servers))


def _rendered(order: RenderOptions, files: SiteFiles, origin: Origin) -> int:
    from fabricgen.api.errors import Unproven
    from fabricgen.api.rendering import Rendering, chosen
    from fabricgen.compile.compiler import Cutter, checked, designed
    from fabricgen.intent.load import load_texts

    with stage("loading"):
        loaded = load_texts(*files)
    design = designed(loaded, order.as_platform)
    site = design.site
    if site is None or not design.ok:
        print_findings(checked(design).findings, loaded.source, err=True)
        return 1
    unknown = _unknown(site, order)
    if unknown:
        print_findings(unknown, loaded.source, err=True)
        return 1
    owners = chosen(Cutter(site), order.fabrics, order.switches, order.servers)
    with Rendering(design, owners, order.jobs) as rendering:
        try:
            if order.only_check:
                return _compared(order, loaded, rendering)
            return _written(order, loaded, rendering, origin)
        except Unproven as unproven:
            print_findings(unproven.examined.findings, loaded.source, err=True)
            return 1
        except Exception:
            if not rendering.failed:
                raise
            print_findings(rendering.findings, loaded.source, err=True)
            return 1  # the errors of the design explain the exception


def _unknown(site: Site, order: RenderOptions) -> list[Diagnostic]:
    topologies = [fabric.topology for fabric in site.fabrics]
    known = {
        "fabric": {fabric.name for fabric in site.fabrics},
        "switch": {switch.name for topology in topologies for switch in topology.switches},
        "server": {server.name for topology in topologies for server in topology.servers},
    }
    named = {"fabric": order.fabrics, "switch": order.switches, "server": order.servers}
    return [
        Diagnostic(
            Code.NO_SUCH_OBJECT,
            f"no {kind} {name!r} in this site",
            hint=hinted(site, name, known[kind]),
        )
        for kind, names in named.items()
        for name in names
        if name not in known[kind]
    ]


def _compared(order: RenderOptions, loaded: Loaded, rendering: Rendering) -> int:
    """Compare the tree on disk with the site. Return the exit code."""
    from fabricgen.compile.output.manifest import FILE

    target, stale, seen = order.target, [], set()
    with _tree_at(target) as tree:
        for files in rendering.products(partial(_same, tree), prove=False):
            for path, same in files:
                seen.add(path)
                if not same:
                    stale.append(path)
    rendering.insist()
    if not order.partial and target.is_dir():
        there = {
            path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()
        }
        stale.extend(sorted(there - seen - {FILE}))
    if not stale:
        say(f"{target} is up to date: {len(seen)} files")
        return 0
    print_findings(
        [
            Diagnostic(
                Code.OUTPUT_STALE,
                f"{path} differs from the rendered intent",
                hint=f"run `fabricgen render {order.site} -o {target}` and commit the result",
            )
            for path in stale[:20]
        ],
        loaded.source,
    )
    say(f"{len(stale)} of {len(seen)} files are out of date")
    return 2


def _tree_at(target: Path) -> AbstractContextManager[Folder | None]:
    """Open an existing tree, which forked processes share."""
    try:
        return Folder(target)
    except OSError:
        return nullcontext()


def _same(tree: Folder | None, file: File) -> tuple[str, bool]:
    try:
        return file.path, tree is not None and tree.read(file.path) == file.text.encode()
    except OSError:
        return file.path, False


def _written(order: RenderOptions, loaded: Loaded, rendering: Rendering, origin: Origin) -> int:
    from fabricgen.api.render import Order, write
    from fabricgen.cli.rendering import show_summary

    wanted = Order(
        site=order.site,
        target=order.target,
        force=order.force,
        jobs=order.jobs,
        partial=order.partial,
    )
    tree = write(rendering, loaded.source, wanted, origin)
    warned = listed_by_check(count_warnings(tree.findings), order.site, order.as_platform)
    show_summary(rendering.site, order.site, tree, warned)
    return 0
