"""No one spine and no one border leaf carries all of a frontend.

When it reboots, every rack is alone, or a VRF has no way out; an upgrade of it is an outage, and a
push cannot keep its promise to lose no two of a group. Fix it with a second spine, or an external
peer of the VRF on another leaf. A backend is not examined: its jobs stop with any leaf of a rail.
"""

from collections import Counter

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, IntentPath, Severity
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Role


class SinglePoint(Tallied):
    """Counts the spines of each pod, and the leafs by which each VRF leaves."""

    name, code, noun = "single points of failure", Code.SINGLE_POINT, "switches"

    def __init__(self, site: Site) -> None:
        """Look at the shape of each fabric with an overlay."""
        super().__init__(site)
        for fabric in site.fabrics:
            if fabric.overlay is not None:
                self.spines(fabric)
                self.borders(fabric)

    def see(self, _fabric: Fabric, _piece: SwitchSlice) -> None:
        """Count the switch as examined: the shape of its fabric was."""
        self.tally.objects += 1

    def spines(self, fabric: Fabric) -> None:
        """Say where one spine joins several leafs of a pod."""
        count = Counter((switch.pod, switch.role) for switch in fabric.topology.switches)
        for switch in fabric.topology.switches:
            leafs = count[switch.pod, Role.LEAF]
            if switch.role is Role.SPINE and leafs > 1 and count[switch.pod, Role.SPINE] == 1:
                text = f"{switch.name} alone joins {leafs} leafs"
                self.say(text, (*fabric.place, "spine"), "two spines or more")

    def borders(self, fabric: Fabric) -> None:
        """Say where all external peers of a VRF are on one leaf."""
        assert fabric.overlay is not None
        ways = [
            (peer.vrf, leaf, peer.because.main)
            for leaf, peers in fabric.overlay.external.items()
            for peer in peers
        ]
        leafs = Counter(vrf for vrf, _ in {(vrf, leaf) for vrf, leaf, _ in ways})
        for vrf, leaf, path in ways:
            if leafs[vrf] == 1:
                text = f"{leaf} alone leads VRF {vrf} to the outside"
                self.say(text, path, "an external peer on a second leaf")

    def say(self, text: str, path: IntentPath, hint: str) -> None:
        """Add a warning."""
        self.tally.add("single points of failure", text, path, hint, Severity.WARNING)
