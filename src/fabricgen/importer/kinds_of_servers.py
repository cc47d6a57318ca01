"""Finds the kinds of a fabric's servers by their names and cables.

The stem of a name gives the kind. Servers without a common stem, such as ora-prod and sap, would
each be a kind. Those of one network with equal cables become one kind, and their names become
overrides.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from string import ascii_lowercase

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.tree import Tree
from fabricgen.intent.model.servers import SET_NAME
from fabricgen.intent.model.vocabulary import HOST_NAME
from fabricgen.prove.foreign.switch import Judged

_NUMBERED = re.compile(r"(.*?)(\d+)$")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_DIGITS = 4
"""Format of numbers in server names without a `names` key."""


@record()
class Called:
    """Names of the servers of a kind. pattern: empty for the usual one."""

    kind: str
    number: int
    pattern: str


def called(name: str) -> Called:
    """Parse the name of a server: gpu0001 is the first server of kind gpu."""
    match = _NUMBERED.match(name)
    stem, digits = (match[1], match[2]) if match else (name, "")
    kind = _NO_NAME.sub("-", stem.lower()).strip("-") or "server"
    kind = kind[:24] if kind[0].isalpha() else f"k{kind[:24]}"
    number = f"{{number:0{len(digits)}}}" if digits[:1] == "0" else "{number}" if digits else ""
    usual = kind == stem and len(digits) == _DIGITS and digits[0] == "0"
    begins = _NO_NAME.sub("-", stem.lower()).lstrip("-")
    return Called(kind, int(digits or 1), "" if usual else begins + number)


class Ports:
    """The ports of one set of a kind of servers in one fabric."""

    def __init__(self, kind: str, network: str, plugs: "list[Plug]") -> None:
        """Store the ports."""
        self.kind, self.plugs = kind, plugs
        self.network = network if re.match(SET_NAME, network) else "eth"
        self.of: dict[str, list[Plug]] = defaultdict(list)
        for plug in plugs:
            self.of[plug.far].append(plug)

    @cached_property
    def speed(self) -> str:
        """Return the most frequent speed."""
        return str(BitsPerSecond(Counter(plug.speed for plug in self.plugs).most_common(1)[0][0]))

    @cached_property
    def each(self) -> int:
        """Return the number of ports per server."""
        return max(len(own) for own in self.of.values())

    @cached_property
    def spread(self) -> int:
        """Return the number of leafs per server."""
        return max(len({plug.switch for plug in own}) for own in self.of.values())

    @cached_property
    def most(self) -> int:
        """Return the largest number of servers on a leaf."""
        return max(len(own) for own in self.at.values())

    @cached_property
    def at(self) -> dict[Judged, set[str]]:
        """Return the servers on each leaf."""
        found: dict[Judged, set[str]] = defaultdict(set)
        for plug in self.plugs:
            found[plug.switch].add(plug.far)
        return found

    @property
    def like(self) -> str:
        """Return a key that servers with equal ports share."""
        return f"{self.speed} {self.each} {self.lacp}"

    @property
    def lacp(self) -> bool:
        """Check whether the ports are bundles."""
        return all(plug.bundle for plug in self.plugs)

    @cached_property
    def cage(self) -> int:
        """Return the first cage of the ports."""
        return min(plug.place[0] for plug in self.plugs)


def sets_of(plugs: "Iterable[Plug]") -> list[Ports]:
    """Return the sets of ports by kind and network, in the order of their first cages."""
    found: dict[tuple[str, str], list[Plug]] = defaultdict(list)
    for plug in plugs:
        found[called(plug.far).kind, plug.network].append(plug)
    every = [Ports(kind, network, own) for (kind, network), own in found.items()]
    return sorted(every, key=lambda each: (each.cage, each.kind, each.network))


def counted(names: Iterable[str]) -> dict[str, dict[str, int | str]]:
    """Return count and pattern of each kind by the names of its servers."""
    kinds: dict[str, dict[str, int | str]] = {}
    for name in sorted(names):
        own = called(name)
        words = kinds.setdefault(own.kind, {"count": 0})
        words["count"] = max(int(words["count"]), own.number)
        if own.pattern:
            words["names"] = own.pattern
    return kinds


@record(kw_only=True)
class Plug:
    """A port with a cable.

    Attributes:
        place: Cage of the port, and its part of `subs` parts.
        far: Name of the neighbor.
        far_port: Name of the neighbor's port.
        to: The neighbor, if it is a switch of the fabric.
        management: Whether the far port is a management port of a switch.
        power: Whether the far port belongs to a power unit.
        speed: Speed, or 0 if unknown.
        bundle: Whether the port is part of a bundle.
    """

    switch: Judged
    port: str
    place: tuple[int, int]
    subs: int
    far: str
    far_port: str
    to: Judged | None
    management: bool
    power: bool
    speed: BitsPerSecond
    bundle: bool

    @property
    def network(self) -> str:
        """Return the set of ports that the far port belongs to: `rdma` for rdma3."""
        return re.sub(r"\d+$", "", self.far_port)


_ENOUGH = 3
"""Fewer servers with equal cables are separate kinds, because their names say more."""


@record()
class Counting:
    """The new names of servers by their old names."""

    names: Mapping[str, str]

    def pins(self) -> Tree:
        """Return kinds of servers with the names of their servers."""
        kinds: Tree = {}
        for name, counts in sorted(self.names.items(), key=lambda each: each[1]):
            own = called(counts)
            if re.fullmatch(HOST_NAME, name):
                pins = kinds.setdefault(own.kind, {}).setdefault("pins", {})
                pins[str(own.number)] = {"hostname": name}
        return kinds


def counting(servers: Mapping[str, Sequence[Plug]]) -> Counting:
    """Assign numbers to servers without a common stem by name and place in the fabric."""
    kinds = Counter(called(name).kind for name in servers)
    alike: dict[tuple[object, ...], dict[str, Sequence[Plug]]] = defaultdict(dict)
    for name, plugs in servers.items():
        own = plugs[0].switch.name
        if kinds[called(name).kind] == 1 and not name.startswith(f"{own}-"):
            alike[_cabled(plugs)][name] = plugs
    free = (f"server-{letter}" for letter in ascii_lowercase)
    stems = (stem for stem in ("server", *free) if stem not in kinds)
    names: dict[str, str] = {}
    for each in (own for own in alike.values() if len(own) >= _ENOUGH):
        stem = next(stems, None)
        if stem is not None:
            names |= {name: f"{stem}{number:04}" for name, number in _numbered(each)}
    return Counting(names)


def _cabled(plugs: Sequence[Plug]) -> tuple[object, ...]:
    """Return the cabling of a server: ports per network, their speed and bundles."""
    ports = Counter((each.network, int(each.speed), each.bundle) for each in plugs)
    return tuple(sorted(ports.items()))


def _numbered(servers: Mapping[str, Sequence[Plug]]) -> Iterator[tuple[str, int]]:
    """Yield the number of each server by leaf or leaf pair and place. Gaps count."""
    first = {name: min(plugs, key=_where) for name, plugs in servers.items()}
    at: dict[str, list[str]] = defaultdict(list)
    for name, plug in first.items():
        at[plug.switch.name].append(name)
    begin = min(_slot(plug) for plug in first.values())
    each = len([it for it in next(iter(servers.values())) if _beside(it, first)])
    places = {name: (_slot(plug) - begin) // max(each, 1) for name, plug in first.items()}
    most = max(places.values()) + 1
    for rank, leaf in enumerate(sorted(at)):
        for name in sorted(at[leaf], key=places.__getitem__):
            yield name, rank * most + places[name] + 1


def _beside(plug: Plug, first: Mapping[str, Plug]) -> bool:
    mine = first[plug.far]
    return plug.switch is mine.switch and plug.network == mine.network


def _where(plug: Plug) -> tuple[str, tuple[int, int]]:
    return plug.switch.name, plug.place


def _slot(plug: Plug) -> int:
    return plug.place[0] * plug.subs + plug.place[1]
