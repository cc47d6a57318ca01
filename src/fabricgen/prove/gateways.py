"""The slice of a gateway in; what its files say of the other site, and what passes, out."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL, TRUE, Attributes, Key, Value
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.routing import AllowedPrefix
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.spelling import Names
from fabricgen.prove.border import inside
from fabricgen.prove.policies import allowed, clause

Said = tuple[Key, Attributes, Because]
HOPS = "3"
"""Hops of an EVPN session: its cable, or those of two pairs and the cable of the other leafs."""


def said_of_gateway(piece: SwitchSlice, names: Names) -> Iterator[Said]:
    """Yield the sessions with gateways of the other site, and what goes on there."""
    gateway, routing = piece.gateway, piece.routing
    if gateway is None:
        return
    watched: Attributes = {"bfd": TRUE} if routing.bfd is not None else {}
    alike: Attributes = {"communities": TRUE, "maximum-routes": "0", **watched}
    below, above = (inside(gateway.password, group, names) for group in gateway.groups)
    passing = ((("permit", gateway.targets),),)
    yield ("bgp", GLOBAL), {"inter-domain": TRUE}, gateway.because
    for link in gateway.links:
        told: Attributes = {
            "asn": str(link.peer_asn),
            "peer": link.peer.name,
            "far-end": f"{link.peer.name}:{spell(link.peer, link.peer_port)}",
            "families": ("ipv4",),
            "in": (clause("permit", prefixes=hosts(gateway.far), strip=("community",)),),
            "out": (clause("permit", prefixes=hosts(gateway.own), strip=("community",)),),
        }
        yield ("session", GLOBAL, link.remote.host), {**alike, **told, **below}, link.because
    for link in gateway.peers:
        policy = (clause("permit", targets=passing, strip=("community",)),)
        heard: Attributes = {
            "asn": str(link.peer_asn),
            "peer": link.peer.name,
            "far-end": link.peer.name,
            "families": ("evpn",),
            "source": names.loopback,
            "multihop": HOPS,
            "domain": "remote",
            "evpn-in": policy,
            "evpn-out": policy,
        }
        yield ("session", GLOBAL, link.loopback.host), {**alike, **heard, **above}, link.because
    vlans = {vlan.id: vlan for vlan in piece.vlans}
    for number, target in gateway.vlans.items():
        own = route_distinguisher(piece.loopback, vlans[number])
        yield ("vlan", str(number)), {"remote-rd": own, "remote": target}, gateway.because


def hosts(addresses: tuple[Ip, ...]) -> Value:
    """Return the meaning of a prefix list that has these addresses and no other."""
    return allowed(
        tuple(
            AllowedPrefix(prefix=each._replace(length=32), longest=32, shortest=32)
            for each in addresses
        )
    )
