"""Incast on one switch, N ports into one: a case in, what happened out. Exact to one cell.

Assumptions (docs/evidence/incast.md says what they leave out):
- Every sender sends frames back to back at line rate from time 0, the first of port k shifted by
  k/N of its cycle of frames, so that the ports are in every phase of a frame at once.
- A frame of F bytes takes F + 20 on the wire (preamble 8, gap 12). Its cells are charged to its
  ingress group when their first byte arrives and released when the frame has left the switch.
- A pause frame waits for the largest frame that the switch has just begun to send to that port,
  takes 72 bytes itself, crosses the cable, and works after the peer's response time; the peer
  then finishes the frame it is in. Pause holds until the resume, which travels the same way.
- A frame is marked by the length of the egress queue when it leaves it, as in the simulator of
  the HPCC paper (alibaba-edu/High-Precision-Congestion-Control, SwitchNode::SwitchNotifyDequeue),
  or when it joins it, as RED was first written. The receiver answers marked frames with at most
  one notification per flow and interval, on a queue that never waits.
- Time is whole picoseconds; a fixed seed draws the marks; no clock is read.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from bench.incast.dcqcn import MICROSECOND, Dcqcn, ReactionPoint
from bench.incast.switch import Buffer, Marking, Memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.core.units import BitsPerSecond, Bytes, Meters

PREAMBLE, GAP, PAUSE_FRAME = 8, 12, 64
CABLE = 5_000  # ps per meter: 5 ns, as the wire model counts
SECOND = 10**12
BYTE_ACCOUNTING = 1  # a cell of one byte: bytes are counted as they are
PIECE = 64  # in which byte accounting counts them: the smallest frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One run: the links, the frames, the switch's memory and the senders' manners."""

    speed: BitsPerSecond
    cable: Meters
    senders: int
    memory: Memory
    response: Bytes  # what the peer still sends between seeing the pause and obeying it
    frames: tuple[int, ...] = (9216,)  # sizes, sent in turn
    largest_frame: int = 9216  # that the switch itself may be sending when it wants to pause
    cell: int = BYTE_ACCOUNTING
    pause: bool = True
    egress_blocked: bool = False  # the receiver pauses the egress port for the whole run
    marking: Marking | None = None
    marks_arrivals: bool = False  # else departures
    dcqcn: Dcqcn | None = None
    feedback: int = MICROSECOND  # of NICs and switch on a notification's way back, beside cables
    duration: int = 1_000 * MICROSECOND
    seed: int = 1


@dataclass(slots=True)
class Outcome:
    """What happened; times in picoseconds, one entry per event."""

    queue: list[tuple[int, int]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    drops: list[int] = field(default_factory=list)
    pauses: list[tuple[int, int]] = field(default_factory=list)
    resumes: list[tuple[int, int]] = field(default_factory=list)
    notifications: int = 0
    delivered: int = 0
    peak_headroom: int = 0
    first_pause_queue: int = 0

    @property
    def peak_queue(self) -> int:
        return max((queued for _, queued in self.queue), default=0)


@dataclass(slots=True)
class _Sender:
    point: ReactionPoint | None
    free_at: int = 0
    turn: int = 0
    paused: bool = False
    waiting: bool = True  # for a start that is not in the calendar yet
    lost: bool = False  # the frame that is arriving
    held: int = 0
    last_notified: int = -SECOND


@dataclass(slots=True)
class _Frame:
    port: int
    size: int
    held: int
    ready: int
    marked: bool


class _Run:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.outcome = Outcome()
        self.buffer = Buffer(case.memory, case.senders)
        self.dice = Random(case.seed)  # noqa: S311  # draws marks, not secrets
        self.byte_time = 8 * SECOND // case.speed
        self.cable_time = case.cable * CABLE
        self.senders = [
            _Sender(ReactionPoint(case.dcqcn, float(case.speed)) if case.dcqcn else None)
            for _ in range(case.senders)
        ]
        self.queued = 0
        self.egress: deque[_Frame] = deque()
        self.egress_idle = not case.egress_blocked
        self.now = 0
        self.order = 0
        self.calendar: list[tuple[int, int, Callable[[int, int, int], None], int, int, int]] = []

    def at(
        self, time: int, act: Callable[[int, int, int], None], port: int, a: int = 0, b: int = 0
    ) -> None:
        self.order += 1
        heapq.heappush(self.calendar, (time, self.order, act, port, a, b))

    def run(self) -> Outcome:
        cycle = sum(size + PREAMBLE + GAP for size in self.case.frames) * self.byte_time
        for port, sender in enumerate(self.senders):
            sender.waiting = False
            self.at(port * cycle // self.case.senders, self.start, port)
        while self.calendar and self.calendar[0][0] <= self.case.duration:
            self.now, _, act, port, a, b = heapq.heappop(self.calendar)
            act(port, a, b)
        self.outcome.peak_headroom = self.buffer.peak_headroom
        return self.outcome

    # ── the senders ──────────────────────────────────────────────────────────

    def start(self, port: int, _a: int, _b: int) -> None:
        sender = self.senders[port]
        if sender.paused:
            sender.waiting = True
            return
        size = self.case.frames[sender.turn % len(self.case.frames)]
        sender.turn += 1
        wire = size + PREAMBLE + GAP
        spacing = wire * self.byte_time
        if sender.point:
            sender.point.count(wire)
            spacing = max(spacing, round(wire * 8 * SECOND / sender.point.rate))
        sender.free_at = self.now + spacing
        self.at(sender.free_at, self.start, port)
        self.at(self.now + PREAMBLE * self.byte_time + self.cable_time, self.arrive, port, size)

    def obey(self, port: int, pause: int, _b: int) -> None:
        sender = self.senders[port]
        sender.paused = bool(pause)
        if sender.waiting and not sender.paused:
            sender.waiting = False
            self.at(self.now, self.start, port)

    def slow_down(self, port: int, _a: int, _b: int) -> None:
        point = self.senders[port].point
        assert point
        point.notify()
        self.outcome.notifications += 1
        self.at(self.now + point.rules.alpha_timer, self.alpha_timer, port, point.notified)
        self.at(self.now + point.rules.rate_timer, self.rate_timer, port, point.notified)

    def alpha_timer(self, port: int, notified: int, _b: int) -> None:
        point = self.senders[port].point
        if point and point.notified == notified:
            point.forget()
            self.at(self.now + point.rules.alpha_timer, self.alpha_timer, port, notified)

    def rate_timer(self, port: int, notified: int, _b: int) -> None:
        point = self.senders[port].point
        if point and point.notified == notified:
            point.timer()
            self.at(self.now + point.rules.rate_timer, self.rate_timer, port, notified)

    # ── the switch ───────────────────────────────────────────────────────────

    def arrive(self, port: int, size: int, offset: int) -> None:
        """Take in the next piece of a frame; the last one puts the frame into the queue."""
        sender = self.senders[port]
        counted = self.case.cell == BYTE_ACCOUNTING
        piece = min(PIECE if counted else self.case.cell, size - offset)
        charge = piece if counted else self.case.cell
        if offset == 0:
            sender.lost, sender.held = False, 0
        if not sender.lost:
            if self.buffer.admit(port, charge):
                sender.held += charge
                if self.buffer.open and self.case.pause:
                    self.request_pauses()
            else:
                sender.lost = True
                self.buffer.release(port, sender.held)
                self.outcome.drops.append(self.now)
        if offset + piece < size:
            self.at(
                self.now + piece * self.byte_time,
                self.arrive,
                port,
                size,
                offset + piece,
            )
        elif not sender.lost:
            self.enqueue(port, size, sender.held, self.now + piece * self.byte_time)

    def enqueue(self, port: int, size: int, held: int, ready: int) -> None:
        self.queued += held
        self.outcome.queue.append((self.now, self.queued))
        marked = self.case.marks_arrivals and self.marks()
        self.egress.append(_Frame(port, size, held, ready, marked))
        if self.egress_idle:
            self.send_next()

    def send_next(self) -> None:
        self.egress_idle = not self.egress
        if self.egress:
            wire = self.egress[0].size + PREAMBLE + GAP
            begin = max(self.now, self.egress[0].ready)
            self.at(begin + wire * self.byte_time, self.sent, self.egress[0].port)

    def sent(self, port: int, _a: int, _b: int) -> None:
        frame = self.egress.popleft()
        if (frame.marked or (not self.case.marks_arrivals and self.marks())) and self.case.dcqcn:
            self.notify(port, self.case.dcqcn)
        self.queued -= frame.held
        self.outcome.queue.append((self.now, self.queued))
        self.outcome.delivered += frame.size
        self.buffer.release(port, frame.held)
        for calm in self.buffer.newly_resumed():
            self.outcome.resumes.append((self.now, calm))
            self.tell(calm, pause=False)
        self.send_next()

    def marks(self) -> bool:
        """Throw the dice for one frame at the present queue, that frame included."""
        marking = self.case.marking
        marked = marking is not None and self.dice.random() < marking.chance(self.queued)
        if marked:
            self.outcome.marks.append(self.now)
        return marked

    def notify(self, port: int, rules: Dcqcn) -> None:
        """The receiver sees the mark one cable later and may notify the sender."""
        sender = self.senders[port]
        seen = self.now + self.cable_time
        if seen - sender.last_notified >= rules.cnp_interval:
            sender.last_notified = seen
            smallest = (PAUSE_FRAME + PREAMBLE + GAP) * self.byte_time
            back = 2 * (self.cable_time + smallest) + self.case.feedback
            self.at(seen + back, self.slow_down, port)

    def request_pauses(self) -> None:
        for full in self.buffer.newly_paused():
            if not self.outcome.pauses:
                self.outcome.first_pause_queue = self.queued
            self.outcome.pauses.append((self.now, full))
            self.tell(full, pause=True)

    def tell(self, port: int, *, pause: bool) -> None:
        own_frame = self.case.largest_frame + PREAMBLE + GAP
        wire = own_frame + PREAMBLE + PAUSE_FRAME + self.case.response
        self.at(self.now + wire * self.byte_time + self.cable_time, self.obey, port, int(pause))


def simulate(case: Case) -> Outcome:
    """Run one case to its end, or until nothing moves any more."""
    return _Run(case).run()
