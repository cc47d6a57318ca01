"""Drive Debian switches with FRR and ifupdown2 as a NAPALM driver."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from fabricgen.nos.health import Health
from fabricgen.nos.linux.driver import health, onswitch, probes
from fabricgen.nos.shared.agent_script import Agent
from fabricgen.nos.shared.driver import OnSwitchDriver
from fabricgen.nos.traffic import End, Traffic


class LinuxDriver(OnSwitchDriver):
    """Implements fabricgen.nos.driver.Transport and Probes."""

    PROBES: ClassVar = probes.PROBES
    AGENT: ClassVar = Agent(
        onswitch,
        (
            "own_files",
            "files",
            "interfaces",
            "detour",
            "bundles",
            "early",
            "kernel",
            "services",
            "kept",
            "apply",
            "frames",
            "ears",
            "echoes",
            "probe",
            "switch",
        ),
    )

    def health(self) -> Health:
        return health.health_of(self.read(health.SCRIPT))

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        """Probe by ARP through VXLAN, and VTEPs by ping: see onswitch/probe.py."""
        return self._reach(probes.asked(ends, seen))
