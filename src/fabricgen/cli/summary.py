"""A rendered site in, the words that end a render out: what there is, what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.cli.plain import say

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.compile.output.risks import Radius
    from fabricgen.compile.output.tree import Written
    from fabricgen.model.fabric.switch import Fabric, Site

_COLUMNS = ("fabric", "design", "switches", "servers", "GPUs", "links", "platforms")
_TEXT = ("fabric", "design", "platforms")


def show_summary(
    site: Site, folder: Path, target: Path, written: Written, radius: Radius, warned: str
) -> None:
    """Print the summary to stdout."""
    rows = [_COLUMNS, *map(_row, site.fabrics)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f" {'   '.join(map(_padded, _COLUMNS, row, widths))}".rstrip() for row in rows]
    lines.insert(1, "─" * (sum(widths) + 3 * len(widths) - 1))
    remarks = _remarks(site, folder, target, written, radius, warned)
    for line in (f"site {site.name}", "", *(f" {line}" for line in lines), "", *remarks):
        say(line)


def _padded(column: str, text: str, width: int) -> str:
    return text.ljust(width) if column in _TEXT else text.rjust(width)


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


def _remarks(
    site: Site, folder: Path, target: Path, written: Written, radius: Radius, warned: str
) -> list[str]:
    from fabricgen.compile.reports.ratios import ratio_lines

    first = site.fabrics[0].topology.switches[-1]
    return [
        *ratio_lines(site),
        "",
        outcome(target, written, warned),
        *([f"blast radius against the tree that stood there: {radius}"] if str(radius) else []),
        "",
        f"read      {target}/{first.fabric}/{first.name}/",
        f"ask why   fabricgen explain {folder} {first.name} 'router-id'",
        f"change    edit {folder}, then: fabricgen diff {target} {folder}",
    ]


def outcome(target: Path, written: Written, warned: str) -> str:
    """Say in one line what was written. warned: how many warnings there are."""
    return (
        f"{written.files:,} files in {target}: {written.changed:,} written, "
        f"{written.files - written.changed:,} unchanged, {written.removed:,} removed; {warned}"
    )


def _servers(fabric: Fabric) -> int:
    """Count the servers; what else has a management port out of band is of no kind."""
    servers = fabric.topology.servers
    return len(servers) if fabric.managed is None else sum(bool(each.kind) for each in servers)
