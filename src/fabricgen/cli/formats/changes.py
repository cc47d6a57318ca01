"""Formats of a diff: text and markdown show lines, the others one entry per group of switches."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from fabricgen.cli.formats.entry import Entry, clean
from fabricgen.cli.formats.findings import FORMATS as FINDING_FORMATS
from fabricgen.cli.formats.findings import cell
from fabricgen.diagnostics import Code, Severity

if TYPE_CHECKING:
    from fabricgen.output.changes import Changes, Group

MARKDOWN_LIMIT = 60_000  # a pull-request comment holds 65,536 characters
_SHOWN = 6


def title(group: Group) -> str:
    """Return `3 switches share this change: a, b, c`."""
    names = [name.partition("/")[2] or name for name in group.switches]
    shown = ", ".join(names[:_SHOWN]) + (
        f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    )
    kind = "servers" if group.of_servers else "switches"
    share = f"{len(names)} {kind} share this change: " if len(names) > 1 else ""
    return f"{share}{shown} (+{group.added} -{group.removed})"


def summary(changes: Changes) -> str:
    """Return one line: how many switches, how many lines."""
    what = "switches and servers" if changes.servers else "switches"
    if not changes.groups:
        return f"no differences in {changes.switches} {what}"
    return (
        f"{changes.changed} of {changes.switches} {what} change, in {len(changes.groups)} "
        f"different ways: {changes.added:,} lines added, {changes.removed:,} removed"
    )


def text(changes: Changes) -> str:
    """Groups with their lines, as `diff -u` shows them."""
    lines = []
    for group in changes.groups:
        lines.append(title(group))
        for file in group.files:
            lines.append(f"--- {file.path} ({file.status})")
            lines += [clean(line) for line in file.lines]
        lines.append("")
    return "\n".join([*lines, summary(changes)]) + "\n"


def markdown(changes: Changes) -> str:
    """A pull-request comment: a table, then each group's lines folded, cut to the limit."""
    lines = ["<!-- fabricgen:diff -->", f"**fabricgen diff**: {summary(changes)}", ""]
    if changes.groups:
        lines += ["| switches | files | added | removed |", "|--|--|--|--|"]
    for group in changes.groups[:100]:
        files = ", ".join(sorted({file.path for file in group.files}))
        lines.append(
            f"| {cell(title(group).rpartition(' (')[0])} | {cell(files)} | {group.added} | "
            f"{group.removed} |"
        )
    size = sum(len(line) + 1 for line in lines)
    for number, group in enumerate(changes.groups):
        block = _block(group)
        if size + len(block) > MARKDOWN_LIMIT - 200:
            lines.append(
                f"\n{len(changes.groups) - number} more changes do not fit into a comment; "
                "`fabricgen diff` shows them all."
            )
            break
        lines.append(block)
        size += len(block) + 1
    return "\n".join(lines) + "\n"


def _block(group: Group) -> str:
    body = "\n".join(
        line
        for file in group.files
        for line in (f"--- {file.path} ({file.status})", *map(clean, file.lines))
    )
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return (
        f"\n<details><summary>{clean(title(group))}</summary>\n\n{fence}diff\n{body}\n{fence}\n"
        "</details>"
    )


def as_json(changes: Changes) -> str:
    """A versioned document with every group and its lines."""
    return (
        json.dumps(
            {
                "format_version": 1,
                "switches": changes.switches,
                "changed": changes.changed,
                "groups": [
                    {
                        "switches": list(group.switches),
                        "added": group.added,
                        "removed": group.removed,
                        "files": [
                            {"path": file.path, "status": file.status, "diff": list(file.lines)}
                            for file in group.files
                        ],
                    }
                    for group in changes.groups
                ],
            },
            indent=1,
        )
        + "\n"
    )


def show(changes: Changes, form: str) -> str:
    """Print in the wanted format."""
    own = {"text": text, "markdown": markdown, "json": as_json}
    if form in own:
        return own[form](changes)
    rows = [
        Entry(Code.OUTPUT_STALE.value, Severity.NOTE, title(group), "", "", 0, 0, "")
        for group in changes.groups
    ]
    return FINDING_FORMATS[form](rows, [])
