"""Every switch is told the time: without it, logs and telemetry of two switches do not compare.

A switch without NTP drifts by seconds a day, and what failed first cannot be told from two logs.
Fix it with `site.management.ntp`. One server is said where it is read.
"""

from __future__ import annotations

from fabricgen.checks.tally import Tally
from fabricgen.diagnostics import Code, Examined, Severity
from fabricgen.fabric.switch import Fabric, Site, SwitchSlice


class Clocks:
    """Looks for an NTP server at each switch."""

    name = "clocks"

    def __init__(self, _site: Site) -> None:
        """Start with no switch."""
        self.tally = Tally(check=self.name, code=Code.MISSING_KEY, noun="switches")

    def see(self, _fabric: Fabric, piece: SwitchSlice) -> None:
        """Look at the services of one switch; they are those of the site."""
        self.tally.objects += 1
        if not piece.services.ntp:
            self.tally.add(
                "switches without a clock",
                "no NTP server: the logs and telemetry of two switches cannot be compared",
                (*piece.services.path, "ntp"),
                "add `ntp: [ADDRESS, ADDRESS]`",
                Severity.WARNING,
            )

    def result(self) -> Examined:
        """Say what was found."""
        return self.tally.result()
