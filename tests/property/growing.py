"""Small sites as data for growing: what stands on a switch, as facts that must never move."""

import copy
from collections.abc import Iterator
from typing import Any

import yaml

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vlans import Vlan

Facts = dict[str, dict[str, object]]


def backend(**changes: Any) -> dict[str, Any]:
    """Return a rail-optimized site with room to grow; `changes` replace keys of the backend."""
    fabric: dict[str, Any] = {
        "design": "rail-optimized",
        "servers": {"count": 24, "gpus": 4, "nic_speed": "100G"},
        "scalable_unit": {"servers": 16},
        "oversubscription": 4.0,
        "leaf": {"model": "7050CX3-32S", "platform": "eos"},
        "spine": {"model": "7050CX3-32S", "platform": "sonic", "count": 2},
        "growth": {"servers": 48, "rails": 6, "planes": 1, "spines": 4},
    }
    fabric.update(changes)
    return {"site": site(), "backend": fabric}


def site() -> dict[str, Any]:
    """Return the site's own words."""
    return {"name": "grow", "management": {"subnet": "10.255.0.0/16"}}


def frontend() -> dict[str, Any]:
    """Return a frontend with two tenants."""
    return {
        "site": site(),
        "frontend": {
            "leaf": {"model": "7050CX3-32S", "platform": "eos"},
            "spine": {"model": "7050CX3-32S", "platform": "eos", "count": 2},
            "leaf_groups": {"a": {"leafs": "1-3", "servers": {"per_leaf": 6, "speed": "100G"}}},
        },
        "tenants": {
            "red": tenant("red", 1, {"web": 110, "db": 111}, "1-2"),
            "blue": tenant("blue", 2, {"app": 120}, "3-4"),
        },
    }


def tenant(name: str, number: int, vlans: dict[str, int], servers: str) -> dict[str, Any]:
    """Return a tenant with one VRF whose VLANs all go to the servers as a trunk."""
    return {
        "vrfs": {
            name: {
                "id": number,
                "vlans": {
                    key: {"id": vlan, "subnet": f"10.{vlan % 200}.0.0/24"}
                    for key, vlan in vlans.items()
                },
            }
        },
        "attachments": [{"group": "a", "servers": servers, "trunk": list(vlans)}],
    }


def outside(leaf: int = 3, cage: int = 20, link: int = 0) -> dict[str, Any]:
    """Return an external peer; leaf 3 has servers of both tenants."""
    return {
        "leaf": leaf,
        "cage": cage,
        "address": f"192.0.2.{2 * link + 1}/31",
        "peer": f"192.0.2.{2 * link}",
        "asn": 65500,
        "accept": ["0.0.0.0/0"],
    }


def storage(**sides: dict[str, Any]) -> dict[str, Any]:
    """Return a storage fabric with room to grow; `sides` replace those that there are."""
    servers = {"count": 9, "ports": 2, "speed": "100G"}
    every = {
        "compute": {"servers": servers, "per_leaf": 6, "ratio": 1.5},
        "storage": {"servers": {**servers, "count": 4}, "per_leaf": 5},
        **sides,
    }
    fabric = {
        "kind": "routed",
        "leaf": {"model": "7050CX3-32S", "platform": "eos"},
        "spine": {"model": "7050CX3-32S", "platform": "eos"},
        "sides": every,
        "growth": {"compute": 24, "storage": 10, "spines": 4},
    }
    return {"site": site(), "fabrics": {"storage": fabric}}


def bordered() -> dict[str, Any]:
    """Return the frontend with an external peer of the tenant red."""
    return grown(frontend(), "tenants", "red", "vrfs", "red", "external", to={"isp": outside()})


def grown(data: dict[str, Any], *path: str, to: Any) -> dict[str, Any]:
    """Return a copy of the site with the value at `path` replaced."""
    made = copy.deepcopy(data)
    here = made
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = to
    return made


def said(site: dict[str, Any], key: str, to: Any) -> dict[str, Any]:
    """Return the site with a key of its first fabric, whatever that is called."""
    words = site.get("fabrics", site)
    fabric = next(name for name in ("frontend", "backend", "storage") if name in words)
    path = ("fabrics", fabric) if words is not site else (fabric,)
    return grown(site, *path, key, to=to)


def designed(data: dict[str, Any]) -> Site:
    """Design a site given as data."""
    loaded = load_texts({"site.yaml": yaml.safe_dump(data, sort_keys=False)})
    assert loaded.intent is not None, loaded.findings
    made, findings = design_site(loaded.intent)
    assert not has_errors(findings), findings
    return made


def facts(made: Site) -> Facts:
    """Return what every switch is told, as comparable facts by name.

    Ports without a cable, and server ports without a VLAN, are not facts: filling them is growth.
    """
    return {
        cut.switch.name: {
            "identity": (cut.asn, str(cut.loopback), str(cut.vtep), str(cut.management)),
            "policy": (cut.routing.ecmp, cut.routing.mtu, cut.routing.allowed),
            **{
                f"port {i.port.label}": interface(i)
                for i in cut.interfaces
                if i.use is not Use.UNUSED and (i.use is not Use.EDGE or i.carries)
            },
            **{
                f"port {i.port.label} VLAN {vlan.id}": tagged
                for i in cut.interfaces
                for vlan, tagged in carried(i)
            },
            **{
                f"session {s.peer.name} {s.overlay} {s.interface and s.interface.port.label}": (
                    s.up,
                    s.peer_asn,
                    str(s.local),
                    str(s.remote),
                )
                for s in cut.sessions
            },
            **{
                f"external {p.vrf} {p.name} {rule}": (
                    p.peer_asn,
                    str(p.local),
                    str(p.remote),
                    p.bfd,
                )
                for p in cut.external
                for rule in (*p.accept, *p.announce)
            },
            **{f"vlan {v.id}": (v.name, v.vni, v.vrf, *map(str, v.gateways)) for v in cut.vlans},
            **{f"vrf {v.name}": (v.vni, v.transit_vlan) for v in cut.vrfs},
        }
        for fabric in made.fabrics
        for cut in Slicer(fabric).slices()
    }


def interface(item: Interface) -> tuple[object, ...]:
    """Return what is told about one port."""
    if item.use is Use.EXTERNAL:
        return (item.use, item.mtu, str(item.address), item.vrf, item.outside)
    assert item.peer is not None
    assert item.peer_port is not None
    peer = (type(item.peer) is Switch, item.peer.name, item.peer_port.label)
    return (item.use, item.mtu, str(item.address), item.link_local, peer, item.lag)


def carried(item: Interface) -> Iterator[tuple[Vlan, bool]]:
    """Yield the VLANs that a port carries, each with whether it is tagged; more may come."""
    if item.carries is not None:
        if item.carries.untagged is not None:
            yield item.carries.untagged, False
        yield from ((vlan, True) for vlan in item.carries.tagged)


def lost(before: Facts, after: Facts) -> list[str]:
    """Name everything that stood before and does not stand unchanged after."""
    return [
        f"{switch}: {key}: {value} became {after.get(switch, {}).get(key)}"
        for switch, told in before.items()
        for key, value in told.items()
        if after.get(switch, {}).get(key) != value
    ]


_SIDES = ("fabrics", "storage", "sides")
_COMPUTE = (*_SIDES, "compute", "servers")

# What is added: the site before, the key that grows, its value after.
ADDITIONS: dict[str, tuple[dict[str, Any], tuple[str, ...], Any]] = {
    "a server": (backend(), ("backend", "servers", "count"), 25),
    "a compute server of a storage fabric": (storage(), (*_COMPUTE, "count"), 10),
    "all that a storage fabric reserves": (storage(), (*_COMPUTE, "count"), 24),
    "a storage server": (storage(), (*_SIDES, "storage", "servers", "count"), 10),
    "a storage fabric": (backend(), ("fabrics",), storage()["fabrics"]),
    "a scalable unit": (backend(), ("backend", "servers", "count"), 40),
    "all the servers reserved": (backend(), ("backend", "servers", "count"), 48),
    "a rail": (backend(), ("backend", "servers", "gpus"), 5),
    "a spine": (backend(), ("backend", "spine", "count"), 3),
    "all the spines reserved": (backend(), ("backend", "spine", "count"), 4),
    "a rack": (frontend(), ("frontend", "leaf_groups", "a", "leafs"), "1-3,7"),
    "a frontend spine": (frontend(), ("frontend", "spine", "count"), 3),
    "servers in racks": (frontend(), ("frontend", "leaf_groups", "a", "servers", "per_leaf"), 9),
    "a leaf group": (
        frontend(),
        ("frontend", "leaf_groups", "b"),
        {"leafs": "4-5", "servers": {"per_leaf": 2, "speed": "100G"}},
    ),
    "a tenant": (frontend(), ("tenants", "aaa"), tenant("aaa", 9, {"x": 300}, "5-6")),
    "a VLAN": (
        frontend(),
        ("tenants", "red", "vrfs", "red", "vlans", "aa"),
        {"id": 90, "subnet": "10.90.0.0/24"},
    ),
    "an external peer": (
        frontend(),
        ("tenants", "red", "vrfs", "red", "external"),
        {"isp": outside()},
    ),
    "another external peer": (
        bordered(),
        ("tenants", "red", "vrfs", "red", "external", "aaa"),
        outside(cage=9, link=1),
    ),
    "an external peer on a leaf without the VRF": (
        grown(bordered(), "frontend", "leaf_groups", "border", to={"leafs": "8-8"}),
        ("tenants", "red", "vrfs", "red", "external", "aaa"),
        outside(leaf=8, link=1),
    ),
    "a VLAN in a VRF with a peer": (
        bordered(),
        ("tenants", "red", "vrfs", "red", "vlans", "aa"),
        {"id": 90, "subnet": "10.90.0.0/24"},
    ),
    "a VRF beside one with a peer": (
        bordered(),
        ("tenants", "aaa"),
        tenant("aaa", 9, {"x": 300}, "5-6") | {"description": "new"},
    ),
    "a prefix that is accepted": (
        bordered(),
        ("tenants", "red", "vrfs", "red", "external", "isp", "accept"),
        ["0.0.0.0/0", "203.0.113.0/24"],
    ),
}
