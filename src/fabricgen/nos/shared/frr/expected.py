"""List the facts that frr.conf states in addition to the facts of every platform."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import CHOSEN, FALSE, TRUE, Attributes, Key, Value
from fabricgen.model.fabric.leaks import taking
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.nos.shared.announcing import announcement
from fabricgen.nos.shared.frr.names import FrrNames

INTERVAL, MULTIPLIER = 300, 3
"""FRR's defaults, which it does not print: BFD_DEFDESIREDMINTX, BFD_DEFDETECTMULT, bfdd/bfd.h."""
UNSAID = frozenset({("unnumbered", "ipv6-next-hop"), ("management", "via")})
"""FRR enables the first by default for a neighbor behind an interface. The second, the default
route of the management VRF, is not FRR's."""


def timers(bfd: Bfd) -> Value:
    """Return the meaning of a BFD profile: the timers that differ from FRR's defaults."""
    profile = {"profile": TRUE}
    if bfd.multiplier != MULTIPLIER:
        profile["multiplier"] = str(bfd.multiplier)
    if bfd.interval != INTERVAL:
        profile |= {"transmit": str(int(bfd.interval)), "receive": str(int(bfd.interval))}
    return (tuple(sorted(profile.items())),)


def frr_facts(switch_slice: SwitchSlice, names: FrrNames) -> Iterator[tuple[Key, Attributes]]:
    """Yield the facts of frr.conf in addition to the facts of every platform."""
    yield ("switch",), {"frr": names.version, **_nexthops(names)}
    yield from _flooded(switch_slice)
    if not switch_slice.sessions:
        return
    width = str(switch_slice.routing.ecmp) if switch_slice.routing.ecmp != names.multipath else None
    yield from _underlay(switch_slice, width)
    yield from _shared(switch_slice, names)
    yield from _announced(switch_slice.vlans, names)
    if switch_slice.vtep is not None and any(session.overlay for session in switch_slice.sessions):
        yield ("vtep",), {"announced": TRUE}
    if switch_slice.overlay is None:
        return
    if switch_slice.vtep is not None:
        yield from _segments(switch_slice, switch_slice.overlay)
    for vrf in switch_slice.tunneled:
        spoken = _families(switch_slice, vrf)
        told = _statics(switch_slice, vrf)
        yield from _leaks(vrf)
        yield ("vrf", vrf.name), {"families": spoken, "announced": spoken, **told}
        own: Attributes = {"asn": str(switch_slice.asn), "ipv4-by-default": FALSE, "relaxed": TRUE}
        if width:
            own["maximum-paths"] = tuple(f"{family}:{width}" for family in spoken)
        yield ("bgp", vrf.name), own


def _underlay(switch_slice: SwitchSlice, width: str | None) -> Iterator[tuple[Key, Attributes]]:
    """Yield the protocol between switches, with the number of paths if it is written."""
    paths: Attributes = {} if width is None else {"maximum-paths": width}
    if switch_slice.routing.ospf:
        yield ("ospf", "default"), {} if width is None else {"paths": width}
        paths = {}
    yield ("bgp", "default"), {"relaxed": TRUE, **paths}


def _shared(switch_slice: SwitchSlice, names: FrrNames) -> Iterator[tuple[Key, Attributes]]:
    """Yield the Ethernet segments of LAGs, and the rank of this leaf."""
    for lag in switch_slice.lags:
        if lag.segment is not None and names.bundle is not None:
            rank, number = str(lag.segment.preference), lag.segment.number
            esi = f"00:{lag.segment.system}:00:{number >> 8:02x}:{number & 255:02x}"
            yield ("interface", names.bundle(lag.number)), {"segment": esi, "preference": rank}
            if names.moves:
                yield ("switch",), {"redirect": "off"}


def _nexthops(names: FrrNames) -> Attributes:
    """Return zebra's next-hop settings that differ from FRR's defaults."""
    objects: Attributes = {} if names.nexthop_objects else {"nexthop-objects": FALSE}
    keep: Attributes = {} if names.group_keep is None else {"group-keep": str(names.group_keep)}
    return {**objects, **keep}


def _announced(vlans: tuple[Vlan, ...], names: FrrNames) -> Iterator[tuple[Key, Attributes]]:
    for vlan in vlans:
        if vlan.announce is not None and names.gateway is not None:
            said = {"announced": TRUE, **announcement(vlan)}
            yield ("interface", names.gateway(vlan.id)), said


def _families(switch_slice: SwitchSlice, vrf: Vrf) -> tuple[str, ...]:
    """Return the families of a VRF: of its gateways, its peers, and its imports and exports.

    A VRF without any has IPv4.
    """
    versions = {
        gateway.version
        for vlan in switch_slice.vlans
        if vlan.vrf == vrf.name
        for gateway in vlan.gateways
    }
    versions = versions or {4}
    takers = (each for each in switch_slice.tunneled if each is vrf or each.takes)
    for other in takers:
        for taken in other.takes:
            if vrf.name in (other.name, taken.source):
                versions |= set(taken.versions)
    beside = (*switch_slice.peers, *switch_slice.flooding)
    versions |= {peer.version for peer in beside if peer.vrf == vrf.name}
    return tuple(f"ipv{version}" for version in sorted(versions))


def _flooded(switch_slice: SwitchSlice) -> Iterator[tuple[Key, Attributes]]:
    for peer in switch_slice.flooding:
        yield ("ospf", peer.vrf), {"distance": CHOSEN}


def _statics(switch_slice: SwitchSlice, vrf: Vrf) -> Attributes:
    """Return the families whose static routes a VRF advertises."""
    versions = {route.prefix.version for route in switch_slice.routes if route.vrf == vrf.name}
    return {"statics": tuple(f"ipv{version}" for version in sorted(versions))} if versions else {}


def _leaks(vrf: Vrf) -> Iterator[tuple[Key, Attributes]]:
    """Yield the imports of a VRF from each source, and the filter that keeps them out of EVPN."""
    for version in (4, 6):
        takes = taking(vrf.takes, version)
        lists = [(each.source, each.listed(version)) for each in takes]
        if takes:
            yield (
                ("taking", vrf.name, f"ipv{version}"),
                {
                    "takes": tuple(sorted(each.source for each in takes)),
                    "taken": tuple(
                        _clause("permit", ("prefixes", each), ("source-vrf", name))
                        for name, each in lists
                    ),
                    "told": (
                        *(_clause("deny", ("prefixes", each)) for _, each in lists),
                        _clause("permit"),
                    ),
                },
            )


def _clause(action: str, *more: tuple[str, Value]) -> Value:
    return tuple(sorted((("action", action), *more)))


def _segments(switch_slice: SwitchSlice, rules: EvpnRules) -> Iterator[tuple[Key, Attributes]]:
    """Yield the L2VNIs. FRR identifies them by number, not by VLAN."""
    for vlan in switch_slice.vlans:
        if vlan.vni is not None:
            rd = route_distinguisher(switch_slice.loopback, vlan)
            yield ("vni", str(vlan.vni)), {"rd": rd, **rules.targets(vlan)}
