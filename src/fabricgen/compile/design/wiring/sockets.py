"""Assign the management ports of racks to the ports of leafs.

Rack j of a row has `ports` of them from `port` on, counted through the row's leafs, so more racks
move nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managing import Managing
from fabricgen.compile.design.racks import Plug, Rack, Racks
from fabricgen.core.diagnostics import Code
from fabricgen.core.record import record
from fabricgen.core.units import Meters, spans
from fabricgen.model.fabric.topology import Link, Place, Port, Server, Switch


@record(kw_only=True)
class Leafs:
    """Leafs with cables of racks. noun: their name.

    ports: number of ports for racks, by a leaf's number; 0 without any. numbers: leafs with such
    ports, if they are known before.
    """

    noun: str
    ports: Callable[[int], int]
    numbers: Sequence[int] = ()


@dataclass(slots=True, kw_only=True)
class Plugged:
    """Management ports that are cabled to leafs so far.

    vlans: the VLAN keys of the ports, by leaf and place. keys: by owner and its name.
    """

    servers: dict[str, Server] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    vlans: dict[str, dict[int, str]] = field(default_factory=dict)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Sockets:
    """Assignment of leaf ports to racks. taken: by leaf and port, from 0; types: by leaf."""

    managing: Managing
    leafs: Leafs
    findings: Findings
    taken: dict[tuple[int, int], tuple[Rack, Plug | None]] = field(default_factory=dict)
    types: dict[int, str] = field(default_factory=dict)

    def fill(self, racks: Racks) -> None:
        """Take the ports of all racks, zone by zone in the order of their first ports."""
        zones = self.managing.words.zones.items()
        for *_, kind in sorted((zone.switch, zone.port, kind) for kind, zone in zones):
            self.zone(kind, racks.get(kind, ()))

    def zone(self, kind: str, racks: Sequence[tuple[Rack, Sequence[Plug | None]]]) -> None:
        """Take the ports of every rack of a type."""
        zone, path = self.managing.words.zones[kind], self.managing.at("zones", kind)
        need = max((len(plugs) for _, plugs in racks), default=0)
        each = zone.ports or need
        if need > each:
            self.findings.spoil(
                Code.PORTS_EXHAUSTED,
                f"a rack of {kind} has {need} management ports, but {each} are reserved for it",
                (*path, "ports"),
                f"this fits: `ports: {need}`",
            )
            return
        down = self.leafs.ports(zone.switch) or 1
        longest = 1 + max((rack.place for rack, _ in racks), default=0)
        stride = ceil((zone.port - 1 + longest * each) / down)
        for rack, plugs in racks:
            first = zone.port - 1 + rack.place * each
            for k in range(each):
                line, port = divmod(first + k, down)
                number = zone.switch + rack.line * stride + line
                plug = plugs[k] if k < len(plugs) else None
                if not (self.there(number, down, rack) and self.take(number, port, rack, plug)):
                    return

    def there(self, number: int, down: int, rack: Rack) -> bool:
        """Return whether a leaf has as many ports as the first one of its zone; report a lack."""
        have = self.leafs.ports(number)
        if have != down:
            those = spans(self.leafs.numbers)
            self.findings.spoil(
                Code.PORTS_EXHAUSTED,
                f"racks of {rack.type} continue on {self.leafs.noun} {number}, which reserves "
                + (
                    f"{have} cages for management ports, not {down}"
                    if have
                    else ("no cages for them")
                ),
                self.managing.at("zones", rack.type),
                f"{self.leafs.noun}s with such cages: {those}"
                if those
                else ("reserve some with `cages`"),
            )
        return have == down

    def take(self, number: int, port: int, rack: Rack, plug: Plug | None) -> bool:
        """Take one port of a leaf, or report its owner and a free port."""
        self.types.setdefault(number, rack.type)
        other, _ = self.taken.setdefault((number, port), (rack, plug))
        if other is rack:
            return True
        last = max(one for one, _ in self.taken)
        free = max(at for one, at in self.taken if one == number) + 2
        self.findings.spoil(
            Code.PORT_USED_TWICE,
            f"port {port + 1} of {self.leafs.noun} {number} is assigned to {other.type} and to "
            f"{rack.type}",
            self.managing.at("zones", rack.type),
            f"this fits: `switch: {last + 1}`"
            + (f", or `port: {free}`" if free <= self.leafs.ports(number) else ""),
        )
        return False

    def plugged(
        self, leafs: Mapping[int, Switch], ports: Callable[[Switch], Sequence[Port]], beyond: int
    ) -> Plugged:
        """Cable every management port to its place. beyond: 0, or to count places by the cage."""
        done = Plugged()
        length = Meters(self.managing.words.unless_refused("cable_length") or 0)
        for (number, port), (_, plug) in sorted(self.taken.items(), key=lambda item: item[0]):
            if plug is None:
                continue
            leaf, server = leafs[number], plug.server
            own = ports(leaf)[port]
            place = beyond + own.cage if beyond else port + 1
            done.servers[server.name] = server
            end = (server.name, plug.nic.network)
            done.places[end] = Place(number, leaf.group if beyond else "", place)
            done.keys[end] = plug.vlan
            done.vlans.setdefault(leaf.name, {})[place] = plug.vlan
            done.links.append(
                Link(
                    lower=server,
                    lower_port=plug.nic,
                    upper=leaf,
                    upper_port=own,
                    speed=own.speed,
                    length=length,
                    slot=port,
                    because=server.because,
                )
            )
        return done
