"""The dynamic threshold: alpha and its spellings, and where pause sets in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.units import Bytes


@dataclass(frozen=True, slots=True, order=True)
class Alpha:
    """alpha = 2 ** exponent: a queue may hold at most alpha times what is free."""

    exponent: int

    @property
    def ratio(self) -> Fraction:
        """Alpha itself."""
        return Fraction(2) ** self.exponent

    @property
    def dynamic_th(self) -> int:
        """SONiC's spelling: n for 2**n, -8 to 7. ValueError outside."""
        raise NotImplementedError

    @property
    def devlink_th(self) -> int:
        """devlink-sb's spelling: t for 2**(t-10), 0 to 20. ValueError outside."""
        raise NotImplementedError

    @classmethod
    def from_dynamic_th(cls, threshold: int) -> Alpha:
        """Read SONiC's spelling."""
        raise NotImplementedError

    @classmethod
    def from_devlink_th(cls, threshold: int) -> Alpha:
        """Read devlink-sb's spelling."""
        raise NotImplementedError


def pause_threshold(shared: Bytes, alpha: Alpha, ports: int, classes: int) -> Bytes:
    """Return the occupancy of one group at which pause is sent with all of them congested.

    alpha * shared / (1 + alpha * ports * classes), rounded down: a threshold promised too high
    would let pause come before marking.
    """
    raise NotImplementedError
