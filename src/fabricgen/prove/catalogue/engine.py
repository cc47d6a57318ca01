"""Run checks on the snapshot of one switch, and return one result for each check."""

from collections.abc import Iterable, Iterator

from fabricgen.nos.show import Reader
from fabricgen.prove.catalogue.coverage import Coverage
from fabricgen.prove.catalogue.model import (
    Check,
    Deviation,
    Finding,
    InapplicableError,
    Outcome,
    Result,
    Subject,
)
from fabricgen.prove.catalogue.rules import RULES
from fabricgen.prove.differences import Difference, Kind

_KINDS = {
    Kind.WRONG: Outcome.FAILED,
    Kind.NOT_YET: Outcome.NOT_YET,
    Kind.UNREAD: Outcome.UNREAD,
}
_ORDER = (Outcome.FAILED, Outcome.NOT_YET, Outcome.UNREAD)
OURS = "{expected} ({limit}, a choice of fabricgen)"


def run(checks: Iterable[Check], subject: Subject, reader: Reader) -> tuple[Result, ...]:
    """Return the result of each check on one switch."""
    coverage = Coverage(subject, reader)
    return tuple(_result(check, coverage) for check in checks)


def _result(check: Check, coverage: Coverage) -> Result:
    subject = coverage.subject
    outcome, reason = coverage.applies(check)
    findings: tuple[Finding, ...] = ()
    if outcome is Outcome.PASSED:
        try:
            findings = tuple(_findings(check, coverage))
            outcome = _worst(findings)
        except InapplicableError as error:
            findings = tuple(_finding(check, subject, gap) for gap in coverage.gaps(check))
            outcome = _worst(findings) if findings else Outcome.NOT_APPLICABLE
            reason = str(error)
        if outcome is Outcome.UNREAD:
            reason = findings[0].sentence
    return Result(
        switch=subject.expected.switch,
        check=check.name,
        outcome=outcome,
        severity=check.severity,
        reason=reason,
        objects=coverage.objects(check) if outcome is not Outcome.NOT_APPLICABLE else 0,
        findings=findings,
    )


def _findings(check: Check, coverage: Coverage) -> Iterator[Finding]:
    """Yield deviations of facts and of the rule, then unread parts and values."""
    subject = coverage.subject
    for topic in check.topics:
        for each in coverage.differences.get(topic, ()):
            yield _compared(check, subject, each)
    rule = RULES[check.rule] if check.rule and coverage.is_ruled(check) else None
    for found in rule(subject) if rule is not None else ():
        yield _finding(check, subject, found)
    for gap in coverage.gaps(check):
        yield _finding(check, subject, gap)


def _compared(check: Check, subject: Subject, each: Difference) -> Finding:
    """Return the finding of a fact that differs. A value from a guessed field fails no switch."""
    source = subject.expected.sources.get(each.topic or ())
    guess = source.guess if source is not None else ""
    return Finding(
        switch=each.switch,
        check=check.name,
        outcome=Outcome.UNREAD if guess else _KINDS[each.kind],
        severity=check.severity,
        sentence=_verified(each.sentence, guess),
        key=each.key,
        attribute=each.attribute,
        expected=each.expected,
        actual=each.actual,
        source=each.source,
        because=each.because,
    )


def _finding(check: Check, subject: Subject, each: Deviation) -> Finding:
    name, sources = subject.expected.switch, subject.expected.sources
    source = sources.get((each.attribute,)) or sources.get((*each.key[:1], each.attribute))
    guess = source.guess if source is not None and each.outcome is not Outcome.UNREAD else ""
    expected = each.expected
    if each.limit:
        expected = OURS.format(expected=expected, limit=each.limit)
    return Finding(
        switch=name,
        check=check.name,
        outcome=Outcome.UNREAD if guess else each.outcome,
        severity=check.severity,
        sentence=_verified(f"{name}: {each.sentence}", guess),
        key=each.key,
        attribute=each.attribute,
        expected=expected,
        actual=each.actual,
        source=source.text if source is not None else "",
        because=subject.expected.because(each.key),
    )


def _verified(sentence: str, guess: str) -> str:
    return f"{sentence} (not verified: {guess})" if guess else sentence


def _worst(findings: tuple[Finding, ...]) -> Outcome:
    outcomes = {each.outcome for each in findings}
    return next((each for each in _ORDER if each in outcomes), Outcome.PASSED)
