"""What a buffer budget is about: one switch's packet memory, its ports, its headroom pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.lossless.terms import NOTHING
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.units import BitsPerSecond, Bytes, Metres


@record(kw_only=True)
class Reserved:
    """What is gone before anything is shared, and the source of the figures.

    per_port counts every port of the budget, per_group every lossless priority group.
    """

    per_port: Bytes = NOTHING
    per_group: Bytes = NOTHING
    management: Bytes = NOTHING
    source: str = "nothing reserved"


@record()
class Memory:
    """The packet memory of one switch: what a configuration may use, in cells."""

    total: Bytes
    cell: Bytes
    reserved: Reserved = Reserved()


@record()
class HeadroomPool:
    """Headroom shared by all ports: the sum divided by `over_subscription`, less private room.

    private: bytes of headroom each lossless port keeps for itself, outside the pool.
    """

    over_subscription: int
    private: Bytes = NOTHING


@record()
class ShippedPool:
    """The headroom pool that a model ships with, whatever its ports ask for: a vendor's table.

    headroom: bytes of it. shared: the most that the table shares beside it.
    """

    headroom: Bytes
    shared: Bytes


@record(kw_only=True)
class PortGroup:
    """`count` ports of one speed and cable; `headroom` of each of their `classes` lossless groups.

    shorter: the headroom with shorter cables, (length, bytes): what a remedy may propose.
    A group with 0 classes is lossy and only pays the reservation per port.
    """

    speed: BitsPerSecond
    length: Metres
    count: int
    headroom: Bytes
    classes: int = 1
    shorter: tuple[tuple[Metres, Bytes], ...] = ()

    @property
    def lossless_ports(self) -> int:
        """How many of its ports have a lossless class."""
        return self.count if self.classes else 0

    @property
    def lossless_groups(self) -> int:
        """How many lossless priority groups its ports have together."""
        return self.count * self.classes
