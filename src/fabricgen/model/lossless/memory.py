"""Describes the buffer memory of a switch and the remedies if it is too small."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.terms import NOTHING


@record(kw_only=True)
class Reserved:
    """Reserved memory independent of ports, and the source of the figures.

    `source`: also of the reservations for each port (PortGroup.below and own).
    """

    management: Bytes = NOTHING
    source: str = "nothing reserved"


@record()
class Memory:
    """The packet memory of one switch that a configuration may use, in cells."""

    total: Bytes
    cell: Bytes
    reserved: Reserved = Reserved()


@record()
class ShippedPool:
    """Shipped headroom pool from a vendor's table, independent of its ports.

    `headroom`: bytes of it. `size`: the pool that contains it, and all that its groups reserve and
    share: Dell's `xoff` "must be less than pool size" (ansible dellemc.enterprise_sonic
    sonic_qos_buffer), and OpenSwitch's test of SAI subtracts SAI_BUFFER_POOL_ATTR_XOFF_SIZE from
    the shared size. `source`: who says so.
    """

    headroom: Bytes
    size: Bytes
    source: str = "as the model ships"


@record(kw_only=True)
class PortGroup:
    """`count` ports of one speed and cable; `headroom` of each of their `classes` lossless groups.

    `shorter`: headroom with shorter cables, (length, bytes), for remedies. `below`: further
    reservation of each lossless group. `own`: further reservation of each port. A group with 0
    classes is lossy and only has `own`.
    """

    speed: BitsPerSecond
    length: Meters
    count: int
    headroom: Bytes
    classes: int = 1
    shorter: tuple[tuple[Meters, Bytes], ...] = ()
    below: Bytes = NOTHING
    own: Bytes = NOTHING

    @property
    def lossless_ports(self) -> int:
        """Number of its ports with a lossless class."""
        return self.count if self.classes else 0

    @property
    def lossless_groups(self) -> int:
        """Number of lossless priority groups of all its ports."""
        return self.count * self.classes


Fits = Callable[[tuple[PortGroup, ...]], bool]


class Change(StrEnum):
    """Kinds of remedy."""

    SHORTER_CABLES = "shorter cables"
    FEWER_LOSSLESS_PORTS = "fewer lossless ports"


@record()
class Remedy:
    """The smallest change of one kind that would fit: `value` meters, or fewer ports."""

    change: Change
    value: int
    sentence: str


def remedies(ports: tuple[PortGroup, ...], fits: Fits) -> tuple[Remedy, ...]:
    """Return the remedies that make the ports fit, smallest first; each alone is enough."""
    proposals = (_shorter_cables(ports, fits), _fewer_lossless(ports, fits))
    return tuple(remedy for remedy in proposals if remedy)


def remedies_within(ports: tuple[PortGroup, ...], allowed: int) -> tuple[Remedy, ...]:
    """Return the remedies that reduce the headroom to `allowed` bytes."""

    def fits(changed: tuple[PortGroup, ...]) -> bool:
        return sum(group.lossless_groups * group.headroom for group in changed) <= allowed

    return remedies(ports, fits)


def _shorter_cables(ports: tuple[PortGroup, ...], fits: Fits) -> Remedy | None:
    """Return the maximum cable length that fits."""
    lengths = {length for group in ports for length, _ in group.shorter if length < group.length}
    for limit in sorted(lengths, reverse=True):
        cut = tuple(_cut(group, limit) for group in ports)
        if fits(cut):
            changed = sum(
                old.lossless_ports for old, new in zip(ports, cut, strict=True) if old != new
            )
            return Remedy(
                Change.SHORTER_CABLES,
                limit,
                f"cables of at most {limit} m, which shortens the cables of {changed} ports",
            )
    return None


def _cut(group: PortGroup, limit: Meters) -> PortGroup:
    """Return the group with its longest cable within the limit, if it has one."""
    ladder = [step for step in group.shorter if step[0] <= limit]
    if group.length <= limit or not ladder:
        return group
    length, headroom = max(ladder)
    return replace(group, length=length, headroom=headroom)


def _fewer_lossless(ports: tuple[PortGroup, ...], fits: Fits) -> Remedy | None:
    """Return the smallest number of ports to remove, those with most headroom first."""
    numbers = range(1, sum(group.lossless_ports for group in ports) + 1)
    at = bisect_left(
        numbers,
        True,  # noqa: FBT003 - the key's values are booleans, and that is what is searched
        key=lambda count: fits(tuple(_without(ports, count))),
    )
    if at == len(numbers):
        return None
    count = numbers[at]
    return Remedy(
        Change.FEWER_LOSSLESS_PORTS,
        count,
        f"{count} of {len(numbers)} lossless ports fewer",
    )


def _without(ports: tuple[PortGroup, ...], count: int) -> Iterator[PortGroup]:
    """Yield the groups with `count` ports made lossy, the most demanding first."""
    for group in sorted(ports, key=lambda item: item.headroom * item.classes, reverse=True):
        gone = min(count, group.lossless_ports)
        count -= gone
        yield replace(group, count=gone, classes=0)
        yield replace(group, count=group.count - gone)
