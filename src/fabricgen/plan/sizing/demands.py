"""What servers ask for and the fabrics that carry it in; each sum beside what there is, out.

Sum of demands x growth <= uplinks: of the fabric that carries them, above its leafs and towards its
servers. A rate that does not fit starves whatever runs beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.plan.sizing.transfer import rate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.plan.sizing.counts import Counts
    from fabricgen.plan.sizing.needs import Demands, Needs

_FRONT = ("ingest", "inference")
_STORAGE = ("checkpoint", "storage_reads")


@record(kw_only=True)
class Asked:
    """The demands on one fabric. terms: by name, before growth.

    up, down: bits per second above its leafs and towards its GPU servers.
    """

    fabric: str
    terms: dict[str, int]
    growth: float
    up: int
    down: int

    @property
    def total(self) -> float:
        """Return what is asked for, with growth."""
        return sum(self.terms.values()) * self.growth

    @property
    def fits(self) -> bool:
        """Tell whether it is carried."""
        return self.total <= min(self.up, self.down)

    @property
    def sentence(self) -> str:
        """Say the sum and what there is."""
        parts = " + ".join(
            f"{name.replace('_', ' ')} {rate(bits)}" for name, bits in self.terms.items()
        )
        asked = f"{parts} x {self.growth:g} = {rate(self.total)}"
        sign = "<=" if self.total <= self.up else ">"
        told = f"{asked} {sign} {rate(self.up)} of uplinks of the {self.fabric}"
        if self.total > self.down:
            told += f", and > {rate(self.down)} of the servers' ports there"
        return told


def asked(needs: Needs, counts: Mapping[str, Counts]) -> Iterator[Asked]:
    """Yield the demands on the frontend and on storage, where there are any.

    Without a storage fabric its demands are the frontend's.
    """
    storage = "storage" if "storage" in counts else "frontend"
    by_fabric = {"frontend": _FRONT}
    by_fabric[storage] = (*by_fabric.get(storage, ()), *_STORAGE)
    for fabric, names in by_fabric.items():
        terms = _said(needs.demands, names)
        if terms:
            there = counts[fabric]
            yield Asked(
                fabric=fabric, terms=terms, growth=needs.growth, up=there.up, down=there.down
            )


def _said(demands: Demands, names: tuple[str, ...]) -> dict[str, int]:
    return {name: getattr(demands, name) for name in names if getattr(demands, name)}
