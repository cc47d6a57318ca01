"""Define the events that a running push reports."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class EventKind(StrEnum):
    """Event of a push (begun), a batch (batch, gate, over), or one switch.

    moved: a switch changed since the plan, so no batch begins. left: state on a switch that no
    rendered configuration creates or removes.
    """

    BEGUN = "begun"
    MOVED = "moved"
    BATCH = "batch"
    READY = "ready"
    COMMITTED = "committed"
    REMARK = "remark"
    BESIDE = "beside"
    PINGED = "pinged"
    UNSEEN = "unseen"
    GATE = "gate"
    OLD = "old"
    LEFT = "left"
    LOST = "lost"
    ENDED = "ended"
    OVER = "over"
    RECOVERED = "recovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event. batch: its number, counted from 1; 0 outside of batches."""

    what: EventKind
    batch: int = 0
    switch: str = ""
    said: str = ""


Tell = Callable[[Event], None]
