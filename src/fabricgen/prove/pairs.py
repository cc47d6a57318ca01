"""Lists the expected facts of an MLAG pair, a gateway to another site and VLAN-aware bundles."""

from collections.abc import Iterator

from fabricgen.core.provenance import Provenance
from fabricgen.core.tree.facts import GLOBAL, NAME, TRUE, Attributes, Key, Value
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.pair import PEER_BUNDLE, PEER_SUBNET, PEER_VLAN, JoinedVrf, Pair
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.routing import FROM_ABOVE, AllowedPrefix
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import bundles_of
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import supports
from fabricgen.nos.show import UP
from fabricgen.nos.spelling import Names, Place
from fabricgen.prove.border import allowed, clause, inside

Said = tuple[Key, Attributes, Provenance]
HOPS = "3"
"""Maximum hops of an EVPN session: its cable, or those of two pairs and the cable of the other
leafs.
"""


def said_of_gateway(switch_slice: SwitchSlice, names: Names) -> Iterator[Said]:
    """Yield the sessions with gateways of the other site, and the stretched VRFs and VLANs."""
    gateway, routing = switch_slice.gateway, switch_slice.routing
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
    vlans = {vlan.id: vlan for vlan in switch_slice.vlans}
    for number, target in gateway.vlans.items():
        own = route_distinguisher(switch_slice.loopback, vlans[number])
        yield ("vlan", str(number)), {"remote-rd": own, "remote": target}, gateway.because


def hosts(addresses: tuple[Ip, ...]) -> Value:
    """Return the meaning of a prefix list with exactly these addresses."""
    return allowed(
        tuple(
            AllowedPrefix(prefix=each._replace(length=32), longest=32, shortest=32)
            for each in addresses
        )
    )


def said_of_bundles(switch_slice: SwitchSlice, _names: Names) -> Iterator[Said]:
    """Yield each bundle instance, its distinguisher and its VLANs."""
    if switch_slice.vtep is None:
        return
    for bundle, vlans in bundles_of(switch_slice.vlans).items():
        own: Attributes = {
            "rd": route_distinguisher(switch_slice.loopback, bundle),
            "members": tuple(sorted(str(vlan.id) for vlan in vlans)),
        }
        yield ("bundle", bundle.name), own, bundle.because


def said_of_pair(switch_slice: SwitchSlice, names: Names) -> Iterator[Said]:
    """Yield the pair, the path to the other leaf, its session, and the shared values."""
    pair = switch_slice.pair
    if pair is None:
        return
    bundle, vlan = names.bundle(PEER_BUNDLE), names.gateway(PEER_VLAN)
    if supports(switch_slice.switch, "mlag"):
        yield from _said_of_domain(switch_slice, pair, names)
    yield (
        ("interface", bundle),
        {"link": UP, "note": _ends(switch_slice, pair, bundle)},
        pair.because,
    )
    way: Attributes = {"address": (str(pair.local),), "mtu": str(pair.mtu)}
    yield ("interface", vlan), {"link": UP, **way}, pair.because
    session = _session(switch_slice, pair, vlan) | inside(
        switch_slice.routing.password, "UNDERLAY-PEER", names
    )
    yield ("session", GLOBAL, pair.remote.host), session, pair.because
    for vrf in pair.vrfs:
        yield from _said_in_vrf(switch_slice, pair, vrf, names)


def _said_of_domain(switch_slice: SwitchSlice, pair: Pair, names: Names) -> Iterator[Said]:
    """Yield the facts that only an MLAG program reads: the domain and its port-channels."""
    own: Attributes = {"domain": pair.domain, "other": pair.remote.host}
    own |= {"by": names.bundle(PEER_BUNDLE), "over": names.gateway(PEER_VLAN)}
    yield ("pair",), own, pair.because
    for lag in switch_slice.lags:
        if lag.mlag:
            yield ("interface", names.bundle(lag.number)), {"mlag": str(lag.number)}, lag.because


def _said_in_vrf(
    switch_slice: SwitchSlice, pair: Pair, vrf: JoinedVrf, names: Names
) -> Iterator[Said]:
    """Yield the path to the other leaf in a VRF, which is not advertised, and the sessions."""
    way: Attributes = {"vrf": vrf.name, "mtu": str(pair.mtu), "link": UP}
    addresses = tuple(str(own) for own, _ in vrf.ends)
    yield ("interface", names.gateway(vrf.vlan)), {**way, "address": addresses}, vrf.because
    alike = _alike(switch_slice, pair, names.gateway(vrf.vlan)) | inside(
        switch_slice.routing.password, "VRF-PEER", names
    )
    for _, far in vrf.ends:
        session: Attributes = {
            "families": (f"ipv{far.version}",),
            "in": (clause("permit", origin="incomplete"),),
            "out": (clause("deny", community=((("permit", FROM_ABOVE),),)), clause("permit")),
        }
        yield _key(vrf, far, names), {**alike, **session}, vrf.because
    between = allowed(
        (
            AllowedPrefix(
                prefix=PEER_SUBNET, longest=PEER_SUBNET.length, shortest=PEER_SUBNET.length
            ),
        )
    )
    told = (clause("deny", prefixes=between), clause("permit"))
    yield ("vrf", vrf.name), {"connected-by": told}, vrf.because


def _key(vrf: JoinedVrf, far: Ip, names: Names) -> Key:
    assert names.neighbor is not None  # a platform with pairs names the members of their link
    return ("session", vrf.name, names.neighbor(far, vrf.vlan))


def own_of_pair(switch_slice: SwitchSlice, names: Names) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """Yield each value that differs between the leafs of a pair, and its places."""
    pair = switch_slice.pair
    if pair is None:
        return
    bundle, vlan = names.bundle(PEER_BUNDLE), names.gateway(PEER_VLAN)
    at, session = ("pair",), ("session", GLOBAL, pair.remote.host)
    yield pair.domain, ((at, "domain"),)
    yield pair.remote.host, ((at, "other"), (session, NAME))
    yield str(pair.local), ((("interface", vlan), "address"),)
    yield f"MLAG pair {pair.domain}", ((("interface", vlan), "note"),)
    yield _ends(switch_slice, pair, bundle), ((("interface", bundle), "note"),)
    yield str(switch_slice.asn), ((session, "asn"),)
    yield pair.peer.name, ((session, "peer"),)
    yield f"{pair.peer.name}:{vlan}", ((session, "far-end"),)
    for vrf in pair.vrfs:
        yield from _own_in_vrf(switch_slice, pair, vrf, names)


def _own_in_vrf(
    switch_slice: SwitchSlice, pair: Pair, vrf: JoinedVrf, names: Names
) -> Iterator[tuple[str, tuple[Place, ...]]]:
    vlan = names.gateway(vrf.vlan)
    yield f"MLAG pair {pair.domain}", ((("interface", vlan), "note"),)
    for own, far in vrf.ends:
        session = _key(vrf, far, names)
        yield str(own), ((("interface", vlan), "address"),)
        yield session[-1], ((session, NAME),)
        yield str(switch_slice.asn), ((session, "asn"),)
        yield pair.peer.name, ((session, "peer"),)
        yield f"{pair.peer.name}:{vlan}", ((session, "far-end"),)


def _ends(switch_slice: SwitchSlice, pair: Pair, bundle: str) -> str:
    return f"{switch_slice.switch.name}:{bundle} to {pair.peer.name}:{bundle}"


def _session(switch_slice: SwitchSlice, pair: Pair, vlan: str) -> Attributes:
    """Return BGP to the other leaf: all routes, in one AS, with the lowest preference."""
    every = [allowed(switch_slice.routing.allowed)]
    if (
        switch_slice.gateway is not None
    ):  # the other leaf's path to the other site is also its own path
        every.append(hosts(switch_slice.gateway.far))
    return {
        **_alike(switch_slice, pair, vlan),
        "families": ("ipv4",),
        "in": tuple(clause("permit", prefixes=each, origin="incomplete") for each in every),
        "out": tuple(clause("permit", prefixes=each) for each in every),
    }


def _alike(switch_slice: SwitchSlice, pair: Pair, vlan: str) -> Attributes:
    """Return the common attributes of sessions with the other leaf: iBGP with next-hop-self."""
    return {
        "asn": str(switch_slice.asn),
        "peer": pair.peer.name,
        "far-end": f"{pair.peer.name}:{vlan}",
        "communities": TRUE,
        "maximum-routes": "0",
        "next-hop-self": TRUE,
    }
