"""Every check there is, in the order of its code, then those that other packages bring.

Adding one of ours touches one line here.
"""

from __future__ import annotations

from fabricgen.checks.addresses import Addresses
from fabricgen.checks.asns import Asns
from fabricgen.checks.bundles import Bundles
from fabricgen.checks.cables import Cables
from fabricgen.checks.check import Check, judged
from fabricgen.checks.clocks import Clocks
from fabricgen.checks.coverage import Coverage
from fabricgen.checks.deadlock import Deadlock
from fabricgen.checks.drained_links import DrainedLinks
from fabricgen.checks.flows import TooFewFlows
from fabricgen.checks.isolation import Isolation
from fabricgen.checks.links import Links
from fabricgen.checks.mesh import Mesh
from fabricgen.checks.mtu import Mtu
from fabricgen.checks.outside import Outside
from fabricgen.checks.oversubscription import Oversubscription
from fabricgen.checks.packet_order import PacketOrder
from fabricgen.checks.pairs import Pairs
from fabricgen.checks.plant import Plant
from fabricgen.checks.polarisation import Polarisation
from fabricgen.checks.ports import Ports
from fabricgen.checks.queues import Queues
from fabricgen.checks.rails import Rails
from fabricgen.checks.route_targets import RouteTargets
from fabricgen.checks.segments import Segments
from fabricgen.checks.sessions import Sessions
from fabricgen.checks.single_point import SinglePoint
from fabricgen.checks.tunnels import Tunnels
from fabricgen.checks.vnis import Vnis
from fabricgen.checks.zones import ZonesHold
from fabricgen.diagnostics import Examined
from fabricgen.extensions import CHECKS as SEAM
from fabricgen.extensions import extensions
from fabricgen.fabric.switch import Fabric, Site, SwitchSlice

CHECKS: tuple[type[Check], ...] = (
    Clocks,
    Addresses,
    Asns,
    Vnis,
    RouteTargets,
    Ports,
    Links,
    Sessions,
    Cables,
    Coverage,
    Rails,
    Mesh,
    Oversubscription,
    Isolation,
    Mtu,
    Queues,
    Deadlock,
    PacketOrder,
    Polarisation,
    TooFewFlows,
    SinglePoint,
    Segments,
    Pairs,
    Bundles,
    ZonesHold,
    Tunnels,
    Plant,
    DrainedLinks,
)


class Checks:
    """Every check of one site; each slice is shown to all of them, once."""

    def __init__(self, site: Site) -> None:
        """Make the checks, ours and those of other packages."""
        self._ours = [kind(site) for kind in CHECKS]
        self._others = [Outside(each, site) for each in extensions(SEAM)]
        everyone: list[Check | Outside] = [*self._ours, *self._others]
        self._looks = [check.see for check in everyone]

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Show them a slice."""
        for look in self._looks:
            look(fabric, piece)

    def results(self) -> list[Examined]:
        """Collect what they say."""
        ours = (judged(check.result()) for check in self._ours)
        return [*ours, *(each.result() for each in self._others)]
