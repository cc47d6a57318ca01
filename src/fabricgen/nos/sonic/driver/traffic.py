"""Read which VLANs, VRFs and priorities of a SONiC switch carry traffic.

FRR in its container (8.5 of 202311 to 10.3 of 202505) has the overlay. The ASIC forwards packets,
but this module does not read it. The routes come from the kernel, which FRR also fills.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fabricgen.core.tree.ranges import between
from fabricgen.nos.shared.documents import VTYSH, Answer, Look, UnreadableError
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.shared.frr import traffic as frr
from fabricgen.nos.sonic.names import vrf_name
from fabricgen.nos.traffic import End, Kind, Routed, Traffic, sampled

_VTYSH = "docker exec bgp vtysh"
_VNIS, _HOPS, _, _TARGETS, _ = VTYSH
COMMANDS = {
    "vnis": f"{_VTYSH} -c '{_VNIS}'",
    "hops": f"{_VTYSH} -c '{_HOPS}'",
    "targets": f"{_VTYSH} -c '{_TARGETS}'",
    **dict(frr.counting(_VTYSH)),
    "routes": "ip -j -4 route show table main proto bgp",
    # vlanmgrd puts the members of a VLAN into the kernel's bridge, and so it does with the VXLAN
    # devices (sonic-swss, cfgmgr/vlanmgr.cpp and vxlanmgr.cpp); fdbsyncd gives the kernel's flood
    # lists to the ASIC (fdbsyncd/fdbsync.cpp).
    "bridged": "bridge -j vlan show",
    "bundles": "teamshow",  # sonic-utilities, scripts/teamshow
}
UNREAD = (
    "hardware: forwarding of the ASIC and its paused priorities are not read",
    "packets through VLANs: SONiC has no command that sends one to the end on another leaf",
)
PINGED = 64
"""Maximum number of ends to ping in a snapshot, and of servers through VRFs: 11 s each without an
answer (onswitch/pings.py). Images have iputils' ping (sonic-buildimage, build_debian.sh), and a
device for each VLAN (sonic-swss, vlanmgr.cpp) and VRF (vrfmgr.cpp)."""
_TRUNK = re.compile(r"(Ethernet|PortChannel)\d")
_MEMBER = re.compile(r"(Ethernet\d+)\(([^)]*)\)")
_BUNDLE = re.compile(r"\s*\d+\s+(PortChannel\d+)\s+\S+\s+(.*)")


def traffic(look: Look[str]) -> Traffic:
    vnis = look.json("VNIs", "vnis", [])
    bridged = look.json("VLANs of the bridge", "bridged", [], lambda shown: dict(_vlans(shown)))
    overlay = frr.Overlay(
        vnis=vnis,
        targets=look.json("route targets", "targets", {}),
        hops=look.json("next hops of VRFs", "hops", {}),
        routes=look.text("EVPN routes", "evpn", frr.counts, {}),
        tables=look.text("routes of VRFs", "vrfs", frr.tables, {}),
        floods=look.text("flood lists", "floods", frr.floods, {}),
        servers=look.text("servers", "servers", frr.servers, {}),
        devices={name: next(iter(own)) for name, own in bridged.items() if len(own) == 1},
    )
    routes = look.json("underlay routes", "routes", [], routing.routes)
    return Traffic(
        vtep=look.made("VNIs", lambda: frr.vtep(vnis), ""),
        vlans=look.made("VLANs with a VNI", lambda: frr.vlans(overlay), {}),
        vrfs=look.made("VRFs with a VNI", lambda: _vrfs(overlay), {}),
        fib=sampled(
            {key[2]: len(own["ports"]) for key, own in routes.items() if key[2].endswith("/32")}
        ),
        bundles=look.text("bundles", "bundles", _bundles, {}),
        trunks={name: own for name, own in bridged.items() if _TRUNK.match(name)},
    )


def _vrfs(overlay: frr.Overlay) -> dict[str, Routed]:
    """Return every VRF that has a VNI, by the design's name."""
    prefix = vrf_name("")
    return {name.removeprefix(prefix): own for name, own in frr.vrfs(overlay).items()}


def _vlans(ports: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, frozenset[int]]]:
    for port in ports:
        vlans = port.get("vlans", ())
        spans = (between(each["vlan"], each.get("vlanEnd", each["vlan"])) for each in vlans)
        yield port["ifname"], frozenset(number for span in spans for number in span)


def _bundles(answer: Answer) -> dict[str, bool]:
    """Return the members of LAGs; S marks the members that teamd has selected."""
    if "Team Dev" not in answer.text:
        raise UnreadableError((answer.text.strip().splitlines() or ["no output"])[0])
    return {
        f"{row[1]} {port}": state.startswith("S")
        for row in map(_BUNDLE.match, answer.text.splitlines())
        if row is not None
        for port, state in _MEMBER.findall(row[2])
    }


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


def strange(
    frames: Mapping[tuple[str, int, str], int], lossless: Mapping[str, frozenset[int]]
) -> dict[str, int]:
    """Count the PFC frames of priorities that PFC does not protect, by port and direction.

    `lossless`: the PFC priorities of each port.
    """
    if not frames:
        raise UnreadableError("COUNTERS_DB has no counters of PFC frames")
    return {
        f"{port} PFC frames of priority {number} {way}": count
        for (port, number, way), count in frames.items()
        if number not in lossless.get(port, ())
    }
