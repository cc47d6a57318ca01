"""Interfaces by which VRFs leave a fabric in; links of its edge and external peers out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabricgen.adopt.border import accepted, border, defaults
from fabricgen.adopt.naming import key_of
from fabricgen.adopt.seats import Floor, floors
from fabricgen.adopt.tree import Fragment, Tree, at, merged
from fabricgen.adopt.ways_out import Trunk, Way, asn_of, called, trunks, ways
from fabricgen.reach.written.values import text
from fabricgen.units import spans

if TYPE_CHECKING:
    from fabricgen.judge.network import Network
    from fabricgen.judge.switch import Judged
    from fabricgen.reach.packet import Address

_MTU = 1500
"""Of routers elsewhere (RFC 894): `design/edge/links.py`."""
_OUT_OF_BAND = "oob"
"""The VRF of management ports, unless `vrf` says another: intent/model/managed.py."""
_BACKBONE = "0.0.0.0"  # noqa: S104 - an area of OSPF


def read(network: Network, tree: Tree) -> Fragment:
    """Find the ways out of every VRF of the tree, where it says none."""
    fragment: Fragment = {}
    for floor in floors(network, tree):
        if floor.kind == "evpn" and not floor.says(tree):
            homes = dict(_homes(floor, tree))
            fragment = merged(fragment, _Edge(floor, homes).fragment())
        if floor.kind == "access":
            words = at(tree, *map(str, floor.fabric.place)) or {}
            vrf = words.get("vrf", _OUT_OF_BAND)
            own = {} if "external" in words else _Edge(floor, {vrf: ""}).of_management(vrf)
            fragment = merged(fragment, own)
    return fragment


def _homes(floor: Floor, tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield each VRF of a fabric, with its tenant."""
    for tenant, own in (at(tree, "tenants") or {}).items():
        if own.get("fabric") in (None, floor.fabric.name):
            yield from ((vrf, tenant) for vrf in own.get("vrfs", {}))


class _Edge:
    """Writes the ways out of a fabric. homes: tenants by their VRFs."""

    def __init__(self, floor: Floor, homes: dict[str, str]) -> None:
        self.floor, self.homes = floor, homes
        self.links: dict[str, Fragment] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.peers: dict[str, dict[str, Fragment]] = {}

    def find(self) -> None:
        """Find who is behind the ways out."""
        for way in ways(self.floor, self.homes):
            words = self.peer(way)
            if words is not None:
                own = self.peers.setdefault(way.vrf, {})
                own[key_of(way.name or f"{way.leaf.name}-{way.port.name}", own, "peer")] = words

    def of_management(self, vrf: str) -> Fragment:
        """Return the routers by which people come to an out-of-band network."""
        self.find()
        return self.floor.beside.fragment(external=self.peers[vrf]) if self.peers else {}

    def fragment(self) -> Fragment:
        """Return the links below the fabric, and the peers below their VRFs."""
        self.find()
        for trunk in trunks(self.floor):
            self.link(trunk, self.mtu(trunk.judged, trunk.port))
        said = self.floor.beside.fragment(edge=self.links) if self.links else {}
        for vrf, peers in self.peers.items():
            below: Fragment = {"vrfs": {vrf: {"external": peers}}}
            said = merged(said, {"tenants": {self.homes[vrf]: below}})
        return said

    def peer(self, way: Way) -> Fragment | None:
        """Return the words of a way out; None where nobody is behind it."""
        said = self.place(way)
        peers: dict[int, Address] = {}
        for each in way.peers:
            peers.setdefault(each.version, each)
        if not peers and way.area:  # OSPF names no neighbour: the other end of a link of two
            ends = (each for own in way.port.addresses for each in own.network if each != own.ip)
            peers = dict.fromkeys([4], next(ends))
        for version, other in sorted(peers.items()):
            word = "6" if version == 6 else ""
            mine = next(each for each in way.port.addresses if other in each.network)
            said |= {f"address{word}": str(mine), f"peer{word}": str(other)}
        sessions = [way.sessions[each] for each in peers.values() if each in way.sessions]
        if sessions:
            return said | self.spoken(way, sessions, [*peers])
        if way.area:
            own = way.judged.own(("ospf", way.port.vrf))
            area: Fragment = {} if way.area == _BACKBONE else {"area": way.area}
            said |= {"protocol": "ospf"} | area
            return said | _accept(accepted([own.get("in")]), [4])
        if peers:
            behind = [prefix for each in peers.values() for prefix in way.statics.get(each, ())]
            return said | {"protocol": "static"} | _accept(behind, [*peers])
        return None

    def spoken(self, way: Way, sessions: list[Any], versions: list[int]) -> Fragment:
        """Return the words of a way out with sessions."""
        watched = self.floor.fabric.routing.bfd is not None
        secret = f"env:{way.vrf}_{way.name or 'peer'}_bgp".upper().replace("-", "_")
        said: Fragment = {"asn": asn_of(sessions[0])}
        said |= _accept(accepted(each.get("in") for each in sessions), versions)
        return said | border(sessions, watched=watched, secret=secret)

    def place(self, way: Way) -> Fragment:
        """Return where a way is: a cage of its own, or a tag on a link."""
        if not way.shared:
            own = self.mtu(way.judged, way.port.name)
            return {"leaf": way.leaf.index, "cage": way.cages[0]} | own
        trunk = Trunk(
            leaf=way.leaf,
            judged=way.judged,
            port=way.port.parent,
            cages=way.cages,
            bundled=way.bundled,
        )
        own = self.mtu(way.judged, way.port.parent) or self.mtu(way.judged, way.port.name)
        return {"link": self.link(trunk, own), "vlan": way.port.tag}

    def link(self, trunk: Trunk, mtu: Fragment) -> str:
        """Return the name of the link that a cable or bundle is, which is there from now on."""
        where = trunk.leaf.name, trunk.port
        if where not in self.names:
            name = called(trunk.own) or f"{trunk.leaf.name}-{trunk.cages[0]}"
            self.names[where] = key_of(name, self.links, "link")
            lacp: Fragment = {"lacp": True} if trunk.bundled and len(trunk.cages) == 1 else {}
            cages: Fragment = {"leaf": trunk.leaf.index, "cages": spans(trunk.cages)}
            self.links[self.names[where]] = cages | lacp | mtu
        return self.names[where]

    def mtu(self, judged: Judged, port: str) -> Fragment:
        """Return the MTU of a port, where it is not that of routers outside."""
        said = text(judged.own(("interface", port)).get("mtu"))
        usual = min(_MTU, self.floor.fabric.routing.tenant_mtu)
        return {"mtu": int(said)} if said.isdigit() and int(said) != usual else {}


def _accept(found: list[Any], versions: list[int]) -> Fragment:
    """Return what comes in, where it is not the default routes alone."""
    return {"accept": found} if found and found != defaults(versions) else {}
