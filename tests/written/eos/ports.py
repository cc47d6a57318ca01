"""Write interfaces, port-channels, VLANs and neighbors of an EOS switch.

Part of the written answers of EOS switches (tests/written/eos/switches.py).
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any

from tests.written.eos.world import BOOTED, Shown, Written

from fabricgen.core.units import BitsPerSecond
from fabricgen.nos.lowering import spell

NONE = {"address": "0.0.0.0", "maskLen": 0}  # noqa: S104 - EOS's word for no address


def _split(address: str) -> tuple[str, int]:
    host, _, length = address.partition("/")
    return host, int(length)


class Ports(Written):
    """Ports with their VLANs and neighbors."""

    def ports(self) -> Shown:
        return {
            "show interfaces": {"interfaces": {n: self.interface(n) for n in self.shown_ports()}},
            "show ipv6 interface": {"interfaces": dict(self.six())},  # NAPALM get_interfaces_ip
            "show interfaces status errdisabled": {"interfaceStatuses": {}},  # ANTA
            "show interfaces switchport": {"switchports": dict(self.switchports())},  # NCAM
            "show port-channel": {"portChannels": dict(self.bundles())},  # ANTA test_interfaces.py
            "show lacp interface": {"portChannels": dict(self.lacp())},  # ANTA test_interfaces.py
            "show lldp neighbors detail": {"lldpNeighbors": dict(self.neighbors())},
            "show inventory": {"xcvrSlots": dict(self.modules())},  # ANTA test_hardware.py
            **self.pair(),
        }

    def shown_ports(self) -> list[str]:
        chosen = [f"Vlan{vlan}" for vlan in self.transit.values()]
        return [*self.interfaces, *(name for name in chosen if name not in self.interfaces)]

    def interface(self, name: str) -> Shown:
        """As in NAPALM test_get_interfaces and the anycast list of ANTA-like public tests."""
        own = self.interfaces.get(name, {})
        up = "shut" not in own
        speed = BitsPerSecond.parse(own["speed"]) if "speed" in own and up else 0
        virtual = "anycast" in own
        four = [each for each in own.get("address", ()) if ":" not in each]
        places = [dict(zip(("address", "maskLen"), _split(each), strict=True)) for each in four]
        first = places[0] if places else NONE
        return {
            "name": name,
            "interfaceStatus": "connected" if up else "disabled",
            "lineProtocolStatus": "up" if up else "down",
            "hardware": "ethernet",
            "forwardingModel": "routed" if "routed" in own else "bridged",
            "bandwidth": int(speed),
            "mtu": int(own.get("mtu", 1500)),
            "interfaceAddress": [
                {
                    "primaryIp": NONE if virtual else first,
                    "virtualIp": first if virtual else NONE,
                    "secondaryIps": {},
                    "secondaryIpsOrderedList": [] if virtual else places[1:],
                    "virtualSecondaryIps": {},
                    "virtualSecondaryIpsOrderedList": places[1:] if virtual else [],
                    "broadcastAddress": "255.255.255.255",
                    "dhcp": False,
                }
            ]
            if places
            else [],
            "interfaceCounters": {
                "inOctets": 10**12,
                "outOctets": 10**12,
                "linkStatusChanges": 3,
                "totalInErrors": 0,
                "totalOutErrors": 0,
            },
        }

    def six(self) -> Any:
        for name, own in self.interfaces.items():
            six = [each for each in own.get("address", ()) if ":" in each]
            if six or "ipv6" in own or "link-local" in own:
                shown = [
                    {
                        "address": each.partition("/")[0],
                        "subnet": f"2001:db8::/{each.partition('/')[2]}",
                    }
                    for each in six
                ]
                yield name, {"addresses": shown, "linkLocal": {"address": "fe80::1"}}

    def switchports(self) -> Any:
        for name, own in self.interfaces.items():
            if not name.startswith(("Ethernet", "Port-Channel")) or "." in name or "bundle" in own:
                continue
            if "routed" in own:
                continue
            yield name, {"enabled": True, "switchportInfo": self.carried(own)}

    def carried(self, own: Shown) -> Shown:
        vlans, mode = own.get("vlans", ()), own.get("mode", "access")
        allowed = ",".join(sorted(vlans, key=int)) or "NONE"
        if own.get("group") == "MLAG":
            allowed = "ALL"
        untagged = int(own.get("untagged", 1))
        return {
            "mode": mode,
            "accessVlanId": untagged if mode == "access" else 1,
            "trunkingNativeVlanId": untagged if mode == "trunk" else 1,
            "trunkAllowedVlans": allowed if mode == "trunk" else "ALL",
            "macLearning": True,
        }

    @cached_property
    def members(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name, own in self.interfaces.items():
            if "bundle" in own:
                found[f"Port-Channel{own['bundle']}"].append(name)
        return found

    def bundles(self) -> Any:
        for bundle, ports in self.members.items():
            active = {port: {"timeBecameActive": BOOTED} for port in ports if self.up(port)}
            inactive = {port: {"reasonUnconfigured": ""} for port in ports if not self.up(port)}
            yield bundle, {"activePorts": active, "inactivePorts": inactive, "minLinks": 0}

    def lacp(self) -> Any:
        for bundle, ports in self.members.items():
            state = {
                "activity": True,
                "timeout": False,
                "aggregation": True,
                "synchronization": True,
                "collecting": True,
                "distributing": True,
            }
            yield (
                bundle,
                {
                    "interfaces": {
                        port: {
                            "actorPortStatus": "bundled",
                            "actorPortState": state,
                            "partnerPortState": state,
                        }
                        for port in ports
                    }
                },
            )

    def neighbors(self) -> Any:
        """As in ANTA test_connectivity.py; a port ID is quoted, its v2 form is not."""
        for item in self.piece.interfaces:
            name = spell(self.piece.switch, item.port)
            if item.peer is None or item.peer_port is None or not self.up(name):
                continue
            far, port = self.world.heard(item.peer, item.peer_port)
            yield (
                name,
                {
                    "lldpNeighborInfo": [
                        {
                            "systemName": f"{far}.example.net",
                            "chassisId": "001c.7300.0001",
                            "neighborInterfaceInfo": {
                                "interfaceIdType": "interfaceName",
                                "interfaceId": f'"{port}"',
                                "interfaceId_v2": port,
                                "interfaceDescription": "to somewhere",
                            },
                        }
                    ]
                },
            )

    def modules(self) -> Any:
        for cage in sorted({item.port.cage for item in self.piece.interfaces}):
            own = {"mfgName": "Arista Networks", "modelName": "QSFP-100G-SR4", "serialNum": "XWR1"}
            yield str(cage), own

    def pair(self) -> Shown:
        """As in ANTA test_mlag.py and SUZ."""
        own = self.facts.get(("pair",))
        if own is None:
            return {
                "show mlag": {"state": "disabled"},
                "show mlag config-sanity": {
                    "globalConfiguration": {},
                    "interfaceConfiguration": {},
                    "mlagActive": False,
                },
            }
        return {
            "show mlag": {
                "state": "active",
                "negStatus": "connected",
                "peerLinkStatus": "up",
                "localIntfStatus": "up",
                "configSanity": "consistent",
                "domainId": own["domain"],
                "peerAddress": own["other"],
                "mlagPorts": {"Active-full": 4, "Active-partial": 0, "Inactive": 0},
            },
            "show mlag config-sanity": {
                "globalConfiguration": {},
                "interfaceConfiguration": {},
                "mlagActive": True,
            },
        }

    def bridge(self) -> Shown:
        vlans: Shown = {"1": {"name": "default", "status": "active", "dynamic": False}}
        for key, own in self.of("vlan").items():
            vlans[key[1]] = {"name": own["name"], "status": "active", "dynamic": False}
        for vlan in self.transit.values():
            vlans[str(vlan)] = {"name": f"VLAN{vlan}", "status": "active", "dynamic": True}
        vrfs: Shown = {"default": {"routeDistinguisher": "", "vrfState": "up", "interfaces": []}}
        for key, own in self.of("vrf").items():
            there = [name for name, it in self.interfaces.items() if it.get("vrf") == key[1]]
            chosen = [f"Vlan{self.transit[key[1]]}"] if key[1] in self.transit else []
            vrfs[key[1]] = {
                "routeDistinguisher": own.get("rd", ""),
                "vrfState": "up",
                "protocols": {"ipv4": {"routingState": "up", "protocolState": "up"}},
                "interfaces": [*there, *chosen],
            }
        mac = self.facts["switch",].get("anycast-mac")
        return {
            "show vlan": {"vlans": vlans},  # ANTA test_vlan.py
            "show vrf": {"vrfs": vrfs},  # NAPALM get_network_instances
            "show ip virtual-router": {  # ANTA routing
                "virtualMacs": [{"macAddress": mac, "macType": "varp"}] if mac else []
            },
        }
