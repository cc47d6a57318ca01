"""Which class a DSCP is in, which are paused, and what a class follows from."""

import pytest

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.port_qos import IDENTITY, UNKNOWN, PortQos, unreadable
from fabricgen.model.fabric.qos import Kind, Qos, TrafficClass, Watchdog, reason

WHY = Provenance((("backend", "roce"), ("site",)), "RoCE")
CLASSES = (
    TrafficClass(kind=Kind.LOSSLESS, number=3, dscps=(26,), share=60, paused=3),
    TrafficClass(kind=Kind.STORAGE, number=4, dscps=(34, 36), share=20, paused=0),
    TrafficClass(kind=Kind.CNP, number=6, dscps=(48,), strict=True),
    TrafficClass(kind=Kind.BEST_EFFORT, number=1, dscps=(0, 1), share=20),
)
DESIGN = Qos(profile="p", source="s", classes=CLASSES, watchdog=None, because=WHY)


WATCHDOG = Watchdog(
    poll=Milliseconds(100),
    detection=Milliseconds(200),
    restoration=Milliseconds(300),
    action="drop",
    because=WHY,
)


@pytest.mark.parametrize("ports", range(1, 400, 13))
def test_timers_are_those_of_sonic_for_that_many_ports(ports: int) -> None:
    """As `pfcwd start_default` computes them: sonic-utilities pfcwd/main.py."""
    times = max(1, (ports - 1) // 32 + 1)
    grown = WATCHDOG.polling(ports)
    assert grown.poll == min(100 * times, 1000)
    assert (grown.detection, grown.restoration) == (200 * times, 300 * times)
    assert (f"{ports} ports" in grown.because.rule) is (times > 1)


def test_a_class_is_paused_whatever_its_priority_and_priority_0_too() -> None:
    assert DESIGN.lossless == CLASSES[:2]
    assert DESIGN.paused == (3, 0)


@pytest.mark.parametrize(("dscp", "number"), [(26, 3), (34, 4), (36, 4), (48, 6), (1, 1)])
def test_a_dscp_is_in_the_class_that_lists_it(dscp: int, number: int) -> None:
    assert DESIGN.class_of(dscp).number == number


def test_what_nothing_claims_is_best_effort() -> None:
    assert DESIGN.best_effort is CLASSES[3]


def test_storage_follows_from_words_of_its_own_and_all_else_from_those_of_roce() -> None:
    for item in CLASSES:
        if item.kind is not Kind.STORAGE:
            assert reason(DESIGN, item) is WHY
    assert reason(DESIGN, CLASSES[1]).paths == (("backend", "roce", "storage"), *WHY.paths)


def port(queues: tuple[int | None, ...], groups: tuple[int | None, ...]) -> PortQos:
    return PortQos(
        up=True,
        mtu=9214,
        trust="dscp",
        classes=(None,) * 64,
        queues=queues,
        groups=groups,
        paused=frozenset(),
        stops=UNKNOWN,
        fills=UNKNOWN,
        headroom={},
        alpha={},
        serving={},
        marks={},
        keeps=None,
        watch=None,
        watched=frozenset(),
    )


def test_a_class_has_its_queue_and_group_and_one_that_cannot_be_has_none() -> None:
    one = port(IDENTITY, UNKNOWN)
    assert [one.queue(number) for number in range(8)] == list(range(8))
    assert [one.group(number) for number in range(8)] == [None] * 8
    other = port(UNKNOWN, tuple(reversed(range(8))))
    assert [other.group(number) for number in range(8)] == list(range(7, -1, -1))
    for number in (None, -1, 8):
        assert (one.queue(number), other.group(number)) == (None, None)


def test_of_a_switch_whose_file_cannot_be_read_only_that_is_known() -> None:
    state = unreadable("no JSON")
    assert (state.ports, state.faults, state.lacks) == ({}, ("no JSON",), frozenset())
