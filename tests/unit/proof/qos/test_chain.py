"""From pairs of ports: a hop that answers with another priority, a cable whose ends differ."""

from dataclasses import replace

from tests.unit.proof.qos.ports import CLASSES, GOOD, QOS, other

from fabricgen.prove.qos.verify import judge_hop, judge_link


def test_a_sound_pair_has_no_fault() -> None:
    assert judge_hop(GOOD, GOOD, QOS) == ()
    assert judge_link(GOOD, GOOD) == ()


def test_queues_may_have_other_numbers_on_the_two_ends() -> None:
    moved = replace(GOOD, queues=other(GOOD.queues, 3, 5), stops=other(GOOD.stops, 3, 5))
    assert judge_hop(GOOD, moved, QOS) == ()
    assert judge_link(GOOD, moved) == ()


def test_a_pause_that_is_answered_with_another_priority_is_found() -> None:
    assert (GOOD.stopped_by(3), GOOD.sent_for(26)) == (3, 3)
    four = replace(GOOD, paused=frozenset({4}), fills=other(GOOD.fills, 4, 3))
    assert four.sent_for(26) == 4
    said = judge_hop(four, GOOD, QOS)
    assert said == ("DSCP 26 is stopped by a pause of 3 and sends one of 4; it must be 3",)


def test_packets_that_a_pause_stops_though_they_are_lossy_are_found() -> None:
    crossed = replace(GOOD, classes=other(CLASSES, 48, 3))
    assert "DSCP 48 is stopped by a pause of 3" in judge_hop(crossed, GOOD, QOS)[0]


def test_ends_that_differ_are_found() -> None:
    deaf = replace(GOOD, paused=frozenset())
    assert "has PFC for [3], the other end for []" in judge_link(GOOD, deaf)[0]
    assert "has MTU 9000, but the other end 1500" in judge_link(GOOD, replace(GOOD, mtu=1500))[0]
    elsewhere = replace(GOOD, classes=other(CLASSES, 26, 0))
    assert "has DSCP 26 in a queue that priority None stops" in judge_link(elsewhere, GOOD)[0]


def test_a_class_that_cannot_be_stops_nothing() -> None:
    odd = replace(GOOD, classes=other(CLASSES, 26, 9))
    assert odd.sent_for(26) is None
    assert odd.queue(9) is None
