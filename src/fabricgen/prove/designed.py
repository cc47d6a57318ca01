"""Lists every fact that the files of a switch must contain; all proofs use the list.

docs/reference/facts.md has the kinds and attributes. The slice alone decides. The platform adds
only its names of interfaces, and the defaults that its files omit.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.core.tree.facts import FALSE, GLOBAL, TRUE, Attributes, Facts, Key, Topic, Value, add
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.routing import FROM_ABOVE, Routing
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Lag, Session, SwitchSlice
from fabricgen.model.fabric.vlans import Carries
from fabricgen.model.settings.ports import NO_PROFILE, PortSet
from fabricgen.model.settings.setting import entries_of, facts_of
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import supports, usual
from fabricgen.nos.shared.description import behind, describe, describe_bundle
from fabricgen.nos.show import ENABLED, SHUT, UP
from fabricgen.nos.spelling import Names
from fabricgen.prove.border import allowed, bounds, clause, inside, let_in, let_out, rule_facts
from fabricgen.prove.pairs import said_of_bundles, said_of_gateway, said_of_pair
from fabricgen.prove.shares import (
    guarded_ports,
    said_of_diagnostics,
    said_of_ospf,
    said_of_shares,
    said_of_statics,
)

VXLAN_PORT = "4789"
"""RFC 7348."""
HOPS = "3"
"""Maximum hops of an EVPN session: leaf, spine, leaf; more than one, since it joins loopbacks."""
MORE = "more"
"""The role of platform-specific objects."""


class Designed(NamedTuple):
    """One object. `role`: its purpose, in the words of `Names.unsaid`."""

    role: str
    key: Key
    attributes: Attributes
    because: Provenance | None = None


ROLES = {
    Use.FABRIC: "fabric",
    Use.NIC: "nic",
    Use.EDGE: "edge",
    Use.PEER: "peer",
    Use.EXTERNAL: "external",
    Use.UNUSED: "unused",
}


class Expectation:
    """Expected facts of the files of one platform. `about`: topics of its grammars."""

    def __init__(self, names: Names, about: frozenset[Topic]) -> None:
        self._names, self._about = names, about

    def of(self, switch_slice: SwitchSlice) -> Facts:
        """Return the facts of a switch."""
        facts: Facts = {}
        for each in self.objects(switch_slice):
            add(facts, each.key, each.attributes)
        return facts

    def objects(self, switch_slice: SwitchSlice) -> Iterator[Designed]:
        """Yield every object of the files, with its reason."""
        about, unsaid = self._about, self._names.unsaid
        for each in _objects(switch_slice, self._names):
            role, kind = each.role, each.key[0]
            attributes = {
                name: value
                for name, value in each.attributes.items()
                if (kind, name) in about and (role, name) not in unsaid
            }
            if attributes:
                attributes |= self._names.fixed.get(role, {})
                yield Designed(role, each.key, attributes, each.because)
        for key, more in self._names.more(switch_slice) if self._names.more is not None else ():
            yield Designed(MORE, key, more)

    def far_ends(self, switch_slice: SwitchSlice) -> dict[Key, str]:
        """Return the switch or server at the remote end of each interface and BGP session."""
        ends = {
            each.key: str(each.attributes["peer"])
            for each in _objects(switch_slice, self._names)
            if each.key[0] == "session" and "peer" in each.attributes
        }
        for item in switch_slice.interfaces:
            if item.peer is not None:
                ends["interface", spell(switch_slice.switch, item.port)] = item.peer.name
        return ends

    def files(self, switch_slice: SwitchSlice, known: Iterable[str]) -> Iterable[str]:
        """Return the paths of all files that a switch must have, except known ones."""
        return self._names.files(switch_slice) if self._names.files is not None else known


_SAID = (
    ("diagnostic", said_of_diagnostics),
    ("share", said_of_shares),
    ("bundle of VLANs", said_of_bundles),
    ("static", said_of_statics),
    ("ospf", said_of_ospf),
    ("pair", said_of_pair),
    ("gateway of a site", said_of_gateway),
)
"""Objects of other modules, by their role."""


def _objects(switch_slice: SwitchSlice, names: Names) -> Iterator[Designed]:
    yield from _switch(switch_slice, names)
    for interface in switch_slice.interfaces:
        yield _interface(switch_slice, interface, names)
    yield from _own_interfaces(switch_slice, names)
    yield from (_bundle(switch_slice, lag, names) for lag in switch_slice.lags)
    yield from _vlans(switch_slice, names)
    yield from _vrfs(switch_slice, names.vrf or switch_slice.services.vrf)
    yield from _routing(switch_slice)
    yield from (_bgp_session(switch_slice, session, names) for session in switch_slice.bgp_sessions)
    for role, objects in _SAID:
        yield from (Designed(role, *each) for each in objects(switch_slice, names))
    yield from (
        _external(peer, switch_slice.asn, switch_slice.routing, names)
        for peer in switch_slice.peers
    )
    yield from _zones(switch_slice, names)
    for mark in {marks.rest.dscp: marks.rest for marks in switch_slice.marks}.values():
        told: Attributes = {"dscp": str(mark.dscp), "class": str(mark.number)}
        yield Designed("mark", ("mark", str(mark.dscp)), told, mark.because)
    yield from _services(switch_slice.services, names.vrf or switch_slice.services.vrf)


def _interface(switch_slice: SwitchSlice, interface: Interface, names: Names) -> Designed:
    role = ROLES[interface.use]
    if interface.lag is not None:
        role = "member"
    elif interface.carries is not None and interface.use is not Use.EDGE:
        role = "rail"
    elif interface.use is Use.EXTERNAL and interface.vrf is None and interface.address is None:
        role = "shared port"
    own: Attributes = {
        "link": SHUT if interface.shut else _LINKS.get(interface.use, ENABLED),
        **_marked_as(interface if _alone(interface) else None),
        "description": describe(switch_slice, interface, spell),
        "mtu": str(interface.mtu),
    }
    if interface.use is not Use.UNUSED or interface.port.subs > 1:
        own["speed"] = str(interface.port.speed)
    if interface.closed:
        own["shut"] = TRUE
    if interface.use is not Use.UNUSED:
        own |= _place(switch_slice, role, interface, names)
        own |= _settings(switch_slice, interface.settings) if interface.lag is None else {}
    key = ("interface", spell(switch_slice.switch, interface.port))
    return Designed(role, key, own, interface.because)


def _alone(interface: Interface) -> bool:
    """Return whether a port has server settings: it is no port-channel member, or works alone."""
    return interface.lag is None or interface.fallback is not None


def _marked_as(interface: Interface | None) -> Attributes:
    marks = interface.marks if interface is not None else None
    if marks is None:
        return {}
    kept: Attributes = {"kept": tuple(sorted(map(str, marks.kept)))} if marks.kept else {}
    return {"marks": marks.facts, **kept}


def _place(switch_slice: SwitchSlice, role: str, interface: Interface, names: Names) -> Attributes:
    """Return the place of a port in use: in a port-channel, in VLANs, or in a VRF."""
    if interface.lag is not None:
        alone = names.profile_of_members or interface.fallback is not None
        own = _settings(switch_slice, interface.settings) if names.settings_of_members else {}
        own |= _profile(interface.carries) if alone else {}
        return {"bundle": str(interface.lag), **own}
    if role in ("edge", "rail"):
        return {**_profile(interface.carries), **_carried(interface.carries)}
    place: Attributes = {"routed": TRUE}
    if interface.address is not None:
        place["address"] = tuple(sorted(map(str, interface.addresses)))
    if interface.link_local:
        place["link-local"] = TRUE
    if interface.vrf is not None:
        place["vrf"] = interface.vrf
    return place


def peer_of(switch_slice: SwitchSlice, session: Session) -> str:
    """Return the name of a session: the address of its peer, or the port to it."""
    if session.remote is not None:
        return session.remote.host
    assert session.interface is not None
    return spell(switch_slice.switch, session.interface.port)


def far_end(session: Session) -> str:
    """Return the peer, and its port for a session on a cable."""
    at = session.interface
    if at is None or at.peer_port is None:
        return session.peer.name
    return f"{session.peer.name}:{spell(session.peer, at.peer_port)}"


def _bgp_session(switch_slice: SwitchSlice, session: Session, names: Names) -> Designed:
    role, routing = "underlay" if session.remote is not None else "unnumbered", switch_slice.routing
    if session.overlay:
        role = "evpn"
    own: Attributes = {
        "asn": session.remote_as,
        "peer": session.peer.name,
        "far-end": far_end(session),
        "communities": TRUE,
        "maximum-routes": "0",
        "families": ("evpn" if session.overlay else "ipv4",),
        **inside(routing.password, session.group, names),
    }
    if session.overlay:
        own |= {"source": names.loopback, "multihop": HOPS}
        if not switch_slice.switch.is_leaf:  # the next hop stays the tunnel endpoint
            own["next-hop-unchanged"] = TRUE
        if session.up:
            own |= {"evpn-in": _marked(), "evpn-out": _told(switch_slice, names)}
    else:
        ours = allowed(routing.allowed)
        longer = switch_slice.detour_of(session)
        detour: Attributes = {"prepend": longer.path} if longer else {}
        told: Attributes = {"prefixes": ours} | detour
        own["in"] = _marked(prefixes=ours) if session.up else (clause("permit", prefixes=ours),)
        own["out"] = _unmarked(**told) if session.up else (clause("permit", **told),)
        if routing.bfd is not None:
            own["bfd"] = TRUE
            if names.timers is not None:
                own["timers"] = names.timers(routing.bfd)
        if routing.links != "numbered":
            own["ipv6-next-hop"] = TRUE
    return Designed(role, ("session", GLOBAL, peer_of(switch_slice, session)), own, session.because)


_LINKS = {Use.FABRIC: UP, Use.PEER: UP, Use.EXTERNAL: UP, Use.UNUSED: SHUT}
"""Uses of ports with fabric neighbors; a server may be off."""


def _profile(carries: Carries | None) -> Attributes:
    """Return the settings of a port to servers: of its profile, or the defaults."""
    return facts_of(((carries.profile if carries is not None else None) or NO_PROFILE).values)


def _settings(switch_slice: SwitchSlice, settings: PortSet) -> dict[str, Value]:
    """Return the settings of a set of ports that the files of a switch state."""
    own = partial(supports, switch_slice.switch), partial(usual, switch_slice.switch)
    return dict(facts_of(settings, *own))


def _switch(switch_slice: SwitchSlice, names: Names) -> Iterator[Designed]:
    services, overlay = switch_slice.services, switch_slice.overlay
    bridged = bool(switch_slice.vlans or switch_slice.lags)
    own: Attributes = {
        "hostname": switch_slice.switch.name,
        "spanning-tree": "mstp" if bridged else "none",
    }
    own |= facts_of(services.carried.values, partial(supports, switch_slice.switch))
    if overlay is not None and switch_slice.vtep is not None:
        tunnel: Attributes = {
            "source": names.tunnel,
            "address": switch_slice.vtep.host,
            "port": VXLAN_PORT,
        }
        yield Designed("vtep", ("vtep",), tunnel)
        if switch_slice.vrfs and overlay.anycast_mac is not None:
            own["anycast-mac"] = overlay.anycast_mac
    if switch_slice.recovery is not None:
        own |= facts_of(switch_slice.recovery.values)
    yield Designed("switch", ("switch",), own, switch_slice.switch.because)


def _carried(carries: Carries | None) -> Attributes:
    if carries is None:
        return {}
    untagged = carries.untagged
    vlans = {str(vlan.id) for vlan in (*carries.tagged, *([untagged] if untagged else []))}
    attributes: Attributes = {"vlans": tuple(sorted(vlans))}
    if untagged is None:
        return {**attributes, "untagged-allowed": "no"}
    return {**attributes, "untagged": str(untagged.id)}


def both_ends(switch_slice: SwitchSlice, lag: Lag, names: Names) -> str:
    return describe_bundle(switch_slice, lag, names.bundle(lag.number))


def _bundle(switch_slice: SwitchSlice, lag: Lag, names: Names) -> Designed:
    attributes: Attributes = {
        "link": ENABLED,
        "mtu": str(lag.mtu),
        "note": both_ends(switch_slice, lag, names),
        **_marked_as(lag.members[0]),
    }
    profile = {} if names.profile_of_members else _profile(lag.carries)
    attributes |= {**profile, **_carried(lag.carries)} if lag.server else {"routed": TRUE}
    attributes |= {} if names.settings_of_members else _settings(switch_slice, lag.settings)
    role = "bundle" if lag.server else "shared bundle"
    return Designed(role, ("interface", names.bundle(lag.number)), attributes, lag.because)


def _own_interfaces(switch_slice: SwitchSlice, names: Names) -> Iterator[Designed]:
    addresses = {names.loopback: {str(switch_slice.loopback)}}
    if switch_slice.vtep is not None:
        addresses.setdefault(names.tunnel, set()).add(str(switch_slice.vtep))
    for name, own in addresses.items():
        loopback: Attributes = {"link": UP, "address": tuple(sorted(own))}
        yield Designed("loopback", ("interface", name), loopback)
    own_port: Attributes = {"link": UP, "address": (str(switch_slice.management),)}
    own_port |= {"vrf": names.vrf or switch_slice.services.vrf}
    own_port |= {"description": f"{switch_slice.switch.name} out of band"}
    yield Designed("management", ("interface", names.management), own_port)


def _vlans(switch_slice: SwitchSlice, names: Names) -> Iterator[Designed]:
    rules = switch_slice.overlay if switch_slice.vtep is not None else None
    for vlan in switch_slice.vlans:
        why, own = vlan.because, dict[str, "Value"](name=vlan.name)
        if vlan.vni is not None and rules is not None:
            bundle = vlan.bundle if names.bundles else None
            own |= {
                "vni": str(vlan.vni),
                **rules.targets(bundle or vlan),
                "learned": TRUE,
            }
            if bundle is not None:
                own["bundle"] = bundle.name
            else:
                own["rd"] = route_distinguisher(switch_slice.loopback, vlan)
        yield Designed("vlan", ("vlan", str(vlan.id)), own, why)
        if not vlan.gateways:
            continue
        gateway: Attributes = {
            "link": ENABLED,  # a rail's VLAN comes up with its first NIC
            "address": tuple(map(str, vlan.gateways)),
            "mtu": str(switch_slice.routing.tenant_mtu),
        }
        if vlan.vrf is not None:
            gateway["vrf"] = vlan.vrf
        if rules is not None:
            gateway |= {"anycast": TRUE, "mac": str(rules.anycast_mac)}
            gateway["link"] = UP if vlan.vni is not None else ENABLED
        yield Designed("gateway", ("interface", names.gateway(vlan.id)), gateway, why)


def _vrfs(switch_slice: SwitchSlice, management: str) -> Iterator[Designed]:
    rules, services = (
        switch_slice.overlay if switch_slice.vtep is not None else None,
        switch_slice.services,
    )
    yield Designed("management", ("vrf", management), {"exists": TRUE, "routes": FALSE})
    route = ("route", management, "0.0.0.0/0")
    yield Designed("management", route, {"via": (services.gateway,)})
    for kind in ("api", "ssh"):
        yield Designed("management", (kind, management), {"open": TRUE})
    for vrf in switch_slice.vrfs:
        own: Attributes = {"exists": TRUE, "routes": TRUE}
        if rules is not None and not vrf.local:
            own |= {
                "vni": str(vrf.vni),
                "rd": route_distinguisher(switch_slice.loopback, vrf),
                **rules.targets(vrf),
                "router-id": switch_slice.router_id.host,
                "connected": TRUE,
            }
        yield Designed("vrf", ("vrf", vrf.name), own, vrf.because)


def _zones(switch_slice: SwitchSlice, names: Names) -> Iterator[Designed]:
    """Yield the rules of each access list, and their places."""
    ports = guarded_ports(switch_slice, names)
    for guard in switch_slice.guards:
        places = [names.gateway(guard.vlan)] if guard.vlan is not None else ports[guard.peer]
        guarded: Attributes = {"guarded": tuple(sorted(each.name for each in guard.lists))}
        yield from (
            Designed("guard", ("interface", port), guarded) for port in dict.fromkeys(places)
        )
        for each in guard.lists:
            for at, (number, rule) in enumerate(each.numbered(), 1):
                key = ("rule", each.name, str(number if names.numbers_rules else 10 * at))
                yield Designed("rule", key, rule_facts(rule), rule.because)


def _routing(switch_slice: SwitchSlice) -> Iterator[Designed]:
    if not switch_slice.sessions:
        return
    routing, why = switch_slice.routing, switch_slice.routing.why
    own: Attributes = {
        "asn": str(switch_slice.asn),
        "router-id": switch_slice.router_id.host,
        "paths": str(routing.ecmp),
        "wait-install": TRUE,
        "ipv4-by-default": FALSE,
    }
    if not routing.ospf:
        own["connected"] = (clause("permit", prefixes=allowed(routing.allowed)),)
    yield Designed("bgp", ("bgp", GLOBAL), own, why)
    if routing.bfd is not None:
        timers: Attributes = {
            "interval": str(int(routing.bfd.interval)),
            "receives": str(int(routing.bfd.interval)),
            "multiplier": str(routing.bfd.multiplier),
        }
        yield Designed("bfd", ("bfd",), timers, why)


def _marked(**match: Value) -> Value:
    """Return the policy for routes from above: mark them; with `prefixes`, accept nothing else."""
    return (clause("permit", set_community=FROM_ABOVE, **match),)


def _unmarked(**match: Value) -> tuple[Value, ...]:
    """Return the policy that sends no marked route to upper switches."""
    marked = ((("permit", FROM_ABOVE),),)
    return (clause("deny", community=marked), clause("permit", **match))


def _told(switch_slice: SwitchSlice, names: Names) -> Value:
    """Return the EVPN export policy: no segments of a drained leaf, if a policy filters them."""
    kinds = ("ead", "es") if names.withheld and switch_slice.withheld is not None else ()
    return (*(clause("deny", route_type=each) for each in kinds), *_unmarked())


def _external(peer: ExternalPeer, asn: int, routing: Routing, names: Names) -> Designed:
    own: Attributes = {
        "asn": str(peer.peer_asn),
        "peer": behind(peer),
        "families": (f"ipv{peer.version}",),
        "in": (let_in(peer),),
        "out": (let_out(peer, asn),),
        **bounds(peer, names),
    }
    if peer.inside:
        own["far-end"] = peer.name
    if peer.default:
        own["default"] = TRUE
    if peer.bfd:
        own["bfd"] = TRUE
        if names.timers is not None and routing.bfd is not None:
            own["timers"] = names.timers(routing.bfd)
    return Designed("outside", ("session", peer.vrf, peer.remote.host), own, peer.because)


@lru_cache(maxsize=16)
def _services(services: Services, vrf: str) -> tuple[Designed, ...]:
    reached: Attributes = {"vrf": vrf, "used": TRUE}
    designed = [Designed(key[0], key, reached) for key in entries_of(services)]
    for protocol, servers in services.login.items():
        for host in servers.servers if servers.in_vrf else ():
            key = ("login", protocol, host)
            designed.append(Designed("login", key, {"vrf": vrf}))
    designed += (Designed("user", ("user", each.name), facts_of(each)) for each in services.users)
    for number, prefix in enumerate(services.admitted, 1):
        designed.append(Designed("admitted", ("admitted", f"{10 * number}"), {"prefix": prefix}))
    designed += _watched(services, vrf)
    if services.gnmi is not None:
        gnmi: Attributes = {**facts_of(services.gnmi), "vrf": vrf}
        designed.append(Designed("gnmi", ("gnmi",), gnmi))
        for number, collector in enumerate(services.collectors, 1):
            designed.append(
                Designed("collector", ("collector", f"{10 * number}"), {"host": collector})
            )
    for name in ("netconf", "restconf"):
        server = getattr(services, name)
        if server is not None:
            designed.append(Designed(name, (name,), {**facts_of(server), "vrf": vrf}))
    return tuple(designed)


def _watched(services: Services, vrf: str) -> Iterator[Designed]:
    """Yield the SNMP clients, and the receivers of traps."""
    snmp = services.snmp
    if snmp is not None:
        about: Attributes = {"vrf": vrf, "elsewhere": FALSE, **facts_of(snmp)}
        yield Designed("snmp", ("snmp",), about)
        for user in snmp.users:
            yield Designed("snmp-user", ("snmp-user", user.name), facts_of(user))
    if snmp is not None and snmp.traps is not None:
        for host in snmp.traps.targets:
            yield Designed("trap", ("trap", host), {"vrf": vrf, **facts_of(snmp.traps)})
    if services.sflow is not None:
        for host in services.sflow.collectors:
            yield Designed("sflow", ("sflow", host), {"vrf": vrf})
