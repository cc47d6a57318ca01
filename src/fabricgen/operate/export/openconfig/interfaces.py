"""Write the interfaces of a switch by openconfig-interfaces and its augmentations, and by LACP.

An IP MTU belongs to a subinterface (openconfig-if-ip.yang, ipv4/config/mtu). `mtu` of an interface
counts the Ethernet header (openconfig/featureprofiles, deviation omit_l2_mtu), so it is not
written.
"""

from collections.abc import Iterable, Iterator, Sequence

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.fec import reed_solomon
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.pair import Pair
from fabricgen.model.fabric.switch import Lag
from fabricgen.model.fabric.topology import Port
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import describe, describe_bundle, describe_share
from fabricgen.operate.export.openconfig.tree import Piece, Place, Tree, entry, listed, pruned
from fabricgen.prove.shares import diagnostics_of, name_of_share

SPEEDS = (1, 2.5, 5, 10, 25, 40, 50, 100, 200, 400, 600, 800)
"""Gbit/s of the identities of ETHERNET_SPEED that are whole (openconfig-if-ethernet.yang)."""
_PAM4 = 50 * 10**9
_ETHERNET, _BUNDLE = "iana-if-type:ethernetCsmacd", "iana-if-type:ieee8023adLag"
_LOOPBACK, _VLAN = "iana-if-type:softwareLoopback", "iana-if-type:l3ipvlan"


def interfaces(piece: Piece) -> Tree:
    """Return every port, port-channel, loopback and gateway."""
    every = [*_ports(piece), *_bundles(piece), *_loopbacks(piece), *_gateways(piece)]
    every.append(_management(piece))
    return listed("interface", every)


def places(piece: Piece) -> Iterator[Place]:
    """Yield each routed interface with its VRF."""
    own, names = piece.switch_slice, piece.names
    yield from (piece.place(item) for item in _routed(piece))
    for name in dict.fromkeys((names.loopback, *([names.tunnel] if own.vtep else []))):
        yield Place(vrf="", interface=name, subinterface=0)
    for vrf, name, _, _ in diagnostics_of(own, names):
        yield Place(vrf=vrf, interface=name, subinterface=0)
    for vlan in own.vlans:
        if vlan.gateways:
            yield Place(vrf=vlan.vrf or "", interface=names.gateway(vlan.id), subinterface=None)
    yield Place(vrf=piece.management_vrf, interface=names.management, subinterface=0)


def lacp(piece: Piece) -> Tree:
    """Return the LACP settings of each port-channel."""
    own = piece.switch_slice
    every = [_lacp(piece, lag) for lag in own.lags]
    if own.pair is not None:
        every.append(entry({"name": _between(piece, own.pair), "lacp-mode": "ACTIVE"}, "name"))
    return listed("interface", every)


def _between(piece: Piece, pair: Pair) -> str:
    """Return the port-channel to the other leaf of an MLAG pair."""
    return piece.parent(pair.members[0])


def _lacp(piece: Piece, lag: Lag) -> Tree:
    rate = lag.settings.lacp_rate
    config = {
        "name": piece.names.bundle(lag.number),
        "interval": rate.upper() if rate is not None else None,
        "lacp-mode": "ACTIVE",
        "fallback": True if lag.settings.lacp_fallback is not None else None,
        "system-id-mac": lag.segment.system if lag.segment is not None else None,
    }
    return entry(config, "name")


def _routed(piece: Piece) -> Iterator[Interface]:
    """Yield the routed interfaces: whole ports and port-channels, and their tagged shares."""
    own = piece.switch_slice
    ports = (item for item in own.interfaces if item.lag is None)
    yield from (item for item in ports if item.address is not None or item.link_local)
    outside = dict.fromkeys(peer.interface for peer in (*own.external, *own.speakers))
    for item in outside:
        if item.tunnel is None and (item.tag is not None or item.lag is not None):
            yield item


def _below(piece: Piece, name: str) -> list[Tree]:
    """Return the subinterfaces of a port or port-channel."""
    return [_routed_part(piece, item) for item in _routed(piece) if piece.parent(item) == name]


def _routed_part(piece: Piece, item: Interface) -> Tree:
    own = piece.switch_slice
    shared = name_of_share(own, item, piece.names) if item.tag is not None else ""
    parts = families(item.addresses, item.mtu, link_local=item.link_local)
    if item.tag is not None:
        match = {"single-tagged": {"config": {"vlan-id": item.tag}}}
        parts["openconfig-vlan:vlan"] = {"match": match}
    config = {
        "index": item.tag or 0,
        "description": describe_share(own, item, shared) if shared else "",
        "enabled": True,
    }
    return entry(config, "index", parts=parts)


def families(addresses: Sequence[Ip], mtu: int | None, *, link_local: bool = False) -> Tree:
    """Return the containers of IPv4 and IPv6. `link_local`: IPv6 without a global address."""
    return pruned(
        {
            f"openconfig-if-ip:ipv{version}": _family(own, mtu)
            for version in (4, 6)
            for own in ([each for each in addresses if each.version == version],)
            if own or (link_local and version == 6)
        }
    )


def _family(addresses: Iterable[Ip], mtu: int | None) -> Tree:
    every = [entry({"ip": each.host, "prefix-length": each.length}, "ip") for each in addresses]
    return pruned(
        {
            "addresses": listed("address", every),
            "config": pruned({"enabled": True, "mtu": mtu}),
        }
    )


def _interface(name: str, kind: str, text: str, parts: Tree, *, enabled: bool = True) -> Tree:
    config = {"name": name, "type": kind, "description": text, "enabled": enabled}
    return entry(config, "name", parts=parts)


def _ports(piece: Piece) -> Iterator[Tree]:
    own = piece.switch_slice
    for item in own.interfaces:
        name = spell(own.switch, item.port)
        ethernet = {"config": _ethernet(piece, item)}
        if item.lag is None:
            ethernet["openconfig-vlan:switched-vlan"] = switched(item.carries)
        parts: Tree = {"openconfig-if-ethernet:ethernet": pruned(ethernet)}
        if item.lag is None:
            parts["subinterfaces"] = listed("subinterface", _below(piece, name))
        text = describe(own, item, spell)
        yield _interface(name, _ETHERNET, text, parts, enabled=not item.closed)


def _ethernet(piece: Piece, item: Interface) -> Tree:
    """Return speed, FEC and port-channel of a port; an unused port keeps its defaults."""
    if item.use is Use.UNUSED:
        return {}
    bundle = piece.names.bundle(item.lag) if item.lag is not None else None
    return pruned(
        {
            "port-speed": speed_of(item.port),
            "fec-mode": _fec(item.port),
            "openconfig-if-aggregate:aggregate-id": bundle,
        }
    )


def speed_of(port: Port) -> str:
    """Return the identity of a speed; empty if the model has none."""
    known = port.speed.gigabits in SPEEDS and port.speed % 10**9 == 0
    return f"openconfig-if-ethernet:SPEED_{port.speed.gigabits}GB" if known else ""


def _fec(port: Port) -> str:
    """Return the code: RS(544,514) on PAM4 lanes, RS(528,514) on others (IEEE 802.3)."""
    if not reed_solomon(port):
        return ""
    pam4 = port.speed // port.lanes >= _PAM4
    return f"openconfig-if-ethernet:FEC_RS{544 if pam4 else 528}"


def switched(carries: Carries | None) -> Tree:
    """Return the VLANs of a bridged port."""
    if carries is None:
        return {}
    untagged = carries.untagged
    if untagged is not None and not carries.tagged:
        return {"config": {"interface-mode": "ACCESS", "access-vlan": untagged.id}}
    config = {
        "interface-mode": "TRUNK",
        "native-vlan": untagged.id if untagged is not None else None,
        "trunk-vlans": [vlan.id for vlan in carries.tagged],
    }
    return {"config": pruned(config)}


def _bundles(piece: Piece) -> Iterator[Tree]:
    own = piece.switch_slice
    for lag in own.lags:
        name = piece.names.bundle(lag.number)
        vlans = switched(lag.carries) if lag.server is not None else {}
        aggregation = {"config": {"lag-type": "LACP"}, "openconfig-vlan:switched-vlan": vlans}
        parts = {
            "openconfig-if-aggregate:aggregation": pruned(aggregation),
            "subinterfaces": listed("subinterface", _below(piece, name)),
        }
        yield _interface(name, _BUNDLE, describe_bundle(own, lag, name), parts)
    if own.pair is not None:
        parts = {"openconfig-if-aggregate:aggregation": {"config": {"lag-type": "LACP"}}}
        yield _interface(_between(piece, own.pair), _BUNDLE, "", parts)


def _loopbacks(piece: Piece) -> Iterator[Tree]:
    own, names = piece.switch_slice, piece.names
    addresses: dict[str, list[Ip]] = {names.loopback: [own.loopback]}
    if own.vtep is not None and own.vtep not in addresses.setdefault(names.tunnel, []):
        addresses[names.tunnel].append(own.vtep)
    for _, name, source, _ in diagnostics_of(own, names):
        addresses[name] = [source]
    for name, every in addresses.items():
        yield _interface(name, _LOOPBACK, "", _alone(every))


def _alone(addresses: Sequence[Ip]) -> Tree:
    part = entry({"index": 0, "enabled": True}, "index", parts=families(addresses, None))
    return {"subinterfaces": listed("subinterface", [part])}


def _gateways(piece: Piece) -> Iterator[Tree]:
    for vlan in piece.switch_slice.vlans:
        if vlan.gateways:
            yield _gateway(piece, vlan)


def _gateway(piece: Piece, vlan: Vlan) -> Tree:
    mtu = piece.switch_slice.routing.tenant_mtu
    routed = {"config": {"vlan": vlan.id}, **families(vlan.gateways, mtu)}
    name = piece.names.gateway(vlan.id)
    return _interface(name, _VLAN, vlan.text, {"openconfig-vlan:routed-vlan": routed})


def _management(piece: Piece) -> Tree:
    own = piece.switch_slice
    text = f"{own.switch.name} out of band"
    return _interface(piece.names.management, _ETHERNET, text, _alone([own.management]))
