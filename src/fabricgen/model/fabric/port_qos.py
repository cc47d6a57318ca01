"""Defines the QoS that rendered files configure on each port, in vendor-neutral terms.

None means that the file has no value and no source gives the default of the switch.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from fabricgen.core.record import record

DSCPS = range(64)
PRIORITIES = range(8)
UNKNOWN: tuple[int | None, ...] = (None,) * len(PRIORITIES)
IDENTITY: tuple[int | None, ...] = tuple(PRIORITIES)


class Lack(StrEnum):
    """What a switch cannot be told, so that its file need not say it; the compiler says so."""

    WATCHDOG = "PFC watchdog"
    HEADROOM = "bytes of headroom"


class Serving(NamedTuple):
    """How a queue is served: strictly, or by its share in percent of what those leave over."""

    strict: bool
    share: float | None


class Marks(NamedTuple):
    """ECN marking of a queue: bytes at which it begins and ends, percent marked at the end.

    spares: packets that cannot be marked are kept, where the switch is told either.
    """

    minimum: int
    maximum: int
    percent: float
    spares: bool | None = None


class Watch(NamedTuple):
    """PFC watchdog of a port, in milliseconds.

    by_software: one process polls all ports of the switch, so the timers depend on their number.
    """

    poll: float | None
    detection: float | None
    restoration: float | None
    action: str | None
    by_software: bool = False


@record(eq=False, kw_only=True)
class PortQos:
    """One port. Equal ports of a file are one object, so that they are judged once.

    classes: by DSCP. queues, groups: by class. paused: priorities PFC is on for, both ways. stops:
    the queue that a pause stops, by priority. fills: the group that pauses when full, by priority.
    headroom: bytes by lossless group, None where the switch computes them itself. alpha: threshold
    exponent by lossless group. serving, marks: by queue. keeps: queues whose memory never drops,
    None where the switch sees to it. watched: priorities of the watchdog. cable: meters the
    headroom is for. rate: bit/s that are counted on. sends: bit/s of its scheduler, None where that
    is the speed. default: class of what has no DSCP. implied:
    DSCPs that are left to the platform's own map. numbered: classes have the numbers of the model.
    sized: headroom counts the whole buffer of a group. faults: what contradicts.
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
    default: int | None = None
    implied: frozenset[int] = frozenset()
    numbered: bool = True
    sized: bool = False
    faults: tuple[str, ...] = ()

    def queue(self, number: int | None) -> int | None:
        """Return the queue of a class; a class that cannot be has none."""
        return self.queues[number] if number is not None and number in PRIORITIES else None

    def group(self, number: int | None) -> int | None:
        """Return the priority group of a class."""
        return self.groups[number] if number is not None and number in PRIORITIES else None

    def sent_for(self, dscp: int) -> int | None:
        """Return the priority whose pause this port sends when the class of a DSCP is full."""
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
    """One switch. faults: what no reader understands, and tables that contradict each other."""

    ports: Mapping[str, PortQos]
    faults: tuple[str, ...]
    lacks: frozenset[Lack] = frozenset()


def unreadable(why: str) -> QosState:
    """Return the state of a switch whose file cannot be read: nothing is known of any port."""
    return QosState({}, (why,))
