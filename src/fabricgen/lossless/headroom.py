"""Headroom of one lossless priority group: a port and a chip in, bytes with their terms out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.units import Bytes

if TYPE_CHECKING:
    from fabricgen.lossless.chips import Chip
    from fabricgen.lossless.response import PauseResponse
    from fabricgen.lossless.terms import Term
    from fabricgen.units import BitsPerSecond, Metres


@dataclass(frozen=True, slots=True)
class Port:
    """One port: its line rate, the cable on it, its frames. Both MTUs count the whole frame."""

    speed: BitsPerSecond
    length: Metres
    mtu: Bytes
    lossless_mtu: Bytes
    lanes: int


@dataclass(frozen=True, slots=True)
class Headroom:
    """Bytes one priority group keeps for what arrives after pause; `terms` add up to `total`.

    error: how far the formula is from the vendor's own rows at worst, as a part of 1; None where
    the formula is the vendor's own or pure physics.
    """

    total: Bytes
    terms: tuple[Term, ...]
    model: str
    error: Fraction | None = None

    @property
    def upper(self) -> Bytes:
        """The total with the stated error on top: what to reserve where no vendor row exists."""
        raise NotImplementedError


class SmallPackets(StrEnum):
    """What `small_packet_percentage` counts in SONiC's dynamic model."""

    SHARE = "share"
    PERCENTAGE = "percentage"


@dataclass(frozen=True, slots=True)
class Traffic:
    """The packet mix headroom is computed for: `small_percent` % of 64-byte packets."""

    small_percent: int = 100
    counted: SmallPackets = SmallPackets.SHARE


WORST_CASE = Traffic()


def headroom(
    port: Port, chip: Chip, traffic: Traffic = WORST_CASE, response: PauseResponse | None = None
) -> Headroom:
    """Return the headroom by the model that holds for the chip.

    response None means the model's own default: see `response.default_response`.
    """
    raise NotImplementedError


def wire_minimum(port: Port, response: PauseResponse | None = None) -> Headroom:
    """Return the bytes on the wire alone: no chip can be lossless with fewer."""
    raise NotImplementedError
