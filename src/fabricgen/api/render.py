"""Writes the tree of a site: its files, each proven, and the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fabricgen.api.findings import Finding
    from fabricgen.api.rendering import Rendering
    from fabricgen.compile.compiler import Compiled, Designed
    from fabricgen.compile.output.inputs import Inputs
    from fabricgen.compile.output.remembered import Remembered
    from fabricgen.compile.output.risks import Radius
    from fabricgen.intent.files import SiteFiles
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site


@record()
class Origin:
    """Inputs of a tree.

    Attributes:
        base: Hash of the inputs that all owners share.
        whole: Hash of all inputs. Empty if the site was not read completely.
        before: Known facts of the old tree.
    """

    base: str
    whole: str
    before: Remembered | None = None

    @property
    def known(self) -> Mapping[str, str]:
        """Return the hashes of slices in the old tree, if all common inputs are the same."""
        before = self.before
        return before.owners if before is not None and before.base == self.base else {}


@record(kw_only=True)
class Order:
    """A tree to write.

    Attributes:
        site: Folder of the intent.
        target: Folder of the tree.
        force: Whether manually changed files are overwritten.
        jobs: Number of parallel processes.
        partial: Whether only a part is rendered. The rest of the tree stays.
    """

    site: Path
    target: Path
    force: bool = False
    jobs: int = 1
    partial: bool = False


@record(kw_only=True)
class RenderedTree:
    """A tree that was written.

    Attributes:
        folder: Folder of the tree.
        files: Number of its files.
        changed: Number of written files.
        removed: Number of removed files.
        radius: Switches and servers by the risk of their change, compared with the old tree.
        findings: Findings of the site.
    """

    folder: Path
    files: int
    changed: int
    removed: int
    radius: Radius
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        """Return the folder and the numbers of files."""
        numbers = f"{self.files:,} files, {self.changed:,} written, {self.removed:,} removed"
        return f"<RenderedTree {self.folder}: {numbers}>"


def write(rendering: Rendering, source: SourceMap, order: Order, origin: Origin) -> RenderedTree:
    """Render, prove every file and write the tree.

    Raises:
        InvalidSite: The checks found errors.
        Unproven: The files do not implement the design.
        Refused: The folder must not be written.
    """
    from fabricgen.api.findings import entries, kept
    from fabricgen.compile.output.manifest import Manifest
    from fabricgen.compile.output.risks import radius_of
    from fabricgen.compile.output.tree import building

    known = {} if order.partial else origin.known
    with building(order.target, origin.before, force=order.force, jobs=order.jobs) as build:
        unchanged = rendering.omit(known) if known else set()
        if known:
            rendering.insist()
        for placed in rendering.products(build.place, prove=True):
            build.take(placed)
        rendering.insist()
        rendering.bench.insist()
        manifest = Manifest(site=rendering.site.name)
        found = entries(rendering.findings, source)
        build.keep(unchanged)
        if order.partial:
            build.keep_rest()
        else:
            manifest.inputs, manifest.compiler = origin.whole, origin.base
            manifest.findings = kept(found, order.site)
        radius = radius_of(build)
        done = build.finish(manifest, origin.base, {**origin.known, **rendering.digests})
    return RenderedTree(
        folder=order.target,
        files=done.files,
        changed=done.changed,
        removed=done.removed,
        radius=radius,
        findings=tuple(found),
    )


@record(kw_only=True)
class Sources:
    """The inputs of a loaded site.

    Attributes:
        files: Texts of the intent.
        platform: The NOS that the caller named, if any.
        design: The design before the checks.
        compiled: The design with the results of the checks.
    """

    files: SiteFiles
    platform: str | None
    design: Designed
    compiled: Compiled


def render(site: Site, sources: Sources, source: SourceMap, order: Order) -> RenderedTree:
    """Write the tree of a site without errors.

    Raises:
        Unproven: The files do not implement the design.
        Refused: The folder must not be written.
    """
    from fabricgen.api.rendering import Rendering, chosen
    from fabricgen.compile.compiler import Cutter
    from fabricgen.compile.output.exchange import recover
    from fabricgen.compile.output.remembered import known

    inputs = inputs_of(sources.files, sources.platform)
    if not order.force:
        recover(order.target)
    before = None if order.force else known(order.target)
    origin = Origin(inputs.base, hash_of(inputs, order.site, sources.files), before)
    owners = chosen(Cutter(site), (), (), ())
    with Rendering(sources.design, owners, order.jobs, sources.compiled) as rendering:
        return write(rendering, source, order, origin)


def inputs_of(files: SiteFiles, as_platform: str | None) -> Inputs:
    """Return the hashes of the inputs that all owners share."""
    from fabricgen.compile.output.inputs import Inputs

    return Inputs([f"--as {as_platform}"] if as_platform else [], files[2])


def hash_of(inputs: Inputs, site: Path, files: SiteFiles) -> str:
    """Return the hash of all inputs, or an empty text if files could not be read."""
    from pathlib import Path

    from fabricgen.intent.files import spelled

    if files[1]:
        return ""
    top = spelled(site)
    return inputs.whole({str(Path(name).relative_to(top)): text for name, text in files[0].items()})
