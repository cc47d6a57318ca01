"""What every format prints: a finding with its place resolved, free of any control character."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from fabricgen.cli.plain import clean
from fabricgen.diagnostics import Diagnostic, Severity, dotted
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.intent.source import SourceMap


@record(kw_only=True)
class Entry:
    """One line of a report. file is "" and line, column 0 where a finding has no place."""

    code: str
    severity: Severity
    message: str
    hint: str
    file: str
    line: int
    column: int
    path: str

    @property
    def place(self) -> str:
        """The place as file:line:column, or nothing."""
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""


NAMES = tuple(each.name for each in fields(Entry))


def entries(findings: Iterable[Diagnostic], source: SourceMap) -> list[Entry]:
    """Resolve the places; errors first, then by file and line. The same finding twice is one."""
    rows = dict.fromkeys(_entry(item, source) for item in findings)
    order = list(Severity)
    return sorted(rows, key=lambda e: (order.index(e.severity), e.file, e.line, e.column, e.code))


def placed(rows: Iterable[Entry], source: SourceMap) -> list[Entry]:
    """Give every row a place, the first of the site to one that has none.

    GitHub refuses a SARIF file of which one result has no location.
    """
    top = source.top
    file = clean(_short(top.file))
    return [
        row if row.file else replace(row, file=file, line=top.line, column=top.column)
        for row in rows
    ]


def as_row(entry: Entry) -> dict[str, Any]:
    """Return an entry as data."""
    return {name: getattr(entry, name) for name in NAMES}


def kept(rows: Iterable[Entry], site: Path) -> list[dict[str, Any]]:
    """Return rows as data, their files named from the site's folder, wherever that stands."""
    folder = _short(str(site))
    return [as_row(row) | {"file": _moved(row.file, folder)} for row in rows]


def entries_from(data: Iterable[Mapping[str, Any]], site: Path) -> list[Entry]:
    """Return the rows again. KeyError, ValueError, TypeError for what `kept` did not make."""
    folder = PurePath(_short(str(site)))
    rows = []
    for row in data:
        own = {name: row[name] for name in NAMES} | {"severity": Severity(row["severity"])}
        own["file"] = (folder / row["file"]).as_posix() if row["file"] else ""
        rows.append(Entry(**own))
    return rows


def _moved(file: str, site: str) -> str:
    path = PurePath(file)
    return path.relative_to(site).as_posix() if file and path.is_relative_to(site) else file


def _entry(item: Diagnostic, source: SourceMap) -> Entry:
    place = item.position or source.locate(item.path, key=item.at_key)
    file, line, column = (_short(place.file), place.line, place.column) if place else ("", 0, 0)
    path = dotted(item.path)
    return Entry(
        code=str(item.code),
        severity=item.severity,
        message=clean(item.message),
        hint=clean(item.hint),
        file=clean(file),
        line=line,
        column=column,
        path=clean(path),
    )


def _short(file: str) -> str:
    """Print paths relative to where the person stands, if below it."""
    try:
        return Path(file).relative_to(Path.cwd()).as_posix() if Path(file).is_absolute() else file
    except ValueError:
        return file
