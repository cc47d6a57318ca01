"""Cases and the matrix of networks in; what `fabricgen reach` prints of them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.cli.formats.entry import entries
from fabricgen.diagnostics import Code, Diagnostic
from fabricgen.reach.packet import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.diagnostics import IntentPath
    from fabricgen.intent.source import SourceMap
    from fabricgen.reach.evidence import Lines
    from fabricgen.reach.matrix import Case, Cell
    from fabricgen.reach.packet import Verdict

_MARKS = {Outcome.REACHES: "yes", Outcome.STOPS: ".", Outcome.UNKNOWN: "?"}


def cases_text(every: list[Case], source: SourceMap, written: Lines) -> str:
    """Return the answers, of those alike the first: the way that each engine has, line by line."""
    alike: dict[tuple[str, ...], list[Case]] = {}
    for case in every:
        ends = case.one.station.network, case.other.station.network
        key = (*ends, str(case.model.outcome), str(case.written.outcome))
        alike.setdefault(key, []).append(case)
    return "\n".join(_case(group, source, written) for group in alike.values())


def _case(group: list[Case], source: SourceMap, written: Lines) -> str:
    case = group[0]
    lines = [f"{case.name}: {case.written.outcome if case.agreed else 'the engines differ'}"]
    lines += _verdict("model", case.model, source, written)
    lines += _verdict("files", case.written, source, written)
    if group[1:]:
        ends = case.one.station.network, case.other.station.network
        lines.append(f"  and {len(group) - 1} more from {ends[0]} to {ends[1]}")
    return "\n".join(lines) + "\n"


def _verdict(engine: str, verdict: Verdict, source: SourceMap, written: Lines) -> Iterator[str]:
    place = _place(verdict.paths, source)
    yield f"  {engine}: {verdict.outcome}: {verdict.rule}" + (f"  [{place}]" if place else "")
    if verdict.ways > 1:
        yield f"    one of {verdict.ways} ways that are as good"
    for hop in verdict.hops:
        place = _place(hop.paths, source) or written.of(hop)
        yield f"    {hop.node:<20} {hop.act}" + (f"  [{place}]" if place else "")


def _place(paths: tuple[IntentPath, ...], source: SourceMap) -> str:
    """Return file:line:column of the first path."""
    if not paths:
        return ""
    return entries([Diagnostic(Code.NO_SUCH_OBJECT, "", path=paths[0])], source)[0].place


def case_data(case: Case, source: SourceMap) -> dict[str, Any]:
    """Return one case for programs."""
    return {
        "from": case.one.station.name,
        "to": case.other.station.name,
        "source": str(case.packet.source),
        "target": str(case.packet.target),
        "model": _data(case.model, source),
        "files": _data(case.written, source),
    }


def _data(verdict: Verdict, source: SourceMap) -> dict[str, Any]:
    return {
        "outcome": str(verdict.outcome),
        "rule": verdict.rule,
        "place": _place(verdict.paths, source),
        "ways": verdict.ways,
        "hops": [
            {"node": hop.node, "act": hop.act, "place": _place(hop.paths, source)}
            for hop in verdict.hops
        ],
    }


def matrix_text(cells: Mapping[tuple[str, str], Cell]) -> str:
    """Return the matrix: a row and a column for each network, numbered."""
    names = list(dict.fromkeys(name for pair in cells for name in pair))
    width = max(map(len, names), default=0)
    lines = [f"{'':{width + 4}}" + "".join(f"{n:>4}" for n in range(1, len(names) + 1))]
    for number, one in enumerate(names, 1):
        row = "".join(f"{_mark(cells.get((one, other))):>4}" for other in names)
        lines.append(f"{number:>3} {one:<{width}}{row}")
    lines.append("yes: every pair reaches   .: none does   part: some do   ?: not known")
    return "\n".join(lines) + "\n"


def _mark(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    if len(cell.pairs) > 1:
        return "?" if Outcome.UNKNOWN in cell.pairs else "part"
    return _MARKS[next(iter(cell.pairs))]
