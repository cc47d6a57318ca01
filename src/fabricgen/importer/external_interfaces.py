"""Finds every interface by which a VRF leaves a fabric and the external peer behind it."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL, Attributes
from fabricgen.importer.seats import Floor
from fabricgen.model.fabric.topology import Port as FacePort
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.prove.foreign.switch import Judged, number
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.packet import Address, Interface
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.values import text, words

_OUTSIDE = "outside:"


@record(eq=False, kw_only=True)
class Trunk:
    """A cable or bundle that leads out of the fabric. cages: faceplate cages of its members."""

    leaf: Switch
    judged: Judged
    port: str
    members: Mapping[str, FacePort]
    bundled: bool

    @property
    def cages(self) -> tuple[int, ...]:
        """The cages of its cables in order."""
        return tuple(sorted(each.cage for each in self.members.values()))

    @property
    def own(self) -> Attributes:
        """Return its settings on the leaf."""
        return self.judged.own(("interface", self.port))

    @property
    def rate(self) -> int | None:
        """Return its rate limit in bit/s. None without a limit."""
        held = [self.held(name, port) for name, port in self.members.items()]
        return sum(each for each in held if each) if all(held) else None

    def held(self, name: str, port: FacePort) -> int | None:
        """Return the rate limit of a port: kbit/s on EOS, bytes in CONFIG_DB, per port on Linux."""
        own = self.judged.own(("interface", name))
        for said_of, word, unit in (
            (own, "kbps", 1000),
            (self.judged.own(("maps", name)), "shaper", 8),
            (own, "sends", 1),
        ):
            said = number(text(said_of.get(word)))
            if said is not None:
                return said * unit if said * unit < port.speed else None
        return None


@record(eq=False, kw_only=True)
class ExternalInterface:
    """An external interface in a VRF, with its cable or bundle.

    Attributes:
        sessions: BGP sessions by address of the peer.
        statics: Static prefixes by next hop.
        area: OSPF area.
        name: Name of its peer, or an empty text.
    """

    trunk: Trunk
    port: Port
    vrf: str
    sessions: Mapping[Address, Attributes]
    statics: Mapping[Address, tuple[str, ...]]
    area: str
    name: str

    @property
    def shared(self) -> bool:
        """Check whether it is a tagged part of its cable."""
        return self.port.tag > 0

    @property
    def peers(self) -> list[Address]:
        """Return its peers, IPv4 first."""
        every = {*self.sessions, *self.statics}
        return sorted(every, key=lambda each: (each.version, int(each)))


def called(own: Attributes) -> str:
    """Return the name of the external peer in a description, or an empty text."""
    for word in ("description", "note", "peer", "outside"):
        said = text(own.get(word))
        if _OUTSIDE in said:
            return said.rpartition(_OUTSIDE)[2].split()[0] if said[-1] != ":" else ""
        if word == "outside" and said:
            return said
    return ""


def _trunk(leaf: Switch, judged: Judged, port: str) -> Trunk:
    members = [each.name for each in judged.tables.ports.values() if each.bundle == port]
    named = {spell(leaf, each): each for each in leaf.ports}
    ports = {each: named[each] for each in members or [port] if each in named}
    return Trunk(leaf=leaf, judged=judged, port=port, members=ports, bundled=bool(members))


def trunks(floor: Floor) -> Iterator[Trunk]:
    """Yield external cables without a VRF, leaf by leaf."""
    for leaf, judged in floor.leafs:
        for port in judged.tables.ports.values():
            outside = called(judged.own(("interface", port.name)))
            if outside and port.vrf == GLOBAL and not (port.tag or port.bundle or port.addresses):
                trunk = _trunk(leaf, judged, port.name)
                if trunk.cages:
                    yield trunk


def ways(floor: Floor, vrfs: Mapping[str, object]) -> Iterator[ExternalInterface]:
    """Yield the external interfaces of a fabric by leaf and cage."""
    seated = {(seat.leaf.name, seat.port.name) for seat in floor.seats}
    for leaf, judged in floor.leafs:
        found = []
        for port in judged.tables.ports.values():
            if plain(port.vrf) not in vrfs or not port.addresses:
                continue
            trunk = _trunk(leaf, judged, port.parent or port.name)
            if trunk.cages and (leaf.name, trunk.port) not in seated:
                found.append(_way(trunk, port))
        yield from sorted(found, key=lambda each: (each.trunk.cages, each.port.tag))


def _way(trunk: Trunk, port: Port) -> ExternalInterface:
    judged = trunk.judged
    sessions = {
        peer: own
        for key, own in judged.facts.items()
        if key[0] == "session" and key[1] == port.vrf
        for peer in _near(key[2], port.addresses)
    }
    statics: dict[Address, list[str]] = {}
    for key, own in judged.facts.items():
        if key[0] == "route" and key[1] == port.vrf:
            for via in words(own.get("via")):
                for peer in _near(via, port.addresses):
                    statics.setdefault(peer, []).append(key[2])
    own = judged.own(("interface", port.name))
    named = (called(each) for each in (*sessions.values(), own))
    return ExternalInterface(
        trunk=trunk,
        port=port,
        vrf=plain(port.vrf),
        sessions=sessions,
        statics={peer: tuple(every) for peer, every in statics.items()},
        area=text(own.get("area")),
        name=next(filter(None, named), ""),
    )


def _near(peer: str, addresses: tuple[Interface, ...]) -> Iterator[Address]:
    """Yield an address in one of the subnets."""
    try:
        address = ip_address(peer)
    except ValueError:
        return
    if any(address in each.network and address != each.ip for each in addresses):
        yield address


def asn_of(own: Attributes) -> int | None:
    """Return the ASN of a session's peer."""
    return number(text(own.get("asn")))
