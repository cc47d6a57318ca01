"""Check that every switch has a time source.

Without one, the logs and telemetry of two switches cannot be compared: a switch without NTP drifts
by seconds a day. To fix it, set `site.management.ntp`. A single server is reported where the intent
is read. Precise time (PTP) needs a grandmaster, and an IPv4 address at every port that it passes.
On unnumbered links and in a tagged VLAN no document gives the source address of a switch.
"""

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice


class Clocks(Tallied):
    """Search for an NTP server on each switch and for addresses on PTP ports."""

    name, code, noun = "clocks", Code.MISSING_KEY, "switches"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        told = site.services.ptp
        self.led = told is None

    def see(self, _fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Check the services of one switch, which are the services of the site."""
        self.tally.objects += 1
        if not switch_slice.services.ntp:
            self.tally.add(
                "switches without a clock",
                "no NTP server is configured: timestamps of logs and telemetry of two switches "
                "cannot be compared",
                switch_slice.services.at("ntp"),
                "add `ntp: [ADDRESS, ADDRESS]`",
                Severity.WARNING,
            )
        if switch_slice.ptp is not None:
            for interface in switch_slice.interfaces:
                if interface.time:
                    self.timed(switch_slice, interface)
        self.path = (*switch_slice.services.path, "ptp")

    def timed(self, switch_slice: SwitchSlice, interface: Interface) -> None:
        """Check one port that carries PTP."""
        self.led = self.led or interface.time == "grandmaster"
        vlan = interface.carries.untagged if interface.carries is not None else None
        address = vlan.gateway(4) if vlan is not None else interface.address
        if address is None or address.version != 4:
            links = interface.use is Use.FABRIC
            what = "is a link without IPv4" if links else "has no untagged VLAN with an IPv4 subnet"
            self.tally.add(
                "ports of precise time without an address",
                f"{ends.text(switch_slice.switch, interface.port)} {what}: PTP has no source "
                "address there",
                interface.because,
            )

    def result(self) -> Examined:
        if not self.led:
            self.tally.add(
                "sites without a grandmaster",
                "no port leads to a PTP grandmaster: the switches elect one of themselves, and "
                "its clock may be wrong",
                self.path,
                "add `ptp: grandmaster` to the ports of a kind of servers",
                Severity.WARNING,
            )
        return self.tally.result()
