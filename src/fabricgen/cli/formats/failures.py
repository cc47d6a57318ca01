"""Prints the failure analysis of fabrics and pairs of sites as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.api.failures import by_kind, kind_of
from fabricgen.core.tables import aligned
from fabricgen.core.units import counted
from fabricgen.model.fabric.failures import ONE_THING
from fabricgen.prove.failures.groups import FABRIC, TENANT
from fabricgen.prove.failures.verdicts import called, losing, percent

if TYPE_CHECKING:
    from fabricgen.api.failures import FailureReport
    from fabricgen.prove.failures.across import Crossed
    from fabricgen.prove.failures.recovery import Clock
    from fabricgen.prove.failures.survey import Row, Walked
    from fabricgen.prove.failures.verdicts import Verdict


Surveyed = Mapping[tuple[str, str], Sequence["Crossed"]]


def table_between(sites: tuple[str, str], rows: Sequence[Crossed]) -> list[str]:
    """Return the worst case of each kind of failure between two sites."""
    cells = [(" -- ".join(sites), "count", "both keep", "worst VRF or VLAN")]
    kinds: dict[str, list[Crossed]] = {}
    for row in rows:
        kinds.setdefault(kind_of(row.failures[0]), []).append(row)
    for kind, some in kinds.items():
        whole = min(kept.share for row in some for w, kept in row.kept.items() if not w.within)
        parts = [
            (kept.share, what.label, called(row.failures))
            for row in some
            for what, kept in row.kept.items()
            if what.within
        ]
        share, label, failures = min(parts, default=(Fraction(1), "", ""))
        least = f"{label} {percent(share)} without {failures}" if share < 1 else "-"
        count = sum(len(row.failures) for row in some)
        cells.append((kind, f"{count:,}", percent(whole), least))
    return aligned(cells)


def points_between(surveyed: Surveyed) -> Iterator[str]:
    """Yield the failures that disconnect a VRF or VLAN from the other site."""
    found = []
    for sites, rows in surveyed.items():
        for row in rows:
            lost = [what.label for what, kept in row.kept.items() if kept.lost and what.within]
            if lost:
                found.append((row, f"{', '.join(lost)} from {sites[0]} to {sites[1]}"))
    for one_thing in (True, False):
        cuts = [cut for cut in found if (cut[0].failures[0].kind in ONE_THING) is one_thing]
        if cuts:
            single = "single points of failure between sites"
            title = single if one_thing else "disconnected between sites by selected failures"
            yield f"{title}: {sum(len(row.failures) for row, _ in cuts):,}"
        for row, networks in cuts:
            yield f"  without {called(row.failures)}: no path for {networks}"


_SHOWN = 12


def text(report: FailureReport) -> str:
    """Return a table per fabric and pair of sites, then single points and requirements."""
    rows, between, walked, clocks = report.rows, report.between, report.walked, report.clocks
    lines = []
    for fabric, found in rows.items():
        done = [_computed(walked[fabric])] if fabric in walked else []
        times = list(_times(clocks[fabric], found)) if fabric in clocks else []
        lines += [*_table(fabric, found), *done, *times, ""] if found else []
    for sites, crossed in between.items():
        lines += [*table_between(sites, crossed), ""] if crossed else []
    lines += _points(rows)
    lines += points_between(between)
    lines += _promises(report.verdicts)
    lines += _figures(clocks)
    return "\n".join(lines).rstrip() + "\n"


def _computed(walked: Walked) -> str:
    """Return how many cases were computed for all single failures of a fabric."""
    cases, failures = counted(walked.cases, "case"), counted(walked.failures, "single failure")
    classes, groups = counted(walked.classes, "set"), counted(walked.groups, "group")
    return f"computed {cases} for {failures}: {classes} of equal elements, {groups} of server ports"


def _times(clock: Clock, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the times of recovery; kinds of failures with the same time are one line."""
    for silent, links in ((False, "links go down"), (True, "links stay up")):
        same: dict[str, list[str]] = {}
        for kind, some in by_kind(rows).items():
            found = clock.of(some[0].failures[0], silent=silent)
            if found is not None:
                same.setdefault(found.text, []).append(kind)
        for told, kinds in same.items():
            yield f"recovery, {links} ({', '.join(kinds)}): {told}"


def _table(fabric: str, rows: Sequence[Row]) -> list[str]:
    """Return the worst case of each kind of failure of a fabric, its rails and its tenants."""
    head = (fabric, "count", "fabric keeps", "a server keeps", "hit", "worst rail or tenant")
    cells = [head]
    for kind, some in by_kind(rows).items():
        whole = [out for row in some for group, out in row.outcomes.items() if group.kind == FABRIC]
        keeps = min((out.keeps for out in whole), default=Fraction(1))
        server = min((out.each for out in whole), default=Fraction(1))
        count = sum(len(row.failures) for row in some)
        kept = (percent(keeps), percent(server))
        cells.append((kind, f"{count:,}", *kept, _hit(some), _least(some)))
    return aligned(cells)


def _hit(rows: Sequence[Row]) -> str:
    """Return the most servers, GPUs and tenants that keep less than all in one failure."""
    servers = gpus = tenants = 0
    for row in rows:
        hurt = [(group, out) for group, out in row.outcomes.items() if out.hit]
        servers = max(servers, *(out.hit for group, out in hurt if group.kind == FABRIC), 0)
        gpus = max(gpus, *(out.gpus for group, out in hurt if group.kind == FABRIC), 0)
        tenants = max(tenants, len({group.name for group, _ in hurt if group.kind == TENANT}))
    parts = ((servers, "server"), (gpus, "GPU"), (tenants, "tenant"))
    return ", ".join(counted(number, noun) for number, noun in parts if number) or "-"


def _least(rows: Sequence[Row]) -> str:
    """Return the rail or tenant that keeps the least bandwidth, and the failure."""
    parts = [
        (out.keeps, group.label, called(row.failures))
        for row in rows
        for group, out in row.outcomes.items()
        if group.kind != FABRIC
    ]
    keeps, label, failures = min(parts, default=(Fraction(1), "", ""))
    return f"{label} {percent(keeps)} without {failures}" if keeps < 1 else "-"


def _points(rows: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Yield the failures that disconnect servers, those with the most servers first."""
    found = []
    for row in (row for some in rows.values() for row in some):
        parts: dict[str, list[str]] = {}
        for group, out in row.outcomes.items():
            if out.lost:
                parts.setdefault(losing(out.lost), []).append(group.label)
            if out.shut_in:
                shut = losing(out.shut_in, ("has no exit from", "have no exit from"))
                parts.setdefault(shut, []).append(group.label)
        if parts:
            most = max(len(out.lost) + len(out.shut_in) for out in row.outcomes.values())
            found.append((most, row, parts))
    found.sort(key=lambda cut: -cut[0])
    for one_thing in (True, False):
        cuts = [cut for cut in found if (cut[1].failures[0].kind in ONE_THING) is one_thing]
        title = "single points of failure" if one_thing else "disconnected by selected failures"
        yield from _cut(title, cuts)


def _cut(
    title: str, found: Sequence[tuple[int, Row, Mapping[str, Sequence[str]]]]
) -> Iterator[str]:
    count = sum(len(row.failures) for _, row, _ in found)
    if found:
        yield f"{title}: {count:,}"
    for _, row, parts in found[:_SHOWN]:
        effects = "; ".join(f"{servers} {', '.join(names)}" for servers, names in parts.items())
        yield f"  without {called(row.failures)}: {effects}"
    if len(found) > _SHOWN:
        yield f"  and {len(found) - _SHOWN:,} more (--format json lists all)"


def _figures(clocks: Mapping[str, Clock]) -> Iterator[str]:
    """Yield the source of the times of each platform."""
    told = {name: each for clock in clocks.values() for name, each in clock.figures.items()}
    for name, each in told.items():
        yield f"times of {name}: {each.source}"


def _promises(judged: Sequence[Verdict]) -> Iterator[str]:
    for verdict in judged:
        holds = "not known" if verdict.unknown else "holds"
        result = "broken" if verdict.broken else holds if verdict.judged else "not applicable"
        count = counted(verdict.judged, "failure")
        yield f"requirement {verdict.promise.name}: {result} ({count} checked)"
