"""Finds the rack types of an inventory and the contents of one rack of each type."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from fabricgen.core.record import record
from fabricgen.core.units import natural
from fabricgen.importer.inventory.model import Device
from fabricgen.importer.plugs import Plugs
from fabricgen.importer.tree import Tree, patterns, said

_POWER = re.compile(r"(?i)pdu|power")
_NUMBERS = re.compile(r"\d+")
_WORDS = ("rack", "row", "position")
_USUAL = "r{row:02}-{position:02}"


@record(eq=False, kw_only=True)
class Standing:
    """One rack, in the order of its management ports. units: lowest unit of each device."""

    name: str
    row: int
    position: int
    servers: Mapping[str, list[int]]
    switches: tuple[str, ...]
    pdus: int
    order: Mapping[str, int]

    @property
    def shape(self) -> object:
        """Return a key that racks of a type share."""
        servers = tuple(sorted((kind, len(own)) for kind, own in self.servers.items()))
        return servers, tuple(sorted(Counter(map(_stem, self.switches)).items())), self.pdus


Seats = Mapping[str, tuple[str, int]]
"""The kind and number of each server by name."""


def racks(
    plugs: Plugs, devices: Iterable[Device], seats: Seats
) -> tuple[Tree, dict[str, list[list[str]]]]:
    """Return the rack types, and the devices of each rack by type."""
    devices = tuple(devices)
    inside: dict[str, list[str]] = defaultdict(list)
    for each in devices:
        inside[each.rack or ""].append(each.name)
    found = _standing(plugs, devices, seats)
    standing = sorted(found, key=lambda each: (each.row, each.position))
    every = [name for each in standing for name in each.switches]
    types: Tree = {}
    held: dict[str, list[list[str]]] = {}
    for alike in _types(standing):
        for own in _split(alike, every):
            name = _called(own[0], types)
            types[name] = _words(own, every)
            held[name] = [inside[each.name] for each in own]
    return types, held


def _standing(plugs: Plugs, devices: Iterable[Device], seats: Seats) -> Iterator[Standing]:
    held: dict[str, list[Device]] = defaultdict(list)
    for each in devices:
        if each.rack:
            held[each.rack].append(each)
    switches = {each.name for each in plugs.of}
    order = _order(plugs, seats)
    for place, name in enumerate(natural(held), 1):
        servers: dict[str, list[int]] = defaultdict(list)
        for each in held[name]:
            if each.name in seats:
                kind, number = seats[each.name]
                servers[kind].append(number)
        numbers = [int(each) for each in _NUMBERS.findall(name)]
        row, position = numbers if len(numbers) == 2 and all(numbers) else (1, place)
        yield Standing(
            name=name,
            row=row,
            position=position,
            servers={kind: sorted(own) for kind, own in servers.items()},
            switches=tuple(natural([each.name for each in held[name] if each.name in switches])),
            pdus=sum(_POWER.search(each.role or "") is not None for each in held[name]),
            order=order,
        )


def _order(plugs: Plugs, seats: Seats) -> dict[str, int]:
    """Return the order of devices and kinds of servers by their first management ports."""
    slow = (plug for own in plugs.of.values() for plug in own if plug.to is None)
    places = sorted(slow, key=lambda plug: (plug.speed, natural_key(plug.switch.name), plug.place))
    order: dict[str, int] = {}
    for place, plug in enumerate(places):
        order.setdefault(plug.far, place)
        order.setdefault(seats.get(plug.far, (plug.far, 0))[0], place)
    return order


def natural_key(name: str) -> tuple[str, int]:
    """Return a sort key that orders names of one stem by number."""
    numbers = _NUMBERS.findall(name)
    return _stem(name), int(numbers[-1]) if numbers else 0


def _stem(name: str) -> str:
    return _NUMBERS.sub("#", name)


def _types(standing: list[Standing]) -> Iterator[list[Standing]]:
    """Yield racks with equal contents and consecutive server numbers."""
    alike: dict[object, list[Standing]] = {}
    for rack in standing:
        alike.setdefault(rack.shape, []).append(rack)
    for own in alike.values():
        run = own[:1]
        for rack in own[1:]:
            if _goes_on(run, rack):
                run.append(rack)
            else:
                yield run
                run = [rack]
        yield run


def _goes_on(run: list[Standing], rack: Standing) -> bool:
    for kind, own in rack.servers.items():
        first = run[0].servers[kind][0]
        if own[0] != first + len(run) * len(own) or own[-1] - own[0] != len(own) - 1:
            return False
    return _laid([*run, rack]) is not None


def _laid(own: list[Standing]) -> Tree | None:
    """Return the rows of racks, if the layout of a type has rows."""
    rows: dict[int, list[int]] = defaultdict(list)
    for rack in own:
        rows[rack.row].append(rack.position)
    first, *rest = rows
    if list(rows) != list(range(first, first + len(rows))):
        return None
    places = rows[first]
    if any(each != places[: len(each)] for each in rows.values()):
        return None
    if any(len(rows[each]) < len(places) for each in [first, *rest][:-1]):
        return None
    return said(
        count=len(own) if len(own) > 1 else None,
        row=first if first > 1 else None,
        position=places[0] if places[0] > 1 else None,
        per_row=len(places) if rest else None,
        skips=[each for each in range(places[0], places[-1]) if each not in places],
    )


def _split(own: list[Standing], every: list[str]) -> Iterator[list[Standing]]:
    """Yield racks whose switch names match one pattern. Other racks are alone."""
    if len(own) == 1 or all(_patterns(own, every)):
        yield own
    else:
        yield from ([rack] for rack in own)


def _patterns(own: list[Standing], every: list[str]) -> list[str]:
    """Return a pattern for each stem of switch names, or nothing.

    A single rack may list its names.
    """
    found: list[str] = []
    for stem in dict.fromkeys(_stem(name) for name in own[0].switches):
        pattern = _pattern(stem, own, every)
        alone = [name for name in own[0].switches if _stem(name) == stem]
        found += [pattern] if pattern or len(own) > 1 else alone
    return found


def _pattern(stem: str, own: list[Standing], every: list[str]) -> str:
    wanted = [[name for name in rack.switches if _stem(name) == stem] for rack in own]
    every_pattern = patterns(wanted[0][0], _WORDS, "*")
    for pattern in sorted(every_pattern, key=lambda each: each.count("*")):
        if all(
            _meant(pattern, n, rack, every) == names
            for n, (rack, names) in enumerate(zip(own, wanted, strict=True), 1)
        ):
            return pattern
    return ""


def _meant(pattern: str, number: int, rack: Standing, every: list[str]) -> list[str]:
    """Return the switches that a pattern names in a rack."""
    name = pattern.format(rack=number, row=rack.row, position=rack.position)
    return [each for each in every if fnmatchcase(each, name)]


def _called(rack: Standing, taken: Tree) -> str:
    kinds = list(rack.servers) or ["network"]
    names = (kinds[0], *(f"{kinds[0]}{number}" for number in range(2, 10_000)))
    return next(name for name in names if name not in taken)


def _words(own: list[Standing], every: list[str]) -> Tree:
    names = _names(own)
    words = (_laid(own) or {}) | said(names=names if names != _USUAL else None)
    return words | {"contents": _holds(own, every)}


def _names(own: list[Standing]) -> str:
    """Return the pattern of rack names."""
    usual = all(rack.name == _USUAL.format(row=rack.row, position=rack.position) for rack in own)
    stems = {_NUMBERS.sub("", rack.name) for rack in own}
    if usual or len(stems) > 1:
        return _USUAL
    lower = re.sub(r"[^a-z0-9-]", "-", own[0].name.lower())
    return lower if len(own) == 1 else _USUAL


def _holds(own: list[Standing], every: list[str]) -> list[Tree]:
    """Return the contents of a rack type in the order of management ports."""
    rack = own[0]
    entries: list[tuple[int, Tree]] = []
    last = len(rack.order)
    for kind, numbers in rack.servers.items():
        first = numbers[0] if numbers[0] > 1 else None
        words = said(servers=kind, count=len(numbers), first=first)
        entries.append((rack.order.get(kind, last), words))
    for pattern in _patterns(own, every):
        mine = _meant(pattern, 1, rack, every)
        entries.append((min(rack.order.get(name, last) for name in mine), {"switches": pattern}))
    if rack.pdus:
        places = [place for name, place in rack.order.items() if name.startswith(rack.name)]
        entries.append((min(places, default=last + 1), {"pdus": rack.pdus}))
    return [words for _, words in sorted(entries, key=lambda each: each[0])]
