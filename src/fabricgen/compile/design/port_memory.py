"""Compute the packet memory of port kinds and propose changes that make it fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.compile.design.alternatives import helping
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.chips import CellFit, Chip, SonicDynamic
from fabricgen.model.lossless.headroom import headroom
from fabricgen.model.lossless.memory import Memory, PortGroup, Reserved
from fabricgen.model.lossless.port import PauseResponse, Port
from fabricgen.model.lossless.rows import PortHeadroom, compare
from fabricgen.model.lossless.sonic import EIGHT, MANAGEMENT, POOL_SOURCE, port_reserve
from fabricgen.model.lossless.terms import NOTHING

if TYPE_CHECKING:
    from fabricgen.compile.design.alternatives import Change as Changed
    from fabricgen.intent.model.intent import LosslessFabric
    from fabricgen.intent.model.qos import Roce
    from fabricgen.model.catalog.asics import Asic
    from fabricgen.model.catalog.memory import MemoryFacts
    from fabricgen.model.catalog.switches import SwitchModel

    Change = Changed[LosslessFabric]


# Each is planned again before it is named.

MOST_INGRESSES, MOST_ALPHA = 8, 7
NONE = "no single change of roce or of cable lengths helps: use a model with more packet memory"


def ways_out(intent: LosslessFabric, holds: Callable[[LosslessFabric], bool]) -> str:
    """Return the changes that help, the first of each kind; `holds` plans a changed intent."""
    kinds = (_points, _ingresses, _storage, _alpha, _cables)
    return "; or ".join(helping(intent, kinds, holds)) or NONE


def _points(intent: LosslessFabric) -> Iterator[Change]:
    """Yield the use of computed points instead of points of the intent or a profile."""
    roce, bare = _roce(intent), {"minimum": None, "maximum": None}
    if roce.ecn.minimum or roce.ecn.maximum:
        yield (
            "remove roce.ecn.minimum and maximum",
            _with(intent, ecn=roce.ecn.model_copy(update=bare)),
        )
    if roce.storage is not None and (roce.storage.ecn.minimum or roce.storage.ecn.maximum):
        plain = roce.storage.model_copy(update={"ecn": roce.storage.ecn.model_copy(update=bare)})
        yield "remove roce.storage.ecn.minimum and maximum", _with(intent, storage=plain)
    if roce.profile != "computed":
        yield "set roce.profile: computed", _with(intent, profile="computed")


def _ingresses(intent: LosslessFabric) -> Iterator[Change]:
    now = _roce(intent).congested_ingresses or 1
    for count in range(now + 1, MOST_INGRESSES + 1):
        way = (
            f"set roce.congested_ingresses: {count}, if at least that many feed a queue in equal "
            "parts"
        )
        yield way, _with(intent, congested_ingresses=count)


def _storage(intent: LosslessFabric) -> Iterator[Change]:
    if _roce(intent).storage is not None:
        yield "remove roce.storage", _with(intent, storage=None)


def _alpha(intent: LosslessFabric) -> Iterator[Change]:
    for exponent in range((_roce(intent).alpha or 0) + 1, MOST_ALPHA + 1):
        yield f"set roce.alpha: {exponent}", _with(intent, alpha=exponent)


def _cables(intent: LosslessFabric) -> Iterator[Change]:
    """Yield limits of the longest cable, then of the next ones."""
    longest = max(intent.cables)
    for limit in reversed(CABLES):
        if limit < longest:
            yield f"use cables of at most {limit} m", intent.within(int(limit))


def _roce(intent: LosslessFabric) -> Roce:
    assert intent.roce is not None  # a class has the marking that is checked
    return intent.roce


def _with(intent: LosslessFabric, **changes: object) -> LosslessFabric:
    roce = _roce(intent).model_copy(update=changes)
    return intent.model_copy(update={"roce": roce})


FRAME = 22  # overhead of an IP packet in bytes: Ethernet header, VLAN tag and checksum
ROCE_PAYLOAD = Bytes(4096)  # input of SONiC's dynamic model (LOSSLESS_TRAFFIC_PATTERN)
CABLES = tuple(map(Meters, (3, 5, 10, 20, 30, 50, 100, 300)))  # lengths a remedy may propose
SHIPPED = "sizes of the shipped priority groups"


@record(kw_only=True)
class Kept:
    """Facts that determine the memory of one kind of switch.

    platform: the OS. wide: speeds that have ports of eight lanes. mtu: of IP packets. response:
    pause response of a peer, if the intent sets it.
    """

    model: SwitchModel
    platform: str
    silicon: Chip
    facts: MemoryFacts
    wide: frozenset[BitsPerSecond]
    mtu: Bytes
    response: PauseResponse | None

    def port(self, speed: BitsPerSecond, length: Meters) -> PortHeadroom:
        """Compute the headroom of a kind of port, in use or not, with the vendor's row.

        A switch that computes headroom uses PORT.mtu and its own table of pause responses.
        """
        response = None if self.by_itself else self.response
        computed = headroom(self.asked(speed, length), self.silicon, response=response)
        return compare(
            self.asked(speed, length, FRAME),
            computed,
            self.facts.rows,
            self.response or PauseResponse.SHIPPED,
        )

    @property
    def configured(self) -> bool:
        """Return whether the OS gets the headroom of a port; another OS computes it."""
        facts = self.model.platforms.get(self.platform, {})
        return self.facts.own or bool(facts.get("memory") or facts.get("driver"))

    def known(self, kind: PortHeadroom) -> bool:
        """Return whether a row, a fit to rows or the code of the switch gives its headroom.

        Where the SKU has no memory or no row of that speed at all, its platform says so.
        """
        if kind.shipped is not None or self.dynamic is not None:
            return True
        if self.facts.own and kind.speed not in {row.speed for row in self.facts.rows}:
            return True
        model = self.silicon.model
        return isinstance(model, CellFit) and model.covers(kind.speed)

    def group(self, kind: PortHeadroom, count: int, classes: int) -> PortGroup:
        """Return `count` ports of a kind for the budget, with the headroom of shorter cables."""
        shorter = tuple(
            (length, self.port(kind.speed, length).headroom)
            for length in CABLES
            if length < kind.length
        )
        return replace(self.taken(kind, count, classes), shorter=shorter)

    def taken(self, kind: PortHeadroom, count: int, classes: int) -> PortGroup:
        """Return `count` ports of a kind for the budget, with their own cables only."""
        dynamic, port = self.dynamic, self.asked(kind.speed, kind.length)
        return PortGroup(
            speed=kind.speed,
            length=kind.length,
            count=count,
            headroom=kind.headroom,
            classes=classes,
            below=kind.below if self.facts.own else NOTHING,
            own=port_reserve(port, dynamic) if dynamic and self.facts.own else NOTHING,
        )

    def memory(self, chip: Asic) -> Memory:
        """Return the memory to share out; a switch that computes sizes does so in bytes."""
        assert chip.packet_buffer is not None
        if self.by_itself:
            reserved = Reserved(management=MANAGEMENT, source=POOL_SOURCE)
            return Memory(chip.packet_buffer, Bytes(1), reserved)
        return Memory(chip.packet_buffer, chip.cell or Bytes(1), Reserved(source=SHIPPED))

    @property
    def by_itself(self) -> bool:
        """Return whether the switch computes headroom; another OS gets the result."""
        return self.facts.own and self.dynamic is not None

    @property
    def dynamic(self) -> SonicDynamic | None:
        """The formula by which the switch computes headroom, if it does."""
        model = self.silicon.model
        return model if isinstance(model, SonicDynamic) else None

    def asked(self, speed: BitsPerSecond, length: Meters, frame: int | None = None) -> Port:
        """Describe one kind of port to the arithmetic."""
        if frame is None:
            frame = 0 if self.dynamic else FRAME
        return Port(
            speed=speed,
            length=length,
            mtu=Bytes(self.mtu + frame),
            lossless_mtu=ROCE_PAYLOAD,
            lanes=EIGHT if speed in self.wide else 4,
        )


def wide_speeds(model: SwitchModel, speeds: set[BitsPerSecond]) -> frozenset[BitsPerSecond]:
    """Return the speeds that a model has on eight lanes only."""
    lanes: dict[BitsPerSecond, set[int]] = {}
    for mode in (mode for cage in model.cages for mode in cage.modes):
        lanes.setdefault(mode.speed, set()).add(mode.lanes)
    return frozenset(speed for speed in speeds if lanes.get(speed) == {EIGHT})


def from_site(kept: Kept, chip_facts: Asic) -> str:
    """Return the sources of the figures that the site brings; empty without any."""
    sources = (kept.facts.from_site, chip_facts.from_site)
    return "; ".join(dict.fromkeys(source for source in sources if source))
