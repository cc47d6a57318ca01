"""Faults of the WRITTEN state of an EOS switch, which a driver then reads."""

from collections.abc import Callable
from typing import Any

from tests.written.eos.switches import Shown

Plant = Callable[[Shown], object]
"""Changes the answers of a switch."""


def at(shown: Shown, command: str, *path: str) -> Any:
    here: Any = shown[command]
    for key in path:
        here = here[key]
    return here


def first(own: dict[str, Any], fits: Callable[[str], bool] = lambda _: True) -> str:
    return next(key for key in own if fits(key))


def no_vlan(shown: Shown) -> None:
    vlans = at(shown, "show vlan", "vlans")
    del vlans[first(vlans, lambda number: number != "1" and not vlans[number]["dynamic"])]


def peers_of(shown: Shown) -> dict[str, Any]:
    found: dict[str, Any] = at(shown, "show bgp summary vrf all", "vrfs", "default", "peers")
    return found


def other_asn(shown: Shown) -> None:
    peers = peers_of(shown)
    peers[first(peers)]["peerAsn"] = "65001"


def small_mtu(shown: Shown) -> None:
    ports = at(shown, "show interfaces", "interfaces")
    ports[first(ports, lambda name: ports[name]["mtu"] == 9214)]["mtu"] = 1500
