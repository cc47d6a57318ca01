"""Find the switches and servers with equal configuration in two designs, without their files.

The files of an owner follow from its slice alone, so owners with equal slices have equal files.
Slices are compared as soon as the checks of their designs have seen them, and are not kept.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from operator import attrgetter
from typing import Any, TypeVar

from fabricgen.compile.compiler import (
    Checking,
    Compiled,
    Designed,
    Owner,
    folder_of,
)
from fabricgen.core.diagnostics import Failure
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic
from fabricgen.nos.hosts.slices import HostSlicer
from fabricgen.nos.registry import OURS

_REMEMBERED = 500_000
Key = TypeVar("Key")


class Likeness:
    """Compare values by content, including records that are otherwise compared by identity.

    A pair of equal records is compared once. Two values of an unknown type are equal if `==` holds.
    """

    def __init__(self) -> None:
        """Start without known pairs."""
        self._equals: dict[int, object] = {}
        self._held: list[object] = []
        self._plain: set[type[Any]] = {int, str, float, bytes}
        self._listers: dict[type[Any], Callable[[Any], Iterable[Any]] | None] = {}

    def equal(self, one: object, other: object) -> bool:
        """Return whether two values have the same type and content."""
        return self._each((one,), (other,))

    def _each(self, ones: Iterable[Any], others: Iterable[Any]) -> bool:
        """Return whether all pairs are equal; most are one object, or known."""
        plain, equals = self._plain, self._equals
        for one, other in zip(ones, others, strict=True):
            if one is other:
                continue
            kind = type(one)
            if kind is not type(other):
                return False
            if kind in plain:
                if one != other:
                    return False
            elif equals.get(id(one)) is not other and not self._deeply(one, other, kind):
                return False
        return True

    def _deeply(self, one: Any, other: Any, kind: type[Any]) -> bool:
        if issubclass(kind, (tuple, list)):
            return len(one) == len(other) and self._each(one, other)
        if issubclass(kind, Mapping):
            return list(one) == list(other) and self._each(one.values(), other.values())
        if kind not in self._listers:
            self._listers[kind] = _lister(kind)
        values = self._listers[kind]
        if values is None:
            if issubclass(kind, (int, str, float)):
                self._plain.add(kind)
            return bool(one == other)
        if not self._each(values(one), values(other)):
            return False
        if len(self._held) > _REMEMBERED:
            self._held.clear()
            self._equals.clear()
        self._equals[id(one)] = other
        self._held.append(one)  # so that no other object gets its identity
        return True


def _lister(kind: type[Any]) -> Callable[[Any], Iterable[Any]] | None:
    """Return the function that lists the fields of a record; None for another type."""
    if not is_dataclass(kind):
        return None
    names = [each.name for each in fields(kind)]
    return attrgetter(*names, *names[:1]) if names else lambda _: ()


Owners = dict[str, Owner]
"""Owners of files, by folder."""


@record(kw_only=True)
class Pair:
    """Two checked designs. `changed`: the owners of each whose files may differ.

    `unchanged`: the folders of all other owners.
    """

    compiled: tuple[Compiled, Compiled]
    changed: tuple[Owners, Owners]
    unchanged: frozenset[str]


def checked_pair(one: Designed, other: Designed) -> Pair | None:
    """Check two designs and compare their slices; None if that takes all their files.

    The sandbox of custom templates has limits, so their files are always rendered.
    """
    sites = one.site, other.site
    if sites[0] is None or sites[1] is None or sites[0].templates or sites[1].templates:
        return None
    try:
        comparing = _Comparing((sites[0], sites[1]))
        checks = Checking(one), Checking(other)
        comparing.switches(checks[0].slices(), checks[1].slices())
        compiled = checks[0].compiled(), checks[1].compiled()
        if all(each.ok for each in compiled):
            comparing.servers()
    except Failure:
        return None  # the caller checks each design alone
    return Pair(
        compiled=compiled, changed=comparing.changed, unchanged=frozenset(comparing.unchanged)
    )


class _Comparing:
    """Compares two sites. `changed`: owners whose files may differ. `unchanged`: other folders."""

    def __init__(self, sites: tuple[Site, Site]) -> None:
        self.changed: tuple[Owners, Owners] = {}, {}
        self.unchanged: set[str] = set()
        self._sites = sites
        self._like = Likeness()

    def _note(self, folder: str, one: Owner | None, other: Owner | None) -> None:
        """Record an owner that changed, comes or goes."""
        for changed, owner in zip(self.changed, (one, other), strict=True):
            if owner is not None:
                changed[folder] = owner

    def switches(self, ones: Iterator[SwitchSlice], others: Iterator[SwitchSlice]) -> None:
        """Compare the switches. A platform of another package may have limits of its own."""
        waiting: tuple[dict[str, SwitchSlice], dict[str, SwitchSlice]] = {}, {}
        for pair in zip_longest(ones, others):
            for side, mine in enumerate(pair):
                if mine is None:
                    continue
                folder = folder_of(mine.switch)
                theirs = waiting[1 - side].pop(folder, None)
                if theirs is None:
                    waiting[side][folder] = mine
                elif mine.switch.platform in OURS and self._like.equal(mine, theirs):
                    self.unchanged.add(folder)
                else:
                    both = (theirs, mine) if side else (mine, theirs)
                    self._note(folder, both[0].switch, both[1].switch)
        for changed, left in zip(self.changed, waiting, strict=True):
            changed.update((folder, each.switch) for folder, each in left.items())

    def servers(self) -> None:
        """Compare the servers: by their attachments alone where all else is equal."""
        slicers = HostSlicer(self._sites[0]), HostSlicer(self._sites[1])
        ones, others = ({folder_of(each): each for each in own.servers()} for own in slicers)
        touched = self._touched() if self._attached_alone() else None
        for folder in ones.keys() | others.keys():
            one, other = ones.get(folder), others.get(folder)
            if one is None or other is None:
                same = False
            elif touched is not None:
                same = one.name not in touched
            else:
                same = self._like.equal(slicers[0].slice(one), slicers[1].slice(other))
            if same:
                self.unchanged.add(folder)
            else:
                self._note(folder, one, other)

    def _attached_alone(self) -> bool:
        """Return whether only attachments of bridged or routed ports may differ for servers."""
        one, other = (site.fabrics for site in self._sites)
        return len(one) == len(other) and all(map(self._same_ground, one, other))

    def _same_ground(self, one: Fabric, other: Fabric) -> bool:
        return all(
            self._like.equal(getattr(one, each.name), getattr(other, each.name))
            for each in fields(Fabric)
            # NICs of fabrics with their own hosts also follow from the VRFs of the overlay
            if each.name != "overlay" or one.hosts or other.hosts
        )

    def _touched(self) -> set[str]:
        """Return the servers that tenants attach otherwise, in fabrics of equal cables."""
        pairs = zip(self._sites[0].fabrics, self._sites[1].fabrics, strict=True)
        return {name for pair in pairs for name in self._attached(*pair)}

    def _attached(self, one: Fabric, other: Fabric) -> Iterator[str]:
        """Yield the servers whose ports have other VLANs or another VRF."""
        overlays, shape = (one.overlay, other.overlay), one.topology
        before, after = (own.ports if own is not None else {} for own in overlays)
        for leaf in before.keys() | after.keys():
            places = self._differing(before.get(leaf, {}), after.get(leaf, {}))
            for link in shape.links_at.get(leaf, ()) if places else ():
                if isinstance(link.lower_port, Nic):
                    place = shape.places[link.lower.name, link.lower_port.network]
                    if place.index in places:
                        yield link.lower.name
        routed = (own.routed if own is not None else {} for own in overlays)
        yield from (server for server, _ in self._differing(*routed))

    def _differing(self, one: Mapping[Key, object], other: Mapping[Key, object]) -> set[Key]:
        """Return the keys whose values differ, or that one side lacks."""
        keys = one.keys() | other.keys()
        return {key for key in keys if not self._like.equal(one.get(key), other.get(key))}
