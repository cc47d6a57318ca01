"""`watch` reads written SONiC switches from a real Redis, with names that fit the model."""

import time

import pytest
from tests.written.sonic.served import Served, Written, written
from tests.written.sonic.site import LOSSLESS, designed

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.sonic.show.reader import SONIC
from fabricgen.operate.state.watch.looks import METRICS, Look, Seen, seen_of
from fabricgen.operate.state.watch.plans import lossless_plans
from fabricgen.operate.state.watch.report import Report, Watcher

FRAMES = 10_000_000
"""More than the limit in any time that a test takes."""


def seen(redis: Served, switch: Written) -> Seen:
    answers = redis.asked(switch, SONIC.fast_questions(METRICS))
    return seen_of(SONIC, SONIC.parse(answers), time.monotonic())


def report(redis: Served, before: Written, now: Written) -> Report:
    plans = lossless_plans(designed(now.switch.release), [LOSSLESS])
    watcher = Watcher(plans, WatchLimits(), sources={"sonic": SONIC.sources})
    for each in (before, now):
        found = seen(redis, each)
        last = watcher.report(Look(taken=found.taken, seen={LOSSLESS: found}))
    return last


def test_a_look_asks_few_questions() -> None:
    keys = {each.key for each in SONIC.fast_questions(METRICS)}
    assert {"clock", "port_counters", "queue_counters", "group_counters", "polls"} <= keys
    assert len(keys) < 12 < len(SONIC.questions({}))


@pytest.mark.parametrize(
    ("release", "uncounted"),
    [("202405", {"ecn-marked", "paused-time"}), ("master", {"pool-headroom-peak"})],
)
def test_every_value_of_the_model_is_counted_where_the_release_counts_it(
    redis: Served, release: str, uncounted: set[str]
) -> None:
    switch = written(LOSSLESS, release)
    found = report(redis, switch, switch)
    absent = {each.reason.partition(" ")[0] for each in found.gaps}
    assert absent == uncounted  # the written databases have no peak of a pool
    assert [each.rule for each in found.above] == []
    assert len(found.tightest) > 0


def test_planted_counters_are_found_at_their_server(redis: Served) -> None:
    before = written(LOSSLESS, "master")
    now = before.copy()
    plan = lossless_plans(designed("master"), [LOSSLESS])[LOSSLESS]
    port = next(each for each in plan.lossless if each.to_server)
    now.counters(port.name)["SAI_PORT_STAT_PFC_3_RX_PKTS"] = str(FRAMES)
    now.counters(f"queue {port.name}:3")["SAI_QUEUE_STAT_DROPPED_PACKETS"] = "12"
    found = report(redis, before, now)
    assert {(each.rule, each.spot.far) for each in found.above} == {
        ("SlowReceiver", port.far),
        ("QueueDrop", port.far),
    }
    slow = next(each for each in found.above if each.rule == "SlowReceiver")
    assert slow.spot.sentence.startswith(f"{port.far} pauses {LOSSLESS} ")
    assert "COUNTERS" in slow.read
    assert slow.sampled == 1
