"""Summarizes the files that `fabricgen render` wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.cli.plain import say
from fabricgen.core.tables import aligned

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.api.render import RenderedTree
    from fabricgen.compile.output.tree import Written
    from fabricgen.model.fabric.switch import Fabric, Site


_COLUMNS = ("fabric", "design", "switches", "servers", "GPUs", "links", "platforms")
_NUMBERS = range(2, 6)


def show_summary(site: Site, folder: Path, tree: RenderedTree, warned: str) -> None:
    """Print the summary to stdout."""
    rows = [_COLUMNS, *map(_row, site.fabrics)]
    lines = [f" {line}" for line in aligned(rows, _NUMBERS, "   ")]
    lines.insert(1, "─" * (max(map(len, lines)) + 1))
    remarks = _remarks(site, folder, tree, warned)
    for line in (f"site {site.name}", "", *(f" {line}" for line in lines), "", *remarks):
        say(line)


def _row(fabric: Fabric) -> tuple[str, ...]:
    from fabricgen.nos.registry import runs_on

    shape = fabric.topology
    return (
        fabric.name,
        fabric.design,
        f"{len(shape.switches):,}",
        f"{_servers(fabric):,}",
        f"{fabric.gpus:,}" if fabric.gpus else "-",
        f"{len(shape.links):,}",
        ", ".join(sorted({runs_on(switch) for switch in shape.switches})),
    )


def _remarks(site: Site, folder: Path, tree: RenderedTree, warned: str) -> list[str]:
    from fabricgen.compile.reports.ratios import ratio_lines

    target, radius = tree.folder, tree.radius
    first = site.fabrics[0].topology.switches[-1]
    return [
        *ratio_lines(site),
        "",
        outcome(target, tree, warned),
        *([f"blast radius compared with the previous tree: {radius}"] if str(radius) else []),
        "",
        f"read      {target}/{first.fabric}/{first.name}/",
        f"explain   fabricgen explain {folder} {first.name} 'router-id'",
        f"change    edit {folder}, then: fabricgen diff {target} {folder}",
    ]


def outcome(target: Path, written: Written | RenderedTree, warned: str) -> str:
    """Return the numbers of files as one line. warned: the sentence about warnings."""
    return (
        f"{written.files:,} files in {target}: {written.changed:,} written, "
        f"{written.files - written.changed:,} unchanged, {written.removed:,} removed; {warned}"
    )


def _servers(fabric: Fabric) -> int:
    """Count the servers. Other devices of an out-of-band network have no kind."""
    servers = fabric.topology.servers
    return len(servers) if fabric.managed is None else sum(bool(one.kind) for one in servers)
