"""Size and wire an access fabric.

Every access switch has one uplink to each switch above.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managing import Managing
from fabricgen.compile.design.racks import Racks
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    Faceplate,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.sockets import Leafs, Plugged, Sockets
from fabricgen.compile.design.wiring.tiers import Cabling, Row, Seat, Tier, row_of_spines
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.access import Access
from fabricgen.intent.paths import at
from fabricgen.model.catalog.cages import Cage
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.topology import Link, Role, Switch, Topology

UPLINKS = 16
"""Link addresses kept for each access switch: none moves when there are more switches above."""
PAIR, SLOTS = 2, 4
"""Default number of switches above, and cages reserved for uplinks."""


class WiredAccess(NamedTuple):
    """Topology with the management cables of the access switches.

    faces: use of the ports of access switches, by the type of their racks.
    """

    topology: Topology
    plugged: Plugged
    faces: Mapping[str, Faceplate]


@record(kw_only=True)
class Faces:
    """Faceplates of the access switches and of the switches above, and the speed between."""

    leaf: Faceplate
    spine: Faceplate
    speed: BitsPerSecond


def wire_access(mine: Managing, racks: Racks, site: str, findings: Findings) -> WiredAccess:
    """Build the topology, or stop."""
    words = mine.fabric
    assert isinstance(words, Access)
    faces = _faces(words, findings)
    down = len(faces.leaf.down)
    leafs = Leafs(noun="access switch", ports=lambda _: down)
    sockets = Sockets(managing=mine, leafs=leafs, findings=findings)
    sockets.fill(racks)
    return _Wiring(words=words, faces=faces, site=site, findings=findings, sockets=sockets).wired()


def _faces(words: Access, findings: Findings) -> Faces:
    """Lay out both kinds of switches, or stop: management ports first, uplinks at the end."""
    if words.leaf.breakout is not None:
        findings.error(
            Code.BAD_VALUE, "management ports are not broken out", words.at("leaf", "breakout")
        )
    leaf = find_model(words, words.leaf.model, words.at("leaf", "model"), findings)
    spine = find_model(words, words.spine.model, words.at("spine", "model"), findings)
    speed, up = _uplinks(words, leaf, spine, findings)
    below = list(_leading(leaf.usable[: -len(up)], words.speed))
    if not below:
        raise findings.stop(
            Code.SPEED_NOT_ON_MODEL,
            f"the first ports of {leaf.name} do not run at {words.speed}",
            words.at("leaf", "model"),
            "use a switch for management ports, for example SN2201",
        )
    count = words.spine.count or PAIR
    if count > len(up):
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{count} switches above need {count} uplinks, but {leaf.name} has {len(up)} of "
            f"{speed}",
            words.at("spine", "count"),
            f"this fits: `spine.count: {len(up)}`",
        )
    each = per_cage(spine, speed, words.at("spine"), findings, words.spine.breakout)
    return Faces(
        leaf=faceplate(leaf, Bank(words.speed, 1, len(below)), Bank(speed, 1, len(up))),
        spine=faceplate(spine, Bank(speed, each, len(spine.usable)), None),
        speed=speed,
    )


def _uplinks(
    words: Access, leaf: SwitchModel, spine: SwitchModel, findings: Findings
) -> tuple[BitsPerSecond, list[Cage]]:
    """Return the fastest speed that the last cages share with the pair, and those cages."""
    wish = words.links.speed
    for speed in leaf.speeds():
        up = list(_leading(leaf.usable[: -SLOTS - 1 : -1], speed))
        if up and spine.has_speed(speed) and wish in (None, speed):
            return speed, up
    raise findings.stop(
        Code.SPEED_NOT_ON_MODEL,
        f"the last ports of {leaf.name} and {spine.name} do not both have "
        f"{f'{wish} links' if wish else 'a common speed'}",
        words.at("links", "speed") if wish else words.at("spine", "model"),
    )


def _leading(cages: Sequence[Cage], speed: BitsPerSecond) -> Iterator[Cage]:
    """Yield the cages that can run at a speed unsplit, up to the first that cannot."""
    return takewhile(lambda cage: cage.mode(speed, 1) is not None, cages)


@dataclass(slots=True, kw_only=True)
class _Wiring:
    words: Access
    faces: Faces
    site: str
    findings: Findings
    sockets: Sockets

    def wired(self) -> WiredAccess:
        """Place the switches and cable them, or stop."""
        self.judge_radix()
        if not self.findings.whole:
            raise Stop
        leafs, leaf = self.leafs(), self.faces.leaf
        count, why = self.words.spine.count or PAIR, "every access switch reaches each"
        spines = row_of_spines(self.words, self.faces.spine.ports, count, self.site, why)
        plugged = self.sockets.plugged(leafs, lambda _: self.faces.leaf.down, 0)
        topology = Topology(
            fabric=self.words.name,
            switches=(*spines, *leafs.values()),
            servers=tuple(plugged.servers.values()),
            links=(*plugged.links, *self.uplinks(leafs, spines)),
            places=plugged.places,
        )
        kept = replace(leaf, up=leaf.up[: len(spines)])
        return WiredAccess(topology, plugged, dict.fromkeys(self.words.zones, kept))

    def judge_radix(self) -> None:
        """Report an access switch that the pair has no port for."""
        last, have = max(self.sockets.types, default=0), len(self.faces.spine.down)
        if last > have:
            self.findings.spoil(
                Code.RADIX_EXCEEDED,
                f"access switch {last} needs port {last} of the pair, but "
                f"{self.words.spine.model} has {have} of {self.faces.speed}",
                self.words.at("zones", self.sockets.types[last], "switch"),
                "number access switches from 1 without gaps, or use a pair with more ports",
            )

    def leafs(self) -> dict[int, Switch]:
        """Return the access switches with devices, by number."""
        used = sorted({number for (number, _), (_, plug) in self.sockets.taken.items() if plug})
        return {number: self.leaf(number) for number in used}

    def leaf(self, number: int) -> Switch:
        kind = self.sockets.types[number]
        because = Provenance(
            (at(*self.words.at("leaf")), at(*self.words.at("zones", kind))),
            f"access switch {number}: racks of a row fill one after the other",
        )
        seat = Seat(ordinal=number - 1, index=number, group=kind)
        row = Row(words=self.words, role=Role.LEAF, default="leaf{index:02}", site=self.site)
        return row.switch(self.words.leaf, self.faces.leaf.ports, seat, because)

    def uplinks(self, leafs: Mapping[int, Switch], spines: Sequence[Switch]) -> list[Link]:
        """Cable every access switch to each switch above."""
        cabling = Cabling(
            words=self.words,
            tier=Tier(
                face=self.faces.spine,
                count=len(spines),
                slots=UPLINKS,
                per_pair=1,
                speed=self.faces.speed,
            ),
            uplinks=UPLINKS,
            because=Provenance((at(*self.words.at("spine")),), "one link to each of the pair"),
        )
        return [
            link
            for number, leaf in leafs.items()
            for link in cabling.fan(leaf, self.faces.leaf.up, spines, number - 1)
        ]
