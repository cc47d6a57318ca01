"""Derive the traffic state of a switch from the neutral facts and measures of its snapshot.

A value that a platform did not read is absent, so that no check takes it for a loss.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.core.tree.facts import FALSE, GLOBAL, Value
from fabricgen.nos.show import BUNDLED, Observed
from fabricgen.nos.traffic import SERVERS, SUBNETS, Bridged, Routed, Traffic, drawn, sampled

_TYPES = {"2": 2, "mac-ip": 2, "3": 3, "imet": 3}
_HOST = ("/32", "/128")


class KnownServer(NamedTuple):
    """A server at a port of the switch, as ARP and the MAC table have it."""

    mac: str
    port: str


Servers = Mapping[int, Mapping[str, KnownServer]]
"""Servers of each VLAN by their IPv4 address."""


def traffic_of(
    seen: Observed,
    *,
    servers: Servers | None = None,
    gateways: Mapping[int, str] | None = None,
    is_trunk: Callable[[str], bool] = lambda _name: True,
) -> Traffic:
    """Return the traffic state of a snapshot.

    Args:
        seen: Snapshot with the facts of nos/show.py.
        servers: A few local servers by VLAN and address.
        gateways: IPv4 address and MAC of the gateway of each VLAN, with a blank between.
        is_trunk: Returns whether an interface with VLANs is a port or a port-channel.
    """
    vlans, vrfs = _numbers(seen, "2", "vlan"), _numbers(seen, "3", "vrf")
    return Traffic(
        vtep=_vtep(seen),
        vlans={
            number: _bridged(seen, number, vni, servers or {}, gateways or {})
            for number, vni in ((int(vlan), vni) for vlan, vni in vlans if vlan.isdecimal())
        },
        vrfs={name: _routed(seen, name, vni) for name, vni in vrfs},
        fib=sampled(_paths(seen)),
        bundles={
            f"{bundle} {port}": own.get("state") == BUNDLED
            for (_, bundle, port), own in seen.of("bundle-member").items()
        },
        trunks={
            key[1]: frozenset(_integers(own["vlans"]))
            for key, own in seen.of("interface").items()
            if "vlans" in own and is_trunk(key[1])
        },
        paused={
            key[1]: frozenset(_integers(own["pause"]))
            for key, own in seen.of("qos").items()
            if "pause" in own
        },
    )


def _integers(value: Value) -> Iterator[int]:
    words = value if isinstance(value, tuple) else (str(value),)
    return (int(str(word)) for word in words if str(word).isdecimal())


def _numbers(seen: Observed, layer: str, of: str) -> Iterator[tuple[str, int]]:
    """Yield each VLAN or VRF in the overlay, with its VNI."""
    for key, own in seen.of("vni").items():
        if own.get("layer", layer) == layer and of in own and key[1].isdecimal():
            yield str(own[of]), int(key[1])


def _vtep(seen: Observed) -> str:
    """Return the one source address of all tunnels; empty if it is unread or ambiguous."""
    sources = {str(own["source"]) for own in seen.of("vni").values() if "source" in own}
    return sources.pop() if len(sources) == 1 else ""


def _bridged(
    seen: Observed, number: int, vni: int, servers: Servers, gateways: Mapping[int, str]
) -> Bridged:
    known = dict(list(servers.get(number, {}).items())[:SERVERS])
    macs = seen.measures.get(("macs", str(number)))
    far = seen.facts.get(("flood", str(number)), {}).get("vteps", ())
    return Bridged(
        vni=vni,
        far=frozenset(map(str, far)),
        macs=None if macs is None else int(macs),
        routes=_by_type(seen, str(vni)),
        gateway=gateways.get(number, ""),
        servers={address: each.mac for address, each in known.items()},
        ports={address: each.port for address, each in known.items() if each.port},
    )


def _by_type(seen: Observed, vni: str) -> dict[int, int]:
    """Return the number of EVPN routes of a VNI by type. One type-3 route is of each VTEP."""
    counted = {
        _TYPES[kind]: int(seen.measures["evpn-routes", vni, kind])
        for kind in _TYPES
        if ("evpn-routes", vni, kind) in seen.measures
    }
    imet = seen.facts.get(("evpn", vni), {}).get("imet")
    return counted if imet is None else {3: len(imet), **counted}


def _routed(seen: Observed, name: str, vni: int) -> Routed:
    """Return a VRF: its subnets, and the number of type-5 routes of each VTEP."""
    prefixes, subnets = Counter[str](), set[str]()
    for kind in ("evpn-prefix", "route"):
        for (_, vrf, prefix), own in seen.of(kind).items():
            if vrf == name:
                prefixes.update(map(str, own.get("vteps", ())))
                subnets.add(prefix)
    hosts = {prefix for prefix in subnets if prefix.endswith(_HOST)}
    return Routed(
        vni=vni,
        subnets=frozenset(drawn(subnets - hosts, SUBNETS, name)),
        hosts=len(hosts),
        prefixes=dict(prefixes),
    )


def _paths(seen: Observed) -> dict[str, int]:
    """Return the paths to each host route of the underlay, as the hardware has them if known.

    A route that the chip did not accept carries no packet, whatever the routing daemon shows.
    """
    paths: dict[str, int] = defaultdict(int)
    for (_, vrf, prefix), own in seen.of("route").items():
        if vrf == GLOBAL and prefix.endswith("/32"):
            paths[prefix] = len(own.get("ports", ()))
    for (_, vrf, prefix), own in seen.of("hardware").items():
        if vrf == GLOBAL and prefix in paths:
            if own.get("programmed") == FALSE:
                paths[prefix] = 0
            elif "ports" in own:
                paths[prefix] = min(paths[prefix], len(own["ports"]))
    return dict(paths)
