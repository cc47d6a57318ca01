"""Write the VRFs of a switch with VLANs, BGP and static routes by openconfig-network-instance."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.operate.export.openconfig.bgp import bgp
from fabricgen.operate.export.openconfig.interfaces import places
from fabricgen.operate.export.openconfig.policies import FABRIC
from fabricgen.operate.export.openconfig.tree import DEFAULT, Piece, Tree, entry, listed, pruned

_KINDS, _PROTOCOLS = "openconfig-network-instance-types:", "openconfig-policy-types:"
_BOTH = ("IPV4", "IPV6")


def instances(piece: Piece) -> Tree:
    """Return the default instance, the VRF of the management port, and the tenants' VRFs."""
    every = [_default(piece), _management(piece), *_tenants(piece)]
    return listed("network-instance", every)


def _instance(
    piece: Piece,
    config: Tree,
    *,
    routes: list[Tree],
    connected: Sequence[str] = (),
    policy: str = "",
    parts: Tree | None = None,
) -> Tree:
    """Return a network instance.

    Args:
        piece: The switch.
        config: Its own leafs.
        routes: Its static routes.
        connected: IP versions of connected routes that BGP advertises.
        policy: Policy that limits these routes, if any.
        parts: Other containers.
    """
    name = config["name"]
    here = [each for each in places(piece) if (each.vrf or DEFAULT) == name]
    ports = [entry({"id": each.id, **each.ref}, "id") for each in here]
    process = bgp(piece, name, connected)
    protocols = [_protocol("DIRECTLY_CONNECTED", {})] if connected else []
    protocols += [_protocol("BGP", {"bgp": process})] if process else []
    static = {"static-routes": listed("static", routes)}
    protocols += [_protocol("STATIC", static)] if routes else []
    own = {
        "interfaces": listed("interface", ports),
        **(_into_bgp(connected, policy) if connected else {}),
        "protocols": listed("protocol", protocols),
        **(parts or {}),
    }
    return entry(config, "name", parts=own)


def _protocol(kind: str, parts: Tree) -> Tree:
    config = {"identifier": f"{_PROTOCOLS}{kind}", "name": kind, "enabled": True}
    return entry(config, "identifier", "name", parts=parts)


def _default(piece: Piece) -> Tree:
    own = piece.switch_slice
    vlans = [
        entry({"vlan-id": each.id, "name": each.name, "status": "ACTIVE"}, "vlan-id")
        for each in own.vlans
    ]
    config = {
        "name": DEFAULT,
        "type": f"{_KINDS}DEFAULT_INSTANCE",
        "router-id": own.router_id.host,
    }
    return _instance(
        piece,
        config,
        routes=[],
        connected=("IPV4",) if own.bgp_sessions and not own.routing.ospf else (),
        policy=FABRIC,
        parts={"vlans": listed("vlan", vlans)},
    )


def _into_bgp(versions: Sequence[str], policy: str) -> Tree:
    """Return the redistribution of connected routes."""
    families = [f"openconfig-types:{each}" for each in versions]
    kinds = [f"{_PROTOCOLS}{each}" for each in ("DIRECTLY_CONNECTED", "BGP")]
    tables = [
        entry({"protocol": kind, "address-family": family}, "protocol", "address-family")
        for kind in kinds
        for family in families
    ]
    connections = [
        entry(
            {
                "src-protocol": kinds[0],
                "dst-protocol": kinds[1],
                "address-family": family,
                "import-policy": [policy] if policy else [],
                "default-import-policy": "REJECT_ROUTE" if policy else "ACCEPT_ROUTE",
            },
            *("src-protocol", "dst-protocol", "address-family"),
        )
        for family in families
    ]
    return {
        "tables": listed("table", tables),
        "table-connections": listed("table-connection", connections),
    }


def _management(piece: Piece) -> Tree:
    config = {"name": piece.management_vrf, "type": f"{_KINDS}L3VRF"}
    out = entry({"index": "0", "next-hop": piece.switch_slice.services.gateway}, "index")
    route = entry({"prefix": "0.0.0.0/0"}, "prefix", parts={"next-hops": listed("next-hop", [out])})
    return _instance(piece, config, routes=[route])


def _tenants(piece: Piece) -> Iterator[Tree]:
    own = piece.switch_slice
    for vrf in own.vrfs:
        config: Tree = {
            "name": vrf.name,
            "type": f"{_KINDS}L3VRF",
            "description": vrf.description,
        }
        parts: Tree = {}
        shared = own.vtep is not None and own.overlay is not None and not vrf.local
        if shared:
            config["router-id"] = own.router_id.host
            config["route-distinguisher"] = route_distinguisher(own.loopback, vrf)
            parts["inter-instance-policies"] = {"import-export-policy": _targets(piece, vrf)}
        yield _instance(
            piece,
            pruned(config),
            routes=list(_statics(piece, vrf.name)),
            connected=_BOTH if shared else (),
            parts=parts,
        )


def _targets(piece: Piece, vrf: Vrf) -> Tree:
    assert piece.switch_slice.overlay is not None  # the caller asks only with an overlay
    targets = piece.switch_slice.overlay.targets(vrf)
    return {"config": {f"{way}-route-target": list(each) for way, each in targets.items()}}


def _statics(piece: Piece, vrf: str) -> Iterator[Tree]:
    routes = [each for each in piece.switch_slice.routes if each.vrf == vrf]
    for prefix, same in groupby(routes, key=lambda each: each.prefix.prefix):
        hops = [_hop(piece, number, each) for number, each in enumerate(same)]
        yield entry({"prefix": prefix}, "prefix", parts={"next-hops": listed("next-hop", hops)})


def _hop(piece: Piece, number: int, route: VrfRoute) -> Tree:
    config = {"index": f"{number}", "next-hop": route.by.host}
    port = route.port
    exit_by = {"config": piece.place(port).ref} if port is not None and not port.tunnel else {}
    return entry(config, "index", parts={"interface-ref": exit_by})
