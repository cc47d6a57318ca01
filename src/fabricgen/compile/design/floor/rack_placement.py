"""Place the switches and the servers of a site in its racks."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.racks import WORDS, judge_places, like, racks_of
from fabricgen.compile.design.server_placement import servers_of
from fabricgen.compile.design.wiring.naming import Namer, check_pattern
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.core.units import counted
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.racks import Held, RackType
from fabricgen.intent.paths import at
from fabricgen.model.fabric.floor import KEPT, Rack, Stand
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Server, Switch

SWITCH, SERVER, POWER = "switch", "server", "power unit"
UNSAID = 2
"""Default rack units: most switches with 64 cages, and most servers, have two."""


def stands_of(
    intent: Intent, fabrics: Sequence[Fabric], findings: Findings
) -> tuple[list[Rack], dict[str, Stand]]:
    """Return every rack, and the devices in racks by name."""
    racks: list[Rack] = []
    stands: dict[str, Stand] = {}
    again: dict[IntentPath, list[Stand]] = {}
    stacked = _Stacked(findings)
    held = _Held.of(intent, fabrics, findings)
    site = intent.site.called
    seats = {name: racks_of(name, words, site, findings) for name, words in intent.racks.items()}
    judge_places(seats, findings)
    for name, words in intent.racks.items():
        for seat in seats[name]:
            rack = Rack(
                name=seat.name,
                type=name,
                number=seat.number,
                row=seat.row,
                position=seat.position,
                units=words.height,
                watts=words.power,
                path=at("racks", name),
                panels=words.panels,
                ports=words.ports or "",
            )
            racks.append(rack)
            for stand in stacked.rack(rack, list(held.things(rack, words))):
                if stands.setdefault(stand.name, stand) is not stand:
                    again.setdefault(stand.path, []).append(stand)
    _say_again(again, stands, findings)
    return racks, stands


def _say_again(
    again: dict[IntentPath, list[Stand]], stands: Mapping[str, Stand], findings: Findings
) -> None:
    """Report devices that an entry puts into a second rack, once for each entry."""
    for path, twice in again.items():
        first = twice[0]
        other = stands[first.name].rack
        more = len({stand.name for stand in twice}) - 1
        names = f"{first.name} and {more} more" if more else first.name
        findings.spoil(
            Code.DUPLICATE_ID,
            f"{names} would be in two racks: rack {other.number} of {other.type} and "
            f"rack {first.rack.number} of {first.rack.type}",
            path,
            "use rack variables in the pattern, for example {rack}, or another `first`",
        )


@dataclass(frozen=True, kw_only=True)
class _Held:
    """Devices that racks may contain, by name."""

    intent: Intent
    findings: Findings
    switches: Mapping[str, Switch]
    names: Sequence[str]
    servers: Mapping[str, Sequence[Server]]
    unknown: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, intent: Intent, fabrics: Sequence[Fabric], findings: Findings) -> "_Held":
        """Collect the devices of the site."""
        switches = {each.name: each for fabric in fabrics for each in fabric.topology.switches}
        return cls(
            intent=intent,
            findings=findings,
            switches=switches,
            names=sorted(switches),
            servers=held_servers(intent, fabrics),
        )

    def things(self, rack: Rack, words: RackType) -> Iterator[Stand]:
        """Yield the devices of a rack in order."""
        units = count(1)
        if rack.panels:
            yield Stand(
                name=f"{rack.name}-panels",
                kind=KEPT,
                rack=rack,
                units=rack.panels,
                unit=max(1, rack.units - rack.panels + 1),
                path=(*rack.path, "panels"),
                watts=0,
            )
        for number, held in enumerate(words.contents):
            path = (*rack.path, "contents", number)
            first = held.unit
            for thing in self._each(rack, held, path, units):
                own = words.units.get(thing.name)
                if own is not None:
                    yield replace(thing, units=thing.units or 1, unit=own)
                elif first is not None:
                    yield replace(thing, units=thing.units or 1, unit=first)
                    first += thing.units
                else:
                    yield thing

    def _each(
        self, rack: Rack, held: Held, path: IntentPath, units: Iterator[int]
    ) -> Iterator[Stand]:
        if held.switches is not None:
            self._faces(rack, held, (*path, "airflow"))
            yield from self._switches(rack, held.switches, held.airflow or "", (*path, "switches"))
        if held.servers is not None:
            yield from self._servers(rack, held, (*path, "servers"))
        for _ in range(held.pdus or 0):
            name = f"{rack.name}-pdu{next(units)}"
            yield Stand(name=name, kind=POWER, rack=rack, units=0, unit=None, path=path, watts=0)

    def _faces(self, rack: Rack, held: Held, path: IntentPath) -> None:
        """Report where air would go in from the hot aisle, or out into the cold one."""
        if held.airflow is None or not rack.ports or rack.number > 1:
            return
        if (held.airflow == "port-side-intake") is not (rack.ports == "cold-aisle"):
            way = "in from" if held.airflow == "port-side-intake" else "out into"
            aisle = rack.ports.replace("-", " ")
            what = (
                f"the ports of {held.switches!r} face the {aisle} in racks {rack.type}, and air "
                f"flows {way} it"
            )
            hint = "mount the switches the other way round, or order other fans"
            self.findings.error(Code.WRONG_AISLE, what, path, hint)

    def _switches(
        self, rack: Rack, pattern: str, airflow: str, path: IntentPath
    ) -> Iterator[Stand]:
        check_pattern(pattern, WORDS, path, self.findings)
        words: dict[str, str | int] = {
            "type": rack.type,
            "rack": rack.number,
            "row": rack.row,
            "position": rack.position,
        }
        wanted = Namer(pattern, self.intent.site.called)(**words)
        there = like(self.names, wanted)
        if not there and (rack.type, pattern) not in self.unknown:
            self.unknown.add((rack.type, pattern))
            what = (
                f"rack {rack.number} of {rack.type} contains {wanted!r}, but no switch has this "
                "name"
            )
            hint = did_you_mean(wanted, self.names)
            self.findings.spoil(Code.UNKNOWN_REFERENCE, what, path, hint)
        for name in there:
            model = self.switches[name].model
            yield Stand(
                name=name,
                kind=SWITCH,
                rack=rack,
                units=model.rack_units or UNSAID,
                unit=None,
                path=path,
                watts=model.watts.maximum if model.watts is not None else None,
                airflow=airflow,
            )

    def _servers(self, rack: Rack, held: Held, path: IntentPath) -> Iterator[Stand]:
        kind, each = held.servers or "", held.count or 0
        if kind not in self.servers:
            hint = did_you_mean(kind, sorted(self.servers))
            what = f"no servers of kind {kind!r}"
            self.findings.spoil(Code.UNKNOWN_REFERENCE, what, path, hint)
            return
        words = self.intent.servers.get(kind)
        first = (held.first or 1) - 1 + (rack.number - 1) * each
        for server in self.servers[kind][first : first + each]:
            yield Stand(
                name=server.name,
                kind=SERVER,
                rack=rack,
                units=words.height if words is not None else UNSAID,
                unit=None,
                path=path,
                watts=words.watts if words is not None else None,
            )


def held_servers(intent: Intent, fabrics: Sequence[Fabric]) -> dict[str, Sequence[Server]]:
    """Return the servers that racks may hold, by the name of their kind there."""
    servers: dict[str, Sequence[Server]] = {}
    for each in intent.each_set():
        servers.setdefault(each.kind, servers_of(each, intent.site.called))
    return {**_own(fabrics), **servers}


def _own(fabrics: Sequence[Fabric]) -> dict[str, list[Server]]:
    """Return the servers that fabrics' own keys say, by the fabric and their group or side."""
    own: dict[str, list[Server]] = defaultdict(list)
    for fabric in fabrics:
        there = {server.name: server for server in fabric.topology.servers if not server.kind}
        for (name, _), place in fabric.topology.places.items():
            if name in there:
                key = f"{fabric.name}-{place.group}" if place.group else fabric.name
                own[key].append(there.pop(name))
    return own


@dataclass(frozen=True, slots=True)
class _Stacked:
    """Placement in rack units; a fault of identical racks is reported for the first one."""

    findings: Findings
    told: set[tuple[str, IntentPath]] = field(default_factory=set)

    def rack(self, rack: Rack, things: Sequence[Stand]) -> Iterator[Stand]:
        """Yield the devices of a rack: first those with a unit, then the others in free units."""
        taken: dict[int, str] = {}
        for thing in sorted(things, key=lambda thing: thing.unit is None):
            unit = thing.unit
            if unit is None and thing.units:
                unit = _room(rack, thing, taken)
                if unit is None:
                    free = counted(thing.units, "free unit") + (" in a row" * (thing.units > 1))
                    what = f"rack {rack.name} of {rack.units} units lacks {free} for {thing.name}"
                    self._say(rack, thing, what)
                    continue
            if unit is not None:
                self._take(rack, thing, unit, taken)
            yield replace(thing, unit=unit)

    def _take(self, rack: Rack, thing: Stand, unit: int, taken: dict[int, str]) -> None:
        """Use units, or report the device that has them already, or the end of the rack."""
        top = unit + thing.units - 1
        there = next((taken[each] for each in range(unit, top + 1) if each in taken), None)
        taken.update(dict.fromkeys(range(unit, top + 1), thing.name))
        where = f"unit {unit}" if unit == top else f"units {unit} to {top}"
        if top > rack.units:
            what = f"{thing.name} in {where} of rack {rack.name} is above its {rack.units} units"
            self._say(rack, thing, what)
        elif there is not None:
            self._say(rack, thing, f"{thing.name} and {there} both have {where} of {rack.name}")

    def _say(self, rack: Rack, thing: Stand, what: str) -> None:
        if (rack.type, thing.path) not in self.told:
            self.told.add((rack.type, thing.path))
            hint = "use a higher rack, put less in it, or set another `unit`, `units` or `height`"
            self.findings.error(Code.RACK_FULL, what, thing.path, hint)


def _room(rack: Rack, thing: Stand, taken: dict[int, str]) -> int | None:
    """Return the lowest of free units for a thing: servers from below, others from above."""
    last = rack.units - thing.units + 1
    places = range(1, last + 1) if thing.kind == SERVER else range(last, 0, -1)
    return next(
        (unit for unit in places if not any(unit + k in taken for k in range(thing.units))), None
    )
