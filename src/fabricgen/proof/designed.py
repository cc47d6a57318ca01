"""The slice of a switch in, every fact that its files must say out: the expectation of all proofs.

docs/facts.md has the kinds and attributes. The slice alone decides; of the platform come only the
names it gives to ports, loopbacks, gateways and bundles, and what its files leave unsaid.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.fabric.overlay import route_distinguisher
from fabricgen.fabric.routing import FROM_ABOVE
from fabricgen.fabric.services import placeholder
from fabricgen.fabric.switch import Use
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import describe
from fabricgen.tree.facts import FALSE, TRUE, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.fabric.because import Because
    from fabricgen.fabric.external import ExternalPeer, PrefixRule
    from fabricgen.fabric.overlay import Carries
    from fabricgen.fabric.routing import AllowedPrefix, Routing
    from fabricgen.fabric.services import Services
    from fabricgen.fabric.switch import Interface, Lag, Session, SwitchSlice
    from fabricgen.nos.spelling import Names
    from fabricgen.tree.facts import Attributes, Facts, Key, Topic, Value

VXLAN_PORT = "4789"
"""RFC 7348."""
HOPS = "3"
"""Hops an EVPN session may take: leaf, spine, leaf; more than one, since it joins loopbacks."""
GLOBAL = "default"
"""The VRF that is none."""


class Designed(NamedTuple):
    """One object. role: what it is for, in the words of `Names.unsaid`."""

    role: str
    key: Key
    attributes: Attributes
    because: Because | None = None


ROLES = {
    Use.FABRIC: "fabric",
    Use.NIC: "nic",
    Use.EDGE: "edge",
    Use.EXTERNAL: "external",
    Use.UNUSED: "unused",
}


class Expectation:
    """What the files of one platform must say. about: the topics that its grammars speak of.

    Attributes that many objects have in common are made once; each object is then its own
    dictionary of them and of the few that are its own.
    """

    def __init__(self, names: Names, about: frozenset[Topic]) -> None:
        self._names, self._about = names, about
        self._says = lru_cache(maxsize=None)(self._judged)
        self._port = lru_cache(maxsize=4096)(self._common_port)
        self._session = lru_cache(maxsize=256)(self._common_session)

    def of(self, piece: SwitchSlice) -> Facts:
        """Return the facts of a switch."""
        facts: Facts = {}
        for each in self.objects(piece):
            old = facts.get(each.key)
            facts[each.key] = each.attributes if old is None else merged(old, each.attributes)
        return facts

    def objects(self, piece: SwitchSlice) -> Iterator[Designed]:
        """Yield every object that the files speak of, with its reason."""
        for interface in piece.interfaces:
            yield self._interface(piece, interface)
        for session in piece.sessions:
            yield self._bgp_session(piece, session)
        for each in self._rest(piece):
            attributes = {
                name: value
                for name, value in each.attributes.items()
                if self._says(each.role, each.key[0], name)
            }
            if attributes:
                yield each._replace(attributes=attributes)

    def _rest(self, piece: SwitchSlice) -> Iterator[Designed]:
        yield from _switch(piece, self._names)
        yield from _own_interfaces(piece, self._names)
        for lag in piece.lags:
            yield _bundle(lag, self._names)
        yield from _vlans(piece, self._names)
        yield from _vrfs(piece)
        yield from _routing(piece)
        for peer in piece.external:
            yield _external(peer)
        yield from _services(piece.services)

    def _judged(self, role: str, kind: str, name: str) -> bool:
        return (kind, name) in self._about and (role, name) not in self._names.unsaid

    def _said(self, role: str, kind: str, attributes: Attributes) -> Attributes:
        return {name: v for name, v in attributes.items() if self._says(role, kind, name)}

    def _interface(self, piece: SwitchSlice, interface: Interface) -> Designed:
        role, common = self._port(
            interface.use,
            interface.mtu,
            str(interface.port.speed),
            interface.port.subs > 1,
            interface.vrf,
            interface.lag,
            interface.carries,
            interface.link_local,
        )
        attributes = dict(common)
        if self._says(role, "interface", "description"):
            attributes["description"] = describe(piece.switch, interface, spell)
        if interface.address is not None and self._says(role, "interface", "address"):
            attributes["address"] = (str(interface.address),)
        key = ("interface", spell(piece.switch, interface.port))
        return Designed(role, key, attributes, interface.because)

    def _common_port(
        self,
        use: Use,
        mtu: int,
        speed: str,
        split: bool,  # noqa: FBT001
        vrf: str | None,
        lag: int | None,
        carries: Carries | None,
        link_local: bool,  # noqa: FBT001
    ) -> tuple[str, Attributes]:
        role = ROLES[use]
        if lag is not None:
            role = "member"
        elif carries is not None and use is not Use.EDGE:
            role = "rail"
        if use is Use.UNUSED:
            made: Attributes = {"shut": TRUE, **({"speed": speed} if split else {})}
            return role, self._said(role, "interface", made)
        made = {"mtu": str(mtu), "speed": speed}
        if lag is not None:
            made["bundle"] = str(lag)
        elif role in ("edge", "rail"):
            made |= {**_EDGE, **_carried(carries)}
        else:
            made["routed"] = TRUE
        if link_local:
            made["link-local"] = TRUE
        if vrf is not None:
            made["vrf"] = vrf
        return role, self._said(role, "interface", made)

    def _bgp_session(self, piece: SwitchSlice, session: Session) -> Designed:
        at = session.interface
        if session.remote is not None:
            peer = session.remote.host
        else:
            assert at is not None
            peer = spell(piece.switch, at.port)
        role, common = self._session(
            piece.routing, session.overlay, session.up, piece.switch.is_leaf
        )
        attributes = {**common, "asn": str(session.peer_asn)}
        return Designed(role, ("session", GLOBAL, peer), attributes, session.because)

    def _common_session(
        self,
        routing: Routing,
        overlay: bool,  # noqa: FBT001 - all are the key of a cache
        up: bool,  # noqa: FBT001
        leaf: bool,  # noqa: FBT001
    ) -> tuple[str, Attributes]:
        made: Attributes = {"communities": TRUE, "maximum-routes": "0"}
        if overlay:
            made |= {"families": ("evpn",), "source": self._names.loopback, "multihop": HOPS}
            if not leaf:  # the next hop stays the tunnel endpoint
                made["next-hop-unchanged"] = TRUE
            if up:
                made |= {"evpn-in": _marked(), "evpn-out": _unmarked()}
            return "evpn", self._said("evpn", "session", made)
        ours = allowed(routing.allowed)
        made |= {
            "families": ("ipv4",),
            "in": _marked(prefixes=ours) if up else (clause("permit", prefixes=ours),),
            "out": _unmarked(prefixes=ours) if up else (clause("permit", prefixes=ours),),
        }
        if routing.bfd is not None:
            made["bfd"] = TRUE
        if routing.links != "numbered":
            made["ipv6-next-hop"] = TRUE
        return "underlay", self._said("underlay", "session", made)


_EDGE: Attributes = {"edge": TRUE, "bpdu-guard": TRUE}
"""A port to servers is no place for a bridge."""


def _switch(piece: SwitchSlice, names: Names) -> Iterator[Designed]:
    services, overlay = piece.services, piece.overlay
    bridged = bool(piece.vlans or piece.lags)
    own: Attributes = {
        "hostname": piece.switch.name,
        "spanning-tree": "mstp" if bridged else "none",
    }
    own |= {
        name: text
        for name, text in (("domain", services.domain), ("banner", services.banner))
        if text
    }
    if overlay is not None and piece.vtep is not None:
        tunnel: Attributes = {
            "source": names.tunnel,
            "address": piece.vtep.host,
            "port": VXLAN_PORT,
        }
        yield Designed("vtep", ("vtep",), tunnel)
        if piece.vrfs:
            own["anycast-mac"] = overlay.anycast_mac
    yield Designed("switch", ("switch",), own, piece.switch.because)


def _carried(carries: Carries | None) -> Attributes:
    if carries is None:
        return {}
    untagged = carries.untagged
    vlans = {str(vlan.id) for vlan in (*carries.tagged, *([untagged] if untagged else []))}
    made: Attributes = {"vlans": tuple(sorted(vlans))}
    return {**made, "untagged": str(untagged.id)} if untagged is not None else made


def _bundle(lag: Lag, names: Names) -> Designed:
    attributes: Attributes = {"mtu": str(lag.mtu), **_EDGE, **_carried(lag.carries)}
    return Designed("bundle", ("interface", names.bundle(lag.number)), attributes, lag.because)


def _own_interfaces(piece: SwitchSlice, names: Names) -> Iterator[Designed]:
    addresses = {names.loopback: {str(piece.loopback)}}
    if piece.vtep is not None:
        addresses.setdefault(names.tunnel, set()).add(str(piece.vtep))
    for name, own in addresses.items():
        yield Designed("loopback", ("interface", name), {"address": tuple(sorted(own))})
    own_port: Attributes = {"address": (str(piece.management),), "vrf": piece.services.vrf}
    yield Designed("management", ("interface", names.management), own_port)


def _vlans(piece: SwitchSlice, names: Names) -> Iterator[Designed]:
    rules = piece.overlay if piece.vtep is not None else None
    for vlan in piece.vlans:
        why, own = vlan.because, dict[str, "Value"](name=vlan.name)
        if vlan.vni is not None and rules is not None:
            target = (rules.route_target(vlan.vni),)
            own |= {
                "vni": str(vlan.vni),
                "rd": route_distinguisher(piece.loopback, vlan.id),
                "import": target,
                "export": target,
                "learned": TRUE,
            }
        yield Designed("vlan", ("vlan", str(vlan.id)), own, why)
        if vlan.gateway is None:
            continue
        gateway: Attributes = {
            "address": (str(vlan.gateway),),
            "mtu": str(piece.routing.tenant_mtu),
        }
        if vlan.vrf is not None:
            gateway["vrf"] = vlan.vrf
        if rules is not None:
            gateway["anycast"] = TRUE
        yield Designed("gateway", ("interface", names.gateway(vlan.id)), gateway, why)


def _vrfs(piece: SwitchSlice) -> Iterator[Designed]:
    rules, services = piece.overlay if piece.vtep is not None else None, piece.services
    yield Designed("management", ("vrf", services.vrf), {"exists": TRUE, "routes": FALSE})
    route = ("route", services.vrf, "0.0.0.0/0")
    yield Designed("management", route, {"via": services.gateway})
    for kind in ("api", "ssh"):
        yield Designed("management", (kind, services.vrf), {"open": TRUE})
    for vrf in piece.vrfs:
        own: Attributes = {"exists": TRUE, "routes": TRUE}
        if rules is not None:
            target = (rules.route_target(vrf.vni),)
            own |= {
                "vni": str(vrf.vni),
                "rd": route_distinguisher(piece.loopback, vrf.transit_vlan),
                "import": target,
                "export": target,
                "router-id": piece.loopback.host,
                "connected": TRUE,
            }
        yield Designed("vrf", ("vrf", vrf.name), own, vrf.because)


def _routing(piece: SwitchSlice) -> Iterator[Designed]:
    if not piece.sessions:
        return
    routing, why = piece.routing, piece.sessions[0].because
    own: Attributes = {
        "asn": str(piece.asn),
        "router-id": piece.loopback.host,
        "paths": str(routing.ecmp),
        "connected": (clause("permit", prefixes=allowed(routing.allowed)),),
        "wait-install": TRUE,
        "ipv4-by-default": FALSE,
    }
    yield Designed("bgp", ("bgp", GLOBAL), own, why)
    if routing.bfd is not None:
        timers: Attributes = {
            "interval": str(int(routing.bfd.interval)),
            "multiplier": str(routing.bfd.multiplier),
        }
        yield Designed("bfd", ("bfd",), timers, why)


def clause(action: str, **more: Value) -> Value:
    """Return one clause of a policy, as a grammar gives it back."""
    named = {"action": action, **more}
    return tuple(sorted((word.replace("_", "-"), value) for word, value in named.items()))


def _marked(**match: Value) -> Value:
    """What comes from above is marked; with `prefixes`, nothing else is taken."""
    return (clause("permit", set_community=FROM_ABOVE, **match),)


def _unmarked(**match: Value) -> Value:
    """What is marked is not sent above."""
    marked = ((("permit", FROM_ABOVE),),)
    return (clause("deny", community=marked), clause("permit", **match))


@lru_cache(maxsize=64)
def allowed(prefixes: tuple[AllowedPrefix, ...]) -> Value:
    """Return the meaning of a prefix list: prefix and the shortest and longest length, in order."""
    return tuple(
        (("permit", f"{each.prefix.prefix},{each.shortest}-{each.longest}"),) for each in prefixes
    )


def _external(peer: ExternalPeer) -> Designed:
    own: Attributes = {
        "asn": str(peer.peer_asn),
        "families": ("ipv4",),
        "in": (_stripped(peer.accept),),
        "out": (_stripped(peer.announce),),
    }
    if peer.bfd:
        own["bfd"] = TRUE
    return Designed("external", ("session", peer.vrf, peer.remote.host), own, peer.because)


def _stripped(rules: Iterable[PrefixRule]) -> Value:
    """What passes a site's border is listed, and loses its communities."""
    listed = tuple(
        (("permit", f"{rule.prefix.prefix},{rule.prefix.length}-{rule.prefix.length}"),)
        for rule in rules
    )
    return clause("permit", prefixes=listed, strip=("community", "extcommunity"))


@lru_cache(maxsize=16)
def _services(services: Services) -> tuple[Designed, ...]:
    vrf = services.vrf
    made = [
        Designed(kind, (kind, host), {"vrf": vrf})
        for kind, hosts in (
            ("ntp", services.ntp),
            ("syslog", services.syslog),
            ("dns", services.dns),
        )
        for host in hosts
    ]
    for user in services.users:
        account: Attributes = {"role": user.role}
        if user.password_hash:
            account["hash"] = placeholder(user.password_hash)
        if user.ssh_key:
            account["key"] = user.ssh_key
        made.append(Designed("user", ("user", user.name), account))
    if services.snmp_community is not None:
        about = {"location": services.snmp_location, "contact": services.snmp_contact}
        snmp: Attributes = {
            "community": placeholder(services.snmp_community),
            "vrf": vrf,
            "elsewhere": FALSE,
            **{word: text for word, text in about.items() if text},
        }
        made.append(Designed("snmp", ("snmp",), snmp))
    if services.gnmi_port is not None:
        gnmi: Attributes = {"port": str(services.gnmi_port), "vrf": vrf}
        if services.gnmi_collectors:
            gnmi["collectors"] = tuple(sorted(services.gnmi_collectors))
        made.append(Designed("gnmi", ("gnmi",), gnmi))
    return tuple(made)
