"""No switch takes more bandwidth from below than it has above, times the ratio the intent allows.

Too few uplinks show only under load, as pause frames or drops that no link counter explains. Fix it
with more or faster uplinks, fewer servers per leaf, or a larger `oversubscription` (or `ratio`, of
the tier above). Bandwidth is summed over the ports that are in use, not counted in ports; a switch
without uplinks is the top of its fabric and is counted as examined. In a backend the ratio holds at
every tier; in an evpn fabric it is meant per leaf, and for spines where they have one.
"""

from math import ceil

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Role, Switch

TOLERANCE = 1e-9  # the ratio is a float


class Oversubscription(Tallied):
    """Sums the speeds of each switch's ports, down and up."""

    name, code, noun = "oversubscription", Code.OVERSUBSCRIBED, "switches"

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Compare bandwidth down and up."""
        self.tally.objects += 1
        role = piece.switch.role
        free = fabric.overlay is not None and fabric.addresses.nics is None
        if free and not piece.switch.is_leaf and role not in fabric.ratios:
            return
        tier, down, up = role.tier, 0, 0
        for interface in piece.interfaces:
            peer = interface.peer
            if peer is None:
                continue
            if isinstance(peer, Switch) and peer.role.tier > tier:
                up += interface.port.speed
            else:
                down += interface.port.speed
        allowed = fabric.allowed(piece.switch)
        if up and down / up > allowed * (1 + TOLERANCE):
            self.tally.add(
                f"switches of tier {tier} that are oversubscribed",
                f"{piece.switch.name} has {BitsPerSecond(down)} down and {BitsPerSecond(up)} up: "
                f"{down / up:.3g} to 1, the intent allows {allowed:g}",
                (*fabric.place, *_said(piece.switch, fabric)),
                f"{BitsPerSecond(ceil(down / allowed))} up are needed for {BitsPerSecond(down)} "
                f"down; {BitsPerSecond(up)} up allow {BitsPerSecond(int(up * allowed))} down: more "
                "or faster uplinks (buy all spines that growth reserves), or fewer servers",
            )


def _said(switch: Switch, fabric: Fabric) -> tuple[str, ...]:
    """Return the key that allows the ratio of a switch."""
    role = switch.role
    if switch.group in fabric.sides:
        return "sides", switch.group, "ratio"
    if role not in fabric.ratios:
        return ("oversubscription",)
    return next(upper.value for upper in Role if upper.tier == role.tier + 1), "ratio"
