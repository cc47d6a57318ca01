"""From simulated incast: computed headroom holds, less does not, and ECN comes before pause."""

from dataclasses import replace
from itertools import product

import pytest
from bench.incast.__main__ import PAGE, PICTURE_FILE
from bench.incast.cases import MB, PICTURE, RULE, Story, incast, without_pause
from bench.incast.dcqcn import MICROSECOND, Dcqcn, ReactionPoint
from bench.incast.demand import (
    FRAME,
    MODELS,
    ONE,
    SMALLEST,
    SONIC_MIX,
    SPEEDS,
    WIRE,
    Model,
    blocked,
)
from bench.incast.page import fill, needed
from bench.incast.picture import draw
from bench.incast.simulation import GAP, PIECE, PREAMBLE, Case, Outcome, simulate
from bench.incast.switch import Buffer, Marking, Memory

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.budget import Alpha
from fabricgen.model.lossless.marking import Limits, judge

LENGTHS = tuple(Meters(meters) for meters in (5, 40, 100, 300))
SENDERS = (2, 8, 32)
# Every speed meets every length and every number of senders, and so does every length.
GRID = [
    (speed, length, SENDERS[(place + turn) % len(SENDERS)])
    for turn, speed in enumerate(SPEEDS)
    for place, length in enumerate(LENGTHS)
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize(("speed", "length", "senders"), GRID)
def test_nothing_is_lost_with_the_computed_headroom(
    model: Model, speed: BitsPerSecond, length: Meters, senders: int
) -> None:
    seen = simulate(blocked(model, speed, length, senders))
    assert len(seen.pauses) == senders  # the run has gone where headroom is needed
    assert seen.peak_headroom > 0
    assert not seen.drops


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("senders", SENDERS)
def test_nothing_is_lost_while_the_egress_drains_and_pauses_come_and_go(
    model: Model, senders: int
) -> None:
    case = blocked(model, SPEEDS[2], Meters(40), senders)
    seen = simulate(replace(case, egress_blocked=False, duration=100 * MICROSECOND))
    assert len(seen.pauses) > senders
    assert len(seen.resumes) >= senders
    assert not seen.drops


def smallest_without_drops(case: Case, enough: int) -> int:
    """Return by bisection the least headroom with which the case loses nothing."""
    too_little = 0
    while enough - too_little > 1:
        half = (too_little + enough) // 2
        if simulate(replace(case, memory=replace(case.memory, headroom=half))).drops:
            too_little = half
        else:
            enough = half
    return enough


@pytest.mark.parametrize("senders", [2, 8])
@pytest.mark.parametrize(
    ("speed", "length"), [(SPEEDS[0], 5), (SPEEDS[1], 40), (SPEEDS[2], 40), (SPEEDS[3], 5)]
)
def test_the_least_headroom_lies_between_the_wire_minimum_and_one_frame_less(
    speed: BitsPerSecond, length: int, senders: int
) -> None:
    """With few ports the last frame of the peer may begin early: that is the one frame."""
    case = blocked(WIRE, speed, Meters(length), senders)
    least = smallest_without_drops(case, 2 * case.memory.headroom)
    wire, frame = case.memory.headroom, FRAME + PREAMBLE + GAP
    stored = (wire - frame) * FRAME // frame  # preambles and gaps are on the wire, not in memory
    assert stored - 2 * PIECE <= least <= wire
    assert least == needed(case)  # what bisection finds is what ample headroom is seen to hold


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("length", LENGTHS[::3])
def test_with_all_phases_present_the_wire_minimum_is_needed_to_one_percent(
    speed: BitsPerSecond, length: Meters
) -> None:
    case = blocked(WIRE, speed, length, 32)
    assert 0.99 < needed(case) / case.memory.headroom <= 1


@pytest.mark.parametrize("length", LENGTHS[::3])
def test_less_than_the_wire_minimum_loses_frames(length: Meters) -> None:
    for speed in SPEEDS:
        case = blocked(WIRE, speed, length, 32)
        less = replace(case.memory, headroom=case.memory.headroom * 98 // 100)
        assert simulate(replace(case, memory=less)).drops


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_mix_of_packets_is_no_headroom_for_small_ones(speed: BitsPerSecond) -> None:
    """SONiC's profile for half small packets holds for them, and not for nothing but small ones."""
    mixed = blocked(SONIC_MIX, speed, Meters(40), 8)
    assert not simulate(mixed).drops
    assert simulate(replace(mixed, frames=(SMALLEST,))).drops


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_longer_cable_than_stated_loses_frames(speed: BitsPerSecond) -> None:
    assert simulate(replace(blocked(WIRE, speed, Meters(40), 32), cable=Meters(100))).drops


# ── marks and pauses ─────────────────────────────────────────────────────────


def marking_first(seen: Outcome) -> bool:
    """Tell whether a frame was marked before any port was paused."""
    return bool(seen.marks) and (not seen.pauses or seen.marks[0] < seen.pauses[0][0])


def at_the_rule(speed: BitsPerSecond, senders: int, pool: int, alpha: Alpha) -> Case:
    """Return a case with Kmax at the pause threshold of all ports, frames in flight taken off."""
    memory = Memory(pool=Bytes(pool), alpha=alpha, headroom=SONIC_MIX.headroom(speed, Meters(40)))
    highest = senders * (memory.pause_at(senders) - 4158 - SONIC_MIX.cell)
    return Case(
        speed=speed,
        cable=Meters(40),
        senders=senders,
        memory=memory,
        response=SONIC_MIX.peer(speed),
        frames=(4158,),
        cell=SONIC_MIX.cell,
        marking=Marking(lowest=highest // 4, highest=highest, probability=0.05),
        marks_arrivals=True,
        dcqcn=Dcqcn(),
        duration=40 * MICROSECOND * SPEEDS[3] // speed,
    )


@pytest.mark.parametrize("speed", [SPEEDS[0], SPEEDS[3]])
@pytest.mark.parametrize("senders", [2, 4, 8, 16, 32])
def test_marks_come_first_when_the_rule_holds(speed: BitsPerSecond, senders: int) -> None:
    """Kmax <= N x pause threshold, down to the last frame, and even with few bytes to share."""
    for pool, alpha in product((MB // 2, 2 * MB), (Alpha(0), Alpha(-2))):
        case = at_the_rule(speed, senders, pool, alpha)
        assert marking_first(simulate(case))


@pytest.mark.parametrize("speed", [SPEEDS[0], SPEEDS[3]])
@pytest.mark.parametrize("senders", [2, 4, 8, 16, 32])
def test_pauses_come_first_when_the_rule_is_broken(speed: BitsPerSecond, senders: int) -> None:
    """The same marking points, and an alpha under which even Kmin lies above all the groups."""
    case = at_the_rule(speed, senders, 2 * MB, ONE)
    assert case.marking
    memory = replace(case.memory, alpha=Alpha(-8))
    assert senders * memory.pause_at(senders) < case.marking.lowest
    seen = simulate(replace(case, memory=memory))
    assert seen.pauses
    assert not marking_first(seen)
    assert not seen.drops


def test_the_stories_of_the_page() -> None:
    for story in RULE:
        seen, marking = story.seen, story.case.marking
        assert marking
        limits = Limits(mtu=Bytes(4158), pause_at=story.port_pauses_at, feeding=story.case.senders)
        verdicts = judge(Bytes(marking.lowest), Bytes(marking.highest), 20, limits)
        if all(verdict.holds for verdict in verdicts):  # what the compiler would let pass
            assert marking_first(seen), story.title
        if marking.lowest >= story.queue_at_pause:
            assert not marking_first(seen), story.title
        assert bool(seen.drops) is not story.case.pause, story.title


def test_pauses_come_at_the_threshold_the_formula_gives() -> None:
    """Alpha x pool / (1 + alpha x N): reached within the frames that are still arriving."""
    for senders, alpha in product((2, 16), (ONE, Alpha(-3), Alpha(-6))):
        story = Story("", replace(incast(senders, 12 * MB, alpha), dcqcn=None))
        seen = simulate(story.case)
        arriving = senders * (4158 + 2 * SONIC_MIX.cell)
        assert 0 <= story.queue_at_pause - seen.first_pause_queue <= arriving


def test_without_pause_and_headroom_frames_are_lost() -> None:
    for senders in (2, 16):
        seen = simulate(without_pause(incast(senders, 4 * MB, ONE)))
        assert seen.drops
        assert not seen.pauses
        assert seen.peak_headroom == 0


# ── the parts ────────────────────────────────────────────────────────────────


def test_the_same_seed_gives_the_same_run_and_another_seed_other_marks() -> None:
    case = PICTURE[0].case
    seen = simulate(case)
    assert seen == simulate(case)
    assert seen.marks != simulate(replace(case, seed=2)).marks


def test_the_law_of_marking() -> None:
    law = Marking(lowest=100, highest=300, probability=0.2)
    assert [law.chance(queue) for queue in (99, 100, 200, 300, 301)] == [0, 0, 0.1, 0.2, 1]


def test_the_buffer_gives_back_what_it_took_headroom_first() -> None:
    buffer = Buffer(Memory(pool=Bytes(1000), alpha=ONE, headroom=200, resume_offset=0), 1)
    taken = 0
    while buffer.admit(0, 100):
        taken += 100
    assert (buffer.shared[0], buffer.headroom[0], taken) == (500, 200, 700)
    assert buffer.newly_paused() == [0]
    buffer.release(0, 300)
    assert (buffer.shared[0], buffer.headroom[0], buffer.used) == (400, 0, 400)
    assert buffer.newly_resumed() == [0]
    buffer.release(0, 400)
    assert (buffer.used, buffer.peak_headroom) == (0, 200)


def test_a_notification_halves_the_rate_and_fast_recovery_brings_it_back() -> None:
    point = ReactionPoint(Dcqcn(), 400e9)
    point.notify()
    assert (point.rate, point.target) == (200e9, 400e9)
    for expected in (300e9, 350e9, 375e9, 387.5e9):
        point.timer()
        assert point.rate == expected
    assert point.target == 400e9


def test_additive_then_hyper_increase_follow_fast_recovery() -> None:
    rules = Dcqcn()
    point = ReactionPoint(rules, 400e9)
    point.notify()
    point.notify()  # the target falls to 200 Gb/s
    for _ in range(rules.fast_recovery_steps - 1):
        point.timer()
    assert point.target == 200e9
    point.timer()
    assert point.target == 200e9 + rules.additive
    point.byte_steps = point.timer_steps = rules.fast_recovery_steps + 1
    point.timer()
    assert point.target == 200e9 + rules.additive + rules.hyper


def test_the_bytes_sent_step_the_rate_up_as_the_timer_does() -> None:
    point = ReactionPoint(Dcqcn(), 400e9)
    point.notify()
    point.count(Dcqcn().byte_counter)
    assert (point.byte_steps, point.rate) == (1, 300e9)


# ── what is published ────────────────────────────────────────────────────────


def test_the_picture_is_what_the_simulation_draws() -> None:
    assert PICTURE_FILE.read_text(encoding="utf-8") == draw(), "run: python -m bench.incast"


def test_the_tables_of_the_page_are_what_the_simulation_measures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == fill(page), "run: python -m bench.incast"
