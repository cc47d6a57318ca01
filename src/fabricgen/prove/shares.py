"""Lists the expected facts of shared ports, static routes, OSPF and diagnostic addresses."""

from collections.abc import Iterator

from fabricgen.core.provenance import Provenance
from fabricgen.core.tree.facts import GLOBAL, TRUE, Attributes, Key, Value
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import PrefixRule
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.routing import OSPF_AREA, OSPF_AVOIDED, OSPF_COST
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import describe_share
from fabricgen.nos.show import UP
from fabricgen.nos.spelling import Names
from fabricgen.prove.border import allowed, clause


def said_of_diagnostics(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Provenance]]:
    """Yield the interface of each diagnostic address. It is in the VRF, and always up."""
    for vrf, port, source, because in diagnostics_of(switch_slice, names):
        yield ("interface", port), {"link": UP, "address": (str(source),), "vrf": vrf}, because


def diagnostics_of(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[str, str, Ip, Provenance]]:
    """Yield the VRF, the interface, the address and the reason of each diagnostic address."""
    for vrf in switch_slice.vrfs:
        if vrf.diagnostics is not None and names.diagnostic is not None:
            source, because = vrf.diagnostics.address(switch_slice.switch), vrf.diagnostics.because
            yield vrf.name, names.diagnostic(vrf), source, because


def said_of_shares(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Provenance]]:
    """Yield each share, and each tunnel if the platform has them."""
    through = switch_slice.tunnels if names.through is not None else ()
    for share in (*switch_slice.tagged, *through):
        name = name_of_share(switch_slice, share, names)
        own: Attributes = {
            "link": UP,
            "description": describe_share(switch_slice, share, name),
            "mtu": str(share.mtu),
            "tag": str(share.tag),
            "vrf": str(share.vrf),
            "address": tuple(sorted(map(str, share.addresses))),
        }
        yield ("interface", name), own, share.because


def guarded_ports(switch_slice: SwitchSlice, names: Names) -> dict[str, list[str]]:
    """Return the ports of each label of a session, which a list may guard."""
    ports: dict[str, list[str]] = {}
    for peer in (*switch_slice.external, *switch_slice.speakers):
        port = name_of_share(switch_slice, peer.interface, names)
        ports.setdefault(peer.label, []).append(port)
    return ports


def name_of_share(switch_slice: SwitchSlice, share: Interface, names: Names) -> str:
    """Return the name of a share or a tunnel; for a complete port its name."""
    if share.tunnel is not None and share.tag is not None and names.through is not None:
        return names.through(share.port.cage, share.tag)
    own = spell(switch_slice.switch, share.port) if share.lag is None else names.bundle(share.lag)
    return names.tagged(own, share.tag) if share.tag is not None else own


def said_of_statics(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Provenance]]:
    """Yield the static routes of VRFs, each network with all of its next hops."""
    by: dict[tuple[str, str], list[VrfRoute]] = {}
    for route in switch_slice.routes:
        by.setdefault((route.vrf, route.prefix.prefix), []).append(route)
    for key, same in by.items():
        own: Attributes = {"via": tuple(sorted(route.by.host for route in same))}
        ports = [
            f"{route.by.host}%{name_of_share(switch_slice, route.port, names)}"
            for route in same
            if route.port is not None
        ]
        own |= {"port": tuple(sorted(ports))} if ports else {}
        yield ("route", *key), own, same[0].because


def said_of_ospf(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Provenance]]:
    """Yield OSPF between switches; each VRF's, its port, and both filters between it and BGP."""
    yield from _adjacencies(switch_slice, names)
    for peer in switch_slice.flooding:
        told, heard = _listed(peer.announce), _listed(peer.accept)
        own: Attributes = {"router-id": switch_slice.router_id.host, "in": heard}
        own |= dict.fromkeys(("connected", "static", "bgp"), told)
        yield ("ospf", peer.vrf), own, peer.because
        port = name_of_share(switch_slice, peer.interface, names)
        yield ("interface", port), {"area": peer.area, "two-ended": TRUE}, peer.because
        taken = dict.fromkeys(("ospf", "ospf-internal", "ospf-external"), heard)
        yield ("vrf", peer.vrf), taken, peer.because


def _adjacencies(
    switch_slice: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Provenance]]:
    """Yield the instance between switches, and each link with its cost."""
    routing, why = switch_slice.routing, switch_slice.routing.why
    if not switch_slice.adjacencies:
        return
    own: Attributes = {"router-id": switch_slice.router_id.host}
    own |= {"avoided": TRUE} if switch_slice.drained is not None else {}
    yield ("ospf", GLOBAL), own, why
    for name in (names.loopback, *((names.tunnel,) if switch_slice.vtep is not None else ())):
        yield ("interface", name), {"area": OSPF_AREA}, why
    for each in switch_slice.adjacencies:
        cost = str(OSPF_COST if each.drained is None else OSPF_AVOIDED)
        link: Attributes = {"area": OSPF_AREA, "two-ended": TRUE, "cost": cost}
        if routing.bfd is not None:
            link["adjacency-bfd"] = TRUE
            if names.timers is not None:
                link["adjacency-timers"] = names.timers(routing.bfd)
        if each.interface is not None:
            place = spell(switch_slice.switch, each.interface.port)
            yield ("interface", place), link, each.because


def _listed(rules: tuple[PrefixRule, ...]) -> Value:
    return (clause("permit", prefixes=allowed(tuple(rule.allowed for rule in rules))),)
