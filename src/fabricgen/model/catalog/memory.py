"""Reads the packet memory of a switch model on a network OS: headroom rows, pool and threshold."""

from collections.abc import Iterable
from typing import Protocol, TypedDict

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.cages import Mode
from fabricgen.model.catalog.skus import Layout, Sku, choose, told
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.lossless.memory import ShippedPool
from fabricgen.model.lossless.rows import Row


class Split(Protocol):
    """One interface of a cage with `subs` interfaces."""

    @property
    def cage(self) -> int:
        """Its faceplate number."""

    @property
    def subs(self) -> int:
        """Number of interfaces of the cage."""

    @property
    def lanes(self) -> int:
        """Lanes of this interface."""

    @property
    def speed(self) -> BitsPerSecond:
        """Speed of this interface."""


@record(kw_only=True)
class MemoryFacts:
    """Headroom rows, headroom pool and threshold, as shipped.

    `own`: whether the OS runs as a hardware SKU, so that these values are active. `sku`: the SKU
    that the ports select. `lacks`: reason why the SKU has no memory for lossless traffic.
    `from_site`: source of the figures that the site brings, or empty.
    """

    own: bool
    sku: str | None
    lacks: str | None
    rows: tuple[Row, ...]
    pool: ShippedPool | None
    alpha: int
    from_site: str = ""


class _Pool(TypedDict):
    pool: ShippedPool | None
    alpha: int
    from_site: str


def layout_of(ports: Iterable[Split]) -> Layout:
    """Return the mode of the cages of these ports."""
    cages = {port.cage: Mode(port.subs, port.speed, port.lanes) for port in ports}
    return tuple(cages.items())


def memory_facts(
    model: SwitchModel, platform: str, layout: Layout, lossless: Iterable[BitsPerSecond]
) -> MemoryFacts:
    """Return the memory facts of a switch with these cages and speeds of lossless ports.

    An OS that runs as a SKU has the memory of that SKU. For an OS without published memory, the
    rows of all SKUs of another OS are used, since they are facts of the chip. The pool is then that
    of the SKU with these ports.
    """
    if platform not in model.skus:
        others = [sku for skus in model.skus.values() for sku in skus]
        rows = tuple(row for sku in others for row in sku.rows)
        pooled = [sku for sku in others if sku.pool is not None]
        like = choose(pooled, layout, lossless) or next(iter(pooled), None)
        return MemoryFacts(own=False, sku=None, lacks=None, rows=rows, **_pool(like, others))
    sku = choose(model.eligible(platform), layout, lossless)
    if sku is None or sku.lacks:
        lacks = f"no SKU has {told(layout)}" if sku is None else sku.lacks
        name = sku.name if sku else None
        return MemoryFacts(own=True, sku=name, lacks=lacks, rows=(), pool=None, alpha=0)
    return MemoryFacts(own=True, sku=sku.name, lacks=None, rows=sku.rows, **_pool(sku, [sku]))


def _pool(sku: Sku | None, every: Iterable[Sku]) -> _Pool:
    own = "; ".join(dict.fromkeys(each.own for each in every if each.own))
    if sku is None:
        return {"pool": None, "alpha": 0, "from_site": own}
    return {"pool": sku.pool, "alpha": sku.alpha, "from_site": own}
