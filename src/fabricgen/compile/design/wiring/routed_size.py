"""Size a routed fabric: every count and every bank of ports.

Leafs of a side = servers / servers per leaf, rounded up, x leafs that a server reaches. Uplinks of
a leaf = ports down x speed / (ratio x uplink speed), rounded up to a multiple of the spines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    Faceplate,
    common_speed,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.tiers import Tier, reserved
from fabricgen.core.diagnostics import Code, IntentPath, Stop
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.hardware import SwitchRole
from fabricgen.intent.model.routed import MOST_LEAFS, SIDES, Routed, Side
from fabricgen.model.catalog.switches import SwitchModel

LEAST_UPLINKS = 64  # link addresses kept per leaf: none moves when spines are added
LEAST_SPINES = 2  # of those that are counted: one may fail


@record(kw_only=True)
class SideSize:
    """One side. split, lift: ports of a leaf's cage for below and above, at `speed` above.

    spread: leafs that a server reaches, with `each` ports to each. servers: with growth.
    """

    name: str
    words: Side
    here: IntentPath
    role: SwitchRole
    path: IntentPath
    ports_at: IntentPath
    model: SwitchModel
    speed: BitsPerSecond
    split: int
    lift: int
    spread: int
    each: int
    servers: int
    per_leaf: int = 0
    uplinks: int = 0

    @property
    def order(self) -> int:
        """Return its place among all possible sides."""
        return SIDES.index(self.name)

    @property
    def ports(self) -> int:
        """Return the server ports of a leaf."""
        return self.per_leaf * self.each

    def leafs(self, servers: int) -> int:
        """Return the leafs that so many servers need."""
        return ceil(servers / self.per_leaf) * self.spread

    def lifted(self, per_leaf: int, spines: int) -> int:
        """Return the uplinks of a leaf with so many servers, the same number to each spine."""
        down = per_leaf * self.each * self.words.seated.speed
        return ceil(ceil(down / (self.words.ratio * self.speed)) / spines) * spines

    def cages(self, per_leaf: int, spines: int) -> int:
        """Return the cages that these servers and uplinks take."""
        up = self.lifted(per_leaf, spines)
        return ceil(per_leaf * self.each / self.split) + ceil(up / self.lift)

    def most(self, spines: int) -> int:
        """Return how many servers fit on a leaf: at most as many as are asked for."""
        have = len(self.model.usable)
        first = self.words.per_leaf or have * self.split // self.each
        return next((n for n in range(first, 0, -1) if self.cages(n, spines) <= have), 0)

    def laid_out(self) -> Faceplate:
        """Return the ports of its leafs."""
        down = Bank(self.words.seated.speed, self.split, ceil(self.ports / self.split))
        up = Bank(self.speed, self.lift, ceil(self.uplinks / self.lift))
        return faceplate(self.model, down, up)

    def rail(self, leaf: int) -> int:
        """Return the number of the server port that goes to the nth leaf, from 0."""
        return MOST_LEAFS * self.order + leaf + 1

    def ordinal(self, leaf: int) -> int:
        """Return the number in the fabric of its nth leaf, both from 0: sides take turns."""
        return len(SIDES) * leaf + self.order


@record(kw_only=True)
class RoutedSize:
    """All counts of a routed fabric. leafs: ports by side, the same on all its leafs.

    slots: spines for which every leaf reserves uplinks. leaf: model of leafs, unless their side has
    another.
    """

    leaf: SwitchModel
    sides: tuple[SideSize, ...]
    leafs: Mapping[str, Faceplate]
    spine: Faceplate
    spines: int
    slots: int

    @property
    def uplinks(self) -> int:
        """Return how many link addresses each leaf has."""
        return max(LEAST_UPLINKS, *(side.uplinks for side in self.sides))

    @property
    def reserved(self) -> int:
        """Return how many numbers of leafs there are, with growth."""
        return max(side.ordinal(side.leafs(side.servers) - 1) + 1 for side in self.sides)

    @property
    def most_ports(self) -> int:
        """Return the ports that a leaf has at most: no side that comes later has one with more."""
        return max(
            sum(max(mode.count for mode in cage.modes) for cage in model.usable)
            for model in (self.leaf, *(side.model for side in self.sides))
        )

    def tier(self, side: SideSize) -> Tier:
        """Return the spines as the leafs of a side see them: from either end of their ports."""
        down = self.spine.down[::-1] if side.order else self.spine.down
        return Tier(
            face=replace(self.spine, down=down),
            speed=side.speed,
            count=self.spines,
            slots=self.slots,
            per_pair=side.uplinks // self.slots,
        )


def size_routed(words: Routed, findings: Findings) -> RoutedSize:
    """Derive every count, or stop with the needed and available numbers."""
    spine = find_model(words, words.spine.model, words.at("spine", "model"), findings)
    sides = _sides(words, spine, findings)
    speed = sides[0].speed
    below = [side.model for side in sides]
    cage = per_cage(spine, speed, words.at("spine"), findings, words.spine.breakout, below)
    face = faceplate(spine, Bank(speed, cage, len(spine.usable)), None)
    wish = reserved(words, "spines", words.spine.count or 0, findings) or words.spine.count
    slots = wish or _fewest(sides, len(face.down))
    split = tuple(_loaded(side, slots, findings) for side in sides)
    _judge_spines(split, slots, words, len(face.down), findings)
    return RoutedSize(
        leaf=find_model(words, words.leaf.model, words.at("leaf", "model"), findings),
        sides=split,
        leafs={side.name: side.laid_out() for side in split},
        spine=face,
        spines=words.spine.count or slots,
        slots=slots,
    )


def _sides(words: Routed, spine: SwitchModel, findings: Findings) -> list[SideSize]:
    """Look up the hardware of every side; Stop if any lacks something."""
    every = words.each_side
    if not every and words.sides.whole and findings.whole:
        findings.spoil(
            Code.MISSING_KEY,
            "a routed fabric has servers on one side at least",
            words.here,
            "add `sides: {compute: {servers: …}}`, or a kind with `group: compute` to the site's "
            "`servers`",
        )
    sides = [
        findings.attempt(lambda it=name: _side(it, every[it], spine, words, findings))  # type: ignore[misc]
        for name in every
    ]
    whole = [side for side in sides if side is not None]
    if len(whole) < len(sides) or not whole or not words.sides.whole:
        raise Stop
    if len({side.speed for side in whole}) > 1:
        told = " and ".join(f"{side.name} at {side.speed}" for side in whole)
        raise findings.stop(
            Code.SPEED_NOT_ON_MODEL,
            f"the sides reach the spines at different speeds: {told}",
            words.at("links"),
            "set `links.speed`",
        )
    return whole


def _side(name: str, side: Side, spine: SwitchModel, words: Routed, findings: Findings) -> SideSize:
    here, servers = words.at("sides", name), side.seated
    role, path = (side.leaf, (*here, "leaf")) if side.leaf else (words.leaf, words.at("leaf"))
    model = find_model(words, role.model, (*path, "model"), findings)
    wished = words.at("links", "speed")
    where = wished if words.links.speed else path
    speed = common_speed(model, spine, words.links.speed, where, findings)
    spread = servers.leafs or (1 if servers.ports % 2 else 2)
    if servers.ports % spread:
        sentence = f"{servers.ports} ports of a server cannot be divided over {spread} leafs"
        raise findings.stop(Code.BAD_VALUE, sentence, words.servers_at(name, "leafs"))
    return SideSize(
        name=name,
        words=side,
        here=here,
        role=role,
        path=path,
        ports_at=words.servers_at(name, "ports"),
        model=model,
        speed=speed,
        split=per_cage(
            model, servers.speed, words.servers_at(name, "speed"), findings, role.breakout
        ),
        lift=per_cage(model, speed, wished, findings, far=[spine]),
        spread=spread,
        each=servers.ports // spread,
        servers=max(reserved(words, name, servers.count, findings) or 0, servers.count),
    )


def _loaded(side: SideSize, spines: int, findings: Findings) -> SideSize:
    """Return a side with servers and uplinks on its leafs: as set, or the maximum."""
    asked, most = side.words.per_leaf, side.most(spines)
    if not most or (asked and most < asked):
        ports, uplinks = (asked or 1) * side.each, side.lifted(asked or 1, spines)
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{ports} server ports and {uplinks} uplinks, the same to each of {spines} spines, "
            f"need {side.cages(asked or 1, spines)} cages of a {side.name} leaf, but "
            f"{side.model.name} has {len(side.model.usable)}",
            (*side.here, "per_leaf") if asked else side.ports_at,
            f"this fits: `per_leaf: {most}`" if most else "use a leaf with more cages",
        )
    return replace(side, per_leaf=most, uplinks=side.lifted(most, spines))


def _fewest(sides: Sequence[SideSize], ports: int) -> int:
    """Return the fewest spines that have the ports; where none has, the most that leafs reach."""
    last = LEAST_SPINES
    reached = max(side.lifted(side.most(1), 1) for side in sides)
    for spines in range(LEAST_SPINES, reached + 1):
        most = [side.most(spines) for side in sides]
        if any(
            not n or n < (side.words.per_leaf or 0) for side, n in zip(sides, most, strict=True)
        ):
            continue
        last = spines
        split = [
            replace(side, per_leaf=n, uplinks=side.lifted(n, spines))
            for side, n in zip(sides, most, strict=True)
        ]
        if _asked(split, spines) <= ports:
            return spines
    return last


def _asked(sides: Sequence[SideSize], spines: int) -> int:
    """Return the ports of a spine that all leafs need, with growth."""
    return sum(side.leafs(side.servers) * (side.uplinks // spines) for side in sides)


def _judge_spines(
    sides: Sequence[SideSize], spines: int, words: Routed, have: int, findings: Findings
) -> None:
    """Stop where a spine, which has so many ports, lacks some for the leafs."""
    need = _asked(sides, spines)
    if need > have:
        told = " + ".join(
            f"{side.leafs(side.servers)} {side.name} leafs x {side.uplinks // spines}"
            for side in sides
        )
        raise findings.stop(
            Code.RADIX_EXCEEDED,
            f"{told} = {need} links to each of {spines} spines, but {words.spine.model} has "
            f"{have} ports of {sides[0].speed}",
            words.at("spine", "count") if words.spine.count else words.at("spine"),
            "use larger spines, larger ratios, or more spines where leafs have several links to "
            "each",
        )
