"""Define one look at all switches, and the growth of counters between two looks at one switch."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite

from fabricgen.core.record import record
from fabricgen.nos.measures import BY_NAME, Measure
from fabricgen.nos.show import Observed, Reader
from fabricgen.prove.catalogue.thresholds import LosslessPlan

METRICS = (
    *("pause-received", "pause-sent", "paused-time", "link-pause-received", "link-pause-sent"),
    *("ecn-marked", "queue-packets", "queue-drops", "group-drops"),
    *("watchdog-storms", "watchdog-restored"),
    *("queue-peak", "group-peak", "headroom-peak", "pool-headroom-peak"),
)
"""The metrics that `watch` reads."""
_ABSENT = "the switch does not report it"
_CLOCK_SHARE, _CLOCK_SECONDS = 0.2, 5.0
"""Largest difference of the switch's interval from ours, as a share and in seconds. A larger one is
a jump of its clock. Limits of this project.
"""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The measures of one switch in one look.

    Attributes:
        taken: Our time of the answer in seconds. Only differences have a meaning.
        sampled: Seconds between two samples of a metric on the switch.
        clock: Time of the switch in seconds. None if unread.
        unknown: Metrics, or metrics of one object, that the switch does not report, with the
            reason.
    """

    taken: float
    measures: Mapping[Measure, float]
    sampled: Mapping[str, float] = field(default_factory=dict)
    clock: float | None = None
    unknown: Mapping[Measure, str] = field(default_factory=dict)

    @cached_property
    def by_metric(self) -> Mapping[str, Mapping[tuple[str, ...], float]]:
        """Return the measures of each metric by object."""
        found: dict[str, dict[tuple[str, ...], float]] = defaultdict(dict)
        for measure, value in self.measures.items():
            found[measure[0]][measure[1:]] = value
        return found

    def of(self, metric: str) -> Mapping[tuple[str, ...], float]:
        """Return the measures of a metric by object."""
        return self.by_metric.get(metric, {})


def seen_of(reader: Reader, observed: Observed, taken: float) -> Seen:
    """Return the measures of a snapshot at our time. A metric of an unread part is unknown."""
    unread: dict[Measure, str] = {
        (name,): observed.unread[part]
        for name, part in reader.measured.items()
        if name in METRICS and part in observed.unread
    }
    absent: dict[Measure, str] = {
        (name,): f"the reader of this platform has no {name}"
        for name in METRICS
        if name not in reader.measured
    }
    return Seen(
        taken=taken,
        measures=sane(observed.measures),
        sampled={
            name: own for name, own in observed.sampled.items() if name in METRICS and isfinite(own)
        },
        clock=observed.clock,
        unknown={
            **absent,
            **unread,
            **{key: why for key, why in observed.unknown.items() if key[0] in METRICS},
        },
    )


def sane(measures: Mapping[Measure, float]) -> dict[Measure, float]:
    """Return the possible values of known metrics with the right number of names."""
    return {
        measure: value
        for measure, value in measures.items()
        if measure[0] in METRICS
        and len(measure) == len(BY_NAME[measure[0]].about) + 1
        and isfinite(value)
        and value >= 0
    }


@record(kw_only=True)
class Look:
    """One look at all switches.

    Attributes:
        taken: Our time in seconds. Only differences have a meaning.
        silent: Switches that did not answer, with the reason.
        cnps: CNPs that each server sent, by server. None: no NIC was asked.
    """

    taken: float
    seen: Mapping[str, Seen]
    silent: Mapping[str, str] = field(default_factory=dict)
    cnps: Mapping[str, float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Pair:
    """Two looks at one switch.

    Attributes:
        before: The earlier look. None for the first one.
        seconds: Time between the looks on the clock of the switch. None if it is unknown.
        why: The reason of an unknown time.
    """

    plan: LosslessPlan
    now: Seen
    before: Seen | None = None
    seconds: float | None = None
    why: str = ""

    @cached_property
    def restarted(self) -> frozenset[str]:
        """Return the metrics with a smaller counter than before: they began again at zero."""
        if self.before is None:
            return frozenset()
        then = self.before.measures
        return frozenset(
            measure[0]
            for measure, value in self.now.measures.items()
            if measure in then and value < then[measure] and BY_NAME[measure[0]].counter
        )

    def grown(self, metric: str) -> dict[tuple[str, ...], float]:
        """Return the growth of a counter by object. A counter that restarted grew from zero."""
        if self.before is None:
            return {}
        then = self.before.of(metric)
        return {
            names: value - then[names] if value >= then[names] else value
            for names, value in self.now.of(metric).items()
            if names in then
        }

    def rates(self, metric: str) -> dict[tuple[str, ...], float]:
        """Return the growth per second. A counter that restarted has none."""
        if not self.seconds or metric in self.restarted:
            return {}
        seconds = self.seconds
        return {names: more / seconds for names, more in self.grown(metric).items()}

    def objects(self, metric: str) -> Iterable[tuple[str, ...]]:
        """Yield the objects of the model that have a metric."""
        about = BY_NAME[metric].about
        if about == ("port",):
            yield from ((name,) for name in self.plan.ports)
        elif about[0] == "port":
            for port in self.plan.lossless:
                yield from ((port.name, number) for number in self.plan.paused)

    @cached_property
    def uncounted(self) -> Mapping[str, tuple[str, int, int]]:
        """Return the metrics without a value: the reason, and how many of how many objects."""
        found = {}
        for metric in METRICS:
            own, objects = self.now.of(metric), list(self.objects(metric))
            missing = [names for names in objects if names not in own]
            if missing or (not objects and not own):
                unknown = self.now.unknown
                why = unknown.get((metric,)) or next(
                    (unknown[key] for names in missing if (key := (metric, *names)) in unknown),
                    _ABSENT,
                )
                found[metric] = why, len(missing), len(objects)
        return found


def pair(plan: LosslessPlan, before: Look | None, now: Look) -> Pair | None:
    """Return the two looks at a switch. None if it did not answer now."""
    seen = now.seen.get(plan.switch)
    if seen is None:
        return None
    then = before.seen.get(plan.switch) if before is not None else None
    if before is None or then is None:
        return Pair(plan=plan, now=seen, why="a rate needs two looks")
    seconds, why = _between(then.clock, seen.clock, seen.taken - then.taken)
    return Pair(plan=plan, now=seen, before=then, seconds=seconds, why=why)


def _between(then: float | None, now: float | None, ours: float) -> tuple[float | None, str]:
    """Return the seconds on the clock of a switch, or the reason why they are unknown."""
    if then is None or now is None or not isfinite(now - then):
        return None, "the time of the switch was not read"
    seconds = now - then
    if abs(seconds - ours) > max(_CLOCK_SECONDS, _CLOCK_SHARE * ours):
        return None, f"the clock of the switch moved {seconds:,.0f} s within {ours:,.0f} s"
    if seconds <= 0:
        return None, "the clock of the switch did not move"
    return seconds, ""
