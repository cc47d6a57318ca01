"""Prints the results of `verify` as a table of switches, and each finding as a sentence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabricgen.api.verify_data import place
from fabricgen.cli.formats.verify import summary
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted
from fabricgen.prove.catalogue.model import Outcome, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from fabricgen.intent.source import SourceMap
    from fabricgen.operate.state.verified import Verified
    from fabricgen.prove.catalogue.model import Finding, Result

_COUNTED = (Outcome.PASSED, Outcome.FAILED, Outcome.NOT_YET, Outcome.UNREAD)
_STYLES = dict(zip(_COUNTED, ("green", "red", "yellow", "yellow"), strict=True))
_ROWS = 40
"""Rows of the table. Switches without a finding are counted below it."""


def table_of(result: Verified) -> Table:
    """Return a table with a row for each switch: the number of results, and checks that differ."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
    table.add_column("switch", no_wrap=True)
    for kind in _COUNTED:
        table.add_column(kind.value, justify="right", no_wrap=True)
    table.add_column("checks")
    rows, more = _rows(result)
    for name, results in rows:
        counts = Counter(each.outcome for each in results)
        cells = [
            Text(f"{counts[kind]}", style=_STYLES[kind] if counts[kind] else "dim")
            for kind in _COUNTED
        ]
        table.add_row(clean(name), *cells, Text(_differing(results)))
    if more:
        table.add_row(f"… {more}")
    return table


def _rows(result: Verified) -> tuple[list[tuple[str, tuple[Result, ...]]], str]:
    """Return the switches of the table, only those with findings if there are many."""
    rows = [*result.results.items()]
    if len(rows) <= _ROWS:
        return rows, ""
    wrong = [row for row in rows if any(each.findings for each in row[1])]
    shown = (wrong or rows)[:_ROWS]
    return shown, f"{len(rows) - len(shown):,} more"


def _differing(results: Sequence[Result]) -> str:
    """Return the names of failed, late and unread checks, in this order."""
    bad = (Outcome.FAILED, Outcome.NOT_YET, Outcome.UNREAD)
    return ", ".join(each.check for kind in bad for each in results if each.outcome is kind)


def sentences(result: Verified, source: SourceMap) -> Iterator[str]:
    """Yield two lines for each finding, then the switches without an answer, then the numbers."""
    for each in result.findings:
        yield _headline(each)
        yield f"    {_details(each, source)}"
    for name, why in result.unread.items():
        yield f"not read: {name}: {why}"
    for platform, names in result.unasked.items():
        yield (
            f"not compared: {counted(len(names), 'switch')} of {platform} (state not supported); "
            "`fabricgen drift` compares their configuration"
        )
    yield summary(result)


def _headline(each: Finding) -> str:
    kind = "" if each.outcome is Outcome.FAILED else f"{each.outcome.value}: "
    level = "warning: " if each.severity is Severity.WARNING and not kind else kind
    return f"{level}{each.sentence}"


def _details(each: Finding, source: SourceMap) -> str:
    """Return the check, the place in the intent, both values and their source."""
    values = f"expected {each.expected}, actual {each.actual}" if each.expected else ""
    return "; ".join(filter(None, (each.check, place(each, source), values, each.source)))
