"""Rates need two looks and the clock of the switch; an absent counter is unknown, never zero."""

from dataclasses import replace
from math import inf, nan

import pytest
from tests.unit.watch.site import leaf, plans, reports, rules, to_server
from tests.unit.watch.written import Series

from fabricgen.nos.measures import Measure
from fabricgen.nos.show import Observed, Part, Reader, Source
from fabricgen.nos.spelling import Names
from fabricgen.operate.state.watch.looks import METRICS, Look, Seen, pair, sane, seen_of
from fabricgen.operate.state.watch.model import Level

LEAF = leaf()
SERVER = to_server(LEAF)
PAUSES: Measure = ("pause-received", SERVER, "3")


def look(at: float, clock: float | None, **counters: float) -> Look:
    measures: dict[Measure, float] = {
        ("pause-received", port, "3"): value for port, value in counters.items()
    }
    return Look(taken=at, seen={LEAF.switch: Seen(taken=at, measures=measures, clock=clock)})


def test_a_rate_is_by_the_clock_of_the_switch() -> None:
    found = pair(LEAF, look(0, 100.0, a=0), look(10, 110.5, a=1050))
    assert found is not None
    assert found.rates("pause-received") == {("a", "3"): 100.0}


def test_one_look_has_no_rate() -> None:
    found = pair(LEAF, None, look(10, 110.0, a=1050))
    assert found is not None
    assert found.rates("pause-received") == found.grown("pause-received") == {}
    assert found.why == "a rate needs two looks"


@pytest.mark.parametrize(
    ("then", "now", "why"),
    [
        (100.0, None, "the time of the switch was not read"),
        (None, 110.0, "the time of the switch was not read"),
        (100.0, nan, "the time of the switch was not read"),
        (100.0, 3710.0, "the clock of the switch moved 3,610 s within 10 s"),
        (100.0, -3500.0, "the clock of the switch moved -3,600 s within 10 s"),
        (100.0, 94.0, "the clock of the switch moved -6 s within 10 s"),
    ],
)
def test_a_clock_that_jumps_gives_no_rate(then: float | None, now: float | None, why: str) -> None:
    found = pair(LEAF, look(0, then, a=0), look(10, now, a=1000))
    assert found is not None
    assert found.seconds is None
    assert found.why == why
    assert found.rates("pause-received") == {}
    assert found.grown("pause-received") == {("a", "3"): 1000.0}


def test_a_clock_that_stands_gives_no_rate() -> None:
    found = pair(LEAF, look(0, 100.0, a=0), look(4, 100.0, a=1000))
    assert found is not None
    assert found.why == "the clock of the switch did not move"


def test_a_counter_that_restarts_grew_from_zero_and_has_no_rate() -> None:
    found = pair(LEAF, look(0, 100.0, a=900, b=5), look(10, 110.0, a=40, b=6))
    assert found is not None
    assert found.grown("pause-received") == {("a", "3"): 40.0, ("b", "3"): 1.0}
    assert found.rates("pause-received") == {}
    assert found.restarted == {"pause-received"}


def test_a_new_object_has_no_growth() -> None:
    found = pair(LEAF, look(0, 100.0), look(10, 110.0, a=40))
    assert found is not None
    assert found.grown("pause-received") == {}


def test_a_restart_and_a_jump_are_notes_and_drops_after_a_restart_count() -> None:
    series = Series(plans())
    first, second = series.look(0.0), series.look(10.0)
    seen = second.seen[LEAF.switch]
    drops: Measure = ("queue-drops", SERVER, "3")
    smaller = replace(seen, measures={**seen.measures, drops: 7.0})
    late = replace(second, seen={**second.seen, LEAF.switch: smaller})
    found = reports_of(first, late)
    assert {"CountersRestarted", "QueueDrop"} <= set(found)
    jumped = replace(seen, clock=(seen.clock or 0) + 3600)
    found = reports_of(first, replace(second, seen={**second.seen, LEAF.switch: jumped}))
    assert "NoRates" in found


def reports_of(*looks: Look) -> list[str]:
    class Given(Series):
        def looks(self, *_times: float) -> tuple[Look, ...]:
            return looks

    return rules(reports(Given(plans())))


@pytest.mark.parametrize("value", [nan, inf, -1.0])
def test_an_impossible_value_is_left_out(value: float) -> None:
    assert sane({PAUSES: value, ("pause-sent", "a", "3"): 1.0}) == {("pause-sent", "a", "3"): 1.0}


def test_a_measure_with_wrong_names_is_left_out() -> None:
    assert sane({("pause-sent", "a"): 1.0, ("strange", "a", "3"): 1.0}) == {}


def _names() -> Names:
    return Names(loopback="lo", tunnel="lo", management="eth0", gateway=str, bundle=str)


READER = Reader(
    names=_names(),
    about={},
    questions=lambda _facts: (),
    encode=lambda _questions: "",
    decode=lambda _output: {},
    parse=lambda _answers: Observed(),
    measured={"pause-received": Part.COUNTERS, "queue-peak": Part.WATERMARKS},
    sources={("pause-received",): Source("a table", "a field", guess="no recording")},
)


def test_unread_parts_and_metrics_that_the_reader_lacks_are_unknown_with_a_reason() -> None:
    seen = seen_of(
        READER,
        Observed(
            unread={Part.WATERMARKS: "timeout", Part.BGP: "no bgpd"},
            unknown={("ecn-marked",): "this release counts no marks", ("qos", "trust"): "-"},
            clock=5.0,
        ),
        7.0,
    )
    assert seen.unknown["queue-peak",] == "timeout"
    assert seen.unknown["ecn-marked",] == "this release counts no marks"
    assert seen.unknown["pause-sent",] == "the reader of this platform has no pause-sent"
    assert ("pause-received",) not in seen.unknown
    assert {key[0] for key in seen.unknown} <= set(METRICS)


def test_an_uncounted_metric_is_not_judged_and_not_fine() -> None:
    series = Series(plans())
    series.unknown[LEAF.switch] = {("queue-drops",): "off in FLEX_COUNTER_TABLE"}
    report = reports(series)
    gap = next(each for each in report.gaps if each.rule == "QueueDrop")
    assert gap.switches == (LEAF.switch,)
    assert gap.reason == "queue-drops not counted: off in FLEX_COUNTER_TABLE"
    assert gap.missing == gap.objects == 2 * len(list(LEAF.lossless))
    assert report.checked["QueueDrop"] == len(plans()) - 1


def test_an_unwatched_queue_is_named_and_the_others_are_judged() -> None:
    series = Series(plans())
    series.unknown[LEAF.switch] = {("watchdog-storms", SERVER, "3"): "not watched"}
    report = reports(series)
    gap = next(each for each in report.gaps if each.rule == "Storm")
    assert (gap.reason, gap.missing) == ("watchdog-storms not counted: not watched", 1)
    assert report.checked["Storm"] == len(plans())


def test_marks_are_not_missed_where_they_are_not_counted() -> None:
    series = Series(plans())
    series.unknown[LEAF.switch] = {("ecn-marked",): "not counted by 202411"}
    series.rates[LEAF.switch] = {("pause-sent", SERVER, "3"): 500.0}
    assert "PauseWithoutMarks" not in rules(reports(series))


def test_the_first_look_judges_no_growth() -> None:
    report = reports(Series(plans()), 0.0)
    waiting = {each.rule for each in report.gaps if each.reason == "a rate needs two looks"}
    assert {"SlowReceiver", "QueueDrop", "Storm"} <= waiting
    assert report.checked["HeadroomUse"] == len(plans())


def test_a_guessed_field_raises_no_alarm() -> None:
    series = Series(plans())
    series.rates[LEAF.switch] = {("pause-received", SERVER, "3"): 500.0}
    report = reports(series, sources={"sonic": READER.sources})
    found = next(each for each in report.findings if each.rule == "SlowReceiver")
    assert found.level is Level.UNVERIFIED
    assert found not in report.above
    assert found.read == "a table: a field"


def test_a_finding_keeps_its_time_and_the_sample_of_its_metric() -> None:
    series = Series(plans())
    series.rates[LEAF.switch] = {("pause-received", SERVER, "3"): 500.0}
    found = next(
        each for each in reports(series, 0, 10, 20, 30).findings if each.rule == "SlowReceiver"
    )
    assert (found.since, found.sampled) == (20.0, 1.0)
