"""NAPALM's driver for SONiC: its files are CONFIG_DB's tables and frr.conf."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fabricgen.nos.shared.driver import OnSwitchDriver
from fabricgen.nos.shared.sending import Agent
from fabricgen.nos.sonic.driver import health, onswitch

if TYPE_CHECKING:
    from fabricgen.nos.health import Health


class SonicDriver(OnSwitchDriver):
    """Fulfils fabricgen.nos.driver.Transport.

    optional_args beside those of SSH: updater_timeout, the seconds that a verb of SONiC's updater
    may take; routing_timeout, those until FRR must run frr.conf again.
    """

    AGENT: ClassVar = Agent(onswitch, ("tables", "shown", "routing", "apply", "switch"))
    LIMITS: ClassVar = {"updater_timeout": 900.0, "routing_timeout": 180.0}

    def health(self) -> Health:
        """Return what of the switch works."""
        return health.health_of(self.read(health.SCRIPT))
