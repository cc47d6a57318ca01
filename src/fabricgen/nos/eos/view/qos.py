"""What the templates of QoS maps, profiles and the PFC watchdog may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Queue:
    """One transmit queue of a profile: its sub-mode and the lines in it, joined."""

    because: Because
    name: str
    says: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Profile:
    """A QoS profile: the lines for the port, joined, and its queues."""

    name: str
    says: str
    queues: tuple[Queue, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Profiles:
    """The QoS profiles of the port speeds in use."""

    shared: ClassVar[bool] = True
    because: Because
    profiles: tuple[Profile, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MapLine:
    """One line of the maps."""

    because: Because
    says: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Maps:
    """The lines from DSCP to traffic class to queue."""

    shared: ClassVar[bool] = True
    because: Because
    lines: tuple[MapLine, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Watchdog:
    """The PFC watchdog; times in seconds."""

    shared: ClassVar[bool] = True
    because: Because
    timeout: str
    recovery: str
    polling: str
    action: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quality:
    """Everything about traffic classes."""

    profiles: Profiles | None
    maps: Maps | None
    watchdog: Watchdog | None
