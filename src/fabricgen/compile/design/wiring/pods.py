"""Sizes the pods of a backend with their spines and superspines.

Spine s of every pod reaches the superspines of group s, so a superspine has a link or more to each
pod. A spine's cages are shared between leafs and superspines at the ratio of the superspines.
"""

from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import Bank
from fabricgen.compile.design.wiring.sizing import Above, above
from fabricgen.compile.design.wiring.tiers import Tier
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend


@record(kw_only=True)
class Pods:
    """The tiers above the leafs of one plane. units: per pod. uplinks: of one spine."""

    units: int
    uplinks: int
    spines: Tier
    superspines: Tier


@record(kw_only=True)
class _Leafs:
    """What the spines of a plane carry. units: that are reserved. each: leafs of one unit."""

    units: int
    each: int
    uplinks: int


def sized_pods(
    intent: Backend, spine: Above, leafs: tuple[int, int, int], findings: Findings
) -> Pods:
    """Size the tiers above; leafs: units that are reserved, leafs of one in a plane, uplinks."""
    units, each, uplinks = leafs
    return _Sizing(
        intent=intent,
        spine=spine,
        top=above(intent, "superspine", spine.model, findings, spine.speed),
        leafs=_Leafs(units=units, each=each, uplinks=uplinks),
        findings=findings,
    ).pods()


@record(kw_only=True)
class _Sizing:
    intent: Backend
    spine: Above
    top: Above
    leafs: _Leafs
    findings: Findings

    def pods(self) -> Pods:
        """Size both tiers; what keeps either from it is said of both."""
        most = self.most
        units = self.units(most * self.spine.each)
        leafs = (units if self.intent.pod else min(units, self.leafs.units)) * self.leafs.each
        ports = most * self.spine.each
        split = self.findings.attempt(lambda: self.spine.split(leafs, self.leafs.uplinks, ports))
        down = ceil(leafs * split[2] / self.spine.each) if self.intent.pod and split else most
        uplinks = self.uplinks(down)
        pods = max(ceil(self.leafs.units / units), self.intent.growth.pods or 0)
        tops = self.findings.attempt(lambda: self.top.top(pods, uplinks))
        if split is None or tops is None:
            raise Stop
        up = Bank(self.top.speed, self.up, ceil(uplinks / self.up))
        spines = self.spine.tier(split, down, up)
        return Pods(units=units, uplinks=uplinks, spines=spines, superspines=tops)

    @property
    def up(self) -> int:
        """Ports of a spine's cage towards superspines, split as those below where it can be."""
        if self.top.speed == self.spine.speed:
            return self.spine.each
        return self.top.below(self.spine.model)

    @property
    def most(self) -> int:
        """The most cages of a spine that may look down."""
        below, up = self.spine.each * self.spine.speed, self.up * self.top.speed
        return self.top.share(self.spine.cages, below, up)

    def units(self, ports: int) -> int:
        """Return how many units a pod has: what is said, or all that a spine has ports for."""
        links = self.spine.role.links or self._links()
        room = ports // links // self.leafs.each
        words = self.intent.pod
        if room < 1:
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"one unit has {self.leafs.each} leafs in a plane; a spine takes "
                f"{ports} links from below, {links} per leaf",
                self.intent.at("spine"),
            )
        if words is None:
            return room
        if words.units > room:
            leafs = words.units * self.leafs.each
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"a pod of {words.units} units has {leafs} leafs in a plane, which need "
                f"{leafs * links} ports of a spine; at {self.top.ratio:g} to 1 it has {ports} of "
                f"{self.spine.speed} for them",
                self.intent.at("pod", "units"),
                f"this fits: `pod.units: {room}`",
            )
        return words.units

    def _links(self) -> int:
        """Return the fewest links that a leaf has to each spine."""
        return max(1, self.leafs.uplinks // (self.spine.slots or self.leafs.uplinks))

    def uplinks(self, down: int) -> int:
        """Return the uplinks of a spine with so many cages for below: all that are left.

        Where pod or links per pair are said, as many as the ratio needs.
        """
        left = (self.spine.cages - down) * self.up
        if not (self.intent.pod or self.top.role.links):
            return left
        uplinks = self.top.uplinks(down * self.spine.each, self.spine.speed)
        if uplinks > left:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"a spine needs {down} cages down and {ceil(uplinks / self.up)} up; "
                f"{self.spine.model.name} has {self.spine.cages}",
                self.intent.at("superspine"),
                "smaller pods, or a higher superspine.ratio",
            )
        return uplinks
