"""Round trip and bandwidth-delay product: cables and hops in, nanoseconds and bytes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.units import BitsPerSecond, Bytes, Metres


class Nanoseconds(int):
    """A time in whole nanoseconds."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Path:
    """The longest way between two NICs: its cables in order, and what each hop and NIC adds.

    There is one switch between two cables. Every figure is for one direction.
    """

    cables: tuple[Metres, ...]
    switch_latency: Nanoseconds
    nic_latency: Nanoseconds
    source: str = ""


@dataclass(frozen=True, slots=True)
class Delay:
    """One summand of a round trip."""

    name: str
    value: Nanoseconds
    source: str


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """An unloaded round trip; `terms` add up to `total`."""

    total: Nanoseconds
    terms: tuple[Delay, ...]


def round_trip(path: Path, speed: BitsPerSecond, mtu: Bytes) -> RoundTrip:
    """Return the unloaded round trip of a full frame there and a small one back."""
    raise NotImplementedError


def bandwidth_delay(speed: BitsPerSecond, trip: Nanoseconds) -> Bytes:
    """Return speed x round trip, in bytes rounded up."""
    raise NotImplementedError
