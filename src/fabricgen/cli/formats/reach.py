"""Prints the answers of `fabricgen reach`: the verdict first, then paths or the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.api.reachability import place_of
from fabricgen.core.units import counted
from fabricgen.prove.walk.packet import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.api.reachability import Matrix, Reachability
    from fabricgen.intent.source import SourceMap
    from fabricgen.prove.evidence import Lines
    from fabricgen.prove.reach.matrix import Case, Cell
    from fabricgen.prove.share import Share
    from fabricgen.prove.walk.packet import Verdict

_MARKS = {Outcome.REACHES: "yes", Outcome.STOPS: ".", Outcome.UNKNOWN: "?"}


def cases_text(found: Reachability) -> str:
    """Return the verdict, then one example of each group of similar pairs, hop by hop.

    Pairs are similar if the model decides them by the same rule over the same number of hops, and
    if both engines have the same outcomes.
    """
    every, source, written = found.cases, found.source, found.lines
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in every:
        model, files = case.model, case.written
        hops = () if model.outcome is Outcome.STOPS else (len(model.hops), len(files.hops))
        groups.setdefault((model.rule, model.outcome, files.outcome, *hops), []).append(case)
    parts = (_case(group, source, written) for group in groups.values())
    return "\n".join((_summary(every), *parts))


def _summary(every: Sequence[Case]) -> str:
    """Return the number of reachable pairs, and whether model and files agree."""
    reaching = sum(case.written.outcome is Outcome.REACHES for case in every)
    differing = sum(not case.agreed for case in every)
    total = counted(len(every), "address pair")
    if reaching == len(every):
        verdict = f"yes: {total}, all reachable"
    elif reaching:
        verdict = f"partly: {reaching:,} of {total} reachable"
    else:
        verdict = f"no: {total}, none reachable"
    if differing:
        return f"{verdict}; the model and the files differ on {differing:,}\n"
    return f"{verdict}; the model and the files agree\n"


def _case(group: list[Case], source: SourceMap, written: Lines) -> str:
    case = group[0]
    lines = [f"{case.name}: {case.written.outcome if case.agreed else 'the engines differ'}"]
    lines += _verdict("model", case.model, source, written)
    lines += _verdict("files", case.written, source, written)
    if group[1:]:
        networks = {(pair.one.station.network, pair.other.station.network) for pair in group}
        ends = case.one.station.network, case.other.station.network
        where = f"from {ends[0]} to {ends[1]}" if len(networks) == 1 else "for the same reason"
        lines.append(f"  and {len(group) - 1:,} more {where}")
    return "\n".join(lines) + "\n"


def _verdict(engine: str, verdict: Verdict, source: SourceMap, written: Lines) -> Iterator[str]:
    place = place_of(verdict.paths, source)
    yield f"  {engine}: {verdict.outcome}: {verdict.rule}" + (f"  [{place}]" if place else "")
    if verdict.ways > 1:
        yield f"    one of {verdict.ways} ECMP paths"
    for hop in verdict.hops:
        place = place_of(hop.paths, source) or written.of(hop)
        yield f"    {hop.node:<20} {hop.act}" + (f"  [{place}]" if place else "")


def matrix_text(found: Matrix) -> str:
    """Return the verdict and the matrix with a numbered row and column for each network."""
    cells, every = found.cells, found.cases
    differing = sum(case.pairs for case in every if not case.agreed)
    total = counted(sum(case.pairs for case in every), "address pair")
    verdict = f"no: the files differ from the model on {differing:,} of {total}"
    if not differing:
        verdict = f"yes: the files agree with the model for {total}"
    names = list(dict.fromkeys(name for pair in cells for name in pair))
    width = max(map(len, names), default=0)
    head = f"{'':{width + 4}}" + "".join(f"{n:>4}" for n in range(1, len(names) + 1))
    lines = [verdict, "", head]
    for number, one in enumerate(names, 1):
        row = "".join(f"{_mark(cells.get((one, other))):>4}" for other in names)
        lines.append(f"{number:>3} {one:<{width}}{row}")
    lines.append("yes: all pairs reachable   .: none   part: some   ?: unknown")
    lines.append(f"The engines distinguish {counted(found.classes, 'class')} of stations.")
    return "\n".join(lines) + "\n"


def _mark(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    if len(cell.pairs) > 1:
        return "?" if Outcome.UNKNOWN in cell.pairs else "part"
    return _MARKS[next(iter(cell.pairs))]


def share_text(share: Share | None) -> str:
    """Return the share of lines that a walk uses and ignores. Empty without given files."""
    if share is None:
        return ""
    idle, unread = (share.part(n) for n in (share.idle, len(share.strange)))
    total = f"{share.used:.1f} % used, {idle:.1f} % ignored, {unread:.1f} % not read"
    parts = (f"  {share.part(n):.1f} % {reason}" for reason, n in share.ignored.items())
    return "\n".join((f"lines of switches: {total}", *parts, ""))
