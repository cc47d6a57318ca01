"""NIC k of every server lands on rail k: on a leaf of its unit that holds that rail.

One swapped cable plan line and collectives cross the spines for that server alone: no error, less
bandwidth. Fix `rails_per_leaf`, `scalable_unit` or the cabling. Per server and plane the rails told
to the leafs are a permutation of the fabric's rails (times the NIC's ports per plane), so within a
unit each rail's leaf serves each server equally. A leaf without rails counts as examined too: it
must have no routed NIC.
"""

from collections import Counter, defaultdict

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server, Switch

_Landing = tuple[int, str, int]  # rail, NIC port, plane


class Rails(Tallied):
    """Notes for each server what the leafs say of its NICs."""

    name, code, noun = "rails", Code.NIC_OFF_ITS_RAIL, "leafs and NICs"

    def __init__(self, site: Site) -> None:
        """Start with no server."""
        super().__init__(site)
        self.landed: dict[str, dict[str, list[_Landing]]] = {
            fabric.name: defaultdict(list) for fabric in site.fabrics
        }

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Compare the NICs of one leaf with its rails and its unit."""
        switch, landed = piece.switch, self.landed[fabric.name]
        self.tally.objects += switch.is_leaf
        for interface in piece.interfaces:
            if interface.use is not Use.NIC or not switch.rails:
                continue
            self.tally.objects += 1
            server, nic = interface.peer, interface.peer_port
            if isinstance(server, Server) and isinstance(nic, Nic):
                place = fabric.topology.places.get((server.name, nic.network))
                there = (place.group, place.unit) if place is not None else ("", 0)
                if nic.rail not in switch.rails or there != (switch.group, switch.unit):
                    text = f"{ends.text(server, nic)} is rail {nic.rail}"
                    self.astray(switch, text, there[1], interface)
                landed[server.name].append((nic.rail, nic.name, switch.plane))

    def astray(self, switch: Switch, nic: str, unit: int, interface: Interface) -> None:
        """Say where a NIC lands instead."""
        self.tally.add(
            "NICs off their rail",
            f"{nic} of unit {unit}; it lands on "
            f"{ends.text(switch, interface.port)}, which has rails "
            f"{', '.join(map(str, switch.rails)) or 'none'} of unit {switch.unit}",
            interface.because,
        )

    def result(self) -> Examined:
        """Compare each server's landings with the rails of each plane."""
        for fabric in self.site.fabrics:
            planes: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
            for switch in fabric.topology.switches:
                if switch.rails:
                    planes[switch.group][switch.plane].update(switch.rails)
            groups = {name: place.group for (name, _), place in fabric.topology.places.items()}
            for server in fabric.topology.servers if planes else ():
                landed = self.landed[fabric.name].get(server.name, [])
                self.server(server, landed, planes[groups.get(server.name, "")])
        return self.tally.result()

    def server(self, server: Server, landed: list[_Landing], planes: dict[int, set[int]]) -> None:
        """Each rail is reached equally often in each plane, by a NIC port of its own."""
        for plane, rails in planes.items():
            times = Counter(rail for rail, _, where in landed if where == plane)
            if set(times) != rails or len(set(times.values())) != 1:
                self.tally.add(
                    "servers that miss a rail",
                    f"{server.name} in plane {plane} lands on rails "
                    f"{_told(times)}; each of {min(rails)} to {max(rails)} must come equally often",
                    server.because,
                )
        names = {name for _, name, _ in landed}
        if len(names) != len(landed):
            text = f"{server.name} has {len(landed)} cables on {len(names)} NIC ports"
            self.tally.add("NIC ports used twice", text, server.because)


def _told(counts: Counter[int]) -> str:
    return ", ".join(f"{rail} x{times}" for rail, times in sorted(counts.items())) or "none"
