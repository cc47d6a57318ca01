"""Resolves the place of a finding and removes control characters for every format."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from fabricgen.core.diagnostics import Diagnostic, Severity, dotted
from fabricgen.core.plain_text import clean
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from fabricgen.intent.source import SourceMap


@record(kw_only=True)
class Finding:
    """One line of a report.

    Without a place, `file` is empty and `line` and `column` are 0. The fields `why`, `owner` and
    `until` are the acknowledgment of the finding.
    """

    code: str
    severity: Severity
    message: str
    hint: str
    file: str
    line: int
    column: int
    path: str
    why: str = ""
    owner: str = ""
    until: str = ""

    @property
    def place(self) -> str:
        """The place as file:line:column, or an empty text."""
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""


NAMES = tuple(each.name for each in fields(Finding))
_ACKNOWLEDGED = ("why", "owner", "until")


def entries(findings: Iterable[Diagnostic], source: SourceMap) -> list[Finding]:
    """Return findings with places, without duplicates. Errors precede, then file and line."""
    rows = dict.fromkeys(_entry(item, source) for item in findings)
    order = list(Severity)
    return sorted(rows, key=lambda e: (order.index(e.severity), e.file, e.line, e.column, e.code))


def placed(rows: Iterable[Finding], source: SourceMap) -> list[Finding]:
    """Give each row a place. A row without one gets the first place of the site.

    GitHub refuses a SARIF file in which a result has no location.
    """
    top = source.top
    file = clean(short(top.file))
    return [
        row if row.file else replace(row, file=file, line=top.line, column=top.column)
        for row in rows
    ]


def split_acknowledged(rows: Iterable[Finding], today: date) -> tuple[list[Finding], list[Finding]]:
    """Return the open rows and the acknowledged rows of a day."""
    is_open: list[Finding] = []
    accepted: list[Finding] = []
    for row in rows:
        if row.until and today.isoformat() <= row.until:
            accepted.append(row)
        elif row.until:
            past = f"its acknowledgment expired on {row.until}: {row.why}"
            hint = "; ".join(filter(None, (row.hint, past)))
            is_open.append(replace(row, hint=hint, why="", owner="", until=""))
        else:
            is_open.append(row)
    return is_open, accepted


def as_row(entry: Finding) -> dict[str, Any]:
    """Return an entry as data."""
    names = NAMES if entry.until else (name for name in NAMES if name not in _ACKNOWLEDGED)
    return {name: getattr(entry, name) for name in names}


def kept(rows: Iterable[Finding], site: Path) -> list[dict[str, Any]]:
    """Return rows as data, with files relative to the site folder."""
    folder = short(str(site))
    return [as_row(row) | {"file": _moved(row.file, folder)} for row in rows]


def entries_from(data: Iterable[Mapping[str, Any]], site: Path) -> list[Finding]:
    """Return the rows of the data from `kept`.

    Raises:
        KeyError, ValueError, TypeError: The data is not from `kept`.
    """
    folder = PurePath(short(str(site)))
    rows = []
    for row in data:
        facts = {name: row.get(name, "") if name in _ACKNOWLEDGED else row[name] for name in NAMES}
        facts["severity"] = Severity(row["severity"])
        facts["file"] = (folder / row["file"]).as_posix() if row["file"] else ""
        rows.append(Finding(**facts))
    return rows


def _moved(file: str, site: str) -> str:
    path = PurePath(file)
    return path.relative_to(site).as_posix() if file and path.is_relative_to(site) else file


def _entry(item: Diagnostic, source: SourceMap) -> Finding:
    place = item.position or source.locate(item.path, key=item.at_key)
    file, line, column = (short(place.file), place.line, place.column) if place else ("", 0, 0)
    path, accepted = dotted(item.path), item.acknowledged
    return Finding(
        code=str(item.code),
        severity=item.severity,
        message=clean(item.message),
        hint=clean(item.hint),
        file=clean(file),
        line=line,
        column=column,
        path=clean(path),
        why=clean(accepted.why) if accepted else "",
        owner=clean(accepted.owner) if accepted else "",
        until=accepted.until.isoformat() if accepted else "",
    )


def short(file: str) -> str:
    """Return a path relative to the current folder, if it is below it."""
    try:
        return Path(file).relative_to(Path.cwd()).as_posix() if Path(file).is_absolute() else file
    except ValueError:
        return file
