"""Drive SONiC as a NAPALM driver; its files are CONFIG_DB's tables and frr.conf."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from fabricgen.nos.health import Health
from fabricgen.nos.shared.agent_script import Agent
from fabricgen.nos.shared.driver import OnSwitchDriver
from fabricgen.nos.sonic.driver import health, onswitch, traffic
from fabricgen.nos.traffic import End, Kind, Probe, Traffic

_TUNNELS = Probe(lacks="SONiC has no command that sends a packet through a VLAN to another leaf")
_PING = Probe(f"ping, {traffic.PINGED} at most")


class SonicDriver(OnSwitchDriver):
    """Implements fabricgen.nos.driver.Transport, Probes and Reloads.

    optional_args in addition to SSH's are in seconds. SONiC's updater has updater_timeout for a
    verb. FRR has routing_timeout to run frr.conf again. A reloaded switch has reload_timeout to
    work as before.
    """

    AGENT: ClassVar = Agent(
        onswitch,
        ("tables", "shown", "apply", "routing", "filters", "vtysh", "container", "acts", "switch"),
    )
    PROBES: ClassVar = {
        Kind.VLAN: _TUNNELS,
        Kind.VRF: _TUNNELS,
        **dict.fromkeys((Kind.VTEP, Kind.SERVER, Kind.ROUTED, Kind.APART), _PING),
    }
    NOT_ASKED: ClassVar = {"hardware": "a push asks for no sample of routes"}
    LIMITS: ClassVar = {"updater_timeout": 900.0, "routing_timeout": 180.0, "reload_timeout": 900.0}

    def load_for_reload(self, config: str) -> None:
        self._load("load_reload", files=self._unpacked(config)[0])

    def load_checkpoint_for_reload(self, plan: str) -> None:
        self._load("load_checkpoint", of=plan, reload=True)

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        return self._reach(traffic.asked(ends, seen))

    def health(self) -> Health:
        return health.health_of(self.read(health.SCRIPT))
