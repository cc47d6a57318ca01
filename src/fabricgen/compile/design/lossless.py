"""Design headroom, buffer budget and marking of the switches for RoCE.

The arithmetic is in `lossless/`. This module provides its inputs: the ports, cables and chip of a
switch, and the distance between NICs. All switches of a sort share the result.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.lossless_rules import (
    judge_budget,
    judge_step_downs,
    judge_watchdog,
    say_gaps,
)
from fabricgen.compile.design.port_memory import FRAME, Kept, from_site, ways_out, wide_speeds
from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.catalog.memory import layout_of, memory_facts
from fabricgen.model.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.model.fabric.qos import Kind, Marking
from fabricgen.model.fabric.topology import Port, Role, Switch, Topology
from fabricgen.model.lossless.budget import Alpha, Budget, budget
from fabricgen.model.lossless.chips import chip
from fabricgen.model.lossless.marking import Limits, Points, judge, marking_points
from fabricgen.model.lossless.path import Nanoseconds, Path, RoundTrip, bandwidth_delay, round_trip
from fabricgen.model.lossless.port import PauseResponse
from fabricgen.model.lossless.rows import PortHeadroom
from fabricgen.model.lossless.sonic import EIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fabricgen.compile.design.wiring.faceplate import Faceplate
    from fabricgen.intent.model.intent import LosslessFabric
    from fabricgen.intent.model.qos import Ecn, Roce
    from fabricgen.model.catalog.asics import Asic
    from fabricgen.model.catalog.switches import SwitchModel

    Sorts = Callable[[LosslessFabric], "tuple[Sort, ...]"]
    """The words of a fabric to the sorts of its switches."""

SWITCH_LATENCY = Nanoseconds(800)
NIC_LATENCY = Nanoseconds(1000)
LATENCY_SOURCE = "round figures: 0.8 us per switch, 1 us per NIC"
EQUAL_INGRESSES = 2  # the fewest that fill a queue, where none is faster than it
UNBOUNDED = Bytes(2**62)  # no memory is known: marking has nothing to stay clear of


class PortCount(NamedTuple):
    """How many ports of a switch have one speed and one length of cable."""

    speed: BitsPerSecond
    length: Meters
    ports: int


Ports = tuple[PortCount, ...]


@record(kw_only=True)
class Sort:
    """Switches with the same ports: of a role, or of a leaf group.

    nic, near: speed of the server ports of leafs, and meters of their cables. lengths: meters of
    the cables of each bank for servers, if there are several.
    """

    role: Role
    group: str = ""
    model: str
    path: IntentPath
    face: Faceplate
    nic: BitsPerSecond | None = None
    near: Meters | None = None
    lengths: tuple[Meters, ...] = ()

    @property
    def below(self) -> Iterator[tuple[Port, Meters | None]]:
        """Yield each port for below with the length of its cable, or None for the usual length."""
        if not self.lengths:
            yield from ((port, self.near) for port in self.face.down)
        for bank, length in zip(self.face.banks, self.lengths, strict=False):
            yield from ((port, length) for port in bank)


def plan_lossless(
    words: LosslessFabric, sorts: Sorts, topology: Topology, findings: Findings
) -> Lossless | None:
    """Design the packet memory and marking of a fabric; None without a RoCE class."""
    roce = words.roce
    if roce is None:
        return None
    slowest = min(link.speed for link in topology.links)
    with findings.going_on():
        judge_watchdog(roce, slowest, words.at("roce", "watchdog"), findings)
    with findings.going_on():
        say_gaps(roce, topology, words.at("roce", "profile"), findings)
    if not roce.enabled:
        return None
    return LosslessPlan(
        intent=words, sorts_of=sorts, topology=topology, findings=findings
    ).lossless()


@dataclass(slots=True, kw_only=True)
class LosslessPlan:
    """Plans the packet memory and marking of a fabric.

    `trial`: a change is tried, so no other one is searched. `swapped`: other ports of some sorts.
    """

    intent: LosslessFabric
    sorts_of: Sorts
    topology: Topology
    findings: Findings
    differing: dict[tuple[str, str, Severity], list[Meters]] = field(default_factory=dict)
    trial: bool = False
    swapped: Mapping[tuple[Role, str], Ports] = field(default_factory=dict)
    sorts: dict[tuple[Role, str], Sort] = field(init=False)

    def __post_init__(self) -> None:
        """Keep the sorts of switches that are there, by role and group."""
        present = {(each.role, each.group) for each in self.topology.switches}
        every = {(sort.role, sort.group): sort for sort in self.sorts_of(self.intent)}
        self.sorts = {key: sort for key, sort in every.items() if key in present}

    @property
    def here(self) -> IntentPath:
        return self.intent.at("roce")

    @property
    def roce(self) -> Roce:
        assert self.intent.roce is not None
        return self.intent.roce

    def lossless(self) -> Lossless:
        kinds = {_kind(switch): switch for switch in self.topology.switches}
        buffers_of = {key: self.buffers(kinds[key]) for key in sorted(kinds)}
        for (ports, warning, severity), lengths in self.differing.items():
            cables = " and ".join(f"{length} m" for length in sorted(lengths))
            sentence = f"{ports} {cables}: {warning}"
            found = Diagnostic(Code.HEADROOM_DIFFERS, sentence, path=self.here, severity=severity)
            self.findings.add(found)
        switches = {
            switch.name: buffers
            for switch in self.topology.switches
            if (buffers := buffers_of[_kind(switch)]) is not None
        }
        trip = self.round_trip()
        first = self.first_pause([one for one in buffers_of.values() if one is not None])
        sorts = list(self.sorts.values())
        upper = [sort for sort in sorts if sort.role is not Role.LEAF and self.differs]
        lower = [sort for sort in sorts if sort not in upper]
        marking = self.markings([self.speeds(sort) for sort in lower], first, trip.total)
        more = [self.speeds(sort) for sort in upper]
        above = self.markings(more, first, trip.total, above=True) if more else None
        return Lossless(
            switches=switches, marking=marking, round_trip=trip, above=above, planner=self
        )

    @property
    def differs(self) -> bool:
        """Return whether spines mark differently than leafs, by a profile without ECN keys."""
        words = self.roce.ecn
        written = words.minimum and words.maximum
        return PROFILES[self.roce.profile].above is not None and not written

    def markings(
        self,
        used: list[set[BitsPerSecond]],
        first: Bytes,
        trip: Nanoseconds,
        *,
        above: bool = False,
    ) -> dict[Kind, dict[BitsPerSecond, Points]]:
        """Plan the marking of each class for sorts; `used` has the port speeds of each.

        above: spines and superspines, which have points of their own.
        """
        speeds = sorted(set().union(*used))
        markings = {
            kind: {speed: self.marking(kind, speed, first, trip, above=above) for speed in speeds}
            for kind, wish in self.wishes.items()
            if wish.enabled
        }
        slow = self.intent.at("links", "speed")
        for kind, plans in markings.items():
            judge_step_downs(used, plans, first, trip, slow, self.findings, _of(kind, above=above))
        return markings

    @property
    def wishes(self) -> dict[Kind, Ecn]:
        """Return the requested marking by lossless class."""
        storage = self.roce.storage
        more = {Kind.STORAGE: storage.ecn} if storage is not None else {}
        return {Kind.LOSSLESS: self.roce.ecn, **more}

    @property
    def classes(self) -> int:
        """Return how many lossless groups each port has."""
        return len(self.wishes) if self.roce.pfc else 0

    def ports(self, sort: Sort) -> Ports:
        """Return the ports a switch can have: all that are laid out, used yet or not.

        So the budget holds for the full switch, and no number moves when the next cable is plugged.
        """
        return self.swapped.get((sort.role, sort.group)) or self.laid(sort)

    def laid(self, sort: Sort) -> Ports:
        """Return the ports of the design."""
        far = Meters(self.intent.links.length)
        counted = Counter(
            [(port.speed, far if near is None else near) for port, near in sort.below]
            + [(port.speed, far) for port in sort.face.up]
        )
        kinds = sorted(counted.items())
        return tuple(PortCount(speed, length, count) for (speed, length), count in kinds)

    def speeds(self, sort: Sort) -> set[BitsPerSecond]:
        """Return the speeds of the ports."""
        return {kind.speed for kind in self.ports(sort)}

    def first_pause(self, buffers: list[SwitchBuffers]) -> Bytes:
        """Return the lowest occupancy at which any switch pauses, or drops if nothing is paused."""
        pauses = [item.pause_at for item in buffers if item.pause_at is not None]
        return min(pauses or [item.memory for item in buffers], default=UNBOUNDED)

    def buffers(self, switch: Switch) -> SwitchBuffers | None:
        """Plan the memory of identical switches."""
        sort, model = self.sorts[switch.role, switch.group], switch.model
        facts = model.chip
        if facts is None or facts.packet_buffer is None or facts.voq:
            self.unproven(sort, model)
            return None
        ports, kept = self.ports(sort), self.kept(sort, switch, facts)
        kinds = [(kept.port(speed, length), count) for speed, length, count in ports]
        self.note(kept, [kind for kind, _ in kinds])
        self.rests(sort, kept, facts)
        pool = kept.facts.pool if self.classes else None
        alpha = kept.facts.alpha if self.roce.alpha is None else self.roce.alpha
        planned = budget(
            kept.memory(facts),
            [kept.group(kind, count, self.classes) for kind, count in kinds],
            Alpha(alpha),
            pool,
        )
        shipped = pool.headroom if pool else None
        name = " ".join(word for word in (sort.group, sort.role, sort.model) if word)
        judge_budget(name, planned, shipped, self.roce, self.here, self.findings)
        return _neutral(kept, facts, planned, tuple(kinds), self.classes, shipped)

    def kept(self, sort: Sort, switch: Switch, facts: Asic) -> Kept:
        """Return the facts that determine the memory of a switch."""
        speeds = {speed for speed, _, _ in self.laid(sort)} if self.classes else set()
        layout = layout_of(sort.face.ports)
        return Kept(
            model=switch.model,
            platform=switch.platform,
            silicon=chip(facts.name, facts.cell),
            facts=memory_facts(switch.model, switch.platform, layout, speeds),
            wide=frozenset(mode.speed for _, mode in layout if mode.lanes == EIGHT)
            | wide_speeds(switch.model, self.speeds(sort) - {mode.speed for _, mode in layout}),
            mtu=Bytes(self.intent.underlay.mtu),
            response=self.response(),
        )

    def rests(self, sort: Sort, kept: Kept, chip_facts: Asic) -> None:
        """Note that a lossless class rests on figures of the site."""
        if source := from_site(kept, chip_facts) if self.classes else "":
            runs = f" as hwsku {kept.facts.sku}" if kept.facts.sku else ""
            sentence = (
                f"the lossless class of {kept.model}{runs} rests on the site's own figures, not on "
                f"shipped ones: {source}"
            )
            path = (*sort.path, "model")
            self.findings.add(
                Diagnostic(Code.OWN_FIGURES, sentence, path=path, severity=Severity.NOTE)
            )

    def unproven(self, sort: Sort, model: SwitchModel) -> None:
        """Say that nothing is proven; an error where packets of a lossless class would be lost."""
        path = (*sort.path, "model")
        why = f"the packet memory of {sort.model} is not in the catalog"
        if model.chip is not None and model.chip.voq:
            voq = f"virtual output queues ({model.asic})"
            why = f"{sort.model} has {voq}, for which no buffer model exists"
        if not self.classes or model.asic == "none":
            self.findings.warn(Code.BUFFER_UNKNOWN, f"{why}, so its budget is not proven", path)
            return
        sentence = f"{why}, so it cannot have a lossless class"
        hint = "use another model, or set `roce: {pfc: false}`"
        self.findings.error(Code.BUFFER_UNKNOWN, sentence, path, hint)

    def response(self) -> PauseResponse | None:
        """Return the pause response that was asked for; None is the model's own default."""
        asked = self.roce.pause_response
        return PauseResponse(asked) if asked is not None else None

    def note(self, kept: Kept, kinds: list[PortHeadroom]) -> None:
        """Report headroom that is too small, and note the difference from the computed value."""
        if kept.by_itself and self.response() is PauseResponse.CONSERVATIVE:
            sentence = (
                f"{kept.model.name} computes headroom itself, with the pause response that its OS "
                "ships: the value of the intent has no effect there"
            )
            if sentence not in [item.message for item in self.findings.items]:
                self.findings.warn(Code.HEADROOM_DIFFERS, sentence, (*self.here, "pause_response"))
        for kind in kinds if self.roce.pfc else ():
            ports = f"{kept.model.name} {kind.speed}"
            if not kept.known(kind):
                self.unsourced(kept, kind)
            if kind.error:
                sentence = f"{ports} {kind.length} m: {kind.error}"
                self.findings.error(Code.HEADROOM_DIFFERS, sentence, self.here)
            if kind.warning:
                severity = Severity.WARNING if kind.is_short else Severity.NOTE
                lengths = self.differing.setdefault((ports, kind.warning, severity), [])
                lengths += [kind.length] if kind.length not in lengths else []

    def unsourced(self, kept: Kept, kind: PortHeadroom) -> None:
        """Refuse headroom that no shipped row and no fit to shipped rows supports."""
        sentence = (
            f"{kept.model.name} {kind.speed} {kind.length} m: no shipped row and no model of "
            f"{kept.silicon.name} gives its headroom, so a lossless class on it is not proven"
        )
        longest = max((row.length for row in kept.facts.rows if row.speed == kind.speed), default=0)
        shorter = f"use cables of at most {longest} m, " if longest else ""
        hint = (
            f"{shorter}another model or speed, `roce: {{pfc: false}}`, or add your vendor's row "
            "to `catalog/switches`"
        )
        say = self.findings.error if kept.configured else self.findings.warn
        say(Code.HEADROOM_UNKNOWN, sentence, self.here, hint)

    def round_trip(self) -> RoundTrip:
        """Return the longest unloaded round trip between two NICs."""
        tiers = max((switch.role.tier for switch in self.topology.switches), default=1)
        nic = max(sort.near for sort in self.sorts.values() if sort.near is not None)
        slowest = min(sort.nic for sort in self.sorts.values() if sort.nic is not None)
        between = [Meters(self.intent.links.length)] * (2 * (tiers - 1))
        path = Path(
            cables=(nic, *between, nic),
            switch_latency=SWITCH_LATENCY,
            nic_latency=NIC_LATENCY,
            source=LATENCY_SOURCE,
        )
        return round_trip(path, slowest, Bytes(self.intent.underlay.mtu + FRAME))

    def marking(
        self,
        kind: Kind,
        speed: BitsPerSecond,
        pause_at: Bytes,
        trip: Nanoseconds,
        *,
        above: bool = False,
    ) -> Points:
        """Derive or check the marking points of one lossless class and port speed."""
        wish = self.wishes[kind]
        where = (*self.here, "storage") if kind is Kind.STORAGE else self.here
        product = bandwidth_delay(speed, trip)
        points = marking_points(speed, product, self.limits(pause_at))
        if not points.holds and self.roce.congested_ingresses is None and self.equals(speed):
            fed = marking_points(speed, product, self.limits(pause_at, EQUAL_INGRESSES))
            points = fed if fed.holds else points
        published = PROFILES[self.roce.profile].marking(speed, above=above)
        if published or wish.minimum or wish.maximum or wish.probability:
            points = self.written(wish, speed, published or points, self.limits(pause_at))
        explicit = bool(wish.minimum or wish.maximum)
        say = self.findings.warn if published and not explicit else self.findings.error
        whose = _of(kind, above=above)
        for verdict in (verdict for verdict in points.verdicts if not verdict.holds):
            say(
                Code.MARKING_RULE,
                f"ECN{whose} on {speed} ports: {verdict.rule}: {verdict.arithmetic}",
                (*where, "ecn") if explicit else (*self.here, "profile"),
                self.ways_out(warned=say == self.findings.warn),
            )
        return points

    def limits(self, pause_at: Bytes, feeding: int = 1) -> Limits:
        """Return the limits of marking, for one ingress by default."""
        return Limits(
            mtu=Bytes(self.intent.underlay.mtu + FRAME),
            pause_at=pause_at,
            feeding=self.roce.congested_ingresses or feeding,
            paused=self.roce.pfc,
        )

    def equals(self, speed: BitsPerSecond) -> bool:
        """Return whether no port of a switch is faster: then one ingress alone fills no queue."""
        mixes = [self.speeds(sort) for sort in self.sorts.values()]
        return all(max(mix) <= speed for mix in mixes if speed in mix)

    def ways_out(self, *, warned: bool) -> str:
        """Return the changes of the intent after which no rule of marking or memory is broken.

        warned: without warnings, too.
        """
        if self.trial:
            return ""
        severities = {Severity.ERROR, Severity.WARNING} if warned else {Severity.ERROR}
        return ways_out(self.intent, lambda changed: self.holds(changed, severities))

    def holds(self, changed: LosslessFabric, severities: set[Severity]) -> bool:
        """Plan a changed intent on the same switches, and return whether it has no fault."""
        tried = Findings()
        LosslessPlan(
            intent=changed,
            sorts_of=self.sorts_of,
            topology=self.topology,
            findings=tried,
            trial=True,
        ).lossless()
        broken = [item.severity for item in tried.items if item.code is Code.MARKING_RULE]
        return not severities.intersection(broken) and _full(tried) <= _full(self.findings)

    def written(
        self, wish: Ecn, speed: BitsPerSecond, base: Points | Marking, limits: Limits
    ) -> Points:
        """Check the points of a profile or of the intent, which replace the computed ones."""
        low = Bytes(wish.minimum or base.minimum)
        high = Bytes(wish.maximum or base.maximum)
        chance = wish.probability or base.probability
        return Points(
            speed=speed,
            minimum=low,
            maximum=high,
            probability=chance,
            terms=(),
            verdicts=judge(low, high, chance, limits),
            feeding=limits.feeding,
        )


def _kind(switch: Switch) -> tuple[Role, str, str, str, str, str]:
    """Return the facts that determine the packet memory of a switch."""
    model = switch.model
    return (
        switch.role,
        switch.group,
        switch.platform,
        switch.release,
        model.name,
        model.hwsku or "",
    )


def _full(findings: Findings) -> int:
    """Count the kinds of switches whose memory is too small."""
    return sum(item.code is Code.BUFFER_EXCEEDED for item in findings.items)


def _of(kind: Kind, *, above: bool = False) -> str:
    """Return the class and role of marking as text; empty for RoCE data on leafs."""
    whose = "" if kind is Kind.LOSSLESS else f" of {kind}"
    return f"{whose} of spines" if above else whose


def _neutral(
    kept: Kept,
    facts: Asic,
    planned: Budget,
    kinds: tuple[tuple[PortHeadroom, int], ...],
    classes: int,
    pool: Bytes | None,
) -> SwitchBuffers:
    return SwitchBuffers(
        model=kept.model.name,
        sku=kept.facts.sku,
        lacks=kept.facts.lacks,
        asic=facts.name,
        memory=planned.memory.total,
        cell=facts.cell,
        source=facts.source,
        alpha=planned.alpha.exponent,
        classes=classes,
        ports=kinds,
        headroom=planned.headroom,
        pool=pool,
        shared=planned.shared,
        pause_at=planned.pause_at,
        terms=planned.terms,
        from_site=from_site(kept, facts),
    )
