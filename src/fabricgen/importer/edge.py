"""Reads edge links and external peers of a fabric from the interfaces by which VRFs leave it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fabricgen.core.units import BitsPerSecond, spans
from fabricgen.importer.border import Links, Peers, accepted, border, defaults, joined
from fabricgen.importer.distance import Measure
from fabricgen.importer.external_interfaces import (
    ExternalInterface,
    Trunk,
    asn_of,
    called,
    trunks,
    ways,
)
from fabricgen.importer.seats import Floor, floors
from fabricgen.importer.tenant_numbers import key_of
from fabricgen.importer.tree import Fragment, Tree, at, below, merged, said
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.values import text

if TYPE_CHECKING:
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged
    from fabricgen.prove.walk.packet import Address

_MTU = 1500
"""MTU of external routers (RFC 894): `compile/design/edge/links.py`."""
_OUT_OF_BAND = "oob"
"""The VRF of management ports without a `vrf` key: intent/model/managed.py."""
_BACKBONE = "0.0.0.0"  # noqa: S104 - an area of OSPF


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with external connections of each VRF and links between sites."""
    every = floors(network, tree)
    edges = [
        _Edge(floor, dict(_homes(floor, tree)))
        for floor in every
        if floor.kind == "evpn" and not floor.says(tree)
    ]
    for each in edges:
        each.find()
    links: Fragment = {}
    for one, other in combinations(edges, 2):
        links |= joined(one.ways, other.ways)
    words = said(dci=links)
    for peer, leaf in [found for each in edges for found in each.mixed()]:
        _ordered(peer, leaf, tree, edges, words)
    managing = [_management(each, tree) for each in every if each.kind == "access"]
    return merged(words, *managing, *(each.fragment() for each in edges))


def _management(floor: Floor, tree: Tree) -> Fragment:
    """Return the routers that connect users to an out-of-band network."""
    words = at(tree, *map(str, floor.fabric.place)) or {}
    vrf = words.get("vrf", _OUT_OF_BAND)
    own = _Edge(floor, {vrf: ""})
    if "external" not in words:
        own.find()
    return floor.beside.fragment(external=own.peers[vrf]) if own.peers else {}


def _ordered(peer: Fragment, leaf: Judged, tree: Tree, edges: list[_Edge], words: Fragment) -> None:
    """Return accepted prefixes in the order of the numbers in the lists. Try both orders."""

    def tried(order: list[Any]) -> int:
        peer["accept"] = order
        return measure.of(merged(tree, words, *(each.fragment() for each in edges)))

    measure = Measure(tree, [leaf])
    orders = [peer["accept"], sorted(peer["accept"], key=_six)]
    peer["accept"] = min(orders, key=tried)


def _six(accepted_: Any) -> bool:
    return ":" in (accepted_ if isinstance(accepted_, str) else accepted_["prefix"])


def _homes(floor: Floor, tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield each VRF of a fabric with its tenant."""
    for tenant, own in (at(tree, "tenants") or {}).items():
        if own.get("fabric") in (None, floor.fabric.name):
            yield from ((vrf, tenant) for vrf in own.get("vrfs", {}))


class _Edge:
    """Writes the external connections of a fabric. homes: tenants by VRF."""

    def __init__(self, floor: Floor, homes: dict[str, str]) -> None:
        self.floor, self.homes = floor, homes
        self.links: dict[str, Fragment] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.peers: dict[str, dict[str, Fragment]] = {}
        self.leafs: dict[tuple[str, str], Judged] = {}

    def find(self) -> None:
        """Read all external connections."""
        for way in ways(self.floor, self.homes):
            words = self.peer(way)
            if words is not None:
                own = self.peers.setdefault(way.vrf, {})
                called_ = way.name or f"{way.trunk.leaf.name}-{way.port.name}"
                name = key_of(called_, own, "peer")
                own[name], self.leafs[way.vrf, name] = words, way.trunk.judged
        for trunk in trunks(self.floor):
            self.link(trunk, self.mtu(trunk.judged, trunk.port))

    def mixed(self) -> list[tuple[Fragment, Judged]]:
        """Return the peers that may accept prefixes of both families in two orders, by leaf."""
        every = ((peers[name], vrf, name) for vrf, peers in self.peers.items() for name in peers)
        return [
            (peer, self.leafs[vrf, name])
            for peer, vrf, name in every
            if (order := peer.get("accept", [])) != sorted(order, key=_six) and len(order) > 2
        ]

    @property
    def ways(self) -> tuple[str, Links, Peers]:
        """Return the result: links by name, and peers by VRF and name."""
        return self.floor.fabric.name, self.links, self.peers

    def fragment(self) -> Fragment:
        """Return the links below the fabric and the peers below their VRFs."""
        words = self.floor.beside.fragment(edge=self.links) if self.links else {}
        for vrf, peers in self.peers.items():
            if not peers:
                continue
            place = ("tenants", self.homes[vrf], "vrfs", vrf, "external")
            words = merged(words, below(place, peers))
        return words

    def peer(self, way: ExternalInterface) -> Fragment | None:
        """Return the keys of an external connection. None if its peer is unknown."""
        words = self.place(way) | self.sources(way)
        peers: dict[int, Address] = {}
        for each in way.peers:
            peers.setdefault(each.version, each)
        if not peers and way.area:  # OSPF has no neighbor line, so use the other address
            ends = (each for own in way.port.addresses for each in own.network if each != own.ip)
            peers = dict.fromkeys([4], next(ends))
        for version, other in sorted(peers.items()):
            word = "6" if version == 6 else ""
            mine = next(each for each in way.port.addresses if other in each.network)
            words |= {f"address{word}": str(mine), f"peer{word}": str(other)}
        sessions = [way.sessions[each] for each in peers.values() if each in way.sessions]
        if sessions:
            return words | self.spoken(way, sessions, [*peers])
        if way.area:
            own = way.trunk.judged.own(("ospf", way.port.vrf))
            area = None if way.area == _BACKBONE else way.area
            return (
                words | said(protocol="ospf", area=area) | _accept(accepted([own.get("in")]), [4])
            )
        if peers:
            behind = [prefix for each in peers.values() for prefix in way.statics.get(each, ())]
            return words | {"protocol": "static"} | _accept(behind, [*peers])
        return None

    def spoken(self, way: ExternalInterface, sessions: list[Any], versions: list[int]) -> Fragment:
        """Return the keys of an external connection with sessions."""
        watched = self.floor.fabric.routing.bfd is not None
        secret = f"env:{way.vrf}_{way.name or 'peer'}_bgp".upper().replace("-", "_")
        words = _accept(accepted(each.get("in") for each in sessions), versions)
        own = border(sessions, watched=watched, secret=secret)
        return {"asn": asn_of(sessions[0])} | words | own

    def sources(self, way: ExternalInterface) -> Fragment:
        """Add the import of the VRF's own sources, if no list filters them."""
        inside = any(
            plain(gateway.vrf) == way.vrf
            for _, judged in self.floor.leafs
            for gateway in judged.tables.gateways.values()
        )
        return {"own_sources": "pass"} if inside and not way.port.filters else {}

    def place(self, way: ExternalInterface) -> Fragment:
        """Return the place of a connection: a cage or a tag on a link."""
        trunk, judged = way.trunk, way.trunk.judged
        if not way.shared:
            where = {"leaf": trunk.leaf.index, "cage": trunk.cages[0]}
            return where | self.mtu(judged, way.port.name)
        own = self.mtu(judged, trunk.port) or self.mtu(judged, way.port.name)
        return {"link": self.link(trunk, own), "vlan": way.port.tag}

    def link(self, trunk: Trunk, mtu: Fragment) -> str:
        """Return the name of the link for a cable or bundle. Add the link."""
        where = trunk.leaf.name, trunk.port
        if where not in self.names:
            name = called(trunk.own) or f"{trunk.leaf.name}-{trunk.cages[0]}"
            self.names[where] = key_of(name, self.links, "link")
            alone = trunk.bundled and len(trunk.cages) == 1
            cages = {"leaf": trunk.leaf.index, "cages": spans(trunk.cages)}
            rate = str(BitsPerSecond(trunk.rate)) if trunk.rate else None
            own = cages | said(lacp=True if alone else None) | mtu | said(rate=rate)
            self.links[self.names[where]] = own
        return self.names[where]

    def mtu(self, judged: Judged, port: str) -> Fragment:
        """Return the MTU of a port, if it differs from the MTU of external routers."""
        words = text(judged.own(("interface", port)).get("mtu"))
        usual = min(_MTU, self.floor.fabric.routing.tenant_mtu)
        return {"mtu": int(words)} if words.isdigit() and int(words) != usual else {}


def _accept(found: list[Any], versions: list[int]) -> Fragment:
    """Return the accepted prefixes, if they are not only the default routes."""
    return {"accept": found} if found and found != defaults(versions) else {}
