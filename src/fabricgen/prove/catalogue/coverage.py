"""Decide whether a check applies to a switch, and which of its values were not read.

An unread or absent value is never zero and never right. So a check without values is unread, or not
applicable with a reason, and a check with some values names the others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from fabricgen.core.tree.facts import Facts, Topic
from fabricgen.nos.registry import nos
from fabricgen.nos.show import UP, Part, Reader
from fabricgen.prove import left
from fabricgen.prove.catalogue.model import Check, Deviation, Outcome, Subject
from fabricgen.prove.differences import Difference, compare
from fabricgen.prove.runs import topic

FIRST = "growth needs two snapshots of the switch"
NO_OBJECT = "the model has no such object on this switch"
_NEEDS = {
    "lossless": "the model has no lossless class on this switch",
    "marking": "the model has no class with ECN on this switch",
}
Answer = tuple[Outcome, str]


class Coverage:
    """The values of one snapshot, counted once for all checks."""

    def __init__(self, subject: Subject, reader: Reader) -> None:
        """Take the two states, and the reader that read the switch."""
        if subject.differences is None:
            found = compare(subject.expected, subject.observed)
            subject = replace(subject, differences=found)
        self.subject, self.reader = subject, reader

    @cached_property
    def differences(self) -> Mapping[Topic, list[Difference]]:
        """Differences by topic."""
        found: dict[Topic, list[Difference]] = defaultdict(list)
        for each in self.subject.differences or ():
            if each.topic is not None:
                found[each.topic].append(each)
        return found

    @cached_property
    def _expected(self) -> Mapping[Topic, int]:
        """Number of expected values by topic, without optional objects that were read as absent."""
        there, lacks = self.subject.observed.facts, self.subject.expected.may_lack
        facts, lost = self.subject.expected.facts, self._unread
        return _count(
            {
                key: own
                for key, own in facts.items()
                if not lacks(key) or key in there or any(topic(key, n) in lost for n in own)
            }
        )

    @cached_property
    def _unread(self) -> frozenset[Topic]:
        """Topics of parts that could not be read."""
        lost = self.subject.observed.unread
        return frozenset(each for each, part in self.reader.about.items() if part in lost)

    @cached_property
    def _observed(self) -> Mapping[Topic, int]:
        """Number of observed values by topic."""
        return _count(self.subject.observed.facts)

    @cached_property
    def _measured(self) -> Mapping[str, int]:
        """Number of measured values by metric."""
        return Counter(measure[0] for measure in self.subject.observed.measures)

    def objects(self, check: Check) -> int:
        """Return the number of values that a check compares."""
        counts = self._observed if check.rule else self._expected
        compared = sum(counts.get(each, 0) for each in self._topics(check))
        return compared + sum(self._measured.get(each, 0) for each in check.metrics)

    def applies(self, check: Check) -> Answer:
        """Return PASSED if the check can run, or the reason why it cannot."""
        platform = self.subject.expected.platform
        if platform in check.absent:
            return Outcome.NOT_APPLICABLE, check.absent[platform]
        topics, metrics = self._topics(check), self._metrics(check)
        if (check.topics or check.metrics) and not topics and not metrics:
            return Outcome.NOT_APPLICABLE, f"the reader of {platform} does not read this"
        if check.needs and not self._has(check.needs):
            return Outcome.NOT_APPLICABLE, _NEEDS.get(check.needs, NO_OBJECT)
        return self._facts(check, topics) or self._values(check, metrics) or (Outcome.PASSED, "")

    def _has(self, needs: str) -> bool:
        """Return whether the model has the objects that a check needs."""
        expected = self.subject.expected
        if needs in _NEEDS:
            return bool(expected.paused if needs == "lossless" else expected.marked)
        kind, _, name = needs.partition(" ")
        return bool(self._expected.get((kind, name)))

    def _facts(self, check: Check, topics: list[Topic]) -> Answer | None:
        """Return why no fact of some topics can be compared."""
        if not topics:
            return None
        unknown = self.subject.observed.unknown
        reasons = [unknown[each] for each in topics if each in unknown]
        if len(reasons) == len(topics):
            return Outcome.NOT_APPLICABLE, reasons[0]
        if check.rule:  # it also finds objects that no design has
            return None
        expects = any(self._expected.get(each) or each[0] in left.LEFT for each in topics)
        if not expects and not any(self.differences.get(each) for each in topics):
            return Outcome.NOT_APPLICABLE, NO_OBJECT
        return None

    def _values(self, check: Check, metrics: list[str]) -> Answer | None:
        """Return why the rule of a check has no measured values."""
        if not check.metrics or check.topics:
            return None
        missing = [each for each in check.metrics if not self._measured.get(each)]
        if not (missing if check.complete else len(missing) == len(check.metrics)):
            first = check.looks > 1 and self.subject.before is None
            return (Outcome.NOT_APPLICABLE, FIRST) if first else None
        return self._absent(check, missing, metrics)

    def _absent(self, check: Check, missing: list[str], metrics: list[str]) -> Answer:
        """Return why metrics have no value. The first reason of this order is the cause."""
        observed, platform = self.subject.observed, self.subject.expected.platform
        parts = [self.reader.measured[each] for each in missing if each in metrics]
        unread = [observed.unread[part] for part in parts if part in observed.unread]
        reasons = [observed.unknown[each,] for each in missing if (each,) in observed.unknown]
        reasons += filter(None, [self._lacking(check)])
        unasked = [each for each in missing if each not in metrics]
        reasons += [f"the reader of {platform} does not read {each}" for each in unasked[:1]]
        if unread or not reasons:
            said = f"no answer of the switch has a value of {', '.join(missing)}"
            return Outcome.UNREAD, (*unread, said)[0]
        return Outcome.NOT_APPLICABLE, reasons[0]

    def _lacking(self, check: Check) -> str:
        """Return why the release of the intent does not report the values of a check."""
        platform = self.subject.expected.platform
        if not any(each.startswith(f"{platform} ") for each in check.lacking):
            return ""
        release = nos(platform).branch(self.subject.expected.release[0])
        return check.lacking.get(f"{platform} {release}", "")

    def is_ruled(self, check: Check) -> bool:
        """Return whether the rule of a check has the snapshots and values that it needs."""
        if check.looks > 1 and self.subject.before is None:
            return False
        return not check.metrics or any(self._measured.get(each) for each in check.metrics)

    def gaps(self, check: Check) -> Iterator[Deviation]:
        """Yield parts that could not be read, and ports of the model without a value."""
        reasons: dict[str, list[Part]] = defaultdict(list)
        for part in self._parts(check):
            if part in self.subject.observed.unread:
                reasons[self.subject.observed.unread[part]].append(part)
        for why, parts in reasons.items():
            said = f"{', '.join(parts)} could not be read: {why}"
            yield Deviation(sentence=said, outcome=Outcome.UNREAD)
        if check.covers == "ports":
            yield from self._uncovered(check)

    def _parts(self, check: Check) -> list[Part]:
        """Return the parts of the values that a check needs."""
        facts = (
            self.reader.about[each]
            for each in self._topics(check)
            if self._expected.get(each) or each[0] in left.LEFT or check.rule
        )
        metrics = (self.reader.measured[each] for each in self._metrics(check))
        return list(dict.fromkeys((*facts, *metrics)))

    def _uncovered(self, check: Check) -> Iterator[Deviation]:
        """Yield the cabled ports without any of the metrics."""
        observed, metrics = self.subject.observed, self._metrics(check)
        if any(self.reader.measured[each] in observed.unread for each in metrics):
            return
        have = {measure[1] for measure in observed.measures if measure[0] in metrics}
        for key, own in self.subject.expected.facts.items():
            if key[0] != "interface" or own.get("link") != UP or key[1] in have:
                continue
            if key[1] == self.reader.names.management:
                continue
            if ("cable", key[1]) not in self.subject.expected.facts:
                continue
            if not any((each, key[1]) in observed.unknown for each in metrics):
                said = f"no answer has a value of {', '.join(metrics)} for {key[1]}"
                yield Deviation(
                    sentence=said, key=key, attribute=metrics[0], outcome=Outcome.UNREAD
                )

    def _topics(self, check: Check) -> list[Topic]:
        return [each for each in check.topics if each in self.reader.about]

    def _metrics(self, check: Check) -> list[str]:
        return [each for each in check.metrics if each in self.reader.measured]


def _count(facts: Facts) -> Counter[Topic]:
    return Counter(
        topic(key, name) for key, own in facts.items() for name, value in own.items() if value
    )
