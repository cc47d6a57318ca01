"""A slice in; what it has in common with others of its sort, and in a fixed order its own, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabricgen.fabric.overlay import route_distinguisher
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import describe
from fabricgen.proof.designed import both_ends, far_end, peer_of
from fabricgen.tree.facts import GLOBAL, NAME

if TYPE_CHECKING:
    from collections.abc import Hashable

    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.spelling import Names
    from fabricgen.tree.facts import Key


class Signature(NamedTuple):
    """What tells two switches apart. shape: equal where all but the own values is; own: those."""

    shape: tuple[Hashable, ...]
    own: list[str]


def signature(piece: SwitchSlice, names: Names) -> Signature:
    """Return what of a switch is like others, and in a fixed order what is its own."""
    own = [
        piece.switch.name,
        str(piece.management),
        str(piece.loopback),
        piece.loopback.host,
        str(piece.asn),
        f"{piece.switch.name} out of band",
        *([str(piece.vtep), piece.vtep.host] if piece.vtep is not None else []),
    ]
    shape: list[Hashable] = [
        piece.switch.model,
        piece.switch.role,
        piece.routing,
        piece.overlay,
        piece.services,
        piece.qos,
        piece.balancing,
        piece.buffers,
        piece.vtep is None,
        *piece.statics,
        *piece.vlans,
        *piece.vrfs,
        *piece.external,
    ]
    for vlan in piece.vlans:
        rd = route_distinguisher(piece.loopback, vlan.id)
        own += (rd, rd)
    for vrf in piece.vrfs:
        rd = route_distinguisher(piece.loopback, vrf.transit_vlan)
        own += (rd, piece.loopback.host, str(piece.asn))
    if names.own is not None:
        own += [value for _, value in names.own(piece)]
    for lag in piece.lags:
        shape += (lag.number, lag.mtu, lag.carries)
        own.append(both_ends(piece, lag, names))
    for item in piece.interfaces:
        shape += (item.port, item.use, item.mtu, item.carries, item.lag, item.vrf, item.link_local)
        own.append(describe(piece.switch, item, spell))
        if item.address is not None:
            own.append(str(item.address))
    for session in piece.sessions:
        shape += (session.overlay, session.up)
        if session.remote is not None:
            own.append(session.remote.host)
        elif session.interface is not None:
            shape.append(session.interface.port)
        own += (str(session.peer_asn), session.peer.name, far_end(session))
    return Signature(tuple(shape), own)


def own_facts(piece: SwitchSlice, names: Names) -> list[tuple[Key, str]]:
    """Return where each own value of a signature stands: an object and an attribute, or NAME."""
    at = ("switch",)
    places: list[tuple[Key, str]] = [
        (at, "hostname"),
        (("interface", names.management), "address"),
        (("interface", names.loopback), "address"),
        (("bgp", GLOBAL), "router-id"),
        (("bgp", GLOBAL), "asn"),
        (("interface", names.management), "description"),
    ]
    if piece.vtep is not None:
        places += [(("interface", names.tunnel), "address"), (("vtep",), "address")]
    for vlan in piece.vlans:
        places += [(("vlan", str(vlan.id)), "rd"), (("vni", str(vlan.vni)), "rd")]
    for vrf in piece.vrfs:
        places += [(("vrf", vrf.name), "rd"), (("vrf", vrf.name), "router-id")]
        places.append((("bgp", vrf.name), "asn"))
    if names.own is not None:
        places += [place for place, _ in names.own(piece)]
    places += [(("interface", names.bundle(lag.number)), "note") for lag in piece.lags]
    for item in piece.interfaces:
        port = ("interface", spell(piece.switch, item.port))
        places.append((port, "description"))
        if item.address is not None:
            places.append((port, "address"))
    for session in piece.sessions:
        key = ("session", GLOBAL, peer_of(piece, session))
        if session.remote is not None:
            places.append((key, NAME))
        places += [(key, "asn"), (key, "peer"), (key, "far-end")]
    return places
