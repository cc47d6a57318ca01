"""Prints a diff: lines as text and Markdown, other formats with one entry per group of switches.

Each group shows its highest risk, and then the class, place and reason of each rule.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabricgen.cli.formats.document import (
    cell,
    comment,
    document,
    folded,
    place_of_rule,
    rule_lines,
)
from fabricgen.cli.formats.entry import Entry
from fabricgen.cli.formats.findings import FORMATS as FINDING_FORMATS
from fabricgen.cli.plain import clean
from fabricgen.compile.output.risks import remarks
from fabricgen.core.diagnostics import Code, Position, Severity
from fabricgen.core.tables import markdown_table
from fabricgen.core.units import counted, shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.compile.output.changes import Changes, Group
    from fabricgen.compile.output.risks import Remark
    from fabricgen.core.tree.risk import Risk

    Cause = Callable[[Position], Position]

_SHOWN = 6
_REMARKS = 20  # of a group in a comment
_HUNK = re.compile(r"@@ -\S+ \+(\d+)")


def title(group: Group) -> str:
    """Return a title: `hitless: 3 switches share this change: a, b, c (+1 -1)`."""
    return f"{group.risk.word}: {_names(group)} (+{group.added} -{group.removed})"


def _names(group: Group) -> str:
    names = [name.partition("/")[2] or name for name in group.switches]
    kind = "servers" if group.of_servers else "switches"
    share = f"{len(names)} {kind} share this change: " if len(names) > 1 else ""
    return f"{share}{shortened(names, _SHOWN)}"


def summary(changes: Changes) -> str:
    """Return the numbers of changed switches and lines in one line."""
    what = "switches and servers" if changes.servers else "switches"
    if not changes.groups:
        return f"no differences in {changes.switches} {what}"
    return (
        f"{changes.changed} of {changes.switches} {what} change "
        f"({counted(len(changes.groups), 'different change')}): "
        f"{changes.added:,} lines added, {changes.removed:,} removed"
    )


def radius(changes: Changes) -> str:
    """Return the numbers of switches by their highest risk in one line."""
    parts = [f"{count} {risk.word}" for risk, count in changes.radius.items() if count]
    return f"blast radius: {', '.join(parts)}" if parts else "blast radius: none"


def _place_and_reason(remark: Remark) -> tuple[str, str]:
    """Return the place of a rule and its reason."""
    first, more = remark.places[0], len(remark.places) - 1
    return place_of_rule(remark.file, first, more, remark.kind.value), remark.rule.why


def _reasons(group: Group) -> list[str]:
    """Return two lines for each rule: class and place, then the reason."""
    if not group.judged:
        return ["  hitless              only order or comments differ"]
    rules = remarks(group.judged)
    lines = (rule_lines(item.rule.risk.word, *_place_and_reason(item)) for item in rules)
    return [line for pair in lines for line in pair]


def text(changes: Changes) -> str:
    """Return the groups with their lines in the format of `diff -u`."""
    lines = []
    for group in changes.groups:
        lines += [title(group), *_reasons(group)]
        for file in group.files:
            lines.append(f"--- {file.path} ({file.status})")
            lines += [clean(line) for line in file.lines]
        lines.append("")
    return "\n".join([*lines, summary(changes), radius(changes)]) + "\n"


def markdown(changes: Changes) -> str:
    """Return a pull-request comment: a table, then the folded lines of each group."""
    lines = [
        "<!-- fabricgen:diff -->",
        f"**fabricgen diff**: {summary(changes)}; {radius(changes)}",
        "",
    ]
    if changes.groups:
        rows = map(_row, changes.groups[:100])
        lines += markdown_table(("risk", "switches", "files", "added", "removed"), rows)
    rest = "do not fit into a comment; `fabricgen diff` shows all changes."
    return comment(lines, map(_block, changes.groups), len(changes.groups), rest)


def _row(group: Group) -> tuple[object, ...]:
    files = ", ".join(sorted({file.path for file in group.files}))
    return group.risk.word, cell(_names(group)), cell(files), group.added, group.removed


def _block(group: Group) -> str:
    body = (
        line for file in group.files for line in (f"--- {file.path} ({file.status})", *file.lines)
    )
    return folded(title(group), body, f"{_table(group)}\n")


def _table(group: Group) -> str:
    rows = [(remark.rule.risk.word, *_place_and_reason(remark)) for remark in remarks(group.judged)]
    if not rows:
        return "Only order or comments differ.\n"
    shown = markdown_table(("risk", "where", "why"), ([*map(cell, row)] for row in rows[:_REMARKS]))
    if len(rows) > _REMARKS:
        shown.append(f"\n{len(rows) - _REMARKS} more")
    return "\n".join(shown) + "\n"


def as_json(changes: Changes) -> str:
    """Return a versioned document with all groups and their lines."""
    return document(
        {
            "switches": changes.switches,
            "changed": changes.changed,
            "blast_radius": {risk.word: count for risk, count in changes.radius.items()},
            "groups": list(map(_group, changes.groups)),
        }
    )


def _group(group: Group) -> dict[str, object]:
    return {
        "switches": list(group.switches),
        "risk": group.risk.word,
        "changes": [_as_data(remark) for remark in remarks(group.judged)],
        "added": group.added,
        "removed": group.removed,
        "files": [
            {"path": file.path, "status": file.status, "diff": list(file.lines)}
            for file in group.files
        ],
    }


def _as_data(remark: Remark) -> dict[str, object]:
    return {
        "risk": remark.rule.risk.word,
        "file": remark.file,
        "kind": remark.kind.value,
        "places": list(remark.places),
        "reason": remark.rule.why,
        "source": remark.rule.source,
        "known": remark.known,
    }


def show(
    changes: Changes, form: str, cause: Cause = lambda line: line, bar: Risk | None = None
) -> str:
    """Return the changes in a format.

    Args:
        changes: The changes.
        form: The format.
        cause: Function from a line of a rendered file to its place in the intent.
        bar: A change of this risk or a higher one is an error.
    """
    printers = {"text": text, "markdown": markdown, "json": as_json}
    if form in printers:
        return printers[form](changes)
    return FINDING_FORMATS[form]([_entry(group, cause, bar) for group in changes.groups], [], [])


def _entry(group: Group, cause: Cause, bar: Risk | None) -> Entry:
    refused = bar is not None and group.risk >= bar
    place = cause(first_line(group))
    return Entry(
        code=Code.SWITCHES_CHANGE.value,
        severity=Severity.ERROR if refused else Severity.NOTE,
        message=clean(title(group)),
        hint=f"refused: risk {bar.word} or higher" if bar is not None and refused else "",
        file=clean(place.file),
        line=place.line,
        column=place.column,
        path="",
    )


def first_line(group: Group) -> Position:
    """Return the first changed line of the first switch in the new tree."""
    file = group.files[0]
    hunk = next((match for line in file.lines if (match := _HUNK.match(line))), None)
    return Position(f"{group.switches[0]}/{file.path}", max(1, int(hunk[1])) if hunk else 1, 1)
