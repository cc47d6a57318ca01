"""Build every rack with its place and its management ports."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice, takewhile

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.server_placement import servers_of
from fabricgen.compile.design.wiring.naming import Namer, check_pattern
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.racks import Held, RackType
from fabricgen.intent.paths import at
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.topology import Nic, Server

WORDS = {"site", "type", "rack", "row", "position"}
"""Variables of the names of a rack and of its devices."""
BMC, SWITCHES, PDU = "bmc", "switches", "pdu"
"""The VLANs of an access fabric, as the intent has them."""
PORT = "eth0"
"""Name of the management port at the end of a switch or power unit."""


@record(kw_only=True)
class Rack:
    """One rack: rack r of its type, in a row at a place; `line` and `place` count in its type.

    line: number of previous rows of its type. place: number of racks of its type before it in the
    row.
    """

    type: str
    number: int
    name: str
    row: int
    position: int
    line: int
    place: int

    def words(self) -> dict[str, str | int]:
        """Return the variables of the names of its devices, without the site."""
        where: dict[str, str | int] = {"row": self.row, "position": self.position}
        return {"type": self.type, "rack": self.number, **where}


@record(kw_only=True)
class Plug:
    """Management port in a rack: its owner, its name there, and its VLAN's key."""

    server: Server
    nic: Nic
    vlan: str


Racks = Mapping[str, Sequence[tuple[Rack, Sequence[Plug | None]]]]
"""Racks by their type, each with its management ports in order."""


def racks_of(name: str, words: RackType, site: str, findings: Findings) -> list[Rack]:
    """Return the racks of a type; report an unknown variable of their names."""
    check_pattern(words.names, WORDS, at("racks", name, "names"), findings)
    each, called = words.per_row or words.count, Namer(words.names, site)
    return [_rack(name, words, place, each, called) for place in range(words.count)]


def _rack(kind: str, words: RackType, place: int, each: int, called: Namer) -> Rack:
    line, along = divmod(place, each)
    row, position = words.row + line, words.position + along
    for skipped in sorted(set(words.skips)):
        position += words.position <= skipped <= position
    return Rack(
        type=kind,
        number=place + 1,
        name=called(type=kind, rack=place + 1, row=row, position=position),
        row=row,
        position=position,
        line=line,
        place=along,
    )


def judge_places(racks: Mapping[str, Iterable[Rack]], findings: Findings) -> None:
    """Report two racks at one place or of one name; the first pair of each two types."""
    places: dict[tuple[int, int], Rack] = {}
    names: dict[str, Rack] = {}
    said: set[tuple[str, str]] = set()
    for rack in (rack for each in racks.values() for rack in each):
        there = places.setdefault((rack.row, rack.position), rack)
        alike = names.setdefault(rack.name, rack)
        other = there if there is not rack else alike
        if other is rack or (other.type, rack.type) in said:
            continue
        said.add((other.type, rack.type))
        same = f"at place {rack.position} of row {rack.row}"
        if there is rack:
            same = f"named {rack.name!r}"
        findings.spoil(
            Code.DUPLICATE_ID,
            f"rack {rack.number} of {rack.type} and rack {other.number} of {other.type} are both "
            f"{same}",
            at("racks", rack.type, "position" if there is not rack else "names"),
        )


@record(kw_only=True)
class Standing:
    """Devices that racks may contain: switches by name, and servers by kind, with port sets.

    fabrics: their names. Servers without management by their own key are marked so.
    """

    switches: Sequence[str]
    sets: Mapping[str, Sequence[KindPorts]]
    kinds: Collection[str]
    fabrics: tuple[str, ...]
    site: str


class Contents:
    """Contents of racks; each switch and server is in one rack."""

    def __init__(self, there: Standing, findings: Findings, *, known: bool) -> None:
        self._there, self._findings, self._known = there, findings, known
        self._names = sorted(there.switches)
        self._owner: dict[str, Rack] = {}
        self._unknown: set[IntentPath] = set()

    def of(self, rack: Rack, words: RackType) -> list[Plug | None]:
        """Return the management ports of a rack, in their order; None for one to come."""
        path: IntentPath = ("racks", rack.type, "contents")
        plugs: list[Plug | None] = []
        units = 0
        for number, held in enumerate(words.contents):
            plugs.extend(self._held(rack, held, units, (*path, number)))
            units += held.pdus or 0
        return plugs

    @property
    def held(self) -> frozenset[str]:
        """Return the switches and servers that a rack holds."""
        return frozenset(self._owner)

    @property
    def left(self) -> list[str]:
        """Return the switches, then the servers with ports here, that no rack holds."""
        servers = [
            server.name
            for _, sets in sorted(self._there.sets.items())
            for server in servers_of(sets[0], self._there.site)
        ]
        return [name for name in (*self._names, *servers) if name not in self._owner]

    def _held(self, rack: Rack, held: Held, units: int, path: IntentPath) -> Iterator[Plug | None]:
        """Yield the ports of one entry. units: power units of the entries before it."""
        because = Provenance((at(*path),), "every device in a rack has a management port")
        if held.pdus is not None:
            for index in range(units + 1, units + held.pdus + 1):
                yield _plug(f"{rack.name}-pdu{index}", index, PDU, because)
        if held.switches is not None:
            standing = self._standing(rack, held.switches, (*path, "switches"))
            for index, name in enumerate(standing, 1):
                yield _plug(management_port(name), index, SWITCHES, because)
        if held.servers is not None:
            yield from self._servers(rack, held, (*path, "servers"))

    def _servers(self, rack: Rack, held: Held, path: IntentPath) -> Iterator[Plug | None]:
        """Yield the ports of the servers in this rack: the same number in every rack."""
        kind, each = held.servers or "", held.count or 0
        if kind not in self._there.kinds and not kind.startswith(self._there.fabrics):
            hint = did_you_mean(kind, sorted(self._there.kinds))
            sentence = f"no servers of kind {kind!r}"
            self._findings.spoil(Code.UNKNOWN_REFERENCE, sentence, path, hint)
        for of in self._there.sets.get(kind, ()):
            servers = servers_of(of, self._there.site)
            first = (held.first or 1) - 1 + (rack.number - 1) * each
            for server in (*servers[first : first + each], *[None] * each)[:each]:
                yield self._port(rack, server, of) if server is not None else None

    def _port(self, rack: Rack, server: Server, of: KindPorts) -> Plug:
        self._take(server.name, rack)
        nic = Nic(rail=0, port=1, name=of.network, network=of.network)
        return Plug(server=server, nic=nic, vlan=of.ports.vlan or BMC)

    def _take(self, name: str, rack: Rack) -> None:
        """Put a device into a rack. The floor reports devices in two racks."""
        if self._owner.setdefault(name, rack) is not rack:
            self._findings.whole = False

    def _standing(self, rack: Rack, pattern: str, path: IntentPath) -> list[str]:
        """Return the switches of a pattern in this rack, in natural order."""
        check_pattern(pattern, WORDS, path, self._findings)
        wanted = Namer(pattern, self._there.site)(**rack.words())
        there = like(self._names, wanted)
        if not there and self._known and path not in self._unknown:
            self._unknown.add(path)
            self._findings.spoil(
                Code.UNKNOWN_REFERENCE,
                f"rack {rack.number} of {rack.type} contains {wanted!r}, but no switch has this "
                "name",
                path,
                did_you_mean(wanted, self._names),
            )
        for name in there:
            self._take(name, rack)
        return there


def _plug(name: str, number: int, vlan: str, because: Provenance) -> Plug:
    """Return the management port of a switch or power unit."""
    server = Server(name=name, kind="", number=number, because=because)
    return Plug(server=server, nic=Nic(rail=0, port=1, name=PORT, network=PORT), vlan=vlan)


def like(names: Sequence[str], wanted: str) -> list[str]:
    """Return the names that match a pattern, in natural order; `names` are sorted."""
    begin = wanted.partition("*")[0]
    first = bisect_left(names, begin)
    near = takewhile(lambda name: name.startswith(begin), islice(names, first, None))
    return sorted((name for name in near if fnmatchcase(name, wanted)), key=_counted)


def _counted(name: str) -> list[tuple[str, int]]:
    """Return a sort key that puts leaf2 before leaf10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]
