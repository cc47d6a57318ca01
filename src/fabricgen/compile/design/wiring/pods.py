"""Size the pods of a backend with their spines and superspines.

Spine s of every pod reaches the superspines of group s, so a superspine has a link or more to each
pod. A spine's cages are shared between leafs and superspines at the ratio of the superspines.
"""

from dataclasses import replace
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.backend_counts import BackendSize
from fabricgen.compile.design.wiring.faceplate import Bank
from fabricgen.compile.design.wiring.sizing import Above, above
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend


def divide_into_pods(
    intent: Backend, size: BackendSize, spine: Above, findings: Findings
) -> BackendSize:
    """Size the tiers above the leafs. size: the units as if they were one pod."""
    top = above(intent, "superspine", spine.model, findings, spine.speed)
    return _Sizing(intent=intent, size=size, spine=spine, top=top, findings=findings).pods()


@record(kw_only=True)
class _Sizing:
    intent: Backend
    size: BackendSize
    spine: Above
    top: Above
    findings: Findings

    def pods(self) -> BackendSize:
        """Size both tiers; report the faults of both."""
        most = self.most
        units = self.units(most * self.spine.each)
        reserved = self.size.units_per_pod
        leafs = (units if self.intent.pod else min(units, reserved)) * self.leafs
        ports = most * self.spine.each
        split = self.findings.attempt(lambda: self.spine.split(leafs, self.size.uplinks, ports))
        down = ceil(leafs * split[2] / self.spine.each) if self.intent.pod and split else most
        uplinks = self.uplinks(down)
        pods = max(ceil(reserved / units), self.intent.growth.pods or 0)
        each = self.size.servers.reserved_groups // self.leafs if self.size.per_rail else 1
        tops = self.findings.attempt(lambda: self.top.top(pods * each, uplinks))
        if split is None or tops is None:
            raise Stop
        up = Bank(self.top.speed, self.up, ceil(uplinks / self.up))
        spines = self.spine.tier(split, down, up)
        return replace(
            self.size,
            units_per_pod=units,
            pods=ceil(self.size.units / units),
            spines=spines,
            spine_uplinks=uplinks,
            superspines=tops,
        )

    @property
    def leafs(self) -> int:
        """Return the leafs of one unit under one set of spines."""
        counted = self.size.servers
        return counted.leafs_per_nic if self.size.per_rail else counted.reserved_groups

    @property
    def up(self) -> int:
        """Return the ports of a spine's cage to superspines, split like those below if possible."""
        if self.top.speed == self.spine.speed:
            return self.spine.each
        return self.top.below(self.spine.model)

    @property
    def most(self) -> int:
        """The most cages of a spine that may look down."""
        below, up = self.spine.each * self.spine.speed, self.up * self.top.speed
        return self.top.share(self.spine.cages, below, up)

    def units(self, ports: int) -> int:
        """Return the units of a pod: from the intent, or the maximum for the ports of a spine."""
        fewest = max(1, self.size.uplinks // (self.spine.slots or self.size.uplinks))
        links = self.spine.role.links or fewest
        room = ports // links // self.leafs
        words = self.intent.pod
        if room < 1:
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"one unit has {self.leafs} leafs in a plane, but a spine takes {ports} links "
                f"from below, {links} per leaf",
                self.intent.at("spine"),
            )
        if words is None:
            return room
        if words.units > room:
            leafs = words.units * self.leafs
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"a pod of {words.units} units has {leafs} leafs in a plane, which need "
                f"{leafs * links} ports of a spine, but at {self.top.ratio:g} to 1 it has {ports} "
                f"of {self.spine.speed}",
                self.intent.at("pod", "units"),
                f"this fits: `pod.units: {room}`",
            )
        return words.units

    def uplinks(self, down: int) -> int:
        """Return the uplinks of a spine with a number of cages for below: all remaining cages.

        If the intent sets pod or links per pair, as many as the ratio needs.
        """
        left = (self.spine.cages - down) * self.up
        if not (self.intent.pod or self.top.role.links):
            return left
        uplinks = self.top.uplinks(down * self.spine.each, self.spine.speed)
        if uplinks > left:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"a spine needs {down} cages down and {ceil(uplinks / self.up)} up, but "
                f"{self.spine.model.name} has {self.spine.cages}",
                self.intent.at("superspine"),
                "use smaller pods, or a higher superspine.ratio",
            )
        return uplinks
