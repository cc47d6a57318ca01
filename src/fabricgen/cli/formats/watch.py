"""Draw the report of a look as a terminal view that fits its width and height."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted, shortened
from fabricgen.operate.state.watch.model import Found, Level
from fabricgen.operate.state.watch.ranking import AGAINST, METRIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from fabricgen.operate.state.watch.ranking import Tight
    from fabricgen.operate.state.watch.report import Flow, Gap, Report

_STYLES = {
    Level.ALARM: ("bold white on red", "ALARM"),
    Level.WARNING: ("bold yellow", "warning"),
    Level.NOTE: ("green", "note"),
    Level.UNVERIFIED: ("magenta", "unverified"),
}
_TIERS = {1: "leafs", 2: "spines", 3: "superspines"}
_FULL, _HIGH, _HALF = 1.0, 0.8, 0.5
_WIDE, _WIDER = 110, 130
"""Widths from which findings have their times, and the ranking has its bytes."""
_BARS = ((150, 24), (120, 18), (0, 10))
"""Length of a bar from a width on."""
_LINES = 40
"""Lines of a view on a stream without a height."""
_COLUMNS = (
    ("pause in", ("pause-received",)),
    ("pause out", ("pause-sent",)),
    ("marks", ("ecn-marked",)),
    ("drops", ("queue-drops", "group-drops")),
)
"""Columns of rates, each the sum of some metrics."""

_WORDS = {
    **dict.fromkeys(("pause-received", "pause-sent"), "pauses"),
    "paused-time": "pause times",
    **dict.fromkeys(("link-pause-received", "link-pause-sent"), "pauses"),
    **dict.fromkeys(("queue-drops", "group-drops"), "drops"),
    **dict.fromkeys(("watchdog-storms", "watchdog-restored"), "storms"),
    **dict.fromkeys(METRIC.values(), "peaks"),
    "ecn-marked": "marks",
    "queue-packets": "packets",
}
"""Short words for metrics."""
_MILLION, _FEW = 1_000_000, 10


class View:
    """The view of one report. Each size of the terminal has its own layout."""

    def __init__(self, report: Report, *, height: int | None = None) -> None:
        """Take a report. height: lines of the view. None: the height of the terminal."""
        self._report, self._height = report, height

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the sections of the view: as many rows of each as the height permits."""
        lines = self._height or options.height or console.height or _LINES
        page = options.update(height=None)

        def height(*parts: RenderableType) -> int:
            return sum(len(console.render_lines(part, page, pad=False)) for part in parts)

        report, width = self._report, options.max_width
        every = len(report.findings)
        sections: list[list[RenderableType]] = []
        for rows, gaps, least in _SIZES:
            above, below = _above(report, rows, width), _below(report, gaps)
            left = lines - height(*chain(*above, *below))
            most = _fitting(report, width, left, height)
            sections = [*above, [_findings(report, most, width)], *below]
            if most >= min(every, least):
                break
        sections = [each for each in sections if each]
        spare = lines - height(*chain(*sections))
        gap = [Text()] if spare >= len(sections) - 1 else []
        yield Group(*sections[0], *chain(*([*gap, *each] for each in sections[1:])))


def _above(report: Report, rows: int, width: int) -> list[list[RenderableType]]:
    tightest = [_tightest(report.tightest[:rows], width)] if report.tightest else []
    return [[_head(report)], [_rates(report.flows, width)], [*tightest]]


def _below(report: Report, gaps: int) -> list[list[RenderableType]]:
    return [[*_silent(report.silent)], [*_gaps(report.gaps, gaps)], [_foot(report.sampled)]]


_SIZES = ((10, 20, 10), (10, 3, 8), (7, 3, 6), (5, 3, 4), (5, 2, 3), (3, 1, 2), (1, 1, 1))
"""Rows of the ranking and of unchecked objects, and the least findings next to them."""


def _fitting(report: Report, width: int, left: int, height: Callable[[RenderableType], int]) -> int:
    """Return the number of findings that fit into some lines; at least one."""
    for most in range(min(len(report.findings), max(left, 1)), 1, -1):
        if height(_findings(report, most, width)) <= left:
            return most
    return min(len(report.findings), 1)


def _head(report: Report) -> Panel:
    answered = report.switches - len(report.silent)
    text = Text()
    text.append(clean(report.site), "bold")
    text.append(
        f"  {answered} of {counted(report.switches, 'switch')} answered", _of(report.silent)
    )
    text.append("  ·  ", "dim")
    text.append_text(_state(report))
    text.append(f"  ·  look {report.looks}", "dim")
    if report.seconds is not None:
        text.append(f" ({report.seconds:,.0f} s)", "dim")
    if report.others:
        text.append(f"  ·  {report.others} without PFC", "dim")
    return Panel(text, box=box.ROUNDED, border_style=_border(report), padding=(0, 1))


def _of(silent: Mapping[str, str]) -> str:
    return "bold red" if silent else "bold green"


def _border(report: Report) -> str:
    levels = {each.level for each in report.findings}
    if Level.ALARM in levels:
        return "red"
    return "yellow" if Level.WARNING in levels or report.silent or report.gaps else "green"


def _state(report: Report) -> Text:
    """Return the numbers of findings. Nothing is fine whose counters are off."""
    found = [
        (level, sum(each.level is level for each in report.findings))
        for level in (Level.ALARM, Level.WARNING)
    ]
    parts = [
        (f"{counted(number, str(level))}", _STYLES[level][0]) for level, number in found if number
    ]
    text = Text()
    for number, (words, style) in enumerate(parts or [("no limit exceeded", "green")]):
        text.append(", " if number else "")
        text.append(f" {words} " if "on" in style else words, style)
    unknown = len({gap.rule for gap in report.gaps})
    if unknown:
        text.append(f", {counted(unknown, 'rule')} partly unchecked", "yellow")
    return text


def _table(title: str, width: int) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold cyan",
        box=box.SIMPLE_HEAD,
        header_style="dim",
        pad_edge=False,
        width=width,
        show_edge=False,
    )


def _rates(flows: Iterable[Flow], width: int) -> Table:
    table = _table("Rates per second", width)
    table.add_column("fabric", no_wrap=True, ratio=2, overflow="ellipsis")
    table.add_column("tier", no_wrap=True)
    table.add_column("switches", justify="right", no_wrap=True)
    for title, _ in _COLUMNS:
        table.add_column(title, justify="right", ratio=2, no_wrap=True)
    for flow in flows:
        cells = [_rate(flow, metrics) for _, metrics in _COLUMNS]
        count = f"{flow.switches - flow.silent}/{flow.switches}"
        table.add_row(
            clean(flow.fabric),
            _TIERS.get(flow.tier, str(flow.tier)),
            Text(count, "red" if flow.silent else ""),
            *cells,
        )
    return table


def _rate(flow: Flow, metrics: tuple[str, ...]) -> Text:
    """Return a rate. A `≥` marks partial counts, and a `?` marks an unknown rate."""
    known = [flow.rates[each] for each in metrics if each in flow.rates]
    if not known:
        return Text("?", "yellow")
    rate = sum(known)
    mark = "≥" if len(known) < len(metrics) or not flow.partial.isdisjoint(metrics) else ""
    is_bad = rate > 0 and metrics[0].endswith("drops")
    digits = 1 if 0 < rate < _FEW else 0
    count = f"{rate / _MILLION:,.2f}M" if rate >= _MILLION else f"{rate:,.{digits}f}"
    return Text(f"{mark}{count}", "bold red" if is_bad else "" if rate else "dim")


def _tightest(rows: Iterable[Tight], width: int) -> Table:
    wide = width >= _WIDER
    table = _table("Tightest: peak next to the computed threshold", width)
    table.add_column("switch", no_wrap=True, overflow="ellipsis", ratio=3)
    table.add_column("place", no_wrap=True, overflow="ellipsis", ratio=5)
    table.add_column("towards", no_wrap=True, overflow="ellipsis", ratio=3)
    if wide:
        table.add_column("peak", justify="right", no_wrap=True)
        table.add_column("of", no_wrap=True)
        table.add_column("computed", justify="right", no_wrap=True)
    bar = next(columns for least, columns in _BARS if width >= least)
    table.add_column("", no_wrap=True, width=bar)
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("sample", justify="right", no_wrap=True)
    for row in rows:
        numbers = (
            (Text(f"{row.peak:,.0f}"), Text(AGAINST[row.kind], "dim"), f"{row.computed:,.0f}")
            if wide
            else ()
        )
        table.add_row(
            clean(row.switch),
            clean(row.place),
            clean(row.far) or "-",
            *numbers,
            _bar(row.share, bar),
            Text(f"{100 * row.share:,.0f} %", _color(row.share)),
            _sample(row.sampled),
        )
    return table


def _bar(share: float, width: int) -> Text:
    full = min(width, round(share * width))
    text = Text("━" * full, _color(share))
    text.append("─" * (width - full), "bright_black")
    return text


def _color(share: float) -> str:
    if share >= _FULL:
        return "bold red"
    if share >= _HIGH:
        return "yellow"
    return "green" if share < _HALF else "bright_yellow"


def _sample(seconds: float | None) -> Text:
    return Text(f"{seconds:g} s", "dim") if seconds is not None else Text("?", "yellow")


def _findings(report: Report, most: int, width: int) -> Table:
    table = _table(f"Findings ({len(report.findings)})", width)
    table.add_column("", no_wrap=True)
    table.add_column("finding", ratio=1)
    table.add_column("rule", no_wrap=True, style="dim")
    if width >= _WIDE:
        table.add_column("since", justify="right", no_wrap=True)
        table.add_column("sample", justify="right", no_wrap=True)
    for each in report.findings[:most]:
        _add(table, each, wide=width >= _WIDE)
    if not report.findings:
        table.add_row("", Text("none", "dim"), "")
    if len(report.findings) > most:
        table.add_row("", Text(f"and {len(report.findings) - most} more", "dim"), "")
    return table


def _add(table: Table, found: Found, *, wide: bool) -> None:
    style, word = _STYLES[found.level]
    since = Text(f"{found.since:,.0f} s" if found.since else "new", "dim")
    more = (since, _sample(found.sampled)) if wide else ()
    sentence = Text(clean(found.spot.sentence))
    table.add_row(Text(f" {word} " if "on" in style else word, style), sentence, found.rule, *more)


def _silent(silent: Mapping[str, str], most: int = 3) -> Iterator[Text]:
    """Yield the switches without an answer."""
    if not silent:
        return
    yield Text("No answer", "bold cyan")
    for name, why in list(silent.items())[:most]:
        yield Text.assemble((clean(name), "bold red"), f"  {clean(why)}")
    if len(silent) > most:
        yield Text(f"and {len(silent) - most} more", "dim")


def _gaps(gaps: Iterable[Gap], most: int) -> Iterator[Text]:
    """Yield what no rule checked, by its reason. It is unknown, not fine."""
    by_reason: dict[tuple[str, tuple[str, ...]], list[Gap]] = {}
    for gap in gaps:
        by_reason.setdefault((gap.reason, gap.switches), []).append(gap)
    if not by_reason:
        return
    yield Text(f"Not checked ({len(by_reason)}): unknown, not fine", "bold cyan")
    for (reason, switches), own in list(by_reason.items())[:most]:
        first = own[0]
        part = f", {first.missing:,} of {first.objects:,} objects" if first.missing else ""
        yield Text.assemble(
            (clean(reason), "yellow"),
            f"  ({clean(shortened(switches))}{part})  ",
            (", ".join(gap.rule for gap in own), "dim"),
        )
    if len(by_reason) > most:
        yield Text(f"and {len(by_reason) - most} more", "dim")


def _foot(sampled: Mapping[str, float]) -> Text:
    """Return the sampling of the switches: a peak is the largest value of one sample."""
    by_seconds: dict[float, dict[str, None]] = {}
    for metric, seconds in sampled.items():
        by_seconds.setdefault(seconds, {})[_WORDS.get(metric, metric)] = None
    parts = [f"{', '.join(own)} {seconds:g} s" for seconds, own in sorted(by_seconds.items())]
    return Text("Sampled on the switches every: " + ("; ".join(parts) or "unknown"), "dim")
