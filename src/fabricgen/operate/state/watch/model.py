"""Define a rule of `watch`, what it sees, and what it finds."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from fabricgen.core.record import record
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.operate.state.watch.looks import Look, Pair
from fabricgen.prove.catalogue.thresholds import LosslessPlan, LosslessPort, Number

OURS = "limit of this project"
"""Source of a limit that no standard and no vendor gives."""


class Level(StrEnum):
    """Weight of a finding."""

    ALARM = "alarm"  # packets of a lossless class are lost, or will be
    WARNING = "warning"  # a limit is exceeded
    NOTE = "note"  # the state is explained; nothing is wrong
    UNVERIFIED = "unverified"  # the field is a guess on this platform


@record(kw_only=True)
class Spot:
    """One object at which a rule finds something.

    Attributes:
        sentence: The complete message.
        metric: The metric of `value`.
        value: The measured number, or the share.
        limit: The number that it is compared with. None without one.
        unit: Unit of both.
        fabric: Name of the fabric, if no single switch has it.
    """

    switch: str
    sentence: str
    metric: str
    value: float
    limit: float | None = None
    unit: str = ""
    port: str = ""
    number: str = ""
    far: str = ""
    fabric: str = ""
    level: Level | None = None


@record(kw_only=True)
class Found:
    """One finding.

    Attributes:
        rule: Name of the rule.
        since: Seconds for which looks in a row have found it.
        sampled: Seconds between two samples of the metric on the switch. None if unknown.
        read: Command and field of the value on the switch.
        source: Source of the limit.
    """

    rule: str
    level: Level
    spot: Spot
    since: float
    sampled: float | None
    read: str
    source: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Sight:
    """Everything that a rule sees: the looks at all switches, and the limits of the site."""

    pairs: Mapping[str, Pair]
    limits: WatchLimits
    before: Look | None
    now: Look

    @cached_property
    def fabrics(self) -> Mapping[str, list[Pair]]:
        """Return the switches of each fabric."""
        found: dict[str, list[Pair]] = {}
        for each in self.pairs.values():
            found.setdefault(each.plan.fabric, []).append(each)
        return found


Finder = Callable[[Sight, Pair], Iterator[Spot]]
"""Yields what a rule finds at one switch. All metrics of the rule are there, for some objects."""
Whole = Callable[[Sight, list[Pair]], Iterator[Spot]]
"""Yields what a rule finds at all switches of a fabric that have the metrics of the rule."""


def always(plan: LosslessPlan) -> bool:
    """Return True: the rule is for every switch with a lossless class."""
    del plan
    return True


def marks(plan: LosslessPlan) -> bool:
    """Return whether the design marks packets of a lossless class."""
    return not set(plan.paused).isdisjoint(plan.marked)


@record(kw_only=True)
class WatchRule:
    """One rule, as it is declared.

    Attributes:
        name: Its name, as `SlowReceiver`.
        meaning: What it finds, and the cause.
        limit: The limit, as text.
        source: Source of the limit. It is a standard, a vendor, the design, or `OURS`.
        metrics: All metrics that it needs.
        also: Metrics that it uses if they are there.
        finds: Finds at one switch.
        whole: Finds in one fabric.
        applies: Whether the design of a switch has objects for it.
        check: Check of the catalogue with the same meaning, empty for none.
        threshold: Name of the designed number that it compares with.
        grows: Whether it needs the growth of counters, so two looks.
        rates: Whether it needs the time between the looks, too.
        lacks: Returns why a fabric cannot be checked. Empty if it can.
    """

    name: str
    level: Level
    meaning: str
    limit: str
    source: str
    metrics: tuple[str, ...]
    also: tuple[str, ...] = ()
    finds: Finder | None = None
    whole: Whole | None = None
    lacks: Callable[[Sight, list[Pair]], str] | None = None
    applies: Callable[[LosslessPlan], bool] = always
    check: str = ""
    threshold: str = ""
    grows: bool = False
    rates: bool = False


def number(pair: Pair, *key: str) -> float | None:
    """Return a threshold of the model. None if it is unknown."""
    own: Number = key
    return pair.plan.numbers.get(own)


def lossless(pair: Pair, names: tuple[str, ...]) -> LosslessPort | None:
    """Return the port of a (port, priority) that the design pauses. None for others."""
    port = pair.plan.ports.get(names[0])
    return port if port is not None and port.pauses and names[1] in pair.plan.paused else None


def per_second(rate: float, unit: str = "") -> str:
    """Return a rate for people: `1,900 times a second`."""
    count = f"{rate:,.0f}" if rate >= 10 else f"{rate:,.1f}"
    return f"{count} {unit or 'times'} a second"


def percent(share: float) -> str:
    """Return a share for people: `42 %`."""
    return f"{100 * share:,.0f} %" if share >= 0.1 else f"{100 * share:,.1f} %"
