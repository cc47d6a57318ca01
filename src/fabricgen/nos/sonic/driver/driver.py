"""Drive SONiC as a NAPALM driver; its files are CONFIG_DB's tables and frr.conf."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from fabricgen.nos.health import Health
from fabricgen.nos.shared.agent_script import Agent
from fabricgen.nos.shared.driver import OnSwitchDriver
from fabricgen.nos.sonic.driver import health, onswitch, traffic
from fabricgen.nos.traffic import End, Traffic


class SonicDriver(OnSwitchDriver):
    """Fulfils fabricgen.nos.driver.Transport and Probes.

    optional_args beside those of SSH: updater_timeout, the seconds that a verb of SONiC's updater
    may take; routing_timeout, those until FRR must run frr.conf again; reload_timeout, those until
    a switch that was reloaded must work as before. It is one of fabricgen.nos.driver.Reloads.
    """

    AGENT: ClassVar = Agent(
        onswitch,
        (
            "tables",
            "shown",
            "apply",
            "routing",
            "filters",
            "vtysh",
            "container",
            "acts",
            "switch",
        ),
    )
    LIMITS: ClassVar = {
        "updater_timeout": 900.0,
        "routing_timeout": 180.0,
        "reload_timeout": 900.0,
    }

    def load_for_reload(self, config: str) -> None:
        """Take the files for a commit by `config reload`."""
        self._load("load_reload", files=self._unpacked(config)[0])

    def load_checkpoint_for_reload(self, plan: str) -> None:
        """Take what ran before a plan that was committed by `config reload`."""
        self._load("load_checkpoint", of=plan, reload=True)

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        """Ping VTEPs and servers: see traffic.py."""
        return self._reach(traffic.asked(ends, seen))

    def health(self) -> Health:
        """Return what of the switch works."""
        return health.health_of(self.read(health.SCRIPT))
