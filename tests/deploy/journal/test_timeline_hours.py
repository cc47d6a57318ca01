"""Hourly summaries: their numbers, their precision, and what is unknown."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from tests.deploy.journal.looks import BEGIN, LANE, facts, identity, look

from fabricgen.nos.measures import Measure
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.state.timeline import timeline as module
from fabricgen.operate.state.timeline.hours import Summary, _code, _value
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.snapshot import measured
from fabricgen.operate.state.timeline.timeline import Timeline

NOON = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(days=2)
ERRORS: Measure = ("fcs-errors", "Ethernet1")
LIGHT: Measure = ("light-received", "Ethernet1")


def summarized(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, *rows: tuple[int, dict[Measure, float]]
) -> dict[tuple[int, Measure], Summary]:
    """Write looks, each some minutes after noon; return the summaries by hour and measure."""
    for minutes, numbers in rows:
        moment = NOON + timedelta(minutes=minutes)
        monkeypatch.setattr(module, "_now", lambda *_, at=moment: (at, at))
        Timeline(journal.database).write(LANE, {"leaf1": look(numbers=numbers)}, identity())
    found = History(journal.database, LANE).hours("leaf1", BEGIN)
    first = int(NOON.timestamp() // 3600)
    return {(hour - first, key): summary for hour, key, summary in found}


def test_the_summary_of_a_level_is_about_its_values(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {0: -1.5, 20: -3.0, 40: -2.0, 60: -2.5}
    rows = [(minute, {LIGHT: value}) for minute, value in values.items()]
    found = summarized(journal, monkeypatch, *rows)
    assert found.keys() == {(0, LIGHT)}, "the running hour has no summary yet"
    assert found[0, LIGHT] == pytest.approx((3, -3.0, -1.5, -6.5, -2.0), rel=0.02)


def test_the_summary_of_a_counter_is_about_its_growth(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A counter that fell has begun again at zero."""
    values = {0: 1_000, 10: 1_100, 20: 1_100, 30: 1_400, 40: 50, 61: 50, 62: 60, 121: 60}
    rows = [(minute, {ERRORS: float(value)}) for minute, value in values.items()]
    found = summarized(journal, monkeypatch, *rows)
    assert found[0, ERRORS] == pytest.approx((4, 0, 300, 450, 50), rel=0.02)
    assert found[1, ERRORS] == pytest.approx((2, 0, 10, 10, 10), rel=0.02)


def test_a_measure_that_was_not_read_has_no_summary_and_one_without_growth_has_zero(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(0, {ERRORS: 7.0}), (10, {ERRORS: 7.0}), (60, {LIGHT: -1.0}), (120, {ERRORS: 7.0})]
    found = summarized(journal, monkeypatch, *rows)
    assert found[0, ERRORS] == (1, 0, 0, 0, 0)
    assert (1, ERRORS) not in found
    assert (0, LIGHT) not in found
    assert found[1, LIGHT].looks == 1


def test_looks_at_other_measures_share_the_hour(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`verify` reads everything, and `watch` some measures in between."""
    both = {ERRORS: 10.0, LIGHT: -1.0}
    rows = [(0, both), (10, {ERRORS: 30.0}), (20, both | {ERRORS: 35.0}), (60, {ERRORS: 40.0})]
    rows += [(120, both), (180, both)]
    found = summarized(journal, monkeypatch, *rows)
    assert found[0, ERRORS] == pytest.approx((2, 5, 20, 25, 5), rel=0.02)
    assert found[0, LIGHT].looks == 2
    assert (1, LIGHT) not in found
    assert found[2, LIGHT].looks == 1


def test_a_look_at_measures_alone_changes_no_fact(journal: Journal) -> None:
    timeline, history = Timeline(journal.database), History(journal.database, LANE)
    timeline.write(LANE, {"leaf1": measured({ERRORS: 1.0}, None)}, identity())
    assert history.facts("leaf1") == {}, "a state begins with a look at the facts"
    timeline.write(LANE, {"leaf1": look()}, identity())
    timeline.write(LANE, {"leaf1": measured({ERRORS: 1.0}, None)}, identity())
    assert history.moments("leaf1", BEGIN) == []
    assert history.facts("leaf1") == facts()


def test_readings_that_are_older_than_the_stored_ones_are_no_restart(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    summarized(journal, monkeypatch, (0, {ERRORS: 5_000.0}), (10, {ERRORS: 5_010.0}))
    taken, now = NOON + timedelta(minutes=9), NOON + timedelta(minutes=11)
    monkeypatch.setattr(module, "_now", lambda *_: (now, taken))
    late = {"leaf1": measured({ERRORS: 5_009.0}, None)}
    Timeline(journal.database).write(LANE, late, identity())
    found = summarized(journal, monkeypatch, (60, {ERRORS: 5_010.0}))
    assert found[0, ERRORS].total == pytest.approx(10, rel=0.02)


def test_a_restart_shows_in_the_uptime_also_if_a_counter_has_grown_further(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes, errors, uptime in (
        (0, 100, 9_000),
        (30, 900, 600),
        (40, 905, 1_200),
        (60, 905, 2),
    ):
        moment = NOON + timedelta(minutes=minutes)
        monkeypatch.setattr(module, "_now", lambda *_, at=moment: (at, at))
        numbers: dict[Measure, float] = {ERRORS: errors, ("uptime",): uptime}
        seen = look(numbers=numbers, clock=moment.timestamp())
        Timeline(journal.database).write(LANE, {"leaf1": seen}, identity())
    hours = History(journal.database, LANE).hours("leaf1", BEGIN)
    ((_, _, summary),) = [each for each in hours if each[1] == ERRORS]
    assert summary == pytest.approx((1, 5, 5, 5, 5), rel=0.02)


def test_lanes_of_a_port_have_one_summary_of_the_weakest(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes: dict[Measure, float] = {(*LIGHT, "1"): -1.0, (*LIGHT, "2"): -4.0, (*LIGHT, "3"): -2.0}
    found = summarized(journal, monkeypatch, (0, lanes), (60, lanes))
    assert found[0, LIGHT].low == pytest.approx(-4.0, rel=0.02)


def test_hostile_numbers_and_other_metrics_are_not_stored(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers: dict[Measure, float] = {
        LIGHT: math.nan,
        ERRORS: math.inf,
        ("octets-sent", "Ethernet1"): 5.0,
        ("flaps", "Ethernet1"): 1e300,
    }
    found = summarized(journal, monkeypatch, (0, numbers), (1, numbers), (60, numbers))
    assert [key for _, key in found] == [("flaps", "Ethernet1")]


@pytest.mark.parametrize("value", [0.0, 1.0, -1.5, 2.4e-9, 6_800_000.0, 1e40, -3e-20])
def test_a_stored_number_is_exact_to_one_percent(value: float) -> None:
    assert _value(_code(value)) == pytest.approx(value, rel=0.01)
