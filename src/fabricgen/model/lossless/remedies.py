"""What would make ports fit: they, and a judge, in; the smallest change of each kind out."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.units import Metres
from fabricgen.model.lossless.memory import PortGroup

Fits = Callable[[tuple[PortGroup, ...]], bool]


class Change(StrEnum):
    """The kinds of remedy."""

    SHORTER_CABLES = "shorter cables"
    FEWER_LOSSLESS_PORTS = "fewer lossless ports"


@record()
class Remedy:
    """The smallest change of one kind that would fit: `value` metres, or ports to give up."""

    change: Change
    value: int
    sentence: str


def remedies(ports: tuple[PortGroup, ...], fits: Fits) -> tuple[Remedy, ...]:
    """Return what would make the ports fit, gentlest first; each alone is enough."""
    proposals = (_shorter_cables(ports, fits), _fewer_lossless(ports, fits))
    return tuple(remedy for remedy in proposals if remedy)


def remedies_within(ports: tuple[PortGroup, ...], allowed: int) -> tuple[Remedy, ...]:
    """Return what would bring the headroom that ports ask for down to `allowed` bytes."""

    def fits(changed: tuple[PortGroup, ...]) -> bool:
        return sum(group.lossless_groups * group.headroom for group in changed) <= allowed

    return remedies(ports, fits)


def _shorter_cables(ports: tuple[PortGroup, ...], fits: Fits) -> Remedy | None:
    """Return the greatest length that no cable may exceed."""
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
                f"cables of at most {limit} m, which shortens those of {changed} ports",
            )
    return None


def _cut(group: PortGroup, limit: Metres) -> PortGroup:
    """Return the group with the longest cable of its ladder within the limit, if it has one."""
    ladder = [step for step in group.shorter if step[0] <= limit]
    if group.length <= limit or not ladder:
        return group
    length, headroom = max(ladder)
    return replace(group, length=length, headroom=headroom)


def _fewer_lossless(ports: tuple[PortGroup, ...], fits: Fits) -> Remedy | None:
    """Return the least number of ports, those with most headroom first."""
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
