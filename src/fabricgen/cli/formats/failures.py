"""Prints the failure analysis of fabrics and pairs of sites as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.core.tables import aligned
from fabricgen.core.units import counted
from fabricgen.model.fabric.failures import ONE_THING
from fabricgen.prove.failures.groups import FABRIC
from fabricgen.prove.failures.verdicts import called, losing, percent

if TYPE_CHECKING:
    from fabricgen.prove.failures.across import Crossed
    from fabricgen.prove.failures.failures import Failure
    from fabricgen.prove.failures.groups import Group
    from fabricgen.prove.failures.survey import Outcome, Row, Walked
    from fabricgen.prove.failures.verdicts import Verdict


Surveyed = Mapping[tuple[str, str], Sequence["Crossed"]]
_KINDS = {
    "server-link": "link to a server",
    "link": "link of two switches",
    "site-link": "link between sites",
    "power-zone": "power zone",
    "double": "selected",
}


def kind_of(failure: Failure) -> str:
    """Return the kind of a failure, with the name of a combination or a power zone."""
    kind = _KINDS.get(failure.kind.value, failure.kind.value)
    return kind if failure.kind in ONE_THING else f"{kind} {failure.name}"


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


def data_between(surveyed: Surveyed) -> list[dict[str, object]]:
    """Return the failures between sites as data. The total has no name in `within`."""
    return [
        {
            "sites": list(sites),
            "kind": row.failures[0].kind.value,
            "failures": [failure.name for failure in row.failures],
            "networks": [
                {
                    "within": list(what.within or ()),
                    "keeps": float(kept.share),
                    "lost": kept.lost,
                }
                for what, kept in row.kept.items()
            ],
        }
        for sites, rows in surveyed.items()
        for row in rows
    ]


_SHOWN = 12


def text(
    rows: Mapping[str, Sequence[Row]],
    between: Surveyed,
    judged: Sequence[Verdict],
    walked: Mapping[str, Walked],
) -> str:
    """Return a table per fabric and pair of sites, then single points and requirements."""
    lines = []
    for fabric, found in rows.items():
        done = [_computed(walked[fabric])] if fabric in walked else []
        lines += [*_table(fabric, found), *done, ""] if found else []
    for sites, crossed in between.items():
        lines += [*table_between(sites, crossed), ""] if crossed else []
    lines += _points(rows)
    lines += points_between(between)
    lines += _promises(judged)
    return "\n".join(lines).rstrip() + "\n"


def _computed(walked: Walked) -> str:
    """Return how many cases were computed for all single failures of a fabric."""
    cases, failures = counted(walked.cases, "case"), counted(walked.failures, "single failure")
    classes, groups = counted(walked.classes, "set"), counted(walked.groups, "group")
    return f"computed {cases} for {failures}: {classes} of equal elements, {groups} of server ports"


def _table(fabric: str, rows: Sequence[Row]) -> list[str]:
    """Return the worst case of each kind of failure of a fabric, its rails and its tenants."""
    cells = [(fabric, "count", "fabric keeps", "a server keeps", "worst rail or tenant")]
    for kind, some in _by_kind(rows).items():
        whole = [out for row in some for group, out in row.outcomes.items() if group.kind == FABRIC]
        keeps = min((out.keeps for out in whole), default=Fraction(1))
        server = min((out.each for out in whole), default=Fraction(1))
        count = sum(len(row.failures) for row in some)
        cells.append((kind, f"{count:,}", percent(keeps), percent(server), _least(some)))
    return aligned(cells)


def _by_kind(rows: Sequence[Row]) -> dict[str, list[Row]]:
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        first = row.failures[0]
        kinds.setdefault(kind_of(first), []).append(row)
    return kinds


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


def _promises(judged: Sequence[Verdict]) -> Iterator[str]:
    for verdict in judged:
        result = "broken" if verdict.broken else "holds" if verdict.judged else "not applicable"
        count = counted(verdict.judged, "failure")
        yield f"requirement {verdict.promise.name}: {result} ({count} checked)"


def data(
    rows: Mapping[str, Sequence[Row]],
    between: Surveyed,
    judged: Sequence[Verdict],
    walked: Mapping[str, Walked],
) -> dict[str, object]:
    """Return the report as data. Failures with equal effects are one row."""
    return {
        "computed": {
            fabric: {"failures": own.failures, "classes": own.classes, "cases": own.cases}
            for fabric, own in walked.items()
        },
        "fabrics": {
            fabric: [
                {
                    "kind": row.failures[0].kind.value,
                    "failures": [failure.name for failure in row.failures],
                    "groups": [_group(group, out) for group, out in row.outcomes.items()],
                }
                for row in some
            ]
            for fabric, some in rows.items()
        },
        "between": data_between(between),
        "promises": [
            {
                "name": verdict.promise.name,
                "judged": verdict.judged,
                "kept": verdict.finding is None,
                "broken": list(verdict.broken),
            }
            for verdict in judged
        ],
    }


def _group(group: Group, out: Outcome) -> dict[str, object]:
    return {
        "kind": group.kind,
        "name": group.name,
        "within": group.within,
        "keeps": float(out.keeps),
        "each": float(out.each),
        "lost": list(out.lost),
        "shut_in": list(out.shut_in),
    }
