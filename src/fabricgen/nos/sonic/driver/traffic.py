"""Read which VLANs, VRFs and priorities of a SONiC switch carry traffic.

FRR in its container (8.5 of 202405 to 10.5 of master) has the overlay. The routes of VRFs come from
the kernel, which FRR also fills. Everything else is in the facts of the reader.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from fabricgen.nos.questions import Answer
from fabricgen.nos.shared.documents import VTYSH, Look
from fabricgen.nos.shared.frr import evpn_routes
from fabricgen.nos.shared.frr import traffic as frr
from fabricgen.nos.shared.traffic import traffic_of
from fabricgen.nos.show import Observed
from fabricgen.nos.sonic.names import vrf_name
from fabricgen.nos.sonic.show.ports import neutral
from fabricgen.nos.traffic import End, Kind, Routed, Traffic

_VNIS, _HOPS, _, _TARGETS, _ = VTYSH
_ASKED = ("vrfs", "servers")
COMMANDS = {key: line for key, line in frr.counting("") if key in _ASKED}
UNREAD = ("packets through VLANs: SONiC has no command that sends one to the end on another leaf",)
PINGED = 64
"""Maximum number of ends to ping in a snapshot, and of servers through VRFs: 11 s each without an
answer (onswitch/pings.py). Images have iputils' ping (sonic-buildimage, build_debian.sh), and a
device for each VLAN (sonic-swss, vlanmgr.cpp) and VRF (vrfmgr.cpp)."""


def traffic(seen: Observed, look: Look[str]) -> Traffic:
    """Return the traffic of a snapshot."""
    vnis = look.json("VNIs", _VNIS, [])
    devices = look.made("VLANs of VNIs", lambda: _devices(seen, vnis), {})
    flooded = seen.of("flood")
    overlay = frr.Overlay(
        vnis=vnis,
        targets=look.json("route targets", _TARGETS, {}),
        hops=look.json("next hops of VRFs", _HOPS, {}),
        routes=look.text("EVPN routes", "evpn_routes", _counts, {}),
        tables=look.text("routes of VRFs", "vrfs", frr.tables, {}),
        floods={
            device: frozenset(map(str, flooded.get(("flood", str(vlan)), {}).get("vteps", ())))
            for device, vlan in devices.items()
        },
        servers=look.text("servers", "servers", frr.servers, {}),
        devices=devices,
    )
    return replace(
        traffic_of(seen),
        vtep=look.made("VNIs", lambda: frr.vtep(vnis), ""),
        vlans=look.made("VLANs with a VNI", lambda: frr.vlans(overlay), {}),
        vrfs=look.made("VRFs with a VNI", lambda: _vrfs(overlay), {}),
    )


def _counts(answer: Answer) -> dict[frr.Count, int]:
    """Return the numbers of best routes: of a VNI by type, of a target by next hop."""
    routes = evpn_routes.Routes(answer)
    names = {word: kind for kind, word in evpn_routes.TYPES.items()}
    counted = {
        (vni, int(names.get(kind, kind)), "*"): number
        for (vni, kind), number in routes.counts.items()
    }
    for (target, _), hops in routes.prefixes.items():
        for hop in hops:
            counted[target, 5, hop] = counted.get((target, 5, hop), 0) + 1
    return counted


def _devices(seen: Observed, vnis: Any) -> dict[str, int]:
    """Return the VLAN of each VXLAN device of zebra."""
    known = {key[1]: own["vlan"] for key, own in seen.of("vni").items() if "vlan" in own}
    return {
        str(shown["vxlanInterface"]): int(str(known[str(shown["vni"])]))
        for shown in vnis
        if "vxlanInterface" in shown and str(shown.get("vni")) in known
    }


def _vrfs(overlay: frr.Overlay) -> dict[str, Routed]:
    """Return every VRF that has a VNI, by the design's name."""
    return {neutral(name): own for name, own in frr.vrfs(overlay).items()}


def asked(ends: Collection[End], seen: Traffic) -> dict[End, dict[str, str]]:
    """Return the source of the ping for each end that can be pinged.

    These are VTEPs, servers by their VLAN's port, and servers through a VRF.
    """
    sources = {
        end: seen.vtep if end.kind is Kind.VTEP else f"Vlan{end.of}"
        for end in ends
        if end.kind in (Kind.VTEP, Kind.SERVER)
    }
    routed = {end: f"{vrf_name(end.of)} {end.source}" for end in ends if end.station is not None}
    pinged = [*[*sources.items()][:PINGED], *[*routed.items()][:PINGED]]
    return {end: {"source": source, "far": end.far} for end, source in pinged}
