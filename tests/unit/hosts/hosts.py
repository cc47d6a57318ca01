"""Small backends whose servers are rendered, for the tests of the hosts: intent in, files out."""

from functools import cache

import yaml

from fabricgen.compile.compiler import Compiled, compile_site, files_of, host_slices
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.nos.hosts.routed import RoutedSide
from fabricgen.nos.hosts.slices import HostSlice

NETWORKS = ("netplan", "networkd", "networkmanager")
NICS = {"connectx": "connectx-7", "thor": "thor2", "pollara": "pollara-400"}

_ROLE = {"model": "7060X6-64PE", "platform": "eos"}
SHAPES: dict[str, dict[str, object]] = {
    "rail-only": {"design": "rail-only"},
    "rail-optimized": {
        "design": "rail-optimized",
        "scalable_unit": {"servers": 2},
        "spine": {**_ROLE, "count": 2},
        "links": {"speed": "400G"},
    },
    "subnets": {
        "design": "rail-optimized",
        "scalable_unit": {"servers": 2},
        "rails_per_leaf": 2,
        "spine": {**_ROLE, "count": 2},
        "links": {"speed": "400G"},
        "nic_addressing": {"mode": "subnet"},
    },
    "two-planes": {
        "design": "rail-optimized",
        "scalable_unit": {"servers": 2},
        "planes": 2,
        "spine": {**_ROLE, "count": 2},
        "links": {"speed": "400G"},
    },
    "two-ports-a-plane": {
        "design": "rail-optimized",
        "scalable_unit": {"servers": 2},
        "spine": {**_ROLE, "count": 2},
        "links": {"speed": "400G"},
        "nic_addressing": {"mode": "subnet"},
    },
}
_PORTS = {"two-planes": 2, "two-ports-a-plane": 2}


def compiled(
    shape: str = "rail-optimized",
    *,
    roce: dict[str, object] | None = None,
    underlay: dict[str, object] | None = None,
    **servers: object,
) -> Compiled:
    """Compile a backend of three servers with four NICs each; `servers` are keys of that name."""
    ports = _PORTS.get(shape, 1)
    words: dict[str, object] = {
        **SHAPES[shape],
        "leaf": _ROLE,
        "servers": {
            "count": 3,
            "gpus": 4,
            "nic_speed": "400G" if ports == 1 else "200G",
            "nic_ports": ports,
            **servers,
        },
    }
    if roce is not None:
        words["roce"] = roce
    if underlay is not None:
        words["underlay"] = underlay
    site = {"name": "t", "management": {"subnet": "10.255.0.0/20"}}
    return _compiled(yaml.safe_dump({"site": site, "backend": words}))


@cache
def _compiled(text: str) -> Compiled:
    """Compile a text once: many tests want the same site, and nothing changes one."""
    return compile_site(load_texts({"site.yaml": text}))


def designed(shape: str = "rail-optimized", **words: object) -> Site:
    """Return the site of a backend that must compile."""
    made = compiled(shape, **words)  # type: ignore[arg-type]
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


@cache
def plain(shape: str = "rail-optimized", network: str = "netplan") -> Site:
    """Return a backend with nothing but its shape and what configures the network."""
    return designed(shape, network=network)


@cache
def stored(network: str = "netplan", *, roce: bool = True, nic: str = "") -> Site:
    """Return a storage fabric of two GPU servers with rails and two storage nodes without."""
    port = {"fabric": "storage", "speed": "200G", **({"nic": nic} if nic else {})}
    kinds = {
        "gpu": {
            "count": 2,
            "gpus": 2,
            "network": network,
            "ports": {
                "data": {**port, "group": "compute", "ports": 2},
                "rail": {"fabric": "backend", "speed": "400G"},
            },
        },
        "nvme": {
            "count": 2,
            "network": network,
            "ports": {"data": {**port, "group": "storage", "ports": 4}},
        },
    }
    storage = {"kind": "routed", "leaf": _ROLE, "spine": _ROLE, **({"roce": {}} if roce else {})}
    words = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": kinds,
        "backend": {**SHAPES["rail-optimized"], "leaf": _ROLE},
        "fabrics": {"storage": storage},
    }
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)}))
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


def rails(host_slice: HostSlice) -> RoutedSide:
    """Return the rails of a server that has some."""
    return host_slice.routed[0]


def servers(site: Site) -> list[HostSlice]:
    """Return the slices of all servers."""
    return list(host_slices(site))


def texts(host_slice: HostSlice) -> dict[str, str]:
    """Return the files of a server by their path on it."""
    return {file.path.split("/", 2)[2]: file.text for file in files_of(host_slice, Renderer())}


def leaf_ports(fabric: Fabric) -> dict[tuple[str, str], tuple[SwitchSlice, Interface]]:
    """Return the leaf's end of every link to a NIC, by server and interface name."""
    found = {}
    for host_slice in Slicer(fabric).slices():
        for interface in host_slice.interfaces:
            if interface.use is Use.NIC:
                assert interface.peer is not None
                assert interface.peer_port is not None
                key = (interface.peer.name, interface.peer_port.label)
                found[key] = (host_slice, interface)
    return found
