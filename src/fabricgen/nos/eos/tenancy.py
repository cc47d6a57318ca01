"""Lower the VLANs and VRFs of a switch: their names, and which VRFs route."""

from functools import lru_cache

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.balancing import LoadBalancing
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.pair import Pair
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Multicast, Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.model.fabric.zones import Guard
from fabricgen.nos.eos.balancing import by_load, hashed, queue_pairs
from fabricgen.nos.eos.names import outward_name
from fabricgen.nos.eos.view import system as view
from fabricgen.nos.eos.zones import access_lists


def tenancy_of(switch_slice: SwitchSlice, services: view.Services) -> view.Tenancy:
    """Return VLANs and VRFs; a backend has at most local VLANs."""
    return _tenancy(
        services,
        switch_slice.vlans,
        switch_slice.vrfs,
        (switch_slice.services.path, switch_slice.routing.path),
        switch_slice.overlay if switch_slice.vtep and switch_slice.vrfs else None,
        _choice(switch_slice.balancing, switch_slice.switch.model),
        (
            switch_slice.guards,
            tuple(peer for peer in switch_slice.external if peer.version == 6),
            _told(switch_slice.switch.model, switch_slice.routes),
        ),
        over_ipv6=bool(switch_slice.sessions) and switch_slice.routing.links != "numbered",
        pair=_alike(switch_slice.pair) if switch_slice.pair is not None else None,
    )


_Alike = tuple[IntentPath, tuple[tuple[str, int, bool, Provenance], ...]]
"""Settings of both leafs of a pair: the reason, and for each VRF its name, VLAN, IPv6, reason."""


def _alike(pair: Pair) -> _Alike:
    """Return the part that is rendered once for both leafs."""
    rows = ((vrf.name, vrf.vlan, len(vrf.ends) > 1, vrf.because) for vrf in pair.vrfs)
    return pair.because.main, tuple(rows)


_Choice = tuple[view.Reason | None, view.Reason | None, view.Hash | None]
"""Reasons to select ECMP paths by queue pair, by load, and by which fields; None if not so."""


@lru_cache(maxsize=64)
def _choice(design: LoadBalancing | None, model: SwitchModel) -> _Choice:
    if design is None:
        return None, None, None
    why, fields = view.Reason(design.because), hashed(design)
    return (
        why if queue_pairs(design, model) else None,
        why if by_load(design, model) else None,
        view.Hash(design.because, fields) if fields else None,
    )


@lru_cache(maxsize=128)
def _tenancy(
    services: view.Services,
    vlans: tuple[Vlan, ...],
    vrfs: tuple[Vrf, ...],
    paths: tuple[IntentPath, IntentPath],
    rules: EvpnRules | None,
    choice: _Choice,
    border: tuple[tuple[Guard, ...], tuple[ExternalPeer, ...], tuple[view.Static, ...]],
    *,
    over_ipv6: bool,
    pair: _Alike | None,
) -> view.Tenancy:
    path, joined = pair or (None, ())
    return view.Tenancy(
        services=services,
        queue_pairs=choice[0],
        by_load=choice[1],
        hashed=choice[2],
        peer=view.Reason(Provenance((path,), "the leafs of an MLAG pair have a VLAN of their own"))
        if path
        else None,
        joined=tuple(
            view.Vlan(because=why, id=vlan, name=f"MLAG-{vlan}", vni=None)
            for _, vlan, _, why in joined
        ),
        vlans=tuple(map(vlan_of, vlans)),
        vrfs=_vrfs(services.network.vrf, paths[0], vrfs, over_ipv6=over_ipv6),
        mac=_mac(rules, rules.anycast_mac) if rules is not None and rules.anycast_mac else None,
        ipv6=_ipv6(
            (
                *((vlan.vrf, vlan.because) for vlan in vlans if vlan.gateway(6)),
                *((peer.vrf, peer.because) for peer in border[1]),
                *((name, why) for name, _, ipv6, why in joined if ipv6),
            ),
            paths[1],
            over_ipv6=over_ipv6,
        ),
        zones=access_lists(border[0]),
        routes=_statics(services, border[2]),
    )


def _statics(services: view.Services, routes: tuple[view.Static, ...]) -> tuple[view.Static, ...]:
    """Return static routes by family and VRF, with the default route of the management VRF."""
    network = services.network
    out = view.Static(
        because=network.because,
        family="ip",
        vrf=network.vrf,
        prefix="0.0.0.0/0",
        by=network.gateway,
    )
    return tuple(sorted([out, *routes], key=lambda route: (route.family, route.vrf)))


@lru_cache(maxsize=256)
def _told(model: SwitchModel, routes: tuple[VrfRoute, ...]) -> tuple[view.Static, ...]:
    return tuple(_static(model, route) for route in routes)


def _static(model: SwitchModel, route: VrfRoute) -> view.Static:
    return view.Static(
        because=route.because,
        family="ip" if route.prefix.version == 4 else "ipv6",
        vrf=route.vrf,
        prefix=route.prefix.prefix,
        by=route.by.host,
        port=f" {outward_name(model, route.port)}" if route.port is not None else "",
    )


def _mac(rules: EvpnRules, mac: str) -> view.AnycastMac:
    path = (*rules.path, "anycast_mac")
    why = Provenance((path,), "one MAC for all gateways: servers may move")
    return view.AnycastMac(why, mac)


@lru_cache(maxsize=4096)
def vlan_of(vlan: Vlan) -> view.Vlan:
    return view.Vlan(because=vlan.because, id=vlan.id, name=vlan.name, vni=vlan.vni)


@lru_cache(maxsize=128)
def snooping_of(vlans: tuple[Vlan, ...]) -> view.Snooping | None:
    """Return the multicast queriers in VLANs with snooping."""
    asked = [vlan for vlan in vlans if vlan.multicast is Multicast.SNOOPED]
    gateways = [(vlan.id, vlan.gateway(4)) for vlan in asked]
    queriers = tuple(view.Querier(number, way.host) for number, way in gateways if way is not None)
    cited = tuple((*vlan.because.main, "multicast") for vlan in asked)
    why = Provenance(cited, "servers report their groups when they are queried")
    return view.Snooping(why, queriers) if queriers else None


def _vrfs(
    management: str, path: IntentPath, vrfs: tuple[Vrf, ...], *, over_ipv6: bool
) -> view.Vrfs:
    """Return the VRF names in EOS's order, and whether each routes."""
    why = Provenance(
        ((*path, "vrf"), *dict.fromkeys(vrf.because.main for vrf in vrfs)),
        "tenants route in their VRFs, management is reachable in its own only",
    )
    instances = [
        view.VrfInstance(
            because=vrf.because, name=vrf.name, routes=True, description=vrf.description
        )
        for vrf in vrfs
    ]
    instances.append(view.VrfInstance(because=why, name=management, routes=False))
    return view.Vrfs(
        because=why,
        instances=tuple(sorted(instances, key=lambda item: item.name)),
        over_ipv6=over_ipv6,
    )


def _ipv6(
    owners: tuple[tuple[str | None, Provenance], ...], path: IntentPath, *, over_ipv6: bool
) -> view.IPv6 | None:
    """Return where IPv6 is routed, with reasons: in the underlay, and in VRFs that have it."""
    tenants = sorted({vrf for vrf, _ in owners if vrf})
    links = ((*path, "links"),) if over_ipv6 else ()
    cited = (*links, *(why.main for _, why in owners))
    why = Provenance(cited, "IPv6 is routed where there are IPv6 addresses")
    return view.IPv6(why, over_ipv6, tuple(tenants)) if over_ipv6 or tenants else None
