"""Data that has to be at another site, and a window for it, in; the rate that takes, out.

Terabytes are 10^12 bytes, and a rate is that of the data: what protocols add is not in it.
"""

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond

_HOUR = 3600


def rate(bits: float) -> str:
    """Spell bits per second."""
    return f"{BitsPerSecond(round(bits))}b/s"


@record(kw_only=True)
class Transfer:
    """Data between sites. wan: bits per second that the links between them have, 0 if not said."""

    terabytes: float
    hours: float
    growth: float
    wan: int

    @property
    def bits(self) -> float:
        """Return the bits that there are, with growth."""
        return self.terabytes * self.growth * 8e12

    @property
    def needed(self) -> float:
        """Return the bits per second that the window asks for."""
        return self.bits / (self.hours * _HOUR)

    @property
    def fits(self) -> bool:
        """Tell whether the links carry it in time; nothing is asked of links that are not said."""
        return not self.wan or self.needed <= self.wan

    @property
    def sentence(self) -> str:
        """Say what it takes, and how long the links are at it."""
        asked = f"{self.terabytes:g} TB x {self.growth:g} to another site in {self.hours:g} h"
        told = f"{asked} take {rate(self.needed)}"
        if not self.wan:
            return told
        spent = self.bits / self.wan / _HOUR
        sign = "<=" if self.fits else ">"
        return f"{told} {sign} {rate(self.wan)} between the sites, which carry it in {spent:.3g} h"
