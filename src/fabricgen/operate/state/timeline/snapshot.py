"""Reduce a look at a switch to the state that the timeline stores."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts, Key, Topic, subject_of
from fabricgen.nos.measures import BY_NAME, Measure
from fabricgen.nos.show import Observed, Part
from fabricgen.operate.state.timeline.redaction import is_secret, name_of, plain, value_of
from fabricgen.prove.catalogue.coverage import FIRST
from fabricgen.prove.catalogue.model import Finding, Outcome, Result
from fabricgen.prove.runs import topic

FINDING, UNREAD = "finding", "unread"
"""Kinds of stored objects that are no facts: `finding NAME OBJECT` and `unread PART`."""
TEXT = "text"
"""Attribute of an unread part, and of a finding about a whole object."""
MOST = 200_000
"""Largest number of stored values of one switch. A switch with 2,000 routes has about 10,000."""
CHOSEN = frozenset(
    {
        *("pause-received", "pause-sent", "paused-time", "link-pause-received", "link-pause-sent"),
        *("ecn-marked", "queue-drops", "group-drops", "watchdog-storms", "watchdog-restored"),
        *("queue-peak", "group-peak", "headroom-peak", "pool-peak", "pool-headroom-peak"),
        *("receive-errors", "transmit-errors", "fcs-errors", "symbol-errors", "oversize"),
        *("fec-uncorrected", "pre-fec-ber", "flaps", "light-received", "module-temperature"),
        *("prefixes-received", "prefixes-refused", "prefixes-sent", "evpn-routes"),
        *("macs", "neighbors", "capacity-used"),
    }
)
"""Metrics with hourly summaries. Left out are byte and packet counters, which telemetry stores, and
limits, which are no measurements."""


class Source(StrEnum):
    """Reason of a look."""

    VERIFY = "verify"
    PUSH = "push"
    WATCH = "watch"
    RECORDING = "recording"


@record(kw_only=True)
class Seen:
    """The stored part of a look at one switch.

    Attributes:
        facts: Facts, findings and unread parts, without secrets.
        numbers: Measures of the chosen metrics, the lowest of all lanes of a port.
        clock: Time of the switch in seconds since 1970, if it was read.
        uptime: Seconds since the start of the switch, if they were read.
        lost: Topics that this look could not read. Their last known facts remain.
        checks: Names of the checks with a result. Findings of other checks remain.
        answered: Whether the switch answered.
        partial: Whether the look asked only some questions. Facts that it lacks remain.
    """

    facts: Facts
    numbers: Mapping[Measure, float] = field(default_factory=dict)
    clock: float | None = None
    uptime: float | None = None
    lost: frozenset[tuple[str, ...]] = frozenset()
    checks: frozenset[str] = frozenset()
    answered: bool = True
    partial: bool = False

    @property
    def sessions(self) -> tuple[str, ...]:
        """Return the configuration sessions of others on the switch."""
        return sessions_in(self.facts)


def sessions_in(facts: Mapping[Key, Attributes]) -> tuple[str, ...]:
    """Return the configuration sessions in facts, as `NAME of WHO`."""
    return tuple(
        " of ".join(filter(None, (" ".join(key[1:]), str(own.get("who", "")))))
        for key, own in facts.items()
        if key[0] == "pending"
    )


def seen(
    observed: Observed,
    about: Mapping[Topic, Part],
    results: Iterable[Result] = (),
    *,
    partial: bool = False,
) -> Seen:
    """Return the stored part of a snapshot.

    Args:
        observed: The snapshot.
        about: Part of each topic.
        results: Results of the checks on it. A look without checks changes no finding.
        partial: Whether the look asked only some questions.
    """
    ran = [
        each
        for each in results
        if each.outcome is not Outcome.UNREAD and each.reason != FIRST  # needs a second look
    ]
    facts = _limited(observed.facts)
    if not partial:
        facts |= {(UNREAD, part): {TEXT: plain(why)} for part, why in observed.unread.items()}
    _add_findings(facts, [found for each in ran for found in each.findings])
    return Seen(
        facts=facts,
        numbers=_numbers(observed.measures),
        clock=_clock(observed.clock),
        uptime=observed.measures.get(("uptime",)),
        lost=frozenset(
            {of for of, part in about.items() if part in observed.unread} | {*observed.unknown}
        ),
        checks=frozenset(each.check for each in ran),
        partial=partial,
    )


def measured(measures: Mapping[Measure, float], clock: float | None) -> Seen:
    """Return the stored part of a look that read only measures."""
    return Seen(facts={}, numbers=_numbers(measures), clock=_clock(clock), partial=True)


def _clock(clock: float | None) -> float | None:
    """Return a time of this century; anything else is no time."""
    return clock if clock is not None and 0 < clock < _END else None


_END = 4_102_444_800
"""2100-01-01."""


def silent(reason: str) -> Seen:
    """Return the stored part of a look at a switch that did not answer."""
    return Seen(facts={(UNREAD, "switch"): {TEXT: plain(reason)}}, answered=False)


def _limited(facts: Mapping[Key, Attributes]) -> Facts:
    """Return facts without secrets, up to the limit."""
    stored: Facts = {}
    left = MOST
    for key, own in facts.items():
        left -= len(own)
        if left < 0:
            stored[UNREAD, "timeline"] = {TEXT: f"more than {MOST} values; the rest is not stored"}
            break
        stored[name_of(key)] = {plain(name): value_of(key, name, own[name]) for name in own}
    return stored


def _add_findings(facts: Facts, findings: Iterable[Finding]) -> None:
    """Add findings; several about one attribute of one object get numbers."""
    counts = Counter[tuple[Key, str]]()
    for each in findings:
        if each.outcome is Outcome.UNREAD:
            continue
        key, attribute = (FINDING, each.check, *name_of(each.key or ("",))), each.attribute or TEXT
        counts[key, attribute] += 1
        number = counts[key, attribute]
        name = attribute if number == 1 else f"{attribute} {number}"
        facts.setdefault(key, {})[name] = _sentence(each)


def _sentence(each: Finding) -> str:
    if each.key and is_secret(each.key, each.attribute):
        return f"{subject_of(name_of(each.key))}: {each.attribute} is wrong (value hidden)"
    return plain(each.sentence.removeprefix(f"{each.switch}: "))


def _numbers(measures: Mapping[Measure, float]) -> dict[Measure, float]:
    """Return the chosen measures. The lanes of a port have one number."""
    numbers: dict[Measure, float] = {}
    for key, value in measures.items():
        if key[0] not in CHOSEN or len(numbers) >= MOST or not math.isfinite(value):
            continue
        about = BY_NAME[key[0]].about
        short = key[:-1] if about[-1:] == ("lane",) and len(key) > len(about) else key
        numbers[short] = min(value, numbers[short]) if short in numbers else value
    return numbers


def completed(before: Mapping[Key, Attributes], seen: Seen) -> Facts:
    """Return the facts of a look with the last known facts of everything that was not read."""
    facts = dict(seen.facts)
    for key, own in before.items():
        last = {name: value for name, value in own.items() if _is_lost(key, name, seen)}
        if last and (key[0] != UNREAD or not seen.answered or seen.partial):
            facts[key] = last | facts.get(key, {})
    return facts


def _is_lost(key: Key, attribute: str, seen: Seen) -> bool:
    if seen.partial or not seen.answered:
        return True
    if key[0] == FINDING:
        if key[1] not in seen.checks:
            return True
        key = key[2:]
    about = topic(key, attribute)
    return about in seen.lost or (*about, *key[1:]) in seen.lost
