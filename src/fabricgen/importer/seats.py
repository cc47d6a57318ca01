"""Finds the server behind each port of the fabrics of a tree.

The tree defines the place of every server. It is designed without tenants here, and a port of the
design is found by its name in the files of the switch.
"""

from collections.abc import Iterator
from functools import cached_property

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.beside import Beside, fabrics
from fabricgen.importer.tree import Tree, at
from fabricgen.model.fabric.topology import Nic, Place, Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.ports import Port

_KINDS: dict[tuple[str, ...], str] = {("frontend",): "evpn", ("backend",): "rails"}
_OF_TENANTS = frozenset({"tenants", "jobs", "zones", "services", "flows", "dci", "gateways"})


@record(eq=False, kw_only=True)
class Seat:
    """A port with a server. place: of the server's set of ports in the fabric.

    The attribute `speed` is the speed of the leaf port.
    """

    server: Server
    nic: Nic
    place: Place
    leaf: Switch
    judged: Judged
    port: Port
    speed: BitsPerSecond

    @property
    def set_of_ports(self) -> tuple[str, str]:
        """Return the kind and set of the port, or an empty text and the leaf group."""
        own = self.server.kind
        return (own, self.nic.network) if own else ("", self.place.group)


class Floor:
    """One fabric of a tree, with its kind in the intent. alone: no other has its kind."""

    def __init__(self, beside: Beside, kind: str, *, alone: bool) -> None:
        """Match a fabric with its given switches."""
        self.fabric, self.kind, self.alone = beside.fabric, kind, alone
        self.beside = beside
        self.found = {each.name: (each, read) for each, read in beside.switches}

    def says(self, tree: Tree) -> bool:
        """Check whether a tree already has external connections of the fabric."""
        tenants = (at(tree, "tenants") or {}).values()
        vrfs = (vrf for own in tenants for vrf in own.get("vrfs", {}).values())
        place = map(str, self.fabric.place)
        return bool(at(tree, *place, "edge")) or any("external" in each for each in vrfs)

    @cached_property
    def leafs(self) -> list[tuple[Switch, Judged]]:
        """The leafs with their given switches."""
        return [(each, read) for each, read in self.found.values() if each.is_leaf]

    @cached_property
    def seats(self) -> list[Seat]:
        """All ports with servers in the files."""
        return list(self._seats())

    def _seats(self) -> Iterator[Seat]:
        topology = self.fabric.topology
        for link in topology.links:
            server, nic = link.lower, link.lower_port
            leaf, read = self.found.get(link.upper.name, (None, None))
            if leaf is None or read is None or not isinstance(server, Server):
                continue
            port = read.tables.ports.get(spell(leaf, link.upper_port))
            place = topology.places.get((server.name, getattr(nic, "network", "")))
            if port is not None and place is not None and isinstance(nic, Nic):
                yield Seat(
                    server=server,
                    nic=nic,
                    place=place,
                    leaf=leaf,
                    judged=read,
                    port=port,
                    speed=link.upper_port.speed,
                )


def floors(network: Network, tree: Tree) -> list[Floor]:
    """Return the fabrics of a tree without tenants. Empty if it cannot be designed."""
    found = fabrics(network, {key: own for key, own in tree.items() if key not in _OF_TENANTS})
    places = [tuple(map(str, each.fabric.place)) for each in found]
    kinds = [_KINDS.get(place) or at(tree, *place, "kind") for place in places]
    return [
        Floor(each, kind, alone=kinds.count(kind) == 1)
        for each, kind in zip(found, kinds, strict=True)
    ]
