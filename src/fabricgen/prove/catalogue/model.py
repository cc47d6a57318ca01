"""Define a check of running switches, its result on one switch, and its findings."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key, Topic
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.show import Observed
from fabricgen.prove.differences import Difference
from fabricgen.prove.runs import Expected


class Outcome(StrEnum):
    """Result of a check on one switch."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_YET = "not yet"  # a protocol result is missing: it may still arrive
    UNREAD = "unread"  # unknown, because it could not be read or is not verified
    NOT_APPLICABLE = (
        "not applicable"  # the model has no such object, or the platform does not report it
    )


class Severity(StrEnum):
    """Reaction to a failed check. An error stops a push, and `verify` fails."""

    ERROR = "error"
    WARNING = "warning"


@record(kw_only=True)
class Finding:
    """One deviation of one object.

    Attributes:
        switch: Name of the switch.
        check: Name of the check.
        outcome: FAILED, NOT_YET or UNREAD.
        severity: Severity of the check.
        sentence: The complete message, with the name of the switch.
        key: The object. Empty if no single object deviates.
        attribute: Attribute of the fact, or name of the metric. Empty for other rules.
        expected: The expected value or limit, for people.
        actual: The value of the switch, for people.
        source: Command and field of the actual value.
        because: Reason of the object in the design.
    """

    switch: str
    check: str
    outcome: Outcome
    severity: Severity
    sentence: str
    key: Key = ()
    attribute: str = ""
    expected: str = ""
    actual: str = ""
    source: str = ""
    because: Provenance | None = None


@record(kw_only=True)
class Result:
    """Result of one check on one switch.

    Attributes:
        reason: Reason of UNREAD and NOT_APPLICABLE. Of PASSED, the values that it does not cover.
        objects: Number of compared values.
        findings: Deviations. Empty if the check passed.
    """

    switch: str
    check: str
    outcome: Outcome
    severity: Severity
    reason: str = ""
    objects: int = 0
    findings: tuple[Finding, ...] = ()


@record(kw_only=True)
class Subject:
    """All that a rule may know of one switch.

    Attributes:
        expected: Expected state, from the model.
        observed: Snapshot of the switch.
        before: Earlier snapshot, for rates and growth. None if there is none.
        limits: Limits that have no source, from the intent.
        numbers: Thresholds of the model by topic-like key, see prove/catalogue/thresholds.py.
        differences: Differences of the two states. None: the engine compares them.
    """

    expected: Expected
    observed: Observed
    before: Observed | None = None
    limits: WatchLimits = field(default_factory=WatchLimits)
    numbers: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    differences: tuple[Difference, ...] | None = None


@record(kw_only=True)
class Deviation:
    """A deviation that a rule found; the engine makes it a finding.

    `limit`: name of the limit in `WatchLimits` that decided, if any.
    """

    sentence: str
    key: Key = ()
    attribute: str = ""
    expected: str = ""
    actual: str = ""
    outcome: Outcome = Outcome.FAILED
    limit: str = ""


class InapplicableError(Exception):
    """Raised by a rule that has nothing to check on a switch; the text is the reason."""


Rule = Callable[[Subject], Iterator[Deviation]]
"""Yields the deviations of one switch. It never sees a part that is unread as zero."""


@record(kw_only=True)
class Check:
    """One documented check, as its file declares it.

    Attributes:
        name: Its name, as `PortMtu`.
        tags: Groups of checks, as `lossless`. The first one is its column in tables.
        severity: Reaction to a failure.
        proves: The property of the network that holds if the check passes.
        why: The damage without the check.
        topics: Topics of facts that are compared with the model.
        metrics: Metrics that its rule reads.
        complete: Whether the rule needs all of the metrics. Otherwise one is enough.
        needs: Objects without which the check does not apply. They are `lossless` or `marking`
            classes, or a topic of which an expected object has a value.
        covers: Kind of objects that each need a value, as `ports`. Empty for no such objects.
        looks: Number of snapshots that it needs. Growth needs two.
        rule: Name of a rule, in addition to the comparison of topics. Empty for none.
        limits: Limits of `WatchLimits` that the rule uses.
        absent: By platform, the reason why the platform does not report it.
        lacking: By platform and release, as `sonic 202405`, the reason why the release does not.
        example: A message of a failed check.
        sources: Sources of limits and meanings.
    """

    name: str
    tags: tuple[str, ...]
    severity: Severity
    proves: str
    why: str
    topics: tuple[Topic, ...] = ()
    metrics: tuple[str, ...] = ()
    complete: bool = False
    needs: str = ""
    covers: str = ""
    looks: int = 1
    rule: str = ""
    limits: tuple[str, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)
    lacking: Mapping[str, str] = field(default_factory=dict)
    example: str = ""
    sources: tuple[str, ...] = ()
