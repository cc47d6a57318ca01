"""Buffer budget of one switch: its memory and its ports in; what is left to share, or missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.units import Bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.lossless.alpha import Alpha
    from fabricgen.lossless.terms import Term
    from fabricgen.units import BitsPerSecond, Metres


@dataclass(frozen=True, slots=True)
class Reserved:
    """What is gone before anything is shared. Per port counts every port that is up."""

    per_port: Bytes = Bytes(0)
    per_group: Bytes = Bytes(0)
    management: Bytes = Bytes(0)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """The packet memory of one switch: what a configuration may use, in cells."""

    total: Bytes
    cell: Bytes
    reserved: Reserved = Reserved()


@dataclass(frozen=True, slots=True)
class HeadroomPool:
    """Headroom shared by all ports: the sum divided by `over_subscription`, less private room.

    private: bytes of headroom each lossless port keeps for itself, outside the pool.
    """

    over_subscription: int
    private: Bytes = Bytes(0)


@dataclass(frozen=True, slots=True)
class PortGroup:
    """`count` ports of one speed and cable; `headroom` of each of their `classes` lossless groups.

    shorter: the headroom with shorter cables, (length, bytes); what a remedy may propose.
    A group with classes 0 is lossy and only pays the reservation per port.
    """

    speed: BitsPerSecond
    length: Metres
    count: int
    headroom: Bytes
    classes: int = 1
    shorter: tuple[tuple[Metres, Bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one group of ports asks for: count x classes x headroom, in whole cells."""

    group: PortGroup
    headroom: Bytes
    arithmetic: str


class Change(StrEnum):
    """The kinds of remedy."""

    SHORTER_CABLES = "shorter cables"
    OVER_SUBSCRIPTION = "over-subscription ratio"
    FEWER_LOSSLESS_PORTS = "fewer lossless ports"


@dataclass(frozen=True, slots=True)
class Remedy:
    """The smallest change of one kind that would fit: `value` metres, ratio or ports to give up."""

    change: Change
    value: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Budget:
    """terms (reservations, headroom, shared) add up to the memory's total.

    shared is negative when it does not fit. pause_at: occupancy of one lossless group at which
    pause is sent when all of them are congested; None when it does not fit.
    """

    memory: Memory
    terms: tuple[Term, ...]
    contributions: tuple[Contribution, ...]
    headroom: Bytes
    shared: Bytes
    missing: Bytes
    alpha: Alpha
    pause_at: Bytes | None
    remedies: tuple[Remedy, ...]

    @property
    def fits(self) -> bool:
        """Tell whether at least the wanted shared pool is left."""
        return self.missing == 0


def budget(
    memory: Memory,
    groups: Iterable[PortGroup],
    alpha: Alpha,
    pool: HeadroomPool | None = None,
    least_shared: Bytes = Bytes(0),
) -> Budget:
    """Add up the budget; with a pool the headroom is over-subscribed, without it fully reserved.

    least_shared: the shared pool that must be left for the answer to be yes.
    """
    raise NotImplementedError
