"""Lists every cable of a designed site with its ends, length and medium.

The name of a cable is its upper end, a switch port with no other cable. So site growth changes no
name.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.cabling.legs import Legs, Lengths
from fabricgen.model.cabling.lengths import Channel, Length, channel_between, length_between, sold
from fabricgen.model.cabling.media import (
    Place,
    Shortfall,
    Wanted,
    chosen,
    far_place,
    far_socket,
    farthest,
    medium,
    place_of,
    plug_of,
    socket_of,
)
from fabricgen.model.catalog.optics import MediaOption, Optic
from fabricgen.model.fabric.circuits import Circuit
from fabricgen.model.fabric.floor import Floor, Media, Stand
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Port, Server, Switch

_Cage = tuple[str, int | str]


@record(kw_only=True)
class End:
    """One end of a cable: its owner, port, place in a rack and optic.

    `place`: location of the port in its cage. `owner`: None for an external end, of which only the
    name is known. `optic`: None for the end of a cable, and if no fitting optic is known.
    """

    name: str
    owner: Switch | Server | None
    port: Port | Nic | None
    place: Place
    stand: Stand | None
    optic: Optic | None


@record(eq=False, kw_only=True)
class Cable:
    """One cable. `near`: the upper switch. `far`: the end nearer to the servers, or outside.

    `plane`, `rail`: 0 if there are none. `way`: None if no known medium joins the ends. `assembly`:
    the ends in one cage; the cables of one assembly are one part that splits at its far ends.
    `jacket`: LSZH, riser or plenum, if chosen. `channel`: its parts if it runs through panels.
    `shortfall`: reason why no allowed medium fits, if known.
    """

    name: str
    fabric: str
    near: End
    far: End
    speed: BitsPerSecond
    plane: int
    rail: int
    length: Length
    way: MediaOption | None
    assembly: str
    color: str
    jacket: str = ""
    link: Link | None = None
    channel: Channel | None = None
    shortfall: Shortfall | None = None

    @property
    def medium(self) -> str:
        """Return the medium; empty if unknown."""
        near = self.way.near if self.way is not None else self.near.optic
        return medium(near) if near is not None else ""

    @property
    def fixed(self) -> Optic | None:
        """Return the cable with fixed ends that it is, or is a part of."""
        return self.way.near if self.way is not None and self.way.near.is_cable else None


def cables(site: Site) -> Iterator[Cable]:
    """Yield every cable, fabric by fabric."""
    for fabric in site.fabrics:
        links, circuits = fabric.topology.links, site.circuits
        laid = FabricCables(fabric=fabric, floor=site.floor, links=links, circuits=circuits)
        yield from laid.cables()


def _has_plugs(way: MediaOption | None) -> bool:
    """Return whether it is fiber with known plugs at both ends."""
    return (
        way is not None and not way.near.is_cable and None not in map(plug_of, (way.near, way.far))
    )


@dataclass(kw_only=True)
class FabricCables:
    """Lays the cables of one fabric; equal cables share one result.

    `links`: the links to lay, with all links that share a cage with one of them. `circuits`: of the
    site. `ends`: for each cage, the remote cages of its interfaces.
    """

    fabric: Fabric
    floor: Floor
    links: Sequence[Link]
    circuits: Mapping[str, Circuit] = field(default_factory=dict)
    media: Media = field(init=False)
    lengths: dict[tuple[object, ...], Length] = field(default_factory=dict)
    channels: dict[tuple[object, ...], Channel | None] = field(default_factory=dict)
    ways: dict[tuple[object, ...], MediaOption | None] = field(default_factory=dict)
    ends: dict[_Cage, set[_Cage]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        """Find the cages that are split over several others."""
        self.media = self.floor.media_of(self.fabric.name)
        for link in self.links:
            below = far_place(self.fabric, link)
            near, far = (link.upper.name, link.upper_port.cage), (link.lower.name, below.cage)
            self.ends[near].add(far)
            self.ends[far].add(near)

    @cached_property
    def legs(self) -> Legs:
        """Groups of links that need one choice of optic."""
        return Legs(self.links, self._lengths, partial(far_place, self.fabric))

    def cables(self) -> Iterator[Cable]:
        """Yield the cables of the topology, then the external cables."""
        for link in self.links:
            yield self._cable(link)
        overlay = self.fabric.overlay
        if overlay is None:
            return
        switches = {switch.name: switch for switch in self.fabric.topology.switches}
        for edge in overlay.edge.values():
            for each in edge.ports:
                yield self._outside(switches[edge.leaf], each, edge.name)
        for leaf, peers in overlay.external.items():
            alone = (peer for peer in peers if peer.interface.tag is None and not peer.inside)
            for peer in {peer.interface.port: peer for peer in alone}.values():
                yield self._outside(switches[leaf], peer.interface, peer.name)

    def _cable(self, link: Link) -> Cable:
        near, far = self._stands(link)
        length, way, channel = self._laid_as(link, near, far)
        fixed = way is not None and way.near.is_cable
        rail = link.lower_port.rail if isinstance(link.lower_port, Nic) else 0
        return Cable(
            name=f"{link.upper.name}:{link.upper_port.label}",
            fabric=self.fabric.name,
            near=End(
                name=link.upper.name,
                owner=link.upper,
                port=link.upper_port,
                place=place_of(link.upper_port),
                stand=near,
                optic=None if way is None or fixed else way.near,
            ),
            far=End(
                name=link.lower.name,
                owner=link.lower,
                port=link.lower_port,
                place=far_place(self.fabric, link),
                stand=far,
                optic=None if way is None or fixed or self._unknown(link) else way.far,
            ),
            speed=link.speed,
            plane=link.upper.plane,
            rail=rail,
            length=length,
            way=way,
            assembly=f"{link.upper.name}:{link.upper_port.cage}",
            color=self.media.color,
            jacket=self.media.jacket,
            link=link,
            channel=channel,
            shortfall=self.shortfall(link) if way is None else None,
        )

    def _laid_as(
        self, link: Link, near: Stand | None, far: Stand | None
    ) -> tuple[Length, MediaOption | None, Channel | None]:
        """Return length and medium from port to port, or through panels.

        Fiber with known plugs runs through panels if it is still fiber at that length. The medium
        is chosen for the longest link of the group.
        """
        length, longest = self._length(link, near, far), self.legs.longest(link)
        way = self._way(link, longest.direct)
        if way is not None and way.near.is_cable:
            length = Length(way=length.way, sold=longest.direct.sold, terms=length.terms)
        if longest.laid is longest.direct or not _has_plugs(way):
            return length, way, None
        longer = self._way(link, longest.laid)
        if longer is not None and not _has_plugs(longer):
            return length, way, None
        channel = self._channel(near, far)
        if channel is None:
            return length, longer, None
        return channel.length, longer, channel if longer is not None else None

    def _stands(self, link: Link) -> tuple[Stand | None, Stand | None]:
        return self.floor.ends.get(link.upper.name), self.floor.ends.get(link.lower.name)

    def _lengths(self, link: Link) -> Lengths:
        near, far = self._stands(link)
        direct, channel = self._length(link, near, far), self._channel(near, far)
        return Lengths(direct=direct, laid=channel.length if channel is not None else direct)

    def _channel(self, near: Stand | None, far: Stand | None) -> Channel | None:
        """Return the parts of fiber between two racks; None if it runs from port to port."""
        if near is None or far is None:
            return None
        key = (id(near.rack), near.unit, id(far.rack), far.unit)
        if key not in self.channels:
            self.channels[key] = channel_between(near, far, self.floor, self.fabric.name)
        return self.channels[key]

    def _unknown(self, link: Link) -> bool:
        return link.to_server and far_socket(self.fabric, link) is None

    def _length(self, link: Link, near: Stand | None, far: Stand | None) -> Length:
        """Return the length from the racks, or from the intent."""
        if near is None or far is None:
            said = float(link.length)
            lengths = self.floor.laying.lengths
            return Length(way=said, sold=sold(said, lengths), terms=(("as written", said),))
        key = (id(near.rack), near.unit, id(far.rack), far.unit)
        if key not in self.lengths:
            self.lengths[key] = length_between(near, far, self.floor.laying)
        return self.lengths[key]

    def _way(self, link: Link, length: Length) -> MediaOption | None:
        wanted = self._wanted(link, length.meters)
        ends = wanted.near, wanted.far
        key = (*(end and (end.forms, end.modes) for end in ends), wanted.meters, link.to_server)
        key = (*key, wanted.apart)
        if key not in self.ways:
            self.ways[key] = chosen(wanted, self.floor.optics)
        return self.ways[key]

    def _wanted(self, link: Link, meters: float) -> Wanted:
        port, below = link.upper_port, far_place(self.fabric, link)
        cages = (link.upper.name, port.cage), (link.lower.name, below.cage)
        return Wanted(
            near=socket_of(link.upper, port),
            far=far_socket(self.fabric, link),
            meters=meters,
            media=self.media.servers if link.to_server else self.media.switches,
            policy=self.media,
            apart=any(len(self.ends[cage]) > 1 for cage in cages),
        )

    def shortfall(self, link: Link) -> Shortfall | None:
        """Return by how much every allowed medium is too short for a link.

        None if one reaches, or if no medium that joins the two ends is known.
        """
        length = self._length(link, *self._stands(link))
        if self._way(link, length) is not None:
            return None
        best = farthest(self._wanted(link, length.meters), self.floor.optics)
        return Shortfall(length=length, way=best[0], reach=best[1]) if best is not None else None

    def _outside(self, leaf: Switch, interface: Interface, name: str) -> Cable:
        """Return a cable with an external end: its length and optic are known of a circuit."""
        port, stand = interface.port, self.floor.ends.get(leaf.name)
        circuit = self.circuits.get(name)
        end = circuit.ends.get(self.fabric.name) if circuit is not None else None
        if circuit is None or end is None or port not in end.ports:
            circuit, end = None, None
        meters = (circuit.kilometers or 0) * 1000 if circuit is not None else 0
        if circuit is not None and circuit.number:
            name = f"{name} {circuit.number}"
        return Cable(
            name=f"{leaf.name}:{port.label}",
            fabric=self.fabric.name,
            near=End(
                name=leaf.name,
                owner=leaf,
                port=port,
                place=place_of(port),
                stand=stand,
                optic=end.optic if end is not None else None,
            ),
            far=End(
                name=name, owner=None, port=None, place=Place("", 0, 1), stand=None, optic=None
            ),
            speed=port.speed,
            plane=leaf.plane,
            rail=0,
            length=Length(way=meters, sold=None, terms=()),
            way=None,
            assembly=f"{leaf.name}:{port.cage}",
            color=self.media.color,
        )
