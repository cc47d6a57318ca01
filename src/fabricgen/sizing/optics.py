"""The links of a fabric in; the optics and cables with fixed ends that they take, counted, out.

One sort of cable is joined by the way that takes the least watts of those that reach as far. A
transceiver stands in a cage and serves all of the links there; a cable with fixed ends is one for
all the links of the cage that it is split from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from fabricgen.catalog.optics import Socket, Way, modes_of, ways
from fabricgen.fabric.topology import Nic, Port, Switch
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabricgen.catalog.optics import Optic
    from fabricgen.fabric.switch import Fabric
    from fabricgen.fabric.topology import Link


@record(kw_only=True)
class Bought:
    """Optics, by name. unknown: links that nothing known joins. watts: of all whose watts are known.

    unpowered: how many of them are of an optic whose watts no source gives.
    """

    optics: dict[str, int]
    cables: dict[str, int]
    watts: float
    unpowered: int
    unknown: int


def bought(fabric: Fabric, optics: Sequence[Optic]) -> Bought:
    """Count the optics of a fabric."""
    sorts: dict[tuple[object, ...], list[Link]] = defaultdict(list)
    for link in fabric.topology.links:
        sorts[id(link.lower_port), id(link.upper_port), link.length].append(link)
    counts: Counter[Optic] = Counter()
    cables: Counter[Optic] = Counter()
    unknown = 0
    chosen: dict[tuple[object, ...], Way | None] = {}
    cages: dict[Optic, set[tuple[str, int]]] = defaultdict(set)
    for links in sorts.values():
        link = links[0]
        near, far = _of_switch(link.upper, link.upper_port), _other(fabric, link)
        key = (near, far, link.length)
        if key not in chosen:
            chosen[key] = _least(ways(near, far, optics), link.length)
        way = chosen[key]
        if way is None:
            unknown += len(links)
        elif way.near.is_cable:
            cables[way.near] += _cables(way.near, links, cages)
        else:
            _stand(way, links, cages, counts)
    for optic, where in cages.items():
        (cables if optic.is_cable else counts)[optic] += len(where)
    return _sum(counts, cables, unknown)


def _stand(
    way: Way,
    links: Iterable[Link],
    cages: dict[Optic, set[tuple[str, int]]],
    counts: Counter[Optic],
) -> None:
    """Put a transceiver in the cage of either end; a NIC's port is a cage of its own."""
    for link in links:
        cages[way.near].add((link.upper.name, link.upper_port.cage))
        if isinstance(link.lower_port, Port):
            cages[way.far].add((link.lower.name, link.lower_port.cage))
        else:
            counts[way.far] += 1


def _cables(
    optic: Optic, links: Sequence[Link], cages: dict[Optic, set[tuple[str, int]]]
) -> int:
    """Return the cables of links whose cages are whole; those of a split cage share one."""
    split = [link for link in links if link.upper_port.subs > 1]
    cages[optic].update((link.upper.name, link.upper_port.cage) for link in split)
    return len(links) - len(split)


def _sum(counts: Counter[Optic], cables: Counter[Optic], unknown: int) -> Bought:
    both = counts + cables
    ends = {optic: number * (2 if optic.is_cable else 1) for optic, number in both.items()}
    return Bought(
        optics={optic.name: number for optic, number in counts.items()},
        cables={optic.name: number for optic, number in cables.items()},
        watts=sum(optic.power * number for optic, number in ends.items() if optic.power),
        unpowered=sum(number for optic, number in both.items() if optic.power is None),
        unknown=unknown,
    )


def _least(found: Iterable[Way], metres: int) -> Way | None:
    """Return the way of least watts that reaches; one whose watts are not known comes last."""
    reach = (way for way in found if way.reach >= metres)
    return min(reach, key=_order, default=None)


def _order(way: Way) -> tuple[bool, float, int, str, str]:
    known = way.near.power is not None and way.far.power is not None
    watts = (way.near.power or 0) + (way.far.power or 0)
    return not known, watts, way.reach, way.near.name, way.far.name


def _of_switch(switch: Switch, port: Port) -> Socket:
    form = switch.model.cages[port.cage - 1].form
    return Socket(forms=(form,), modes=(f"{port.subs}x{port.speed}",))


def _other(fabric: Fabric, link: Link) -> Socket | None:
    """Return the lower end; None where nobody says what card a server has, or its cage."""
    if isinstance(link.lower, Switch):
        assert isinstance(link.lower_port, Port)
        return _of_switch(link.lower, link.lower_port)
    assert isinstance(link.lower_port, Nic)
    plan = fabric.plan_of(link.lower, link.lower_port.network)
    model = plan.model if plan is not None else None
    forms = model.cages.get(plan.ports, ()) if plan is not None and model is not None else ()
    return Socket(forms=forms, modes=modes_of(link.speed)) if forms else None
