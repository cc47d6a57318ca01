"""Each rule of `watch` finds what it is about, and nothing just below its limit."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.unit.watch.site import leaf, plans, reports, rules, spine, to_server, to_switch
from tests.unit.watch.written import MARKS, PACKETS, Series

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.operate.state.watch.model import Level
from fabricgen.operate.state.watch.report import Report
from fabricgen.operate.state.watch.rules import RULES
from fabricgen.prove.catalogue.thresholds import ALPHA, HEADROOM, KMAX, PAUSE_AT, POOL, SHARED

LEAF, SPINE = leaf(), spine()
SERVER, UP = to_server(LEAF), to_switch(LEAF)
DOWN = to_switch(SPINE)
GPU = LEAF.ports[SERVER].far
Act = Callable[[Series], None]


def calm() -> Series:
    return Series(plans())


def rate(*measure: str, per_second: float, switch: str = LEAF.switch) -> Act:
    def act(series: Series) -> None:
        series.rates.setdefault(switch, {})[measure] = per_second

    return act


def level(*measure: str, value: float, switch: str = LEAF.switch) -> Act:
    def act(series: Series) -> None:
        series.levels.setdefault(switch, {})[measure] = value

    return act


def share(metric: str, key: str, part: float, port: str = SERVER) -> Act:
    return level(metric, port, "3", value=part * LEAF.numbers[key, port, "3"])


def both(*acts: Act) -> Act:
    def act(series: Series) -> None:
        for each in acts:
            each(series)

    return act


def no_marks(series: Series) -> None:
    series.marks = 0.0


def no_cnps(series: Series) -> None:
    for name, plan in series.plans.items():
        for port in plan.lossless:
            rate("queue-packets", port.name, "6", per_second=0.09 * MARKS, switch=name)(series)


def enough_cnps(series: Series) -> None:
    no_cnps(series)
    for name, plan in series.plans.items():
        for port in plan.lossless:
            rate("queue-packets", port.name, "6", per_second=MARKS, switch=name)(series)


PAUSE_POINT = LEAF.numbers[SHARED,] * LEAF.numbers[ALPHA,]

CASES: list[tuple[str, Act, Act]] = [
    (
        "SlowReceiver",
        rate("pause-received", SERVER, "3", per_second=100),
        rate("pause-received", SERVER, "3", per_second=99),
    ),
    (
        "SlowReceiver",
        both(
            rate("pause-received", SERVER, "3", per_second=1),
            rate("paused-time", SERVER, "3", per_second=51_000),
        ),
        both(
            rate("pause-received", SERVER, "3", per_second=1),
            rate("paused-time", SERVER, "3", per_second=49_000),
        ),
    ),
    (
        "SlowReceiver",
        rate("pause-received", SERVER, "3", per_second=500),
        rate("pause-received", UP, "3", per_second=500),
    ),
    (
        "FullIngress",
        rate("pause-sent", SERVER, "3", per_second=100),
        rate("pause-sent", SERVER, "3", per_second=99),
    ),
    (
        "PausesSpread",
        both(
            rate("pause-sent", SERVER, "3", per_second=100),
            rate("pause-sent", DOWN, "3", per_second=100, switch=SPINE.switch),
        ),
        both(
            rate("pause-sent", SERVER, "3", per_second=100),
            rate("pause-sent", UP, "3", per_second=100),
        ),
    ),
    (
        "OtherPriority",
        rate("pause-received", SERVER, "5", per_second=1),
        rate("pause-received", SERVER, "4", per_second=1),
    ),
    (
        "OtherPriority",
        rate("pause-sent", UP, "0", per_second=0.1),
        rate("pause-sent", UP, "4", per_second=0.1),
    ),
    (
        "LinkPause",
        rate("link-pause-received", SERVER, per_second=0.1),
        rate("link-pause-received", SERVER, per_second=0.0),
    ),
    (
        "LinkPause",
        rate("link-pause-sent", UP, per_second=0.1),
        rate("link-pause-sent", UP, per_second=0.0),
    ),
    (
        "QueueDrop",
        rate("queue-drops", SERVER, "3", per_second=0.1),
        rate("queue-drops", SERVER, "0", per_second=0.1),
    ),
    (
        "GroupDrop",
        rate("group-drops", UP, "4", per_second=0.1),
        rate("group-drops", UP, "0", per_second=0.1),
    ),
    (
        "Storm",
        both(
            rate("watchdog-storms", SERVER, "3", per_second=0.1),
            rate("watchdog-restored", SERVER, "3", per_second=0.1),
        ),
        rate("watchdog-storms", SERVER, "3", per_second=0.0),
    ),
    (
        "StormActive",
        both(
            level("watchdog-storms", SERVER, "3", value=3),
            level("watchdog-restored", SERVER, "3", value=2),
        ),
        both(
            level("watchdog-storms", SERVER, "3", value=3),
            level("watchdog-restored", SERVER, "3", value=3),
        ),
    ),
    (
        "PauseWithoutMarks",
        both(no_marks, rate("pause-sent", SERVER, "3", per_second=100)),
        rate("pause-sent", SERVER, "3", per_second=100),
    ),
    (
        "OtherQueueMarked",
        rate("ecn-marked", SERVER, "6", per_second=1),
        rate("ecn-marked", SERVER, "4", per_second=1),
    ),
    (
        "MarkedShare",
        rate("ecn-marked", SERVER, "3", per_second=0.11 * PACKETS),
        rate("ecn-marked", SERVER, "3", per_second=0.09 * PACKETS),
    ),
    ("FewNotifications", no_cnps, enough_cnps),
    (
        "MarksWithoutPauses",
        both(),
        rate("pause-sent", SERVER, "3", per_second=0.1),
    ),
    (
        "HeadroomUse",
        share("headroom-peak", HEADROOM, 0.81),
        share("headroom-peak", HEADROOM, 0.79),
    ),
    (
        "GroupPeak",
        level("group-peak", SERVER, "3", value=0.47 * PAUSE_POINT),
        level("group-peak", SERVER, "3", value=0.35 * PAUSE_POINT),
    ),
    ("QueuePeak", share("queue-peak", KMAX, 1.01), share("queue-peak", KMAX, 0.99)),
    (
        "PoolHeadroom",
        level("pool-headroom-peak", "ingress_lossless_pool", value=0.81 * LEAF.numbers[POOL,]),
        level("pool-headroom-peak", "ingress_lossless_pool", value=0.79 * LEAF.numbers[POOL,]),
    ),
]


@pytest.mark.parametrize(
    ("name", "act", "other"), CASES, ids=[f"{name}-{n}" for n, (name, *_) in enumerate(CASES)]
)
def test_a_rule_finds_its_case_and_not_the_one_below_the_limit(
    name: str, act: Act, other: Act
) -> None:
    fires, calm_one = calm(), calm()
    act(fires)
    other(calm_one)
    assert name in rules(reports(fires))
    assert name not in rules(reports(calm_one))


def test_every_rule_has_a_case() -> None:
    elsewhere = {"PausedBySwitch", "CountersRestarted", "NoRates"}
    assert {name for name, *_ in CASES} | elsewhere == {rule.name for rule in RULES}


def test_a_calm_fabric_has_one_note_and_every_rule_judges_every_switch() -> None:
    report = reports(calm())
    assert rules(report) == ["MarksWithoutPauses"]
    assert report.gaps == ()
    assert set(report.checked.values()) == {len(plans())}


def sentence(act: Act, rule: str, limits: WatchLimits | None = None) -> str:
    series = calm()
    act(series)
    found = [each for each in reports(series, limits=limits).findings if each.rule == rule]
    assert len(found) == 1
    return found[0].spot.sentence


def test_a_received_pause_names_the_server_as_the_one_that_pauses() -> None:
    pauses = rate("pause-received", SERVER, "3", per_second=1900)
    timed = both(pauses, rate("paused-time", SERVER, "3", per_second=42_000))
    assert sentence(timed, "SlowReceiver") == (
        f"{GPU} pauses {LEAF.switch} 1,900 times a second, 4.2 % of the time: slow receiver "
        f"(priority 3 of {SERVER})"
    )


def test_an_uncounted_time_of_pauses_is_named_and_the_frames_are_checked() -> None:
    series = calm()
    series.unknown[LEAF.switch] = {("paused-time",): "not estimated"}
    rate("pause-received", SERVER, "3", per_second=1900)(series)
    report = reports(series)
    (found,) = report.above
    assert found.spot.sentence.startswith(f"{GPU} pauses {LEAF.switch} 1,900 times a second: slow")
    assert [each.reason for each in report.gaps] == ["paused-time not counted: not estimated"]
    assert report.checked["SlowReceiver"] == len(plans())


def test_a_sent_pause_names_the_switch_as_the_one_that_pauses() -> None:
    said = sentence(rate("pause-sent", SERVER, "3", per_second=1900), "FullIngress")
    assert said.startswith(f"{LEAF.switch} pauses {GPU} 1,900 times a second: the ingress group")


def test_a_pause_between_switches_is_found_once_at_its_sender() -> None:
    series = calm()
    far = LEAF.ports[UP]
    rate("pause-received", UP, "3", per_second=500)(series)
    rate("pause-sent", far.far_port, "3", per_second=500, switch=far.far)(series)
    found = [each for each in reports(series).findings if each.rule != "MarksWithoutPauses"]
    assert [(each.rule, each.spot.switch) for each in found] == [("FullIngress", far.far)]


def test_a_pause_of_a_silent_switch_is_found_at_its_receiver() -> None:
    series = calm()
    far = LEAF.ports[UP].far
    rate("pause-received", UP, "3", per_second=500)(series)
    series.silent[far] = "no answer"
    found = reports(series).above
    assert [each.rule for each in found] == ["PausedBySwitch"]
    assert found[0].spot.sentence.startswith(f"{far} pauses {LEAF.switch} 500 times a second")


def test_a_pause_of_a_switch_that_does_not_count_it_is_found_at_its_receiver() -> None:
    series = calm()
    far = LEAF.ports[UP].far
    rate("pause-received", UP, "3", per_second=500)(series)
    series.unknown[far] = {("pause-sent",): "not counted"}
    assert [each.rule for each in reports(series).above] == ["PausedBySwitch"]


def test_pauses_without_marks_need_the_marks_of_every_port() -> None:
    series = Series(plans(), marks=0.0)
    rate("pause-sent", SERVER, "3", per_second=300)(series)
    assert "PauseWithoutMarks" in rules(reports(series))
    series.unknown[LEAF.switch] = {("ecn-marked", UP, "3"): "not counted"}
    assert "PauseWithoutMarks" not in rules(reports(series))


@pytest.mark.parametrize(
    ("part", "expected"), [(0.5, "is above the pause point"), (2.0, "ECN is off on the switch")]
)
def test_pauses_without_marks_name_the_cause_by_the_designed_points(
    part: float, expected: str
) -> None:
    numbers = dict(LEAF.numbers)
    numbers[PAUSE_AT, SERVER, "3"] = part * numbers[KMAX, SERVER, "3"]
    plan = replace(LEAF, numbers=numbers)
    series = Series({**plans(), LEAF.switch: plan}, marks=0.0)
    rate("pause-sent", SERVER, "3", per_second=300)(series)
    found = [each for each in reports(series).findings if each.rule == "PauseWithoutMarks"]
    assert len(found) == 1
    assert expected in found[0].spot.sentence


def level_of(report: Report, rule: str) -> Level:
    return next(each.level for each in report.findings if each.rule == rule)


@pytest.mark.parametrize(("part", "weight"), [(0.99, Level.WARNING), (1.0, Level.ALARM)])
def test_full_headroom_is_an_alarm(part: float, weight: Level) -> None:
    series = calm()
    share("headroom-peak", HEADROOM, part)(series)
    assert level_of(reports(series), "HeadroomUse") is weight


@pytest.mark.parametrize(("part", "weight"), [(1.99, Level.WARNING), (2.01, Level.ALARM)])
def test_twice_kmax_is_an_alarm(part: float, weight: Level) -> None:
    series = calm()
    share("queue-peak", KMAX, part)(series)
    assert level_of(reports(series), "QueuePeak") is weight


def test_groups_that_fill_the_pool_lower_the_pause_point_of_one() -> None:
    """Alpha x (shared - used): the same peak is near the threshold only beside other peaks."""
    alone, crowded = calm(), calm()
    for series in (alone, crowded):
        level("group-peak", SERVER, "3", value=0.2 * PAUSE_POINT)(series)
    level("group-peak", UP, "3", value=0.6 * PAUSE_POINT)(crowded)
    found = [each.spot.port for each in reports(crowded).findings if each.rule == "GroupPeak"]
    assert "GroupPeak" not in rules(reports(alone))
    assert found == [UP, SERVER]


@pytest.mark.parametrize(
    ("key", "value", "act"),
    [
        ("pauses", 20, rate("pause-received", SERVER, "3", per_second=20)),
        ("marked_share", 2.0, rate("ecn-marked", SERVER, "3", per_second=0.03 * PACKETS)),
        ("headroom_share", 50.0, share("headroom-peak", HEADROOM, 0.51)),
        ("buffer_share", 50.0, level("group-peak", SERVER, "3", value=0.35 * PAUSE_POINT)),
        ("notified_share", 100.0, no_cnps),
        (
            "paused_share",
            1.0,
            both(
                rate("pause-received", SERVER, "3", per_second=1),
                rate("paused-time", SERVER, "3", per_second=20_000),
            ),
        ),
    ],
)
def test_a_limit_of_the_site_decides(key: str, value: float, act: Act) -> None:
    series = calm()
    act(series)
    stricter = reports(series, limits=WatchLimits(**{key: value}))  # type: ignore[arg-type]
    usual = WatchLimits(notified_share=0.1)  # far below the CNPs of these cases
    assert len(stricter.above) > len(reports(series, limits=usual).above)
