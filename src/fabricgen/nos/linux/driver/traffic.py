"""Read which VLANs, VRFs and priorities of a Linux switch carry traffic."""

import re
from dataclasses import replace

from fabricgen.nos.linux.names import vlan_name
from fabricgen.nos.linux.show.reader import QUESTIONS
from fabricgen.nos.shared.documents import VTYSH, Look
from fabricgen.nos.shared.frr import traffic as frr
from fabricgen.nos.shared.traffic import traffic_of
from fabricgen.nos.show import Observed
from fabricgen.nos.traffic import Traffic

_ASKED = frozenset(question.key for question in QUESTIONS)
COMMANDS = tuple(each for each in frr.counting("vtysh") if each[0] not in _ASKED)
"""Commands in addition to the questions of the reader."""
_VNIS, _HOPS, _, _TARGETS, _ = VTYSH
_TRUNK = re.compile(r"(swp|bond)\d")
_GATEWAY = vlan_name(0).rstrip("0")


def traffic(seen: Observed, look: Look[str]) -> Traffic:
    derived = traffic_of(seen, is_trunk=lambda name: _TRUNK.match(name) is not None)
    vnis = look.json("VNIs", _VNIS, [])
    overlay = frr.Overlay(
        vnis=vnis,
        targets=look.json("route targets", _TARGETS, {}),
        hops=look.json("next hops of VRFs", _HOPS, {}),
        routes=look.text("EVPN routes", "evpn", frr.counts, {}),
        tables=look.text("routes of VRFs", "vrfs", frr.tables, {}),
        floods=look.text("flood lists", "floods", frr.floods, {}),
        servers=look.text("servers", "servers", frr.servers, {}),
        devices=look.made("VXLAN devices", lambda: _devices(seen), {}),
        gateways=look.made("gateways", lambda: _gateways(seen), {}),
    )
    return replace(
        derived,
        vtep=look.made("VNIs", lambda: frr.vtep(vnis), ""),
        vlans=look.made("VLANs with a VNI", lambda: frr.vlans(overlay), {}),
        vrfs=look.made("VRFs with a VNI", lambda: frr.vrfs(overlay), {}),
    )


def _devices(seen: Observed) -> dict[str, int]:
    """Return the VLAN of each VXLAN device."""
    return {
        str(own["device"]): int(str(own["vlan"]))
        for own in seen.of("vni").values()
        if "device" in own and "vlan" in own
    }


def _gateways(seen: Observed) -> dict[int, str]:
    """Return address and MAC of each VLAN's IPv4 gateway."""
    return {
        int(key[1].removeprefix(_GATEWAY)): f"{address.partition('/')[0]} {own['mac']}"
        for key, own in seen.of("interface").items()
        if key[1].startswith(_GATEWAY) and "mac" in own
        for address in own.get("address", ())[:1]
        if ":" not in address
    }
