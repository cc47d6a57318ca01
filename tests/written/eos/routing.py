"""Write BGP, BFD, routes and access lists of an EOS switch.

Part of the written answers of EOS switches (tests/written/eos/switches.py).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.written.eos.world import Shown, Written

from fabricgen.compile.checks import ends
from fabricgen.nos.lowering import spell


def _rules(text: str, family: str) -> Any:
    """Yield the rules of the access lists in a rendered file, as it spells them."""
    name = ""
    for line in text.splitlines():
        if line.startswith(f"{family} access-list "):
            name = line.split()[-1] if "standard" not in line else ""
        elif not line.startswith(" "):
            name = ""
        elif name and line.split()[0].isdigit():
            number, _, rule = line.strip().partition(" ")
            yield name, int(number), rule


def _asdot(asn: int) -> str:
    """EOS with `asn notation asdot` shows 65002.2048 (ANTA, BgpPeer)."""
    return f"{asn >> 16}.{asn & 0xFFFF}" if asn >> 16 else str(asn)


class Routing(Written):
    """Sessions, routes and rules."""

    def routing(self) -> Shown:
        return {
            "show bgp summary vrf all": {"vrfs": self.summary()},  # ANTA routing/test_bgp.py
            "show bgp neighbors vrf all": {"vrfs": self.detail()},  # ANTA routing/test_bgp.py
            "show bfd peers detail": {"vrfs": self.bfd()},  # ANTA test_bfd.py
            "show ip access-lists": {"aclList": self.lists("ip")},  # ANTA test_security.py
            "show ipv6 access-lists": {"aclList": self.lists("ipv6")},
            "show arp vrf all": {"vrfs": {"default": {"totalEntries": 4, "ipV4Neighbors": []}}},
            "show mac address-table": {"unicastTable": {"tableEntries": list(self.macs())}},
            **dict(self.routes()),
        }

    def peers(self) -> Any:
        """Yield the name of each peer on the switch, its VRF, and what the file says of it."""
        for (_, vrf, peer), own in self.of("session").items():
            name = f"fe80::1%{peer.replace('Ethernet', 'Et')}" if peer[:2] == "Et" else peer
            yield vrf, peer, name, own

    def summary(self) -> Shown:
        vrfs: Shown = {"default": {"asn": str(self.piece.asn), "peers": {}}}
        words = {"ipv4": "ipv4Unicast", "ipv6": "ipv6Unicast", "evpn": "l2VpnEvpn"}
        for vrf, _, name, own in self.peers():
            shown: Shown = {"peerState": "Established", "peerAsn": _asdot(int(own["asn"]))}
            for family in own["families"]:
                shown[words[family]] = {
                    "afiSafiState": "negotiated",
                    "nlrisReceived": 20,
                    "nlrisAccepted": 20,
                }
            there = vrfs.setdefault(vrf, {"asn": str(self.piece.asn), "peers": {}})
            there["peers"][name] = shown
        return vrfs

    def detail(self) -> Shown:
        vrfs: Shown = defaultdict(lambda: {"peerList": []})
        for vrf, _, name, own in self.peers():
            shown: Shown = {"peerAddress": name, "state": "Established"}
            if "in" in own:
                shown["routeMapInbound"] = "FROM-PEER"
            if "out" in own:
                shown["routeMapOutbound"] = "TO-PEER"
            vrfs[vrf]["peerList"].append(shown)
        return dict(vrfs)

    def bfd(self) -> Shown:
        vrfs: Shown = {}
        timers = self.facts.get(("bfd",), {})
        for vrf, _, name, own in self.peers():
            if "bfd" not in own:
                continue
            micro = int(str(timers["interval"])) * 1000
            detail = {
                "operTxInterval": micro,
                "operRxInterval": micro,
                "detectMult": int(str(timers["multiplier"])),
                "detectTime": micro * 3,
            }
            six = ":" in name
            stats = {"status": "up", "l3intf": "", "peerStatsDetail": detail}
            there = vrfs.setdefault(vrf, {"ipv4Neighbors": {}, "ipv6Neighbors": {}})
            family = "ipv6Neighbors" if six else "ipv4Neighbors"
            there[family][name] = {"peerStats": {"": stats}}
        for item in self.adjacent():
            there = vrfs.setdefault("default", {"ipv4Neighbors": {}, "ipv6Neighbors": {}})
            micro = int(str(timers["interval"])) * 1000
            detail = {"operTxInterval": micro, "detectMult": int(str(timers["multiplier"]))}
            stats = {"status": "up", "l3intf": "", "peerStatsDetail": detail}
            there["ipv4Neighbors"][item] = {"peerStats": {"": stats}}
        return vrfs

    def adjacent(self) -> list[str]:
        """Peers of OSPF adjacencies with BFD, which have no BGP session."""
        bfd = self.piece.routing.bfd
        return [each.remote.host for each in self.piece.adjacencies if bfd and each.remote]

    def lists(self, family: str) -> list[Shown]:
        found: dict[str, list[Shown]] = defaultdict(list)
        for name, number, rule in _rules(self.text, family):
            found[name].append({"sequenceNumber": number, "text": rule})
        return [{"name": name, "sequence": rules} for name, rules in found.items()]

    def routes(self) -> Any:
        """As in NAPALM get_route_to and ANTA routing/test_generic.py."""
        ports = {
            ends.key(item.port): spell(self.piece.switch, item.port)
            for item in self.piece.interfaces
        }
        own = self.world.ways.routes.get(self.piece.switch.name, {})
        found: dict[str, set[str]] = defaultdict(set)
        for origin, ways in own.items():
            for prefix in self.world.ways.prefixes[origin]:  # of an MLAG pair both have one
                found[prefix].update(ports[way] for way in ways)
        for prefix, there in found.items():
            route = {
                "routeType": "eBGP",
                "hardwareProgrammed": True,
                "kernelProgrammed": True,
                "preference": 200,
                "vias": [{"interface": port, "nexthopAddr": "10.0.0.1"} for port in sorted(there)],
            }
            vrf = {
                "allRoutesProgrammedHardware": True,
                "allRoutesProgrammedKernel": True,
                "routes": {prefix: route},
            }
            yield f"show ip route vrf default {prefix}", {"vrfs": {"default": vrf}}

    def macs(self) -> Any:
        for vlan in self.piece.vlans:
            yield {
                "macAddress": "02:00:00:00:00:01",
                "vlanId": vlan.id,
                "interface": "Vxlan1",
                "entryType": "dynamic",
            }
