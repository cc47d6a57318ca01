"""No tier chooses paths with the very hash that the tier before it chose with.

If both take the same hash of the same fields with one seed, all flows that reach a switch have the
same remainder, and it sends them over a few of its links while the others idle. Fix
`load_balancing.seeds`. Every pair of neighbouring switches is examined, for flows that come up to
the higher one and go on up, or down over parallel links. Switches of one platform are taken to
compute one hash, which is certain for one model and the worst case otherwise.
"""

from collections import Counter

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.core.record import record
from fabricgen.model.fabric.balancing import LoadBalancing, Mode, reached
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Switch


@record(kw_only=True)
class _Chooser:
    """A switch: its links to each neighbour above and below, and how it chooses."""

    switch: Switch
    told: LoadBalancing
    up: Counter[str]
    down: Counter[str]

    @property
    def hash(self) -> tuple[object, ...]:
        """What two switches that choose alike have in common."""
        return self.switch.platform, self.told.seed, *self.told.fields, *self.told.wished

    @property
    def onward(self) -> set[int]:
        """How many links it chooses among, up and towards each switch below."""
        return {self.up.total(), *self.down.values()} - {0}


class Polarisation(Tallied):
    """Notes every switch that hashes, then compares neighbours."""

    name, code, noun = "polarisation", Code.POLARISED, "switches and pairs of them"

    def __init__(self, site: Site) -> None:
        """Start with no switch."""
        super().__init__(site)
        self.seen: dict[str, _Chooser] = {}

    def see(self, _fabric: Fabric, piece: SwitchSlice) -> None:
        """Note where one switch can send packets."""
        self.tally.objects += 1
        told, switch = piece.balancing, piece.switch
        if told is None or told.mode is not Mode.ECMP:
            return
        up: Counter[str] = Counter()
        down: Counter[str] = Counter()
        for interface in piece.interfaces:
            if isinstance(peer := interface.peer, Switch):
                (up if peer.role.tier > switch.role.tier else down)[peer.name] += 1
        self.seen[switch.name] = _Chooser(switch=switch, told=told, up=up, down=down)

    def result(self) -> Examined:
        """Compare each switch with those above it."""
        for lower in self.seen.values():
            for name, links in lower.up.items():
                upper = self.seen.get(name)
                if upper is not None:
                    self.tally.objects += 1
                    if upper.hash == lower.hash:
                        self.pair(lower, upper, links)
        return self.tally.result()

    def pair(self, lower: _Chooser, upper: _Chooser, entering: int) -> None:
        """Count the links that flows from below still reach."""
        ways = lower.up.total()
        for onward in sorted(upper.onward):
            used = reached(ways, entering, onward)
            if used < onward:
                one, other = lower.switch, upper.switch
                self.tally.add(
                    f"{other.role}s that choose like the {one.role}s below",
                    f"{one.name} and {other.name} hash alike (seed {lower.told.seed}): of "
                    f"{onward} links of {other.name}, flows from {one.name} reach {used}",
                    (one.fabric, "load_balancing", "seeds"),
                    "give each tier its own seed, or leave `seeds` out",
                )
