"""Every check there is, in the order of its code, then those that other packages bring.

Adding one of ours touches one line here.
"""

from __future__ import annotations

from fabricgen.compile.checks.addresses import Addresses
from fabricgen.compile.checks.asns import Asns
from fabricgen.compile.checks.bundles import Bundles
from fabricgen.compile.checks.cables import Cables
from fabricgen.compile.checks.check import Check, judged
from fabricgen.compile.checks.clocks import Clocks
from fabricgen.compile.checks.coverage import Coverage
from fabricgen.compile.checks.deadlock import Deadlock
from fabricgen.compile.checks.drained_links import DrainedLinks
from fabricgen.compile.checks.flows import TooFewFlows
from fabricgen.compile.checks.isolation import Isolation
from fabricgen.compile.checks.links import Links
from fabricgen.compile.checks.mesh import Mesh
from fabricgen.compile.checks.mtu import Mtu
from fabricgen.compile.checks.outside import Outside
from fabricgen.compile.checks.oversubscription import Oversubscription
from fabricgen.compile.checks.packet_order import PacketOrder
from fabricgen.compile.checks.pairs import Pairs
from fabricgen.compile.checks.plant import Plant
from fabricgen.compile.checks.polarisation import Polarisation
from fabricgen.compile.checks.ports import Ports
from fabricgen.compile.checks.queues import Queues
from fabricgen.compile.checks.rails import Rails
from fabricgen.compile.checks.route_targets import RouteTargets
from fabricgen.compile.checks.segments import Segments
from fabricgen.compile.checks.sessions import Sessions
from fabricgen.compile.checks.single_point import SinglePoint
from fabricgen.compile.checks.tunnels import Tunnels
from fabricgen.compile.checks.vnis import Vnis
from fabricgen.compile.checks.zones import ZonesHold
from fabricgen.core.diagnostics import Examined
from fabricgen.core.extensions import CHECKS as SEAM
from fabricgen.core.extensions import extensions
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice

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
