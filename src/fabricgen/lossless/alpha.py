"""The dynamic threshold: alpha and its spellings, and the occupancy at which pause is sent."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fabricgen.units import Bytes

_DYNAMIC_TH = range(-8, 8)  # sonic-buildimage@086b03bd yang-models/sonic-buffer-profile.yang
_DEVLINK_TH = range(21)  # man devlink-sb, iproute2 6.1.0
_DEVLINK_ONE = 10  # threshold 10 is alpha 1


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
        return _within(self.exponent, _DYNAMIC_TH, "dynamic_th")

    @property
    def devlink_th(self) -> int:
        """devlink-sb's spelling: t for 2**(t-10), 0 to 20. ValueError outside."""
        return _within(self.exponent + _DEVLINK_ONE, _DEVLINK_TH, "devlink-sb threshold")

    @classmethod
    def from_dynamic_th(cls, threshold: int) -> Alpha:
        """Read SONiC's spelling."""
        return cls(_within(threshold, _DYNAMIC_TH, "dynamic_th"))

    @classmethod
    def from_devlink_th(cls, threshold: int) -> Alpha:
        """Read devlink-sb's spelling."""
        return cls(_within(threshold, _DEVLINK_TH, "devlink-sb threshold") - _DEVLINK_ONE)

    def __str__(self) -> str:
        """Return 8, 1 or 1/16."""
        return str(self.ratio)


def _within(value: int, allowed: range, name: str) -> int:
    if value not in allowed:
        raise ValueError(f"{name} {value} is not within {allowed.start} to {allowed.stop - 1}")
    return value


def group_limit(alpha: Alpha, groups: int) -> Fraction:
    """Return the part of a shared pool each of `groups` congested groups settles at.

    A group may hold alpha x free; with all of them at that limit free is 1 / (1 + alpha x groups).
    """
    return alpha.ratio / (1 + alpha.ratio * groups)


def pause_threshold(shared: Bytes, alpha: Alpha, ports: int, classes: int) -> Bytes:
    """Return the occupancy of one group at which pause is sent with all of them congested.

    alpha * shared / (1 + alpha * ports * classes), rounded down: marking has to begin below it,
    so a threshold promised too high would let pause come first.
    """
    return Bytes(int(shared * group_limit(alpha, ports * classes)))
