"""Reads the management section: services, logins and precise time."""

from ipaddress import IPv4Interface, IPv4Network
from typing import Any

from fabricgen.importer.beside import fabrics
from fabricgen.importer.keys import (
    flat,
    keys_of,
    listed,
    management,
    most,
    nested,
    of,
    secret,
    site_keys,
)
from fabricgen.importer.tree import Fragment, Tree, at, said
from fabricgen.model.settings.services import Aaa, LocalUser, Management, Ptp, Tls, protocols
from fabricgen.model.settings.setting import keys
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.packet import interface
from fabricgen.prove.walk.values import text, words

VRF = "mgmt"
"""Name of an unknown management VRF. SONiC has only this name."""
UNNAMED = "site"
"""Name of a site without a domain."""
_DEFAULT = "0.0.0.0/0"
_ROLES = frozenset({"admin", "operator"})


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with services. Keys without a line in a file are omitted."""
    switches = network.switches
    carried = site_keys(Management, switches)
    words = said(
        **_ports(switches),
        admitted=listed(switches, "admitted", "prefix"),
        tls=nested(most(switches, lambda each: flat(keys_of(Tls, [each.own(("tls",))])))),
        users=[nested(each) for each in most(switches, _users) or ()],
        **carried,
    )
    known = at(tree, "site", "name") or UNNAMED
    name = carried.get("domain", known).partition(".")[0] if known == UNNAMED else known
    return {"site": {"name": name, "management": words}}


def _ports(switches: list[Judged]) -> dict[str, str | None]:
    """Return subnet, gateway and VRF of the management ports by majority."""
    subnet = most(switches, _subnet)
    if subnet is None:
        return {}
    vrf, gateway = most(switches, _vrf), most(switches, _gateway)
    first = str(subnet.network_address + 1)
    return {
        "subnet": str(subnet),
        "gateway": gateway if gateway != first else None,
        "vrf": vrf if vrf != VRF else None,
    }


def _subnet(switch: Judged) -> IPv4Network | None:
    addresses = (
        interface(str(each)) for _, own in management(switch) for each in words(own.get("address"))
    )
    return next((each.network for each in addresses if isinstance(each, IPv4Interface)), None)


def _vrf(switch: Judged) -> str:
    return next((text(own.get("vrf")) for _, own in management(switch)), "")


def _gateway(switch: Judged) -> str:
    """Return the gateway of a management port: from the port, or from a route of its VRF."""
    told = next((text(own.get("gateway")) for _, own in management(switch)), "")
    route = switch.facts.get(("route", _vrf(switch) or "default", _DEFAULT), {})
    return told or next(iter(map(str, words(route.get("via")))), "")


def _users(switch: Judged) -> tuple[Any, ...]:
    """Return the local accounts. No intent allows one without a password and a key."""
    return tuple(
        flat({"name": name, **keys})
        for (_, name), own in of(switch, "user")
        if (keys := keys_of(LocalUser, [own], owner=(name,))).keys() - {"role"}
        and text(own.get("role")) in _ROLES
    )


PROTOCOLS = protocols()
"""Default order of login protocols in the intent."""


def read_logins(network: Network, _tree: Tree) -> Fragment:
    """Return the tree with login protocols. A protocol without a key cannot work."""
    switches = network.switches
    aaa: dict[str, Any] = {each: _servers(switches, each) for each in PROTOCOLS}
    asked = most(switches, _order) or ()
    given = tuple(each for each in PROTOCOLS if aaa[each])
    if {*asked} == {*given} and asked != given:
        aaa["order"] = list(asked)
    words = said(**aaa)
    return {"site": {"management": {"aaa": words}}} if words else {}


def _servers(switches: list[Judged], protocol: str) -> dict[str, Any]:
    servers = most(switches, lambda each: _asked(each, protocol))
    key = secret(most(switches, lambda each: _key(each, protocol)), protocol, "key")
    if not servers or not key:
        return {}
    stated = most(switches, lambda each: _stated(each, protocol)) or ()
    return {"servers": list(servers), "key": key, **dict(stated)}


def _stated(switch: Judged, protocol: str) -> tuple[tuple[str, str], ...]:
    """Return the other keys of a protocol by the facts of its record."""
    own = switch.facts.get(("login", protocol), {})
    facts = {
        each.key: each.setting.fact
        for each in keys(next(each.item for each in keys(Aaa) if each.key == protocol))
    }
    return tuple((key, text(own[fact])) for key, fact in facts.items() if fact in own)


def _asked(switch: Judged, protocol: str) -> tuple[str, ...]:
    """Return the servers in order of their priority."""
    found = [
        (-int(text(own.get("priority")) or 0), key[2])
        for key, own in of(switch, "login", protocol)
        if len(key) == 3
    ]
    return tuple(host for _, host in sorted(found, key=lambda each: each[0]))


def _key(switch: Judged, protocol: str) -> str:
    keys = (text(own.get("key")) for _, own in of(switch, "login", protocol))
    return next(filter(None, keys), "")


def _order(switch: Judged) -> tuple[str, ...]:
    """Return the protocols in login order."""
    told = text(switch.own(("switch",)).get("login"))
    return tuple(sorted((each for each in PROTOCOLS if each in told), key=told.index))


def read_time(network: Network, tree: Tree) -> Fragment:
    """Return the tree with precise time: the fabrics with boundary clocks, and their domain."""
    timed = [
        each.fabric.name
        for each in fabrics(network, tree)
        if most((there for _, there in each.switches), lambda own: own.own(("time",)).get("mode"))
        == "boundary"
    ]
    if not timed:
        return {}
    ptp = site_keys(Ptp, network.switches, ("time",)) | {"fabrics": timed}
    return {"site": {"management": {"ptp": ptp}}}
