"""Random sites for batches: every design of the intent, and leaf pairs that share their servers."""

from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import strategies as st
from tests.property.growing import designed, site

from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Switch

Change = tuple["Site", list[str], int, str]
MODEL = {"model": "7060X6-64PE", "platform": "eos"}
SMALL = {"model": "7050CX3-32S", "platform": "eos"}
RAILS = {"gpus": 8, "nic_speed": "400G"}


def backend(design: str, **more: Any) -> dict[str, Any]:
    """Return a backend; words of `servers` are given as servers_x."""
    servers = {key.removeprefix("servers_"): more.pop(key) for key in [*more] if "servers_" in key}
    fabric = {"design": design, "servers": RAILS | servers, "oversubscription": 64.0, "leaf": MODEL}
    fabric |= {"roce": {"enabled": False}, "links": {"speed": "400G"}} | more
    return {"site": site(), "backend": fabric}


def rail_only(servers: int = 4, gpus: int = 8, per_leaf: int = 1, planes: int = 1) -> Site:
    """Design leafs alone."""
    shape = {"rails_per_leaf": per_leaf, "planes": planes}
    return designed(
        backend(
            "rail-only", servers_count=servers, servers_gpus=gpus, servers_nic_ports=planes, **shape
        )
    )


def railed(units: int, gpus: int, spines: int, per_leaf: int = 1, planes: int = 1) -> Site:
    """Design leafs and spines, with scalable units of two servers."""
    return designed(
        backend(
            "rail-optimized",
            servers_count=2 * units,
            servers_gpus=gpus,
            servers_nic_ports=planes,
            scalable_unit={"servers": 2},
            rails_per_leaf=per_leaf,
            planes=planes,
            spine=MODEL | {"count": spines},
        )
    )


def three_tier(units: int, gpus: int, spines: int, tops: int, planes: int = 1) -> Site:
    """Design pods of leafs and spines, joined by superspines; a pod has 4 leafs at 4 spines."""
    return designed(
        backend(
            "three-tier",
            servers_count=16 * units,
            servers_gpus=gpus,
            servers_nic_speed="100G",
            servers_nic_ports=planes,
            scalable_unit={"servers": 16},
            planes=planes,
            oversubscription=1.0,
            links={"speed": "100G"},
            leaf=SMALL,
            spine=SMALL | {"count": spines},
            superspine=SMALL | {"count": tops},
        )
    )


def frontend(
    leafs: int,
    spines: int,
    pods: tuple[int, int] | None = None,
    out: dict[str, list[int]] | None = None,
    *,
    mlag: bool = False,
) -> Site:
    """Design a frontend. pods: leafs in each, and superspines. out: leafs with ways out.

    mlag: leafs 1 and 2, 3 and 4, ... are MLAG pairs; no server has both.
    """
    fabric: dict[str, Any] = {
        "leaf": MODEL,
        "spine": MODEL | {"count": spines},
        "links": {"speed": "400G"},
        "oversubscription": 64.0,
        "leaf_groups": {"a": {"leafs": f"1-{leafs}", "servers": {"per_leaf": 4, "speed": "400G"}}},
    }
    if mlag:
        fabric["leaf_groups"]["a"]["multihoming"] = {"kind": "mlag"}
    if pods:
        superspine = {"superspine": MODEL | {"count": pods[1]}, "leafs_per_pod": pods[0]}
        fabric |= {"design": "superspine"} | superspine
    tenants = {
        vrf: {
            "vrfs": {
                vrf: {
                    "id": number,
                    "vlans": {vrf: {"id": 100 + number, "subnet": f"10.{number}.0.0/24"}},
                    "external": {f"p{leaf}": _outside(leaf, number) for leaf in where},
                }
            },
            "attachments": [{"group": "a", "servers": str(number), "trunk": [vrf]}],
        }
        for number, (vrf, where) in enumerate((out or {}).items(), 1)
    }
    return designed(
        {"site": site(), "frontend": fabric, **({"tenants": tenants} if tenants else {})}
    )


def _outside(leaf: int, number: int) -> dict[str, Any]:
    here = f"192.0.{number}.{2 * leaf}"
    return {
        "leaf": leaf,
        "cage": 40 + number,
        "address": f"192.0.{number}.{2 * leaf + 1}/31",
        "peer": here,
        "asn": 65500,
        "accept": ["0.0.0.0/0"],
    }


def paired(made: Site) -> Site:
    """Cable the servers of leafs 1 and 2, 3 and 4, ... of the frontend to both: a bond over two."""
    return replace(made, fabrics=tuple(_paired(item) for item in made.fabrics))


def _paired(fabric: Fabric) -> Fabric:
    leafs = sorted(
        (item for item in fabric.topology.switches if item.is_leaf), key=lambda item: item.ordinal
    )
    links = list(fabric.topology.links)
    for one, other in zip(leafs[::2], leafs[1::2], strict=False):
        free = {leaf: _free(fabric, leaf) for leaf in (one, other)}
        for leaf, second in ((one, other), (other, one)):
            for link in fabric.topology.links_at[leaf.name]:
                if link.to_server:
                    port = free[second].pop()
                    links.append(replace(link, upper=second, upper_port=port, lower_port=_EXTRA))
    return replace(fabric, topology=replace(fabric.topology, links=tuple(links)))


_EXTRA = Nic(rail=0, port=2, name="eth1", network="eth")


def _free(fabric: Fabric, leaf: Switch) -> list[Any]:
    at: list[Link] = fabric.topology.links_at[leaf.name]
    used = {link.lower_port if link.lower is leaf else link.upper_port for link in at}
    return [port for port in leaf.ports if port not in used]


def everything(made: Site) -> list[str]:
    """Return the names of all switches."""
    return [item.name for fabric in made.fabrics for item in fabric.topology.switches]


@st.composite
def frontends(draw: st.DrawFn) -> Site:
    """Draw a frontend: one pod or several, with ways out, with single or shared servers."""
    leafs = draw(st.integers(1, 14))
    pods = draw(st.none() | st.tuples(st.integers(1, 5), st.integers(1, 5)))
    some = st.lists(st.integers(1, leafs), unique=True, max_size=6)
    out = {vrf: draw(some) for vrf in ("red", "blue")}
    made = frontend(
        leafs, draw(st.integers(1, 8)), pods, {key: out[key] for key in out if out[key]}
    )
    return paired(made) if draw(st.booleans()) else made


@st.composite
def backends(draw: st.DrawFn) -> Site:
    """Draw a backend of any design, with one plane or two."""
    gpus, planes = draw(st.sampled_from([1, 2, 4, 8])), draw(st.integers(1, 2))
    per_leaf = draw(st.sampled_from([each for each in (1, 2, 4, 8) if each <= gpus]))
    kind = draw(st.sampled_from(["rail-only", "rail-optimized", "three-tier"]))
    if kind == "rail-only":
        return rail_only(draw(st.integers(1, 6)), gpus, per_leaf, planes)
    if kind == "rail-optimized":
        return railed(draw(st.integers(1, 12)), gpus, draw(st.integers(1, 8)), per_leaf, planes)
    spines, tops = draw(st.sampled_from([2, 4, 8])), draw(st.sampled_from([1, 2, 4, 8]))
    gpus = min(gpus, spines)
    units = draw(st.integers(1, min(8, 2 * tops * (spines // gpus))))
    return three_tier(units, gpus, spines, tops, planes)


@st.composite
def joined(draw: st.DrawFn) -> Site:
    """Draw a site with both fabrics."""
    one, other = draw(frontends()), draw(backends())
    return replace(one, fabrics=(*one.fabrics, *other.fabrics))


HALLS = ("one", "two")


@cache
def two_sites(bands: int = 1) -> Site:
    """Design two sites that gateways join, an MLAG pair at either, and a VRF by links as well.

    bands: links between leafs that are no gateways.
    """
    links = [{name: {"leaf": n, "cage": 20} for name in HALLS} for n in (9, 10)]
    wan = {"number": 7, "links": links, "vrfs": {"red": ["web"]}, "pool": "172.100.0.0/28"}
    return designed(
        {
            "site": site(),
            "fabrics": {name: _hall(number) for number, name in enumerate(HALLS, 1)},
            "dci": {f"link{leaf}": _link(leaf) for leaf in range(1, bands + 1)},
            "gateways": {"wan": wan},
            "tenants": {f"t-{name}": _both(name, number) for number, name in enumerate(HALLS, 1)},
        }
    )


def _hall(number: int) -> dict[str, Any]:
    return {
        "kind": "evpn",
        "number": number,
        "leaf": {"model": "7280SR3-48YC8", "platform": "eos"},
        "spine": SMALL | {"count": 2},
        "leaf_groups": {
            "a": {"leafs": "1-8", "servers": {"per_leaf": 2, "speed": "25G"}},
            "gates": {"leafs": "9-10", "multihoming": {"kind": "mlag"}},
        },
    }


def _link(leaf: int) -> dict[str, Any]:
    end = {"leaf": leaf, "cages": "21"}
    ends = {name: {**end, "asn": 64800 + number} for number, name in enumerate(HALLS)}
    return {"ends": ends, "vrfs": {"blue": 100 + leaf}, "pool": f"10.{99 + leaf}.0.0/19"}


def _both(name: str, number: int) -> dict[str, Any]:
    """Return the tenant of a hall: a VRF that gateways carry, and one that links do."""
    web = {"id": 100, "vni": 10100, "subnet": "172.20.0.0/24"}
    own = {"id": 101, "subnet": f"172.2{number}.1.0/24"}
    return {
        "fabric": name,
        "vrfs": {
            "red": {"id": 1, "vni": 5001, "vlans": {"web": web}},
            "blue": {"id": 2, "vlans": {"own": own}},
        },
        "attachments": [{"group": "a", "trunk": ["web", "own"], "addresses": "none"}],
    }


sites = st.one_of(frontends(), backends(), joined(), st.integers(1, 4).map(two_sites))


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Draw a site, the switches that change, the floor and the sizes of batches."""
    made = draw(sites)
    names = everything(made)
    some = draw(st.just(names) | st.lists(st.sampled_from(names), unique=True, min_size=1))
    floor = draw(st.sampled_from([0, 50, 66, 75, 90, 100]))
    return made, some, floor, draw(st.sampled_from(["1,10%,50%", "100%", "1", "3,2", "2,50%"]))
