"""What becomes of parts of a way in; what becomes of the whole out."""

from fabricgen.prove.walk.packet import Hop, Outcome, Station, Verdict


def stops(rule: str, hops: tuple[Hop, ...] = ()) -> Verdict:
    """Return that a packet ends, by a rule."""
    return Verdict(outcome=Outcome.STOPS, rule=rule, hops=hops)


def unknown(rule: str) -> Verdict:
    """Return that nobody knows, and what is not understood."""
    return Verdict(outcome=Outcome.UNKNOWN, rule=f"not understood: {rule}")


def taken(other: Station) -> Verdict:
    """Return that a station takes a packet."""
    hop = Hop(node="outside" if other.outside else other.node, act="takes it")
    return Verdict(outcome=Outcome.REACHES, rule="every table on the way has it", hops=(hop,))


def after(hop: Hop, rest: Verdict) -> Verdict:
    """Put a hop before what comes of it."""
    return Verdict(outcome=rest.outcome, rule=rest.rule, hops=(hop, *rest.hops), ways=rest.ways)


def joined(first: Verdict, rest: Verdict) -> Verdict:
    """Put two parts of a way together, of which the first is passed."""
    return Verdict(
        outcome=rest.outcome,
        rule=rest.rule,
        hops=(*first.hops, *rest.hops),
        ways=first.ways * rest.ways,
    )


def every_way(every: list[Verdict]) -> Verdict:
    """Return what becomes of a packet that may take any of several ways: it must arrive by each."""
    lost = [each for each in every if each.outcome is Outcome.STOPS]
    worst = next((each for each in every if each.outcome is Outcome.UNKNOWN), None)
    if not every:
        return stops("no way is left")
    if worst is not None or lost:
        bad = worst or lost[0]
        part = f" (on {len(lost)} of {len(every)} ways)" if 0 < len(lost) < len(every) else ""
        return Verdict(outcome=bad.outcome, rule=bad.rule + part, hops=bad.hops)
    ways = sum(each.ways for each in every)
    first = every[0]
    return Verdict(outcome=first.outcome, rule=first.rule, hops=first.hops, ways=ways)
