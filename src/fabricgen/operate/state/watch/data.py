"""Return a report as data for JSON lines, and as gauges for Prometheus."""

from collections.abc import Iterator
from typing import Any

from fabricgen.operate.exposition import gauge, labels
from fabricgen.operate.state.watch.model import Found, Level
from fabricgen.operate.state.watch.ranking import METRIC, Tight
from fabricgen.operate.state.watch.report import Report

_NAME = "fabricgen_watch"


def as_data(report: Report, at: str) -> dict[str, Any]:
    """Return the document of one look. at: its time, ISO 8601."""
    return {
        "at": at,
        "site": report.site,
        "look": report.looks,
        "seconds": report.seconds,
        "switches": report.switches,
        "without_lossless_class": report.others,
        "silent": dict(report.silent),
        "findings": [_finding(each) for each in report.findings],
        "tightest": [_tight(each) for each in report.tightest],
        "rates": [
            {
                "fabric": each.fabric,
                "tier": each.tier,
                "switches": each.switches,
                "silent": each.silent,
                "per_second": dict(each.rates),
                "partial": sorted(each.partial),
            }
            for each in report.flows
        ],
        "not_counted": [
            {
                "rule": each.rule,
                "reason": each.reason,
                "switches": list(each.switches),
                "missing": each.missing,
                "objects": each.objects,
            }
            for each in report.gaps
        ],
        "checked": dict(report.checked),
        "sampled": dict(report.sampled),
    }


def _finding(found: Found) -> dict[str, Any]:
    spot = found.spot
    return {
        "rule": found.rule,
        "level": found.level,
        "sentence": spot.sentence,
        "switch": spot.switch,
        "port": spot.port,
        "number": spot.number,
        "far": spot.far,
        "metric": spot.metric,
        "value": spot.value,
        "limit": spot.limit,
        "unit": spot.unit,
        "since_seconds": found.since,
        "sampled_seconds": found.sampled,
        "read": found.read,
        "source": found.source,
    }


def _tight(row: Tight) -> dict[str, Any]:
    return {
        "switch": row.switch,
        "kind": row.kind,
        "port": row.port,
        "number": row.number,
        "far": row.far,
        "peak": row.peak,
        "computed": row.computed,
        "share": row.share,
        "sampled_seconds": row.sampled,
    }


def exposed(report: Report, at: float) -> str:
    """Return the gauges of one look. at: its time in seconds since 1970."""
    return "".join(f"{line}\n" for line in _lines(report, at))


def _lines(report: Report, at: float) -> Iterator[str]:
    own = {"site": report.site}
    levels = dict.fromkeys((labels(**own, level=level) for level in Level), 0.0)
    findings = dict[str, float]()
    for each in report.findings:
        levels[labels(**own, level=each.level)] += 1
        findings[_place(report, each)] = each.spot.value
    gaps = dict[str, float]()
    for gap in report.gaps:
        key = labels(**own, rule=gap.rule, reason=gap.reason)
        gaps[key] = float(len(gap.switches))
    rates = {
        labels(**own, fabric=flow.fabric, tier=str(flow.tier), metric=metric): rate
        for flow in report.flows
        for metric, rate in flow.rates.items()
    }
    partial = {
        labels(**own, fabric=flow.fabric, tier=str(flow.tier), metric=metric): 1.0
        for flow in report.flows
        for metric in sorted(flow.partial)
    }
    for name, about, values in (
        ("timestamp_seconds", "Time of the look.", {labels(**own): at}),
        ("switches", "Switches with a lossless class.", {labels(**own): float(report.switches)}),
        ("silent", "Switches that did not answer.", {labels(**own): float(len(report.silent))}),
        ("findings", "Number of findings by level.", levels),
        ("finding", "Measured value of a finding.", findings),
        ("not_counted", "Switches that a rule could not check completely.", gaps),
        ("rate", "Sum of a tier, per second.", rates),
        ("rate_partial", "1 if a switch of the tier does not count the metric.", partial),
        ("peak_share", "Peak / computed threshold, the tightest ones.", _peaks(report)),
        (
            "sampled_seconds",
            "Longest interval between two samples on a switch.",
            {labels(**own, metric=name): value for name, value in report.sampled.items()},
        ),
    ):
        yield from gauge(f"{_NAME}_{name}", about, values)


def _place(report: Report, found: Found) -> str:
    spot = found.spot
    return labels(
        site=report.site,
        rule=found.rule,
        level=found.level,
        metric=spot.metric,
        unit=spot.unit,
        switch=spot.switch,
        port=spot.port,
        number=spot.number,
        far=spot.far,
    )


def _peaks(report: Report) -> dict[str, float]:
    return {
        labels(
            site=report.site,
            metric=METRIC[row.kind],
            switch=row.switch,
            port=row.port,
            number=row.number,
            far=row.far,
        ): row.share
        for row in report.tightest
    }
