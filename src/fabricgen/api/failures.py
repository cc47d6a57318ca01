"""Simulates failures of a site and returns what servers, rails and tenants keep."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from fabricgen.api import is_installed, require
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.record import record
from fabricgen.model.fabric.failures import ONE_THING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fabricgen.model.fabric.failures import Together
    from fabricgen.model.fabric.switch import Site
    from fabricgen.prove.failures.across import Crossed
    from fabricgen.prove.failures.failures import Failure
    from fabricgen.prove.failures.groups import Group
    from fabricgen.prove.failures.recovery import Clock
    from fabricgen.prove.failures.survey import Outcome, Row, Walked
    from fabricgen.prove.failures.verdicts import Verdict


_KINDS = {
    "server-link": "link to a server",
    "link": "link of two switches",
    "site-link": "link between sites",
    "power-zone": "power zone",
    "double": "selected",
}


@record(kw_only=True)
class FailureReport:
    """Failures with their effects, and the availability requirements.

    Attributes:
        rows: By fabric, failures of one kind with equal effects, and the result of each group.
        between: The same by pairs of fabrics.
        verdicts: The requirements of the intent. Empty if the caller named the failing parts.
        walked: By fabric, how many cases were computed.
        clocks: By fabric, how recovery times are computed.
    """

    rows: Mapping[str, Sequence[Row]]
    between: Mapping[tuple[str, str], Sequence[Crossed]]
    verdicts: Sequence[Verdict]
    walked: Mapping[str, Walked]
    clocks: Mapping[str, Clock]

    @property
    def broken(self) -> list[Diagnostic]:
        """Return the finding of each broken requirement."""
        return [each.finding for each in self.verdicts if each.finding is not None]

    def as_data(self) -> dict[str, object]:
        """Return the report as data. Failures with equal effects are one row."""
        return data(self.rows, self.between, self.verdicts, self.walked, self.clocks)

    def __repr__(self) -> str:
        """Return the numbers of failures and of broken requirements."""
        failures = sum(len(row.failures) for rows in self.rows.values() for row in rows)
        return f"<FailureReport of {failures:,} failures: {len(self.broken):,} broken requirements>"


def simulate(site: Site, parts: Sequence[str] = ()) -> FailureReport:
    """Simulate all single failures of a site, or the failure of named parts together.

    Raises:
        UnknownName: The site does not have one of the parts.
    """
    require("prove.failures", "failure analysis")
    from fabricgen.prove.failures.across import lost_between, surveyed_between
    from fabricgen.prove.failures.recovery import Clock
    from fabricgen.prove.failures.survey import Survey
    from fabricgen.prove.failures.verdicts import verdict_between, verdicts

    failures = site.failures
    surveys = [Survey(fabric) for fabric in site.fabrics]
    clocks = {it.name: Clock(it, failures.figures) for it in site.fabrics}
    judged: list[Verdict] = []
    if parts:
        named = _named(site, parts)
        rows = {survey.fabric.name: survey.together([named]) for survey in surveys}
        between = lost_between(site.fabrics, named)
    else:
        rows = {survey.fabric.name: survey.rows(failures.together) for survey in surveys}
        between = surveyed_between(site.fabrics, failures.together)
        inside = [promise for promise in failures.promises if not promise.between]
        across = [promise for promise in failures.promises if promise.between]
        judged = [
            *verdicts(rows, inside, clocks),
            *(verdict_between(between, promise) for promise in across),
        ]
    walked = {one.fabric.name: one.walked for one in surveys if one.walked is not None}
    return FailureReport(rows=rows, between=between, verdicts=judged, walked=walked, clocks=clocks)


def drained(site: Site, switches: tuple[str, ...]) -> FailureReport:
    """Return what the fabrics of drained switches keep, without recovery times."""
    require("prove.failures", "failure analysis")
    from fabricgen.model.fabric.failures import Fails, Together
    from fabricgen.prove.failures.across import lost_between
    from fabricgen.prove.failures.survey import Survey

    away = Together(kind=Fails.DOUBLE, name=" and ".join(switches), switches=switches, ports=())
    rows = {
        fabric.name: Survey(fabric).together([away])
        for fabric in site.fabrics
        if not {switch.name for switch in fabric.topology.switches}.isdisjoint(switches)
    }
    between = lost_between(site.fabrics, away)
    return FailureReport(rows=rows, between=between, verdicts=(), walked={}, clocks={})


def _named(site: Site, parts: Sequence[str]) -> Together:
    """Return the named parts as one failure."""
    from fabricgen.api.errors import UnknownName
    from fabricgen.api.nearest import hinted
    from fabricgen.model.fabric.failures import Fails, Together

    switches, ports = _known(site)
    for name in parts:
        if name not in switches and name not in ports:
            hint = hinted(site, name, [*switches, *ports])
            message = f"no switch or cabled port {name!r} in this site"
            raise UnknownName(Diagnostic(Code.NO_SUCH_OBJECT, message, hint=hint))
    return Together(
        kind=Fails.DOUBLE,
        name=" and ".join(parts),
        switches=tuple(name for name in parts if name in switches),
        ports=tuple(ports[name] for name in parts if name in ports),
    )


def _known(site: Site) -> tuple[set[str], dict[str, tuple[str, str]]]:
    assert is_installed("prove.failures")
    from fabricgen.model.fabric.between import outward, ways_between
    from fabricgen.prove.failures.failures import ports_of

    switches = {switch.name for fabric in site.fabrics for switch in fabric.topology.switches}
    ports = {":".join(port): port for fabric in site.fabrics for port in ports_of(fabric)}
    ends = [end for link in outward(ways_between(site.fabrics)) for end in link.ends]
    return switches, {**ports, **{":".join(end): end for end in ends}}


def kind_of(failure: Failure) -> str:
    """Return the kind of a failure, with the name of a combination or a power zone."""
    kind = _KINDS.get(failure.kind.value, failure.kind.value)
    return kind if failure.kind in ONE_THING else f"{kind} {failure.name}"


def by_kind(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Group rows by the kind of their failures."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(kind_of(row.failures[0]), []).append(row)
    return kinds


def data_between(surveyed: Mapping[tuple[str, str], Sequence[Crossed]]) -> list[dict[str, object]]:
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


def data(
    rows: Mapping[str, Sequence[Row]],
    between: Mapping[tuple[str, str], Sequence[Crossed]],
    judged: Sequence[Verdict],
    walked: Mapping[str, Walked],
    clocks: Mapping[str, Clock],
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
        "recovery": {
            fabric: list(_recoveries(clocks[fabric], some)) for fabric, some in rows.items()
        },
        "figures": {
            name: each.source for clock in clocks.values() for name, each in clock.figures.items()
        },
        "between": data_between(between),
        "promises": [
            {
                "name": verdict.promise.name,
                "judged": verdict.judged,
                "kept": verdict.finding is None,
                "broken": list(verdict.broken),
                "not_known": list(verdict.unknown),
            }
            for verdict in judged
        ],
    }


def _recoveries(clock: Clock, rows: Sequence[Row]) -> Iterator[dict[str, object]]:
    """Yield the times of each kind of failure; null is not known, and `never` has no time."""
    for some in by_kind(rows).values():
        failure = some[0].failures[0]
        for silent in (False, True):
            found = clock.of(failure, silent=silent)
            if found is not None:
                never = found.least == inf
                yield {
                    "kind": failure.kind.value,
                    "name": "" if failure.kind in ONE_THING else failure.name,
                    "links_stay_up": silent,
                    "least_ms": None if never else found.least,
                    "most_ms": found.most,
                    "never": never,
                    "steps": [each.text for each in found.steps],
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
        "servers_hit": out.hit,
        "gpus_hit": out.gpus,
    }
