"""Size the leafs of a group: hardware, ports and servers."""

from collections.abc import Mapping, Sequence
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
from fabricgen.compile.design.wiring.leaf_ports import Laid
from fabricgen.compile.design.wiring.racks import lay_out, racks_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, spans
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.hardware import SwitchRole
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.managed import SHARED_BLOCK


def cages_of(words: Frontend, group: str) -> tuple[int, ...]:
    """Return the cages that a group keeps for management ports."""
    oob = words.unless_refused("oob")
    cages: Mapping[str, tuple[int, ...]] = oob.cages if oob is not None else {}
    return cages.get(group, ())


def room_before(model: SwitchModel, cages: tuple[int, ...]) -> int:
    """Return the number of usable cages before the first reserved one."""
    return sum(cage.number < min(cages, default=len(model.cages) + 1) for cage in model.usable)


def managed_cages(
    words: Frontend,
    group: str,
    model: SwitchModel,
    used: tuple[int, int, int],
    findings: Findings,
) -> dict[int, Bank]:
    """Return the breakout of the reserved cages of a group, or stop.

    used: number of cages for servers at the front, for uplinks at the end, and reserved for
    appliances.
    """
    cages = cages_of(words, group)
    if words.oob is None or not cages:
        return {}
    path, speed = words.at("oob", "cages", group), words.oob.speed
    down, up, reserve = used
    able = {cage.number for cage in model.usable if cage.mode(speed, 1) is not None}
    if wrong := sorted(set(cages) - able):
        raise findings.stop(
            Code.SPEED_NOT_ON_MODEL,
            f"cage {wrong[0]} of {model.name} does not run at {speed}",
            path,
            f"cages with this speed: {spans(sorted(able))}"
            if able
            else "use a leaf with such ports",
        )
    numbers = [cage.number for cage in model.usable]
    free = [each for each in numbers[down : len(numbers) - up] if each < SHARED_BLOCK]
    if taken := sorted(set(cages) - set(free)):
        raise findings.stop(
            Code.PORT_USED_TWICE,
            f"cage {taken[0]} is reserved for management ports and for "
            + ("servers" if taken[0] in numbers[:down] else "uplinks"),
            path,
            f"free cages: {spans(free)}" if free else "this leaf has no free cage",
        )
    if len(free) - len(cages) < reserve:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{len(cages)} cages for management ports and {reserve} reserved cages exceed the "
            f"{len(free)} free cages",
            path,
        )
    return dict.fromkeys(cages, Bank(speed, 1, len(cages)))


@record(kw_only=True)
class Uplinks:
    """Uplinks of every leaf: a model at an optional speed, by links to each slot.

    least: slots in use. For a collapsed pair the other leaf is the one slot.
    """

    model: SwitchModel
    wish: BitsPerSecond | None
    fast: IntentPath
    links: int
    slots: int
    least: int
    pair: bool

    def told(self, cages: int) -> str:
        """Return a sentence about the needed cages."""
        if self.pair:
            return f"{self.links} links between the pair need {cages}"
        return f"{self.slots} spines need {cages}"


@record(kw_only=True)
class LeafHardware:
    """The leafs of a group, resolved. path: where the intent has their hardware. speed: upwards."""

    role: SwitchRole
    face: Faceplate
    path: IntentPath
    racks: Sequence[Laid]
    speed: BitsPerSecond

    @property
    def down(self) -> int:
        """Bandwidth of the fullest leaf towards its servers."""
        return sum(rack.used * rack.bank.speed for rack in self.racks)


def leaf_hardware(words: Frontend, name: str, above: Uplinks, findings: Findings) -> LeafHardware:
    """Resolve the model and ports of a leaf group, or stop."""
    group = words.leaf_groups[name]
    role = group.hardware or words.leaf
    path = words.at("leaf_groups", name, "hardware") if group.hardware else words.at("leaf")
    model = find_model(words, role.model, (*path, "model"), findings)
    upper = above.model.back if above.pair else above.model
    speed = common_speed(
        model.back, upper, above.wish, above.fast if above.wish else path, findings
    )
    each = per_cage(model.back, speed, path, findings, far=[upper])
    up = Bank(speed, each, ceil(above.slots * above.links / each))
    peer = Bank(speed, each, ceil(group.peer_links / each))
    room = len(model.usable) - up.cages - peer.cages - role.reserve
    room = min(room, len(model.front.usable), room_before(model, cages_of(words, name)))
    every = racks_of(words, group, name, findings)
    racks = lay_out(every, model.front, room, role.breakout, findings)
    _Room(
        racks=racks,
        model=model,
        up=up,
        above=above,
        peer=peer.cages,
        kept=role.reserve,
        path=(*path, "reserve"),
        ratio=words.oversubscription,
    ).judge(findings)
    used = sum(rack.bank.cages for rack in racks), up.cages + peer.cages, role.reserve
    managed = managed_cages(words, name, model, used, findings)
    face = faceplate(model, [rack.bank for rack in racks], up, managed, peer)
    return LeafHardware(role=role, face=face, path=path, racks=racks, speed=speed)


@record(kw_only=True)
class _Room:
    """Cages of a leaf and their use; `kept` are reserved for appliances, set at `path`.

    peer: cages for links to the other leaf of its pair. ratio: allowed bandwidth, down to up.
    """

    racks: Sequence[Laid]
    model: SwitchModel
    up: Bank
    above: Uplinks
    peer: int
    kept: int
    path: IntentPath
    ratio: float

    def judge(self, findings: Findings) -> None:
        """Compare the cages for servers, spines and appliances with the existing ones."""
        down, cages = sum(rack.bank.cages for rack in self.racks), len(self.model.usable)
        less = down + self.up.cages + self.peer + self.kept - cages
        if less <= 0:
            self.judge_ends(down, findings)
            return
        kept = [rack.rack.first - rack.start for rack in self.racks[-1:]]
        before = f", behind {kept[0]} reserved places," if any(kept) else ""
        servers = f"{sum(rack.ports for rack in self.racks)} server ports{before} need {down} cages"
        told = self.above.told(self.up.cages)
        if self.peer:
            told = f"{told}, links to the other leaf of its pair {self.peer}"
        needs = f"{servers} and {told}"
        if self.kept:
            needs = f"{servers}, {told} and {self.kept} are reserved"
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{needs}, but {self.model.name} has {cages}",
            self.racks[-1].rack.key("per_leaf") if self.racks else self.path,
            self.hint(less, cages - self.kept - self.peer - down),
        )

    def judge_ends(self, down: int, findings: Findings) -> None:
        """Compare them where the first cages are for other speeds than the last."""
        front, back = len(self.model.front.usable), len(self.model.back.usable) - self.peer
        for need, have, what, less in (
            (down, front, "for servers", down - front),
            (self.up.cages, back, f"of {self.up.speed} for spines", None),
        ):
            if need > have:
                raise findings.stop(
                    Code.PORTS_EXHAUSTED,
                    f"{need} cages {what} are needed, but {self.model.name} has {have}",
                    self.path[:-1],
                    self.hint(less, back),
                )

    def hint(self, less: int | None, left: int) -> str:
        """Return changes that fit: `less` cages for servers or appliances, or `left` for spines."""
        last = self.racks[-1] if self.racks and less is not None else None
        fewer = last.fitting(last.bank.cages - (less or 0)) if last else 0
        fewer = min(fewer, self.carried()) if last else 0
        place = last.latest(last.bank.cages - (less or 0)) if last else 0
        slots = left * self.up.each // self.above.links
        return fits(
            (f"`per_leaf: {fewer}`", fewer > 0),
            (f"`first: {place}`", last is not None and last.start <= place < last.rack.first),
            (f"`growth.spines: {slots}`", slots >= self.above.least and not self.above.pair),
            (f"`reserve: {self.kept - (less or 0)}`", self.kept > (less or self.kept)),
            otherwise="use a leaf with more cages",
        )

    def carried(self) -> int:
        """Return how many servers per leaf of the last rack the uplinks allow."""
        *others, last = self.racks
        up = self.above.least * self.above.links * self.up.speed
        down = self.ratio * up - sum(rack.ports * rack.bank.speed for rack in others)
        if self.above.pair:
            return last.per_leaf
        return max(0, int(down // (last.rack.ports * last.bank.speed)))


def fits(*ways: tuple[str, bool], otherwise: str) -> str:
    """Return a hint with the changes that are sufficient."""
    fitting = [words for words, holds in ways if holds]
    return f"this fits: {', or '.join(fitting)}" if fitting else otherwise
