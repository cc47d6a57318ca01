"""Return what rules of `watch` find between two looks of `verify`, as results of checks.

Rules with the meaning of a check of the catalogue are left out: the catalogue reports them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import Observed, Reader
from fabricgen.operate.state.verified import Verified
from fabricgen.operate.state.watch.looks import Look, seen_of
from fabricgen.operate.state.watch.model import Found, Level, WatchRule
from fabricgen.operate.state.watch.report import Gap, Report, Sources, Watcher
from fabricgen.operate.state.watch.rules import RULES
from fabricgen.prove.catalogue.model import Check, Finding, Outcome, Result, Severity
from fabricgen.prove.catalogue.thresholds import LosslessPlan

_SEVERITIES = {Level.ALARM: Severity.ERROR, Level.WARNING: Severity.WARNING}
ADDED = tuple(rule for rule in RULES if not rule.check and rule.level in _SEVERITIES)
"""The rules that the catalogue lacks."""
TAG = "lossless"
Readers = Callable[[str], Reader | None]
Pairs = Mapping[str, tuple[Observed | None, Observed]]
"""By switch, its snapshot before and now."""


def with_watch(
    result: Verified,
    plans: Mapping[str, LosslessPlan],
    seconds: Mapping[str, float],
    limits: WatchLimits,
) -> Verified:
    """Return the results, with results of the added rules if there are lossless checks.

    Args:
        result: Results of two looks.
        plans: Lossless design of the switches.
        seconds: Our time between the two looks, by switch.
        limits: Limits of the site.
    """
    if not any(TAG in each.tags for each in result.checks):
        return result
    pairs = {name: (look.before, look.observed) for name, look in result.looks.items()}
    sources = {look.expected.platform: look.expected.sources for look in result.looks.values()}
    more = compared(plans, pairs, seconds, limits, sources, reader_of)
    return replace(
        result,
        checks=(*result.checks, *map(check_of, ADDED)),
        results={name: (*own, *more.get(name, ())) for name, own in result.results.items()},
    )


def check_of(rule: WatchRule) -> Check:
    """Return the declaration of a rule as a declaration of a check."""
    return Check(
        name=rule.name,
        tags=(TAG, "watch"),
        severity=_SEVERITIES[rule.level],
        proves=rule.meaning,
        why=rule.meaning,
        metrics=rule.metrics,
        looks=2 if rule.grows or rule.rates else 1,
        sources=(rule.source,),
    )


def compared(
    plans: Mapping[str, LosslessPlan],
    pairs: Pairs,
    seconds: Mapping[str, float],
    limits: WatchLimits,
    sources: Sources,
    readers: Readers,
) -> dict[str, tuple[Result, ...]]:
    """Return the results of the rules, by switch.

    Args:
        plans: Lossless design of the switches.
        pairs: The snapshots.
        seconds: Our time between the two snapshots, by switch.
        limits: Limits of the site.
        sources: Places of metrics in the answers, by platform.
        readers: Returns the reader of a platform.
    """
    own = {name: plan for name, plan in plans.items() if name in pairs}
    watcher = Watcher(own, limits, sources=sources, rules=ADDED)
    watcher.report(_look(own, {name: pairs[name][0] for name in own}, {}, readers))
    now = _look(own, {name: pairs[name][1] for name in own}, seconds, readers)
    return _results(watcher.report(now), own)


def _look(
    plans: Mapping[str, LosslessPlan],
    snapshots: Mapping[str, Observed | None],
    taken: Mapping[str, float],
    readers: Readers,
) -> Look:
    seen = {
        name: seen_of(reader, snapshot, taken.get(name, 0.0))
        for name, snapshot in snapshots.items()
        if snapshot is not None and (reader := readers(plans[name].platform)) is not None
    }
    return Look(taken=max(taken.values(), default=0.0), seen=seen)


def _results(report: Report, plans: Mapping[str, LosslessPlan]) -> dict[str, tuple[Result, ...]]:
    """Return a result of each rule on each switch. Findings of a fabric are at its first switch."""
    first: dict[str, str] = {}
    for name, plan in plans.items():
        first.setdefault(plan.fabric, name)
    found: dict[tuple[str, str], list[Found]] = {}
    for each in report.findings:
        switch = each.spot.switch or first[each.spot.fabric]
        found.setdefault((switch, each.rule), []).append(each)
    gaps = {(name, gap.rule): gap for gap in report.gaps for name in gap.switches}
    return {
        name: tuple(
            _result(name, rule, found.get((name, rule.name), ()), gaps.get((name, rule.name)))
            for rule in ADDED
            if rule.applies(plan)
        )
        for name, plan in plans.items()
    }


def _result(switch: str, rule: WatchRule, found: Iterable[Found], gap: Gap | None) -> Result:
    findings = tuple(_findings(switch, rule, found))
    outcome = Outcome.UNREAD if gap is not None else Outcome.PASSED
    if any(each.outcome is Outcome.FAILED for each in findings):
        outcome = Outcome.FAILED
    return Result(
        switch=switch,
        check=rule.name,
        outcome=outcome,
        severity=max(
            (each.severity for each in findings), key=_WEIGHT.index, default=_lightest(rule)
        ),
        reason=gap.reason if gap is not None else "",
        findings=findings,
    )


_WEIGHT = (Severity.WARNING, Severity.ERROR)


def _lightest(rule: WatchRule) -> Severity:
    return _SEVERITIES[rule.level]


def _findings(switch: str, rule: WatchRule, found: Iterable[Found]) -> Iterator[Finding]:
    for each in found:
        spot = each.spot
        yield Finding(
            switch=switch,
            check=rule.name,
            outcome=Outcome.UNREAD if each.level is Level.UNVERIFIED else Outcome.FAILED,
            severity=_SEVERITIES.get(each.level, _SEVERITIES[rule.level]),
            sentence=spot.sentence,
            key=("interface", spot.port) if spot.port else (),
            attribute=spot.metric,
            expected=f"{rule.limit} ({rule.source})",
            actual=f"{spot.value:,.3g} {spot.unit}".strip(),
            source=each.read,
        )
