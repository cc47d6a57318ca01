"""Check lossless traffic: drops, pauses, ECN marking, storms, and the use of buffers."""

from collections.abc import Iterator

from fabricgen.nos.show import Observed
from fabricgen.prove.catalogue.growth import Names, grown, growth, named, seconds
from fabricgen.prove.catalogue.model import Deviation, Outcome, Subject

_MILLION = 1e6


def paused(subject: Subject, port: str) -> frozenset[str]:
    """Return the priorities that PFC protects on a port, in the model."""
    return frozenset(subject.expected.paused.get(port, ()))


def marked_queues(subject: Subject, port: str) -> frozenset[str]:
    """Return the queues that the model marks with ECN on a port.

    A queue has the number of its class. On Linux it has the name of its class in tc, as in facts.
    """
    named = subject.expected.facts.get(("queues", port), {})
    own = (name.partition(" ")[2] for name in named if name.startswith("marking "))
    return frozenset((*own, *(queue for each, queue in subject.expected.marked if each == port)))


def _is_lossless_group(subject: Subject, names: Names) -> bool:
    """Return whether a priority group has headroom in the model, or is a protected priority."""
    return ("headroom", *names[:2]) in subject.expected.facts or names[1] in paused(
        subject, names[0]
    )


def _is_lossless_queue(subject: Subject, names: Names) -> bool:
    return names[1] in paused(subject, names[0])


def _is_unexpected(subject: Subject, names: Names) -> bool:
    return names[1] not in paused(subject, names[0])


_group_drops = grown("group-drops", chosen=_is_lossless_group, meaning="dropped")
_queue_drops = grown("queue-drops", chosen=_is_lossless_queue, meaning="dropped")
unexpected_pauses = grown("pause-received", "pause-sent", chosen=_is_unexpected)


def drops(subject: Subject) -> Iterator[Deviation]:
    """Yield lossless priority groups and queues that dropped packets."""
    yield from _group_drops(subject)
    yield from _queue_drops(subject)


def storms(subject: Subject) -> Iterator[Deviation]:
    """Yield queues in a storm now, and queues with a storm since the earlier snapshot."""
    measures = subject.observed.measures
    for (metric, *rest), detected in measures.items():
        names = tuple(rest)
        restored = measures.get(("watchdog-restored", *names))
        if metric != "watchdog-storms" or restored is None or detected <= restored:
            continue
        yield _storm(names, f"{named(metric, names)} is in a PFC storm and drops packets")
    if subject.before is not None:
        for names, more in _new_storms(subject.before, subject.observed):
            said = f"the PFC watchdog detected {more:,} storms on {named('watchdog-storms', names)}"
            yield _storm(names, said)


def _new_storms(before: Observed, after: Observed) -> Iterator[tuple[Names, int]]:
    """Yield storms since an earlier snapshot. EOS lists a queue only after its first storm."""
    yield from growth(before, after, "watchdog-storms")
    for measure, now in after.measures.items():
        if measure[0] == "watchdog-storms" and measure not in before.measures and now > 0:
            yield measure[1:], int(now)


def _storm(names: Names, sentence: str) -> Deviation:
    return Deviation(
        sentence=sentence,
        key=("interface", names[0]),
        attribute="watchdog-storms",
        expected="no storm",
        actual="storm",
    )


def pause_share(subject: Subject) -> Iterator[Deviation]:
    """Yield ports whose neighbor pauses a priority for too long, or too often."""
    before, passed = subject.before, seconds(subject)
    if before is None:
        return
    if passed is None:
        yield _timeless("pause-received")
        return
    most = subject.limits.paused_share
    timed = set()
    for names, more in _all(before, subject.observed, "paused-time"):
        timed.add(names)
        share = 100 * more / _MILLION / passed
        if share > most:
            yield Deviation(
                sentence=f"the neighbor pauses {named('paused-time', names)} for {share:.1f} % of "
                "the time: a slow receiver",
                key=("interface", names[0]),
                attribute="paused-time",
                expected=f"at most {most:g} %",
                actual=f"{share:.1f} %",
                limit="paused_share",
            )
    counted = {measure[1] for measure in subject.observed.measures if measure[0] == _BY_PRIORITY}
    for metric, known in ((_BY_PRIORITY, frozenset()), (_BY_PORT, frozenset(counted))):
        for names, more in growth(before, subject.observed, metric):
            often = more / passed > subject.limits.pauses
            if often and names not in timed and names[0] not in known:
                yield _pauses(subject, metric, names, more / passed)


_BY_PRIORITY, _BY_PORT = "pause-received", "port-pause-received"


def _pauses(subject: Subject, metric: str, names: Names, rate: float) -> Deviation:
    return Deviation(
        sentence=f"the neighbor pauses {named(metric, names)} {rate:,.0f} times a second: a slow "
        "receiver",
        key=("interface", names[0]),
        attribute=metric,
        expected=f"at most {subject.limits.pauses:,} a second",
        actual=f"{rate:,.0f} a second",
        limit="pauses",
    )


def _all(before: Observed, after: Observed, metric: str) -> Iterator[tuple[Names, float]]:
    """Yield the growth of a counter for each object, also zero."""
    for measure, now in after.measures.items():
        if measure[0] == metric and measure in before.measures:
            yield measure[1:], max(0.0, now - before.measures[measure])


def _timeless(metric: str) -> Deviation:
    return Deviation(
        sentence="a rate is unknown, because the answers have no time of the switch",
        attribute=metric,
        outcome=Outcome.UNREAD,
    )


def ecn_rate(subject: Subject) -> Iterator[Deviation]:
    """Yield lossless queues that mark too many of their packets."""
    before, most = subject.before, subject.limits.marked_share
    if before is None:
        return
    sent = dict(growth(before, subject.observed, "queue-packets"))
    for names, marked in growth(before, subject.observed, "ecn-marked"):
        if names not in sent:
            continue
        share = 100 * marked / sent[names]
        if share > most:
            yield Deviation(
                sentence=f"{named('ecn-marked', names)} marks {share:.1f} % of its packets",
                key=("marking", *names),
                attribute="ecn-marked",
                expected=f"at most {most:g} %",
                actual=f"{share:.1f} %",
                limit="marked_share",
            )


def strange_marks(subject: Subject) -> Iterator[Deviation]:
    """Yield queues that mark packets although the model gives them no ECN thresholds."""
    if subject.before is None:
        return
    for names, more in growth(subject.before, subject.observed, "ecn-marked"):
        if names[1] not in marked_queues(subject, names[0]):
            yield Deviation(
                sentence=f"{named('ecn-marked', names)} marked {more:,} packets, but the model "
                "has no ECN thresholds there",
                key=("interface", names[0]),
                attribute="ecn-marked",
                expected="no marked packet",
                actual=f"{more:,} marked packets",
            )


def headroom_use(subject: Subject) -> Iterator[Deviation]:
    """Yield priority groups whose headroom was nearly full within one sample."""
    for measure, peak in subject.observed.measures.items():
        if measure[0] != "headroom-peak":
            continue
        key = ("headroom", *measure[1:])
        computed = _number(subject, key, "bytes")
        if computed is None:
            continue
        yield from _use(subject, "headroom_share", key, (measure, peak, computed))


def pool_use(subject: Subject) -> Iterator[Deviation]:
    """Yield buffer pools that were nearly full within one sample."""
    for metric, attribute in (("pool-peak", "size"), ("pool-headroom-peak", "headroom")):
        for measure, peak in subject.observed.measures.items():
            key = ("pool", *measure[1:])
            computed = _number(subject, key, attribute) if measure[0] == metric else None
            if computed is not None:
                yield from _use(subject, "buffer_share", key, (measure, peak, computed))


Peak = tuple[Names, float, float]
"""A measure, its value in bytes, and the computed bytes."""


def _use(subject: Subject, limit: str, key: Names, peak: Peak) -> Iterator[Deviation]:
    measure, most, computed = peak
    share, allowed = 100 * most / computed, getattr(subject.limits, limit)
    if share > allowed:
        sampled = subject.observed.sampled.get(measure[0])
        within = f" within {sampled:g} s" if sampled else ""
        yield Deviation(
            sentence=f"{named(measure[0], measure[1:])} used {most:,.0f} of {computed:,.0f} bytes "
            f"({share:.0f} %){within}",
            key=key,
            attribute=measure[0],
            expected=f"at most {allowed:g} % of {computed:,.0f} bytes",
            actual=f"{most:,.0f} bytes",
            limit=limit,
        )


def _number(subject: Subject, key: Names, attribute: str) -> float | None:
    """Return a positive number of the model."""
    value = subject.expected.facts.get(key, {}).get(attribute)
    try:
        number = float(value) if isinstance(value, str) else 0.0
    except ValueError:
        return None
    return number if number > 0 else None
