"""Prints the changes since an earlier state, and the history of one switch."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fabricgen.api.comment_parts import cell
from fabricgen.core.plain_text import clean
from fabricgen.core.tables import markdown_table
from fabricgen.core.units import counted
from fabricgen.operate.state.timeline.report import Sort, altered_by, grouped, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.operate.state.timeline.changes import Event
    from fabricgen.operate.state.timeline.records import Baseline, Moment
    from fabricgen.operate.state.timeline.report import Altered, Report

MOST = 300
"""Sentences of a text, and rows of a Markdown table."""


def report_text(report: Report) -> str:
    """Return the changes switch by switch, with their window and their cause."""
    lines = [f"since {report.since}: {_tally(report)}"]
    last = ("", "")
    groups = list(grouped(report.altered))
    for group in groups[:MOST]:
        first = group[0]
        if first.switch != last[0]:
            lines.append(first.switch)
        cause = _when_and_why(first)
        if (first.switch, cause) != last:
            lines.append(f"  {cause}")
        last = first.switch, cause
        lines.append(f"    {sentence(first.sort, group)}")
    if len(groups) > MOST:
        lines.append(f"and {len(groups) - MOST} more; --format json has all")
    lines += _remarks(report)
    return "".join(f"{clean(line)}\n" for line in lines)


def _tally(report: Report) -> str:
    if not report.altered:
        return "nothing changed"
    counts = Counter(each.sort for each in report.altered)
    words = {
        Sort.FACT: "{} changed",
        Sort.BEGAN: "{} began",
        Sort.ENDED: "{} ended",
        Sort.UNREAD: "{} unread",
        Sort.READ: "{} read again",
    }
    nouns = {Sort.FACT: "value", Sort.BEGAN: "finding", Sort.ENDED: "finding"}
    parts = [
        words[sort].format(counted(counts[sort], nouns.get(sort, "part")))
        for sort in Sort
        if counts[sort]
    ]
    switches = len({each.switch for each in report.altered})
    return f"{', '.join(parts)} on {counted(switches, 'switch')}"


def _when_and_why(each: Altered) -> str:
    window = f"{_time(each.since)} to {_time(each.at)} UTC: " if each.at else ""
    return f"{window}{each.cause.sentence}"


def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def _remarks(report: Report) -> Iterator[str]:
    """Yield what the comparison does not cover."""
    if report.returned:
        number = sum(report.returned.values())
        yield f"{counted(number, 'more change')} came back"
    for name, first in report.later.items():
        yield f"{name}: compared with its first look, {_time(first)} UTC"
    for name in report.unknown:
        yield f"{name}: no earlier state"
    for name in report.incomplete:
        yield f"{name}: too many changes for a complete history"


def report_data(report: Report) -> dict[str, Any]:
    """Return the changes as data."""
    return {
        "since": clean(report.since),
        "time": _iso(report.time),
        "changes": [_change(each) for each in report.altered],
        "returned": report.returned,
        "first_look_later": {name: _iso(at) for name, at in report.later.items()},
        "no_earlier_state": list(report.unknown),
        "incomplete": list(report.incomplete),
    }


def _change(each: Altered) -> dict[str, Any]:
    return {
        "switch": each.switch,
        "change": each.sort.value,
        "sentence": clean(each.sentence),
        "object": [clean(word) for word in each.key],
        "attribute": clean(each.attribute),
        "old": each.old,
        "new": each.new,
        "after": _iso(each.since) if each.since else None,
        "before": _iso(each.at) if each.at else None,
        "cause": {
            "kind": each.cause.kind.value,
            "sentence": clean(each.cause.sentence),
            "pushes": [
                {"push": push, "plan": plan, "who": clean(who)}
                for push, plan, who in each.cause.pushes
            ],
        },
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def report_markdown(report: Report) -> str:
    """Return a table of the changes for a pull-request comment."""
    groups = list(grouped(report.altered))
    rows = (
        (
            cell(group[0].switch),
            cell(sentence(group[0].sort, group)),
            cell(_when_and_why(group[0])),
        )
        for group in groups[:MOST]
    )
    lines = [f"**since {cell(report.since)}**: {cell(_tally(report))}", ""]
    lines += markdown_table(("switch", "change", "when and why"), rows) if groups else []
    if len(groups) > MOST:
        lines.append(f"\n{len(groups) - MOST:,} more changes are not shown.")
    lines += [f"\n{cell(each)}" for each in _remarks(report)]
    return "\n".join(lines) + "\n"


def baselines_text(baselines: Sequence[Baseline]) -> str:
    """Return a line for each baseline."""
    rows = [
        f"{each.at:%Y-%m-%d %H:%M}  {each.name}  {counted(each.switches, 'switch')}  {each.who}"
        for each in baselines
    ]
    return "".join(f"{clean(row)}\n" for row in rows) or "no baseline\n"


def baselines_data(baselines: Sequence[Baseline]) -> list[dict[str, Any]]:
    """Return the baselines as data."""
    return [
        {
            "name": each.name,
            "at": each.at.isoformat(timespec="seconds"),
            "switches": each.switches,
            "who": clean(each.who),
        }
        for each in baselines
    ]


def moments_text(moments: Sequence[Moment], causes: Sequence[str]) -> str:
    """Return the history of a switch, oldest first. `causes`: the cause of each moment."""
    lines = []
    for moment, cause in zip(moments, causes, strict=True):
        event = moment.event
        lines.append(f"{_time(event.since)} to {_time(event.at)} UTC: {_found_by(moment)}{cause}")
        lines += [f"  {line}" for line in _sentences(event)]
        if event.more:
            lines.append(f"  and {event.more:,} more")
    return "".join(f"{clean(line)}\n" for line in lines) or "no change\n"


def _found_by(moment: Moment) -> str:
    return f"{moment.source} by {moment.who}@{moment.host}; " if moment.source else ""


def _sentences(event: Event) -> list[str]:
    return [sentence(group[0].sort, group) for group in grouped(altered_by(event))]


def moments_data(moments: Sequence[Moment], causes: Sequence[str]) -> list[dict[str, Any]]:
    """Return the history of a switch as data."""
    return [
        {
            "after": _iso(moment.event.since),
            "before": _iso(moment.event.at),
            "switch_clock": _iso(moment.event.clock) if moment.event.clock else None,
            "tool_clock": moment.tool.isoformat(timespec="seconds") if moment.tool else None,
            "source": moment.source,
            "who": clean(moment.who),
            "host": clean(moment.host),
            "cause": clean(cause),
            "changes": [
                {
                    "object": [clean(word) for word in each.key],
                    "attribute": clean(each.attribute),
                    "old": each.old,
                    "new": each.new,
                }
                for each in moment.event.changes
            ],
            "more": moment.event.more,
        }
        for moment, cause in zip(moments, causes, strict=True)
    ]
