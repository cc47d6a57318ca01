"""Which headroom model holds for which chip: an ASIC's name and cell in, a `Chip` out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from fabricgen.units import Bytes


@dataclass(frozen=True, slots=True)
class SonicDynamic:
    """SONiC's dynamic model with one ASIC's parameters."""

    pipeline: Bytes
    mac_phy: Bytes
    tile: bool
    extra: Bytes
    source: str


@dataclass(frozen=True, slots=True)
class WireAndCells:
    """The 802.1Qbb sum times the worst amplification by cells: for chips without a better one."""

    source: str


@dataclass(frozen=True, slots=True)
class CellFit:
    """A fit to a vendor's rows: cells of a stream of 84-byte wire slots."""

    turn_ns: int
    constant: Bytes
    error: Fraction
    source: str


Model = SonicDynamic | WireAndCells | CellFit


@dataclass(frozen=True, slots=True)
class Chip:
    """An ASIC, the unit its buffer is handed out in, and the model that holds for it."""

    name: str
    cell: Bytes
    model: Model


def chip(asic: str, cell: Bytes | None) -> Chip:
    """Return the chip of that catalog name; an unknown one gets the general model."""
    raise NotImplementedError
