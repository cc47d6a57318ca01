"""Defines the bandwidth that a fabric must carry."""

from collections.abc import Mapping
from math import log

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond

OUTSIDE = frozenset({"ingest", "inference"})
"""Demands that also cross the external links."""


@record(kw_only=True)
class Demand:
    """Bandwidth in one direction that crosses every tier of a fabric at one time.

    `rates`: by purpose. `growth`: factor of all rates, reached after `years`, if that is known.
    """

    rates: Mapping[str, BitsPerSecond]
    growth: float
    years: float | None
    path: IntentPath

    def terms(self, of: frozenset[str] | None) -> dict[str, BitsPerSecond]:
        """Return the rates of some purposes, or of all if None."""
        return {name: rate for name, rate in self.rates.items() if of is None or name in of}

    def text(self, of: frozenset[str] | None) -> str:
        """Return the sum of the rates of some purposes as text."""
        terms = self.terms(of)
        parts = " + ".join(f"{name} {rate}" for name, rate in terms.items())
        return parts if len(terms) == 1 else f"{parts} = {BitsPerSecond(sum(terms.values()))}"

    def reached(self, factor: float) -> float | None:
        """Return after how many years a demand with steady yearly growth has grown so much."""
        if self.years is None or self.growth == 1:
            return None
        return self.years * log(factor) / log(self.growth)
