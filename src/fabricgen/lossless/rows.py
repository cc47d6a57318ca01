"""A vendor's row beside the computed headroom: both in; which is used, why, and how far apart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from fabricgen.lossless.headroom import Headroom, Port
    from fabricgen.units import BitsPerSecond, Bytes, Metres


@dataclass(frozen=True, slots=True)
class Row:
    """What a vendor ships for one speed and cable: `headroom` is the room left at pause."""

    speed: BitsPerSecond
    length: Metres
    headroom: Bytes
    source: str


class Rule(StrEnum):
    """Why this value is used."""

    SHIPPED = "shipped row of this speed and cable"
    SHIPPED_LONGER = "shipped row of this speed and the next longer cable"
    COMPUTED = "computed: no shipped row of this speed is long enough"


@dataclass(frozen=True, slots=True)
class Compared:
    """`difference` is (computed - shipped) / shipped at the row's own cable; None without a row."""

    computed: Headroom
    shipped: Row | None
    used: Bytes
    rule: Rule
    difference: Fraction | None

    @property
    def warning(self) -> str | None:
        """One sentence when computed and shipped are more than 10 % apart."""
        raise NotImplementedError


def compare(port: Port, computed: Headroom, rows: Iterable[Row]) -> Compared:
    """Put the row that covers the port beside the computed value and choose."""
    raise NotImplementedError
