"""Divide the changing switches into ordered batches.

Tiers change one after the other, from the top. Spines can then carry a larger MTU, a class or a
neighbor before leafs use it. A bad change first meets a switch whose loss costs a share of the
capacity, not a server. `upwards` reverses the order for removals: leafs stop the use before spines
stop the support. Fabrics have the order of the site.

A switch goes into the first batch that has room for it. There are at most 1 + sum((n - 1) / limit)
batches over its groups of n changing parts, besides batches of full size. In the order of diagonals
(unit + index), complete scalable units need as many batches as their largest group has parts. That
is the minimum, plus one for the canary.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

from fabricgen.model.fabric.between import ways_between
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Role, Switch
from fabricgen.operate.deploy.batches.groups import Group, groups_of
from fabricgen.operate.deploy.batches.messages import (
    RELOADED,
    alone,
    canary,
    held,
    outage,
    sites_apart,
    sized,
    stays,
)
from fabricgen.operate.deploy.batches.sizes import Refused, Size, Sizes, sizes
from fabricgen.operate.deploy.coordination.window import Window

FLOOR = 75
"""Default percentage of redundant switches outside each batch.

It allows one of four spines. Among two or three, one at a time is still allowed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """Requested batches.

    Attributes:
        floor: Minimum percentage of redundant switches outside a batch.
        together: Allow frontend and backend in one plan.
        alone: Switches that are down while they change; each is the only one of its batch, at the
            end of its tier.
        window: Change all ends of an interrupted setting in one batch.
        drain: Switches to drain.
        order: Reason for the order of tiers, shown at the first batch of each tier.
    """

    sizes: Sizes = field(default_factory=lambda: sizes("1,10%,50%"))
    floor: int = FLOOR
    together: bool = False
    upwards: bool = False
    alone: frozenset[str] = frozenset()
    window: bool = False
    drain: tuple[str, ...] = ()
    order: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Switches that change at once.

    Attributes:
        why: Reason for the size.
        stays: Remaining capacity.
        warnings: Interruptions.
        window: Connection of switches that all change at once, independent of redundancy.
    """

    fabric: str
    role: Role
    switches: tuple[str, ...]
    why: str
    stays: tuple[str, ...]
    warnings: tuple[str, ...]
    window: Window | None = None


def plan_batches(
    site: Site,
    names: Collection[str],
    wish: BatchRequest | None = None,
    windows: Collection[Window] = (),
) -> tuple[Batch, ...]:
    """Return the batches of the named switches.

    Args:
        site: The site.
        names: The switches to change.
        wish: Requested batches.
        windows: Switches of one batch each, after the others of their fabric.

    Raises:
        Refused: The switches cannot be combined.
    """
    wish = wish or BatchRequest()
    at_once = {name for window in windows for name in window.switches}
    changing = {
        fabric.name: [switch for switch in fabric.topology.switches if switch.name in names]
        for fabric in site.fabrics
    }
    _refuse(changing, names, wish)
    batches: list[Batch] = []
    for fabric in site.fabrics:
        others = [switch for switch in changing[fabric.name] if switch.name not in at_once]
        for tier in _tiers(others, upwards=wish.upwards):
            batches += _Tier(fabric, tier, wish).batches()
        batches += [_windowed(fabric, window) for window in windows if window.fabric == fabric.name]
    ways = ways_between(site.fabrics)
    return tuple(
        replace(each, warnings=(*each.warnings, *sites_apart(ways, each.switches)))
        for each in batches
    )


def _windowed(fabric: Fabric, window: Window) -> Batch:
    """Return the batch of a window; the plan's splits describe the interruption."""
    members = [switch for switch in fabric.topology.switches if switch.name in window.switches]
    touched = [
        (group, len({group.parts[switch.name] for switch in members if switch.name in group.parts}))
        for group in groups_of(fabric, members)
        if group.capacity
    ]
    return Batch(
        fabric=fabric.name,
        role=members[0].role,
        switches=window.switches,
        why=f"a window: {window.reason}",
        stays=stays(touched),
        warnings=(),
        window=window,
    )


def refuse_several(fabrics: Collection[str], wish: BatchRequest) -> None:
    """Reject a plan of several fabrics without --all-fabrics."""
    if len(fabrics) > 1 and not wish.together:
        limits = " or ".join(f"`--limit {fabric}`" for fabric in fabrics)
        raise Refused(
            f"one plan changes {' and '.join(fabrics)}: a mistake would reach several "
            f"networks of the servers; use {limits} for one fabric, or `--all-fabrics`"
        )


def _refuse(changing: dict[str, list[Switch]], names: Collection[str], wish: BatchRequest) -> None:
    unknown = sorted(set(names) - {item.name for tier in changing.values() for item in tier})
    if unknown:
        raise Refused(f"{unknown[0]} is not a switch of the site")
    if not 0 <= wish.floor <= 100:
        raise Refused(f"--min-available {wish.floor}: use a percentage from 0 to 100")
    refuse_several([fabric for fabric, switches in changing.items() if switches], wish)


def _tiers(changing: list[Switch], *, upwards: bool) -> Iterator[list[Switch]]:
    for role in Role if upwards else reversed(Role):
        tier = [switch for switch in changing if switch.role is role]
        if tier:
            yield tier


class _Tier:
    """One tier of one fabric; a set of batches is a number in which bit b means batch b."""

    def __init__(self, fabric: Fabric, tier: list[Switch], wish: BatchRequest) -> None:
        self._fabric, self._wish, self._tier = fabric, wish, tier
        self._groups = groups_of(fabric, tier)
        self._limits = [group.limit(wish.floor) for group in self._groups]
        self._filled: list[list[str]] = []
        self._full = 0  # batches that have their size
        self._closed = [0] * len(self._groups)  # batches in which a group gives no further part
        self._has: list[dict[str, int]] = [defaultdict(int) for _ in self._groups]
        self._touched: dict[tuple[int, int], int] = defaultdict(int)  # parts, by group and batch
        self._held: dict[
            int, Group
        ] = {}  # group that excluded the first excluded switch of a batch

    def batches(self) -> Iterator[Batch]:
        """Place all switches and yield the batches."""
        mine: dict[str, list[int]] = defaultdict(list)
        for number, group in enumerate(self._groups):
            for name in group.parts:
                mine[name].append(number)
        for switch in sorted(_diagonals(self._tier), key=self._alone):
            self._place(switch, mine[switch.name])
        for number, names in enumerate(self._filled):
            yield self._batch(number, names)

    def _alone(self, switch: Switch) -> bool:
        return switch.name in self._wish.alone

    def _place(self, switch: Switch, mine: list[int]) -> None:
        """Put a switch into the first batch that all its groups allow, or into a new one."""
        name, alone = switch.name, self._alone(switch)
        shut = {
            number: self._closed[number] & ~self._has[number][self._groups[number].parts[name]]
            for number in mine
        }
        blocked = reduce(or_, shut.values(), self._full)
        chosen = len(self._filled) if alone else (~blocked & (blocked + 1)).bit_length() - 1
        if not alone:
            self._hold(shut, (1 << chosen) - 1 & ~self._full)
        if chosen == len(self._filled):
            self._filled.append([])
        self._filled[chosen].append(name)
        if alone or len(self._filled[chosen]) >= self._size(chosen).of(len(self._tier)):
            self._full |= 1 << chosen
        for number in mine:
            self._touch(number, self._groups[number].parts[name], chosen)

    def _touch(self, number: int, part: str, batch: int) -> None:
        """Count a part that a batch takes out of a group."""
        if self._has[number][part] >> batch & 1:
            return
        self._has[number][part] |= 1 << batch
        self._touched[number, batch] += 1
        if self._touched[number, batch] >= self._limits[number]:
            self._closed[number] |= 1 << batch

    def _hold(self, shut: dict[int, int], passed: int) -> None:
        """Store for each skipped batch the group that excluded the first switch."""
        for batch in range(passed.bit_length()):
            if passed >> batch & 1 and batch not in self._held:
                number = next(number for number in shut if shut[number] >> batch & 1)
                self._held[batch] = self._groups[number]

    def _size(self, batch: int) -> Size:
        return self._wish.sizes.at(batch)

    def _batch(self, number: int, names: list[str]) -> Batch:
        touched = [
            (group, gone)
            for index, group in enumerate(self._groups)
            if group.capacity and (gone := self._touched.get((index, number)))
        ]
        role, all_of_them = self._tier[0].role, len(self._tier)
        reloaded = frozenset(names) & self._wish.alone
        if reloaded:
            reason = RELOADED
        elif number == 0:
            reason = "; ".join(filter(None, (canary(role, all_of_them), self._wish.order)))
        elif self._full >> number & 1:
            reason = sized(self._size(number), role, all_of_them)
        else:
            reason = held(self._held.get(number), self._wish.floor)
        names = sorted(names)
        return Batch(
            fabric=self._fabric.name,
            role=role,
            switches=tuple(names),
            why=reason,
            stays=stays(touched),
            warnings=(*alone(touched, names), *outage(self._fabric, reloaded)),
        )


def _diagonals(tier: list[Switch]) -> list[Switch]:
    """Order a tier by diagonals of unit and place: two switches of a diagonal share neither."""
    low: dict[
        int, int
    ] = {}  # lowest index by pod of frontend leafs, whose index continues over all pods
    for item in tier:
        if item.is_leaf and not item.unit:
            low[item.pod] = min(item.index, low.get(item.pod, item.index))
    units = [item.unit for item in tier]
    places = [item.index - low.get(item.pod, 0) for item in tier]
    first = min(units) + min(places)
    wide = 1 + max(max(units) - min(units), max(places) - min(places))
    return [
        item
        for _, item in sorted(
            zip(places, tier, strict=True),
            key=lambda pair: (
                (pair[0] + pair[1].unit - first) % wide,
                pair[1].plane,
                pair[1].ordinal,
            ),
        )
    ]
