"""RoCE intent, topology and catalog in; headroom, budget and marking of every switch out.

The arithmetic is in `lossless/`; here it is fed: which ports a switch has, on which cables, of
which chip, and how far apart the NICs are. All switches of a role share the result.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.catalog.asics import Asic, asic
from fabricgen.catalog.switches import SwitchModel, switch_model
from fabricgen.design.buffer_budget import judge_budget
from fabricgen.design.roce_profiles import PROFILES
from fabricgen.design.step_down import judge_step_downs
from fabricgen.diagnostics import Code
from fabricgen.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.fabric.qos import Kind
from fabricgen.fabric.topology import Role
from fabricgen.lossless.alpha import Alpha
from fabricgen.lossless.budget import Budget, Memory, PortGroup, budget
from fabricgen.lossless.chips import Chip, chip
from fabricgen.lossless.headroom import Port, headroom
from fabricgen.lossless.marking import Limits, Points, judge, marking_points
from fabricgen.lossless.path import Nanoseconds, Path, RoundTrip, bandwidth_delay, round_trip
from fabricgen.lossless.response import PauseResponse
from fabricgen.lossless.rows import PortHeadroom, compare
from fabricgen.units import BitsPerSecond, Bytes, Metres

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.design.wiring.backend_size import BackendSize
    from fabricgen.diagnostics import IntentPath
    from fabricgen.fabric.qos import Marking
    from fabricgen.fabric.topology import Topology
    from fabricgen.intent.model.backend import Backend
    from fabricgen.intent.model.hardware import SwitchRole
    from fabricgen.intent.model.qos import Ecn, Roce

HERE: IntentPath = ("backend", "roce")
FRAME = 22  # bytes of Ethernet header, VLAN tag and checksum around an IP packet
SWITCH_LATENCY = Nanoseconds(800)
NIC_LATENCY = Nanoseconds(1000)
LATENCY_SOURCE = "round figures: 0.8 us per switch, 1 us per NIC"
ROCE_PAYLOAD = Bytes(4096)  # what SONiC's dynamic model is told (LOSSLESS_TRAFFIC_PATTERN)

CABLES = tuple(map(Metres, (3, 5, 10, 20, 30, 50, 100, 300)))  # lengths a remedy may propose
UNBOUNDED = Bytes(2**62)  # no memory is known: marking has nothing to stay clear of

Ports = tuple[tuple[BitsPerSecond, Metres, int], ...]


def plan_lossless(
    intent: Backend, size: BackendSize, topology: Topology, findings: Findings
) -> Lossless | None:
    """Design the packet memory and marking of a backend; None without a RoCE class."""
    if not intent.roce.enabled:
        return None
    return _Plan(intent=intent, size=size, topology=topology, findings=findings).lossless()


@dataclass(slots=True, kw_only=True)
class _Plan:
    intent: Backend
    size: BackendSize
    topology: Topology
    findings: Findings
    kinds: dict[tuple[str, BitsPerSecond, Metres], PortHeadroom] = field(default_factory=dict)
    differing: dict[tuple[str, str], list[Metres]] = field(default_factory=dict)

    @property
    def roce(self) -> Roce:
        return self.intent.roce

    def lossless(self) -> Lossless:
        by_role = {
            role: self.buffers(role, words.model, self.ports(role))
            for role, words in self.roles().items()
        }
        for (ports, warning), lengths in self.differing.items():
            cables = " and ".join(f"{length} m" for length in sorted(lengths))
            self.findings.warn(Code.HEADROOM_DIFFERS, f"{ports} {cables}: {warning}", HERE)
        switches = {
            switch.name: buffers
            for switch in self.topology.switches
            if (buffers := by_role[switch.role]) is not None
        }
        trip = self.round_trip()
        first = self.first_pause([made for made in by_role.values() if made is not None])
        used = [{speed for speed, _, _ in self.ports(role)} for role in by_role]
        speeds = sorted(set().union(*used))
        marking = {
            kind: {speed: self.marking(kind, speed, first, trip.total) for speed in speeds}
            for kind, wish in self.wishes.items()
            if wish.enabled
        }
        for kind, plans in marking.items():
            judge_step_downs(used, plans, first, trip.total, self.findings, _of(kind))
        return Lossless(switches=switches, marking=marking, round_trip=trip)

    @property
    def wishes(self) -> dict[Kind, Ecn]:
        """Return what is asked of marking, by lossless class."""
        storage = self.roce.storage
        more = {Kind.STORAGE: storage.ecn} if storage is not None else {}
        return {Kind.LOSSLESS: self.roce.ecn, **more}

    @property
    def classes(self) -> int:
        """Return how many lossless groups each port has."""
        return len(self.wishes) if self.roce.pfc else 0

    def roles(self) -> dict[Role, SwitchRole]:
        """Return the roles that this design has."""
        words = self.intent
        pairs = (
            (Role.LEAF, words.leaf),
            (Role.SPINE, words.spine),
            (Role.SUPERSPINE, words.superspine),
        )
        present = {switch.role for switch in self.topology.switches}
        return {role: found for role, found in pairs if found is not None and role in present}

    def ports(self, role: Role) -> Ports:
        """Return the ports a switch of a role can have: all that are laid out, used yet or not.

        So the budget holds for the full switch, and no number moves when the next cable is plugged.
        """
        size, near = self.size, Metres(self.intent.servers.cable_length)
        far = Metres(self.intent.links.length)
        tiers = {Role.SPINE: size.spines, Role.SUPERSPINE: size.superspines}
        tier = tiers.get(role)
        face = size.leaf if tier is None else tier.face
        below = near if role is Role.LEAF else far
        counted = Counter(
            [(port.speed, below) for port in face.down] + [(port.speed, far) for port in face.up]
        )
        return tuple((speed, length, count) for (speed, length), count in sorted(counted.items()))

    def first_pause(self, made: list[SwitchBuffers]) -> Bytes:
        """Return the lowest occupancy at which any switch pauses, or drops if nothing is paused."""
        pauses = [item.pause_at for item in made if item.pause_at is not None]
        return min(pauses or [item.memory for item in made], default=UNBOUNDED)

    def buffers(self, role: Role, name: str, ports: Ports) -> SwitchBuffers | None:
        """Plan the memory of one kind of switch: a model with these ports and cables."""
        model = switch_model(name)
        facts = asic(model.asic) if model else None
        if model is None or facts is None or facts.packet_buffer is None:
            self.findings.warn(
                Code.BUFFER_UNKNOWN,
                f"the packet memory of {name} is not in the catalog, so no budget is proven",
                (*HERE[:1], "leaf", "model"),
            )
            return None
        silicon = chip(facts.name, facts.cell)
        kinds = [
            (self.port(model, silicon, speed, length), count) for speed, length, count in ports
        ]
        pool = model.headroom_pool if self.classes else None
        planned = budget(
            Memory(facts.packet_buffer, facts.cell or Bytes(1)),
            [
                PortGroup(
                    speed=kind.speed,
                    length=kind.length,
                    count=count,
                    headroom=kind.headroom,
                    classes=self.classes,
                    shorter=self.shorter(model, silicon, kind),
                )
                for kind, count in kinds
            ],
            Alpha(self.alpha(model)),
            pool,
        )
        shipped = pool.headroom if pool else None
        judge_budget(f"{role} {name}", planned, shipped, self.roce, self.findings)
        return _neutral(model, facts, planned, tuple(kinds), self.classes, shipped)

    def alpha(self, model: SwitchModel) -> int:
        """Return the exponent of the dynamic threshold: as asked, as shipped, or 0."""
        return model.alpha if self.roce.alpha is None else self.roce.alpha

    def port(
        self, model: SwitchModel, silicon: Chip, speed: BitsPerSecond, length: Metres
    ) -> PortHeadroom:
        """Return the headroom of one kind of port, computed once."""
        key = model.name, speed, length
        if key not in self.kinds:
            self.kinds[key] = self.computed(model, silicon, speed, length)
        return self.kinds[key]

    def shorter(
        self, model: SwitchModel, silicon: Chip, kind: PortHeadroom
    ) -> tuple[tuple[Metres, Bytes], ...]:
        """Return the headroom that shorter cables would get, for remedies to propose."""
        return tuple(
            (length, self.compared(model, silicon, kind.speed, length).headroom)
            for length in CABLES
            if length < kind.length
        )

    def asked(self, speed: BitsPerSecond, length: Metres) -> Port:
        """Describe one kind of port to the arithmetic."""
        frame = Bytes(self.intent.underlay.mtu + FRAME)
        return Port(speed=speed, length=length, mtu=frame, lossless_mtu=ROCE_PAYLOAD)

    def response(self) -> PauseResponse | None:
        """Return the pause response that was asked for; None is the model's own default."""
        asked = self.roce.pause_response
        return PauseResponse(asked) if asked is not None else None

    def computed(
        self, model: SwitchModel, silicon: Chip, speed: BitsPerSecond, length: Metres
    ) -> PortHeadroom:
        """Return the headroom of one kind of port, and note how far it is from the vendor's."""
        kept = self.compared(model, silicon, speed, length)
        if kept.warning and self.roce.pfc:
            self.differing.setdefault((f"{model.name} {speed}", kept.warning), []).append(length)
        return kept

    def compared(
        self, model: SwitchModel, silicon: Chip, speed: BitsPerSecond, length: Metres
    ) -> PortHeadroom:
        """Compute the headroom of a kind of port, there or not, and put the vendor's row beside."""
        asked = self.asked(speed, length)
        return compare(
            asked, headroom(asked, silicon, response=self.response()), model.headroom_rows
        )

    def round_trip(self) -> RoundTrip:
        """Return the longest unloaded round trip between two NICs."""
        tiers = max((switch.role.tier for switch in self.topology.switches), default=1)
        nic = Metres(self.intent.servers.cable_length)
        between = [Metres(self.intent.links.length)] * (2 * (tiers - 1))
        path = Path(
            cables=(nic, *between, nic),
            switch_latency=SWITCH_LATENCY,
            nic_latency=NIC_LATENCY,
            source=LATENCY_SOURCE,
        )
        return round_trip(
            path, self.intent.servers.nic_speed, Bytes(self.intent.underlay.mtu + FRAME)
        )

    def marking(
        self, kind: Kind, speed: BitsPerSecond, pause_at: Bytes, trip: Nanoseconds
    ) -> Points:
        """Derive or judge the marking points of one lossless class and port speed."""
        limits = Limits(
            mtu=Bytes(self.intent.underlay.mtu + FRAME),
            pause_at=pause_at,
            feeding=self.roce.congested_ingresses,
            paused=self.roce.pfc,
        )
        wish = self.wishes[kind]
        where = (*HERE, "storage") if kind is Kind.STORAGE else HERE
        product = bandwidth_delay(speed, trip)
        points = marking_points(speed, product, limits)
        published = PROFILES[self.roce.profile].marking(speed)
        if published or wish.minimum or wish.maximum or wish.probability:
            points = self.written(wish, speed, published or points, limits)
        explicit = bool(wish.minimum or wish.maximum)
        say = self.findings.warn if published and not explicit else self.findings.error
        hint = "use roce.profile: computed, or lower the points"
        if not published and not explicit:
            hint = "shorten cables, or say with roce.congested_ingresses how many feed a queue"
        for verdict in (verdict for verdict in points.verdicts if not verdict.holds):
            say(
                Code.MARKING_RULE,
                f"ECN{_of(kind)} on {speed} ports: {verdict.rule}: {verdict.arithmetic}",
                (*where, "ecn") if explicit else (*HERE, "profile"),
                hint,
            )
        return points

    def written(
        self, wish: Ecn, speed: BitsPerSecond, base: Points | Marking, limits: Limits
    ) -> Points:
        """Judge the points of a profile, or those a person wrote, in place of the computed ones."""
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
        )


def _of(kind: Kind) -> str:
    """Say whose marking it is, where it is not that of RoCE data."""
    return "" if kind is Kind.LOSSLESS else f" of {kind}"


def _neutral(
    model: SwitchModel,
    facts: Asic,
    planned: Budget,
    kinds: tuple[tuple[PortHeadroom, int], ...],
    classes: int,
    pool: Bytes | None,
) -> SwitchBuffers:
    return SwitchBuffers(
        model=model.name,
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
    )
