"""The view fits the terminal, uses no color where none is wanted, and shows names as text."""

import io

import pytest
from rich.console import Console
from tests.unit.watch.site import leaf, plans, reports, to_server
from tests.unit.watch.written import Series

from fabricgen.cli.formats.watch import View
from fabricgen.cli.plain import cleaned
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.operate.state.watch.report import Report, Watcher

LEAF = leaf()
SERVER = to_server(LEAF)
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


def drawn(report: Report, width: int = 100, lines: int = 80, **how: object) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, height=lines, force_terminal=True, **how)  # type: ignore[arg-type]
    console.print(cleaned(View(report, height=lines)))
    return out.getvalue()


def busy() -> Series:
    """Return a series with a finding on every port of a leaf, a silent switch and a gap."""
    series = Series(plans())
    series.rates[LEAF.switch] = {
        ("pause-received", port.name, "3"): 500.0 for port in LEAF.lossless
    }
    series.silent = {"be-spine1": "no answer"}
    series.unknown = {"be-spine2": {("ecn-marked",): "not counted"}}
    return series


@pytest.mark.parametrize("width", [60, 80, 100, 140, 200])
@pytest.mark.parametrize("lines", [24, 40, 80])
def test_no_line_is_wider_than_the_terminal_and_the_findings_are_seen(
    width: int, lines: int
) -> None:
    shown = drawn(reports(busy()), width, lines, no_color=True, color_system=None)
    assert max(map(len, shown.splitlines())) <= width
    assert "SlowReceiver" in shown


@pytest.mark.parametrize("lines", [36, 60])
def test_the_view_fits_the_height_and_counts_what_it_omits(lines: int) -> None:
    report = reports(busy())
    shown = drawn(report, 120, lines, no_color=True, color_system=None)
    assert len(shown.splitlines()) <= lines
    assert "No answer" in shown
    assert "Not checked" in shown
    many = [each for each in report.findings if each.rule == "SlowReceiver"]
    rows = [line for line in shown.splitlines() if "warning" in line and "SlowReceiver" in line]
    assert len(many) == len(rows) or " more" in shown


def test_nothing_is_called_fine_whose_counters_are_off() -> None:
    series = Series(plans())
    series.unknown = {name: {("queue-drops",): "off"} for name in plans()}
    shown = drawn(reports(series), no_color=True, color_system=None)
    assert "no limit exceeded, 1 rule partly unchecked" in shown
    assert "queue-drops not counted: off" in shown
    calm = drawn(reports(Series(plans())), no_color=True, color_system=None)
    assert "no limit exceeded" in calm
    assert "unchecked" not in calm


def test_an_unknown_rate_is_no_zero() -> None:
    series = Series(plans())
    series.unknown = {name: {("ecn-marked",): "off"} for name in plans()}
    rows = drawn(reports(series), no_color=True, color_system=None).splitlines()
    row = next(each for each in rows if each.startswith("backend") and "leafs" in each)
    assert row.split()[-4:] == ["0", "0", "?", "0"]
    partly = Series(plans())
    partly.unknown = {LEAF.switch: {("ecn-marked",): "off"}}
    rows = drawn(reports(partly), no_color=True, color_system=None).splitlines()
    row = next(each for each in rows if each.startswith("backend") and "leafs" in each)
    assert row.split()[-2].startswith("≥")


def test_a_terminal_without_color_gets_none() -> None:
    shown = drawn(reports(busy()), no_color=True, color_system="standard")
    assert "\x1b[3" not in shown
    assert "\x1b[4" not in shown


def test_names_of_switches_are_text() -> None:
    series = busy()
    series.silent = {"be-spine1": ESCAPES}
    series.rates[LEAF.switch][("pause-received", ESCAPES, "5")] = 5.0
    series.unknown = {"be-spine2": {("ecn-marked",): ESCAPES}}
    shown = drawn(reports(series), 160, 120, no_color=True, color_system=None)
    assert shown.count("\\u001b]0;owned\\u0007") >= 2
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)


def test_a_report_of_thousands_of_findings_is_drawn() -> None:
    watcher = Watcher(plans(), WatchLimits(pauses=1), site="s")
    series = busy()
    for name, plan in plans().items():
        series.rates[name] = {
            (metric, port.name, number): 9.0
            for port in plan.lossless
            for number in map(str, range(8))
            for metric in ("pause-received", "pause-sent", "ecn-marked", "queue-drops")
        }
    report = [watcher.report(look) for look in series.looks(0, 10)][-1]
    shown = drawn(report, 100, 40, no_color=True, color_system=None)
    assert len(report.findings) > 200
    assert len(shown.splitlines()) <= 40
