"""Defines traffic classes, from the DSCP on the wire to the queue."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Milliseconds
from fabricgen.model.lossless.watchdog import LONGEST_POLL, growth


class Kind(StrEnum):
    """Purpose of a traffic class."""

    LOSSLESS = "lossless"
    STORAGE = "storage"
    TENANTS = "tenants"
    CNP = "cnp"
    TRIMMED = "trimmed"
    CONTROL = "control"
    BEST_EFFORT = "best-effort"


_OF_SERVERS = frozenset({Kind.LOSSLESS, Kind.STORAGE, Kind.TENANTS})


@record()
class Marking:
    """ECN marking: none below `minimum` bytes of queue, `probability` % at `maximum`, all above."""

    minimum: Bytes
    maximum: Bytes
    probability: int


@record(eq=False, kw_only=True)
class TrafficClass:
    """One class: `number` is the traffic class; `share` its part of the non-strict bandwidth in %.

    Strict classes have priority and no share. `paused` is the priority that PFC pauses, if any.
    `cut`: bytes that remain of a packet that its full queue cannot hold, or None to drop it.
    `name`: name of a tenant class. `because`: its reason, if it differs from the other classes.
    """

    kind: Kind
    number: int
    dscps: tuple[int, ...]
    strict: bool = False
    share: int | None = None
    paused: int | None = None
    marking: Mapping[BitsPerSecond, Marking] | None = None
    cut: Bytes | None = None
    name: str = ""
    because: Provenance | None = None

    @property
    def label(self) -> str:
        """Return its name among the classes of its fabric."""
        if self.cut is not None:
            return self.word
        return f"{self.kind}.{self.name}" if self.name else str(self.kind)

    @property
    def word(self) -> str:
        """Return its kind for a report, in which only a paused class is lossless."""
        lossy = self.kind is Kind.LOSSLESS and self.paused is None
        return "lossy" if lossy else str(self.kind)


@record(kw_only=True)
class Watchdog:
    """PFC watchdog timers and the action on traffic that stays paused.

    `grows`: the timers are computed, so they may grow with the ports of a switch.
    """

    poll: Milliseconds
    detection: Milliseconds
    restoration: Milliseconds
    action: str
    because: Provenance
    grows: bool = True

    def polling(self, ports: int) -> "Watchdog":
        """Return the watchdog of a switch that polls this many ports in software."""
        times = growth(ports)
        if times == 1 or not self.grows:
            return self
        longer = f"{times} times that, since {ports} ports are polled one after another"
        return replace(
            self,
            poll=min(Milliseconds(self.poll * times), LONGEST_POLL),
            detection=Milliseconds(self.detection * times),
            restoration=Milliseconds(self.restoration * times),
            because=Provenance(self.because.paths, f"{self.because.rule}; {longer}"),
        )


@record(eq=False, kw_only=True)
class Qos:
    """The traffic classes of one fabric, the same on every switch of it."""

    profile: str
    source: str
    classes: tuple[TrafficClass, ...]
    watchdog: Watchdog | None
    because: Provenance

    @property
    def lossless(self) -> tuple[TrafficClass, ...]:
        """The classes that PFC keeps from loss, in order of their numbers; often none or one."""
        return tuple(item for item in self.classes if item.paused is not None)

    @property
    def paused(self) -> tuple[int, ...]:
        """The priorities that PFC pauses."""
        return tuple(item.paused for item in self.classes if item.paused is not None)

    @property
    def serves(self) -> bool:
        """Return whether servers have a class of their own, so that their DSCPs are trusted."""
        return any(item.kind in _OF_SERVERS for item in self.classes)

    @property
    def shared(self) -> bool:
        """Return whether tenants have classes, so that server ports mark or trust."""
        return any(item.kind is Kind.TENANTS for item in self.classes)

    @property
    def marked(self) -> bool:
        """Return whether a class uses ECN."""
        return any(item.marking for item in self.classes)

    @property
    def trimmed(self) -> TrafficClass | None:
        """The class of trimmed packets, if switches trim."""
        return next((item for item in self.classes if item.kind is Kind.TRIMMED), None)

    @property
    def asked(self) -> IntentPath:
        """Place of the classes in the intent: of tenants, or of the lossless class."""
        told = (item.because for item in self.classes if item.kind is Kind.TENANTS)
        return next((why.main[:-1] for why in told if why is not None), self.because.main)

    @property
    def kept(self) -> tuple[int, ...]:
        """The DSCPs of RoCE, which no server port overwrites."""
        kinds = (Kind.LOSSLESS, Kind.STORAGE, Kind.CNP, Kind.TRIMMED)
        return tuple(sorted(d for item in self.classes if item.kind in kinds for d in item.dscps))

    @property
    def best_effort(self) -> TrafficClass:
        """The class of all remaining traffic."""
        return next(item for item in self.classes if item.kind is Kind.BEST_EFFORT)

    def class_of(self, dscp: int) -> TrafficClass:
        """Return the class of a DSCP; the design gives each exactly one."""
        return next(item for item in self.classes if dscp in item.dscps)


@lru_cache(maxsize=128)
def reason(design: Qos, item: TrafficClass) -> Provenance:
    """Return the provenance of a class: storage and tenant classes have their own sentences."""
    if item.kind is not Kind.STORAGE:
        return item.because or design.because
    paths = ((*design.because.main, "storage"), *design.because.paths)
    return Provenance(paths, "storage is paused, marked and scheduled separately from RoCE data")
