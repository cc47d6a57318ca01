"""Check counters that must not grow between two snapshots of a switch."""

from collections.abc import Callable, Iterator
from math import isfinite

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.measures import BY_NAME
from fabricgen.nos.show import Observed
from fabricgen.prove.catalogue.model import Deviation, Rule, Subject

Names = tuple[str, ...]
Chosen = Callable[[Subject, Names], bool]
"""Decides whether a rule is about the object with these names."""
KINDS = {"port": "interface", "queue": "qos", "priority": "qos", "group": "qos"}


def growth(before: Observed, after: Observed, metric: str) -> Iterator[tuple[Names, int]]:
    """Yield the objects whose counter grew, and by how much. A smaller counter began at zero."""
    for measure, now in after.measures.items():
        if measure[0] == metric and measure in before.measures:
            then = before.measures[measure]
            more = now - then if now >= then else now
            if more > 0 and isfinite(more):
                yield measure[1:], int(more)


def seconds(subject: Subject) -> float | None:
    """Return the time between the two snapshots by the switch's own clock. None if unknown."""
    before = subject.before
    if before is None or before.clock is None or subject.observed.clock is None:
        return None
    passed = subject.observed.clock - before.clock
    return passed if passed > 0 else None


def named(metric: str, names: Names) -> str:
    """Return the words for an object, as `port Ethernet0 queue 3`."""
    about = BY_NAME[metric].about
    return " ".join(f"{word} {name}" for word, name in zip(about, names, strict=False))


def grown(
    *metrics: str, limit: str = "", chosen: Chosen | None = None, meaning: str = "grew by"
) -> Rule:
    """Return the rule that counters must not grow by more than a limit.

    Args:
        metrics: Names of the counters.
        limit: Name of the limit in `WatchLimits`. Empty: no growth at all.
        chosen: Objects that the rule is about. None: all objects.
        meaning: Verb of the message.
    """

    def rule(subject: Subject) -> Iterator[Deviation]:
        if subject.before is None:
            return
        most = _limit(subject.limits, limit)
        for metric in metrics:
            for names, more in growth(subject.before, subject.observed, metric):
                if more > most and (chosen is None or chosen(subject, names)):
                    yield Deviation(
                        sentence=f"{metric} of {named(metric, names)} {meaning} {more:,}",
                        key=("interface", names[0]),
                        attribute=metric,
                        expected=f"at most {most:g} more",
                        actual=f"{more:,} more",
                        limit=limit,
                    )

    return rule


def _limit(limits: WatchLimits, name: str) -> float:
    return float(getattr(limits, name)) if name else 0.0


port_errors = grown("receive-errors", "transmit-errors", limit="error_frames")
signal_errors = grown("fcs-errors", "symbol-errors", limit="error_frames")
frame_size = grown("oversize", limit="error_frames")
flaps = grown("flaps", limit="flaps", meaning="changed")
uncorrected = grown("fec-uncorrected")
link_pause = grown("link-pause-received", "link-pause-sent")
