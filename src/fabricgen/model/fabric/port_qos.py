"""Defines the QoS that rendered files configure on each port, in vendor-neutral terms.

None means that the file has no value and no source gives the default of the switch.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple

from fabricgen.core.record import record

DSCPS = range(64)
PRIORITIES = range(8)
UNKNOWN: tuple[int | None, ...] = (None,) * len(PRIORITIES)
IDENTITY: tuple[int | None, ...] = tuple(PRIORITIES)


class Lack(StrEnum):
    """Setting that a switch does not support, so its file omits it; the compiler reports it."""

    WATCHDOG = "PFC watchdog"
    HEADROOM = "bytes of headroom"
    TRIMMING = "packet trimming"


class Serving(NamedTuple):
    """Scheduling of a queue: strict, or its share in percent of the rest."""

    strict: bool
    share: float | None


class Marks(NamedTuple):
    """ECN marking of a queue: bytes at which it begins and ends, percent marked at the end.

    `spares`: packets that cannot be marked are kept, if the switch has that setting.
    """

    minimum: int
    maximum: int
    percent: float
    spares: bool | None = None


class Cut(NamedTuple):
    """Trimming of a queue: bytes that remain of a packet, its DSCP, and the queue it is sent in."""

    size: int | None
    dscp: int | None
    queue: int | None


class Watch(NamedTuple):
    """PFC watchdog of a port, in milliseconds.

    `by_software`: one process polls all ports of the switch, so the timers depend on their number.
    """

    poll: float | None
    detection: float | None
    restoration: float | None
    action: str | None
    by_software: bool = False


@record(eq=False, kw_only=True)
class PortQos:
    """One port. Equal ports of a file are one object, so they are checked once.

    `classes`: by DSCP. `queues`, `groups`: by class. `paused`: priorities with PFC in both
    directions. `stops`: the queue that a pause stops, by priority. `fills`: the group that pauses
    when full, by priority. `headroom`: bytes by lossless group, None if the switch computes them.
    `alpha`: threshold exponent by lossless group. `serving`, `marks`: by queue. `keeps`: queues
    whose memory never drops, None if the switch ensures it. `watched`: priorities of the watchdog.
    `cable`: meters that the headroom is for. `rate`: assumed bit/s. `sends`: bit/s of its
    scheduler, None for the speed. `cuts`: trimming by queue. `default`: class of packets
    without DSCP. `implied`: DSCPs that use the platform's own map. `numbered`: classes have the
    numbers of the model. `sized`: headroom counts the whole buffer of a group. `faults`:
    contradictions.
    """

    up: bool
    mtu: int | None
    trust: str | None
    classes: tuple[int | None, ...]
    queues: tuple[int | None, ...]
    groups: tuple[int | None, ...]
    paused: frozenset[int]
    stops: tuple[int | None, ...]
    fills: tuple[int | None, ...]
    headroom: Mapping[int, int | None]
    alpha: Mapping[int, int]
    serving: Mapping[int, Serving]
    marks: Mapping[int, Marks]
    keeps: frozenset[int] | None
    watch: Watch | None
    watched: frozenset[int]
    cable: int | None = None
    rate: int | None = None
    sends: int | None = None
    cuts: Mapping[int, Cut] = field(default_factory=dict)
    default: int | None = None
    implied: frozenset[int] = frozenset()
    numbered: bool = True
    sized: bool = False
    faults: tuple[str, ...] = ()

    def queue(self, number: int | None) -> int | None:
        """Return the queue of a class; an invalid class has none."""
        return self.queues[number] if number is not None and number in PRIORITIES else None

    def group(self, number: int | None) -> int | None:
        """Return the priority group of a class."""
        return self.groups[number] if number is not None and number in PRIORITIES else None

    def sent_for(self, dscp: int) -> int | None:
        """Return the priority that this port pauses when the class of a DSCP is full."""
        group = self.group(self.classes[dscp])
        if group not in self.headroom:
            return None
        return next((p for p in self._real if self.fills[p] == group), None)

    def stopped_by(self, queue: int | None) -> int | None:
        """Return the priority whose pause stops a queue of this port."""
        return next((p for p in self._real if self.stops[p] == queue), None)

    @property
    def _real(self) -> list[int]:
        return sorted(self.paused & set(PRIORITIES))


@record(eq=False)
class QosState:
    """One switch. `faults`: lines that no reader recognizes, and contradicting tables."""

    ports: Mapping[str, PortQos]
    faults: tuple[str, ...]
    lacks: frozenset[Lack] = frozenset()


def unreadable(why: str) -> QosState:
    """Return the state of a switch with an unreadable file: no port is known."""
    return QosState({}, (why,))
