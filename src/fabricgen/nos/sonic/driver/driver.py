"""Drive SONiC as a NAPALM driver; its files are CONFIG_DB's tables and frr.conf."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from fabricgen.nos.health import Health
from fabricgen.nos.shared.agent_script import Agent
from fabricgen.nos.shared.driver import OnSwitchDriver
from fabricgen.nos.sonic.driver import health, onswitch, traffic
from fabricgen.nos.traffic import End, Traffic


class SonicDriver(OnSwitchDriver):
    """Implements fabricgen.nos.driver.Transport, Probes and Reloads.

    optional_args in addition to SSH's are in seconds. updater_timeout is for a verb of SONiC's
    updater, routing_timeout until FRR runs frr.conf again, reload_timeout until a reloaded switch
    works as before.
    """

    AGENT: ClassVar = Agent(
        onswitch,
        ("tables", "shown", "apply", "routing", "filters", "vtysh", "container", "acts", "switch"),
    )
    LIMITS: ClassVar = {"updater_timeout": 900.0, "routing_timeout": 180.0, "reload_timeout": 900.0}

    def load_for_reload(self, config: str) -> None:
        self._load("load_reload", files=self._unpacked(config)[0])

    def load_checkpoint_for_reload(self, plan: str) -> None:
        self._load("load_checkpoint", of=plan, reload=True)

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        return self._reach(traffic.asked(ends, seen))

    def health(self) -> Health:
        return health.health_of(self.read(health.SCRIPT))
