"""Write counters of ports and queues, and optics of an EOS switch.

Part of the written answers of EOS switches (tests/written/eos/switches.py).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from tests.written.eos.world import Shown, Written


class Counters(Written):
    """Counters and optics."""

    def optics(self) -> Shown:
        return {
            "show interfaces transceiver dom thresholds": {"interfaces": dict(self.dom())},
            "show interfaces phy detail": {"interfacePhyStatuses": dict(self.phy())},
        }

    def dom(self) -> Any:
        """As in ANTA test_interfaces.py (VerifyInterfacesOpticsReceivePower)."""
        limits = {"lowAlarm": -13.3, "lowWarn": -10.3, "highWarn": 2.4, "highAlarm": 3.4}
        for name in self.links:
            lanes = {str(lane): -1.5 for lane in range(1, 5)}
            yield (
                name,
                {
                    "displayName": name,
                    "vendorSn": "XWR1",
                    "mediaType": "100GBASE-SR4",
                    "parameters": {
                        "rxPower": {"unit": "dBm", "channels": lanes, "threshold": limits},
                        "txPower": {"unit": "dBm", "channels": dict(lanes), "threshold": limits},
                        "temperature": {
                            "unit": "C",
                            "channels": {"-": 35.0},
                            "threshold": {"highAlarm": 75.0, "highWarn": 70.0},
                        },
                    },
                },
            )

    def phy(self) -> Any:
        """As in ANTA test_interfaces.py (VerifyInterfacesBER)."""
        for name in self.links:
            status = {
                "location": "default",
                "phyState": {"value": "linkUp"},
                "preFecBer": {"value": 1e-9},
                "fec": {
                    "correctedCodewords": {"value": 1000, "changes": 5},
                    "uncorrectedCodewords": {"value": 0, "changes": 0},
                },
            }
            yield name, {"phyStatuses": [status]}

    def counters(self) -> Shown:
        return {**self.of_ports(), **self.of_queues()}

    @cached_property
    def counting(self) -> list[str]:
        return [*self.links, "Management1"]

    def of_ports(self) -> Shown:
        up = self.counting
        return {
            "show interfaces counters errors": {  # ANTA test_interfaces.py
                "interfaceErrorCounters": {
                    name: {
                        "inErrors": 0,
                        "outErrors": 0,
                        "fcsErrors": 0,
                        "symbolErrors": 0,
                        "alignmentErrors": 0,
                        "frameTooLongs": 0,
                        "frameTooShorts": 0,
                    }
                    for name in up
                }
            },
            "show interfaces counters discards": {  # ANTA test_interfaces.py
                "interfaces": {name: {"inDiscards": 0, "outDiscards": 0} for name in up},
                "inDiscardsTotal": 0,
                "outDiscardsTotal": 0,
            },
            "show interfaces counters rates": {  # ANTA test_interfaces.py
                "interfaces": {
                    name: {"inBpsRate": 1e9, "outBpsRate": 1e9, "interval": 300} for name in up
                }
            },
            "show interfaces flow-control": {
                "interfaceFlowControls": {name: {"txPause": 0, "rxPause": 0} for name in up}
            },
        }

    def of_queues(self) -> Shown:
        up = self.counting
        classes = self.piece.qos.classes if self.piece.qos is not None else ()
        marking = {str(each.number) for each in classes if each.marking}
        queue = {"droppedPackets": 0, "enqueuedPackets": 10**9, "droppedBytes": 0}
        return {
            "show priority-flow-control counters": {  # ANTA test_interfaces.py, revision 3
                "interfaceCounters": {name: {"rxFrames": 100, "txFrames": 100} for name in up}
            },
            "show interfaces priority-flow-control counters detail": {  # DNE, port by port
                "interfaces": {
                    name: {"priorities": {"3": {"rxFrames": 100, "txFrames": 100}}} for name in up
                }
            },
            "show priority-flow-control counters watchdog": {"interfaces": {}},  # DNE
            "show qos interfaces ecn counters queue": {  # ANTA test_interfaces.py
                "intfQueueCounters": {
                    name: {
                        "queueCounters": {
                            str(number): "12" if str(number) in marking else "-"
                            for number in range(8)
                        }
                    }
                    for name in up
                }
            },
            "show interfaces counters queue detail": {  # ANTA test_interfaces.py
                "egressQueueCounters": {
                    "interfaces": {
                        name: {
                            "ucastQueues": {
                                "trafficClasses": {
                                    f"TC{number}": {"dropPrecedences": {"DP0-2": dict(queue)}}
                                    for number in range(8)
                                }
                            },
                            "mcastQueues": {"trafficClasses": {}},
                        }
                        for name in up
                    }
                }
            },
            **self.capacity(),
        }

    def capacity(self) -> Shown:
        return {
            "show hardware capacity": {  # ANTA test_hardware.py
                "tables": [
                    {
                        "table": "LEM",
                        "feature": "Routing",
                        "chip": "",
                        "used": 1000,
                        "free": 99_000,
                        "usedPercent": 1,
                        "maxLimit": 100_000,
                    }
                ]
            },
        }
