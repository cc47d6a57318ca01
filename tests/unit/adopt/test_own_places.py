"""Own lines of each level come back where they stood: once, at the widest place that is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.adopt.examples import network, rendered
from tests.unit.adopt.odd_cables import MODELS

from fabricgen.importer.fit import Fit
from fabricgen.importer.tree import merged

if TYPE_CHECKING:
    from fabricgen.importer.tree import Tree


def site(platform: str) -> Tree:
    """Return two fabrics, the one with three groups of two leafs; two of them have a tenant."""
    box = {"model": MODELS[platform], "platform": platform}
    fabric = {"leaf": box, "spine": {**box, "count": 2}}
    return {
        "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
        "servers": {name: _kind(name) for name in "abc"},
        "frontend": {
            **fabric,
            "leaf_groups": {"a": {"leafs": "1-2"}, "b": {"leafs": "3-4"}, "c": {"leafs": "5-6"}},
        },
        "fabrics": {
            "lan": {"kind": "evpn", "number": 1, **fabric, "leaf_groups": {"x": {"leafs": "1-2"}}}
        },
        "tenants": {
            "red": {"fabric": "frontend", "vrfs": {"red": _vrf(1, 30)}, "attachments": _at("ab")},
            "blue": {"fabric": "frontend", "vrfs": {"blue": _vrf(2, 31)}, "attachments": _at("c")},
        },
    }


def _kind(group: str) -> Tree:
    ports = {"fabric": "frontend", "group": group, "speed": "25G", "per_leaf": 8}
    return {"count": 16, "ports": {"eth": ports}}


def _vrf(number: int, vlan: int) -> Tree:
    return {"id": number, "vlans": {f"v{vlan}": {"id": vlan, "subnet": f"10.{vlan}.0.0/24"}}}


def _at(groups: str) -> list[Tree]:
    vlans = {"a": "v30", "b": "v30", "c": "v31"}
    return [{"servers": each, "access": vlans[each]} for each in groups]


def lines(platform: str, name: str) -> Tree:
    """Return own lines that nothing of the design has, each with a name in it."""
    listed = {"frr": f"ip prefix-list {name} seq 5 permit 192.0.2.0/24\n"}
    if platform == "eos":
        return {"eos": f"agent {name} x on\n"}
    if platform == "sonic":
        return {**listed, "config_db": {"FEATURE": {name: {"state": "enabled"}}}}
    return {**listed, "interfaces": f"auto dum-{name}\niface dum-{name}\n   link-type dummy\n"}


IN_VRF: dict[str, Tree] = {
    "eos": {
        "eos": "router bgp {{ switch.asn }}\n   vrf blue\n      neighbor 192.0.2.1 description x\n"
    },
    "sonic": {"frr": "router bgp {{ switch.asn }} vrf Vrf_blue\n   bgp log-neighbor-changes\n"},
    "linux": {"frr": "router bgp {{ switch.asn }} vrf blue\n   bgp log-neighbor-changes\n"},
}
AT_A_PORT: dict[str, Tree] = {
    "eos": {"eos": "load-interval 5\n"},
    "sonic": {"config_db": {"tpid": "0x8100"}},
    "linux": {"frr": "link-detect\n", "interfaces": "mstpctl-bpduguard yes\n"},
}
PLACES: dict[str, tuple[str, ...]] = {
    "site": ("site",),
    "fabric": ("frontend",),
    "leaf": ("frontend", "leaf"),
    "spine": ("fabrics", "lan", "spine"),
    "group": ("frontend", "leaf_groups", "b"),
    "tenant": ("tenants", "red"),
    "switch": ("frontend", "switches", "fe-leaf02"),
}


def said(words: Any, *place: str) -> dict[tuple[str, ...], Any]:
    """Return all own lines by their places."""
    if not isinstance(words, dict):
        return {}
    own = {place: words["custom_config"]} if "custom_config" in words else {}
    return own | {k: v for key, each in words.items() for k, v in said(each, *place, key).items()}


def below(place: tuple[str, ...], words: Tree) -> Tree:
    for key in reversed((*place, "custom_config")):
        words = {key: words}
    return words


def found(tree: Tree, *own: Tree) -> None:
    """Render own lines, and find them again in a tree without any: at the same places."""
    whole = merged(tree, *own)
    texts, platforms = rendered(whole)
    adopted = Fit(network(texts, platforms).switches).fitted(tree)
    assert adopted.remainders == ()
    assert said(adopted.tree) == said(whole)
    assert rendered(adopted.tree)[0] == texts


@pytest.mark.parametrize("platform", MODELS)
def test_lines_of_all_places_come_back_there(platform: str) -> None:
    every = (below(place, lines(platform, name)) for name, place in PLACES.items())
    found(site(platform), *every)


@pytest.mark.parametrize("platform", MODELS)
def test_lines_that_name_a_vrf_stand_at_its_tenant(platform: str) -> None:
    found(site(platform), below(("tenants", "blue"), IN_VRF[platform]))


@pytest.mark.parametrize("platform", MODELS)
def test_lines_of_ports_and_cages_stand_there(platform: str) -> None:
    leaf = ("frontend", "switches", "fe-leaf01", "ports")
    found(site(platform), *(below((*leaf, each), AT_A_PORT[platform]) for each in ("1/2", "2")))
