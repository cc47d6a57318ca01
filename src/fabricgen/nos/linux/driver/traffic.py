"""Read which VLANs, VRFs and priorities of a Linux switch carry traffic."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.nos.linux.names import vlan_name
from fabricgen.nos.shared.documents import VTYSH, Answer, Look, UnreadableError
from fabricgen.nos.shared.frr import traffic as frr
from fabricgen.nos.show import Observed
from fabricgen.nos.traffic import Traffic, sampled

# One dcb call covers all ports. It prints an object for each and ends at the first port without
# PFC. Counters: `requests` were sent, `indications` received (man dcb-pfc; keys: dcb/dcb_pfc.c).
_PFC = (
    'cd /sys/class/net && set -- $(ls -d swp* 2>/dev/null); echo "$@"; '
    'for port; do echo "pfc show dev $port"; done | dcb -s -j -b -'
)
COMMANDS = (*frr.counting("vtysh"), ("pfc", _PFC))
_VNIS, _HOPS, _, _TARGETS, _ = VTYSH
_TRUNK = re.compile(r"(swp|bond)\d")
_GATEWAY = vlan_name(0).rstrip("0")
_USED = {"collecting", "distributing"}


@record()
class Pauses:
    """PFC of all ports: protected priorities, and frames of priorities without PFC (`strange`)."""

    paused: Mapping[str, frozenset[int]]
    strange: Mapping[str, int]


def pauses(look: Look[str]) -> Pauses:
    """Return PFC by port. A port whose driver has no PFC is unread."""
    none: Pauses = Pauses({}, {})
    found: Pauses = look.text("PFC", "pfc", _pauses, none)
    return found


def _pauses(answer: Answer) -> Pauses:
    ports, _, said = answer.text.partition("\n")
    paused: dict[str, frozenset[int]] = {}
    strange: dict[str, int] = {}
    for port in ports.split():
        said = said.lstrip(" \n,")
        if not said.startswith("{"):
            why = said.partition("\n")[0] or "no output"
            raise UnreadableError(f"{port} and later ports: {why}")
        shown, end = json.JSONDecoder().raw_decode(said)
        said = said[end:]
        own = frozenset(number for number, on in enumerate(shown["prio_pfc"]) if on in {"on", True})
        paused[port] = own
        strange |= {
            f"{port} PFC {way} of priority {number}": int(count)
            for way in ("requests", "indications")
            for number, count in enumerate(shown[way])
            if number not in own
        }
    return Pauses(paused, strange)


def traffic(seen: Observed, look: Look[str], paused: Mapping[str, frozenset[int]]) -> Traffic:
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
    return Traffic(
        vtep=look.made("VNIs", lambda: frr.vtep(vnis), ""),
        vlans=look.made("VLANs with a VNI", lambda: frr.vlans(overlay), {}),
        vrfs=look.made("VRFs with a VNI", lambda: frr.vrfs(overlay), {}),
        fib=sampled(
            {
                key[2]: len(own["ports"])
                for key, own in seen.of("route").items()
                if key[1] == GLOBAL and key[2].endswith("/32")
            }
        ),
        bundles=look.json("bundles", "addresses", [], _bundles),
        trunks=look.made("trunks", lambda: _trunks(seen), {}),
        paused=paused,
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


def _trunks(seen: Observed) -> dict[str, frozenset[int]]:
    """Return the VLANs of each port of the bridge."""
    return {
        key[1]: frozenset(map(int, own["vlans"]))
        for key, own in seen.of("interface").items()
        if "vlans" in own and _TRUNK.match(key[1])
    }


def _bundles(devices: Iterable[Mapping[str, Any]]) -> dict[str, bool]:
    """Return the members of LAGs; LACP uses those that collect and distribute (802.1AX)."""
    members = {}
    for item in devices:
        link = item.get("linkinfo", {})
        if link.get("info_slave_kind") == "bond":
            state = link.get("info_slave_data", {}).get("ad_actor_oper_port_state_str", ())
            members[f"{item['master']} {item['ifname']}"] = set(state) >= _USED
    return members
