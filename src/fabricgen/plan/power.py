"""Sums the watts and rack units of each rack and lists what is unknown."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.parts import OUTSIDE, UNKNOWN, plugged
from fabricgen.model.catalog.optics import Optic
from fabricgen.model.fabric.floor import Rack
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch

SWITCHES, MOST, OPTICS, SERVERS = "switches", "most", "optics", "servers"
"""The sums of a load; the maximum watts of a switch are not part of its usual watts."""
PASSIVE = frozenset({"DAC", "copper"})
"""Equipment that the usual load of its switch includes (model/catalog/switches.py)."""


@dataclass(slots=True, kw_only=True)
class Load:
    """Load of one rack. `rack`: None for all devices outside racks.

    `switches`: watts at usual load, without optics. `most`: with the full load of their cages.
    `optics`: in cages of switches; optics of a server are in its own watts. `unknown`: by sum,
    parts without watts in the catalog, and their number; the sum excludes them.
    """

    rack: Rack | None
    used: int = 0
    switches: int = 0
    most: int = 0
    optics: float = 0
    servers: int = 0
    unknown: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def watts(self) -> float:
        """Return the watts at usual load of all known devices."""
        return self.switches + self.optics + self.servers


def loads(site: Site, laid: Sequence[Cable]) -> list[Load]:
    """Return the load of each rack, then of devices outside racks, if there are any."""
    return _Loads(site).all(laid)


class _Loads:
    """Adds up the watts by rack."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.by = {rack.name: Load(rack=rack) for rack in site.floor.racks}
        self.none = Load(rack=None)
        self.stands = site.floor.stands

    def _some(self) -> bool:
        none = self.none
        return bool(none.watts or none.most or none.unknown)

    def all(self, laid: Sequence[Cable]) -> list[Load]:
        for stand in self.stands.values():
            self.by[stand.rack.name].used += stand.units
        for fabric in self.site.fabrics:
            for switch in fabric.topology.switches:
                self._switch(switch)
        for name in self._servers():
            self._server(name)
        for _, end, optic in plugged(laid):
            if isinstance(end.owner, Switch):
                self._optic(self._at(end.name), optic)
        outside = (cable for cable in laid if cable.far.owner is None)
        for cable in (cable for cable in outside if cable.near.optic is None):
            self._at(cable.near.name).unknown[OPTICS][OUTSIDE] += 1
        return [*self.by.values(), *([self.none] if self._some() else [])]

    def _at(self, name: str) -> Load:
        stand = self.stands.get(name)
        return self.none if stand is None else self.by[stand.rack.name]

    def _servers(self) -> Iterator[str]:
        """Yield every server once, without servers that are only managed."""
        stands = self.stands.values()
        yield from (stand.name for stand in stands if stand.kind == "server")
        fabrics = [fabric.topology for fabric in self.site.fabrics]
        managed = {management_port(each.name) for fabric in fabrics for each in fabric.switches}
        others = dict.fromkeys(each.name for fabric in fabrics for each in fabric.servers)
        yield from (name for name in others if name not in managed and name not in self.stands)

    def _switch(self, switch: Switch) -> None:
        load, watts = self._at(switch.name), switch.model.watts
        load.switches += (watts and watts.typical) or 0
        load.most += (watts and watts.maximum) or 0
        if watts is None or watts.typical is None:
            load.unknown[SWITCHES][f"{switch.model.name} at usual load"] += 1
        if watts is None or watts.maximum is None:
            load.unknown[MOST][f"{switch.model.name} at maximum"] += 1

    def _server(self, name: str) -> None:
        stand, load = self.stands.get(name), self._at(name)
        if stand is None or stand.watts is None:
            load.unknown[SERVERS]["servers"] += 1
        else:
            load.servers += stand.watts

    def _optic(self, load: Load, optic: Optic | None) -> None:
        if optic is not None and optic.kind in PASSIVE:
            return
        if optic is None or optic.power is None:
            load.unknown[OPTICS][optic.name if optic is not None else UNKNOWN] += 1
        else:
            load.optics += optic.power
