"""Write identity, services and environment of an EOS switch.

Part of the written answers of EOS switches (tests/written/eos/switches.py).
"""

from __future__ import annotations

from tests.written.eos.world import BOOTED, CLOCK, Shown, Written


class State(Written):
    """The switch itself, and its services."""

    def system(self) -> Shown:
        name = self.piece.switch.name
        return {
            "show hostname": {"hostname": name, "fqdn": f"{name}.example.net"},  # NAPALM
            "show version": {  # NAPALM, SUZ
                "modelName": f"DCS-{self.piece.switch.model.name}-F",
                "version": f"{self.piece.switch.release or '4.32'}.2F",
                "serialNumber": self.serial,
                "systemMacAddress": "00:1c:73:00:00:01",
                "bootupTimestamp": BOOTED,
                "uptime": CLOCK - BOOTED,
                "memTotal": 8_000_000,
                "memFree": 5_000_000,
            },
            "show ip route summary": {  # ANTA routing/test_generic.py
                "protoModelStatus": {
                    "configuredProtoModel": "multi-agent",
                    "operatingProtoModel": "multi-agent",
                },
                "vrfs": {"default": {}},
            },
            "show hardware tcam profile": {  # ANTA test_profiles.py
                "pmfProfiles": {"FixedSystem": {"config": "default", "status": "default"}}
            },
            "show system coredump": {"mode": "compressed", "coreFiles": []},  # ANTA test_system.py
            "show configuration sessions detail": {"sessions": {}, "maxSavedSessions": 1},
            "show running-config diffs": "",
            **self.environment(),
        }

    def environment(self) -> Shown:
        return {
            "show system environment power": {  # ANTA test_hardware.py
                "powerSupplies": {
                    slot: {"state": "ok", "modelName": "PWR-747AC-F", "inputVoltage": 230.0}
                    for slot in ("1", "2")
                }
            },
            "show system environment cooling": {  # ANTA test_hardware.py
                "systemStatus": "coolingOk",
                "powerSupplySlots": [
                    {
                        "label": f"PowerSupply{slot}",
                        "fans": [{"label": f"PowerSupply{slot}/1", "status": "ok"}],
                    }
                    for slot in (1, 2)
                ],
                "fanTraySlots": [
                    {"label": f"{slot}", "fans": [{"label": f"{slot}/1", "status": "ok"}]}
                    for slot in range(1, 7)
                ],
            },
            "show system environment temperature": {  # ANTA test_hardware.py
                "systemStatus": "temperatureOk",
                "tempSensors": [
                    {"name": "TempSensor1", "currentTemperature": 31.0, "inAlertState": False}
                ],
            },
        }

    def services(self) -> Shown:
        servers = [key[1] for key in self.of("ntp")]
        gnmi = self.facts.get(("gnmi",))
        said = "Enabled: yes\n"
        if gnmi is not None:
            said += f"Server: running on port {gnmi['port']}, in {gnmi['vrf']} VRF\n"
        times = {"currentPtpSystemTime": int(CLOCK), "lastSyncTime": int(CLOCK) - 1}
        ptp: Shown = {}
        if self.piece.ptp is not None:
            ptp = {"ptpMode": "ptpBoundaryClock", "ptpClockSummary": times}
        return {
            "show ntp associations": {  # ANTA test_system.py
                "peers": {
                    host: {
                        "condition": "candidate" if number else "sys.peer",
                        "peerIpAddr": host,
                        "stratumLevel": 2,
                    }
                    for number, host in enumerate(servers)
                }
            },
            "show ptp": ptp or {"ptpMode": "ptpDisabled", "ptpIntfSummaries": {}},  # ANTA
            "show ip name-server": {  # ANTA test_services.py
                "nameServerConfigs": [
                    {"ipAddr": key[1], "vrf": own["vrf"], "priority": 0}
                    for key, own in self.of("dns").items()
                ]
            },
            "show tacacs": {  # ANTA test_aaa.py
                "tacacsServers": [
                    {"serverInfo": {"hostname": key[2], "authport": 49, "vrf": own["vrf"]}}
                    for key, own in self.of("login").items()
                    if key[1] == "tacacs"
                ]
            },
            "show management api http-commands": {  # ANTA test_security.py
                "httpServer": {"configured": False, "running": False},
                "httpsServer": {"configured": True, "running": True, "port": 443},
                "sslProfile": {"name": "MANAGEMENT", "state": "valid"},
            },
            "show management security ssl certificate": {  # ANTA test_security.py
                "certificates": {"eapi.crt": {"notAfter": CLOCK + 200 * 86_400}}
            },
            "show management api gnmi": said,
        }
