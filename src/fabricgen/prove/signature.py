"""Splits a switch slice into the values of its type and its own values."""

from collections.abc import Hashable, Iterator
from operator import attrgetter
from typing import NamedTuple

from fabricgen.core.tree.facts import GLOBAL, NAME
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.pair import JoinedVrf
from fabricgen.model.fabric.pinned import Instance, route_distinguisher
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vlans import Bundle, Vlan, bundles_of
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import describe
from fabricgen.nos.spelling import Names, Place
from fabricgen.prove.designed import both_ends, far_end, peer_of
from fabricgen.prove.pairs import own_of_pair
from fabricgen.prove.shares import diagnostics_of

_SWITCH = attrgetter(
    *("vlans", "vrfs", "external", "speakers", "statics", "routes", "guards"),
    *("recovery", "buffers", "balancing", "gateway", "descriptions", "own"),
    *("switch.role", "switch.model", "switch.release"),
    *("routing", "overlay", "services", "qos", "ptp"),
)
_PORT = attrgetter(
    *("port", "use", "mtu", "carries", "lag", "length", "vrf", "link_local", "outside", "spare"),
    *("tag", "marks", "tunnel", "rate", "shut", "dark", "note"),
)
_LAG = attrgetter("number", "mtu", "carries", "settings", "outside")


class Signature(NamedTuple):
    """Properties of a switch. `shape`: equal for switches of one type. `own`: its other values."""

    shape: list[Hashable]
    own: list[str]


def signature(switch_slice: SwitchSlice, names: Names) -> Signature:
    """Return the shape of a switch, and in a fixed order its own values."""
    shape: list[Hashable] = [
        *_SWITCH(switch_slice),
        switch_slice.vtep is None,
        *map(_LAG, switch_slice.lags),
    ]
    shape += (lag.segment and lag.segment.preference for lag in switch_slice.lags)
    shape += (lag.mlag for lag in switch_slice.lags)
    pair, name = switch_slice.pair, switch_slice.switch.name
    shape.append(pair and (pair.mtu, [*map(_joined, pair.vrfs)]))
    own = [
        name,
        f"{name} out of band",
        str(switch_slice.management),
        str(switch_slice.loopback),
        switch_slice.router_id.host,
        str(switch_slice.asn),
    ]
    if switch_slice.vtep is not None:
        own += [str(switch_slice.vtep), switch_slice.vtep.host]
    for source, _ in _diagnostics(switch_slice, names):
        own += [str(source), source.host]
    alone, bundles = _instances(switch_slice, names)
    instances: list[Instance] = [*alone, *bundles, *switch_slice.tunneled]
    own += [route_distinguisher(switch_slice.loopback, each) for each in instances]
    own += [both_ends(switch_slice, lag, names) for lag in switch_slice.lags]
    for item in switch_slice.interfaces:
        peer = item.peer
        kind = peer.role if type(peer) is Switch else type(peer)
        shape.append((_PORT(item), kind, item.address is None, item.address6 is None, item.time))
        if peer is not None or item.outside:
            own.append(describe(switch_slice, item, spell))
        if item.address is not None:
            own.append(str(item.address))
        if item.address6 is not None:
            own.append(str(item.address6))
    for session in switch_slice.sessions:
        at, runs = session.interface, session.peer.platform
        shape.append((session.overlay, session.up, runs, at and at.port, session.remote is None))
        shape += (session.stranger, session.one_platform, switch_slice.detour_of(session))
        shape.append(session.ospf and session.cost)
        if session.ospf:  # its port has its facts
            continue
        if session.remote is not None:
            own.append(session.remote.host)
        own += (session.remote_as, session.peer.name, far_end(session))
    own += (value for value, _ in own_of_pair(switch_slice, names))
    own += names.own(switch_slice) if names.own is not None else ()
    return Signature(shape, own)


def _diagnostics(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[Ip, tuple[Place, Place]]]:
    """Yield the diagnostic addresses of a switch, each with its places: complete, and as host."""
    for vrf, port, source, _ in diagnostics_of(switch_slice, names):
        yield source, ((("interface", port), "address"), (("vrf", vrf), "source-nat"))


def _joined(vrf: JoinedVrf) -> Hashable:
    """Return the values of a VRF that both leafs of a pair share."""
    return vrf.name, vrf.vlan, len(vrf.ends)


def _instances(switch_slice: SwitchSlice, names: Names) -> tuple[list[Vlan], list[Bundle]]:
    """Return the VLANs with an EVPN instance, and the instances of several VLANs."""
    if not names.bundles:
        return [*switch_slice.vlans], []
    return [vlan for vlan in switch_slice.vlans if vlan.bundle is None], [
        *bundles_of(switch_slice.vlans)
    ]


def places(switch_slice: SwitchSlice, names: Names) -> list[tuple[Place, ...]]:
    """Return the places of each own value of a signature."""
    at, management = ("switch",), ("interface", names.management)
    vrfs = [vrf.name for vrf in switch_slice.tunneled]
    alone, bundles = _instances(switch_slice, names)
    where: list[tuple[Place, ...]] = [
        ((at, "hostname"), (at, "own-name"), (at, "lldp-name")),
        ((management, "description"),),
        ((management, "address"),),
        ((("interface", names.loopback), "address"),),
        (
            (("bgp", GLOBAL), "router-id"),
            *(((("ospf", GLOBAL), "router-id"),) if switch_slice.adjacencies else ()),
            *((("vrf", name), "router-id") for name in vrfs),
        ),
        tuple((("bgp", system), "asn") for system in (GLOBAL, *vrfs)),
    ]
    if switch_slice.vtep is not None:
        vtep = ("vtep",)
        where.append(((("interface", names.tunnel), "address"),))
        where.append(((vtep, "address"), (vtep, "locals")))
    where += [(place,) for _, stands in _diagnostics(switch_slice, names) for place in stands]
    where += [((("vlan", str(vlan.id)), "rd"), (("vni", str(vlan.vni)), "rd")) for vlan in alone]
    where += [((("bundle", bundle.name), "rd"),) for bundle in bundles]
    where += [((("vrf", name), "rd"),) for name in vrfs]
    where += [((("interface", names.bundle(lag.number)), "note"),) for lag in switch_slice.lags]
    for item in switch_slice.interfaces:
        port = ("interface", spell(switch_slice.switch, item.port))
        if item.peer is not None or item.outside:
            where.append(((port, "description"),))
        where += [((port, "address"),) for _ in item.addresses]
    for session in switch_slice.bgp_sessions:
        key = ("session", GLOBAL, peer_of(switch_slice, session))
        if session.remote is not None:
            where.append(((key, NAME),))
        where += [((key, "asn"),), ((key, "peer"),), ((key, "far-end"),)]
    where += (at for _, at in own_of_pair(switch_slice, names))
    return [*where, *(names.places(switch_slice) if names.places is not None else ())]
