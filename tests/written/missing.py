"""Remove or break one answer of a right look, and name the checks that then fail."""

from collections.abc import Iterator, Mapping

from tests.written.checking import BAD

from fabricgen.nos.questions import Answer
from fabricgen.nos.registry import reader_of
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Outcome, Subject
from fabricgen.prove.runs import Expected

WORDS = "the agent does not answer\n"
BROKEN = {
    "missing": None,
    "cut": Answer('{"x":[[['),
    "an error": Answer(WORDS),
    "an error with its status": Answer(WORDS, 1),
    "a status alone": Answer("", 1),
}


def failures(wanted: Expected, given: Mapping[str, Answer], key: str, *kinds: str) -> Iterator[str]:
    """Yield what a look without a right answer reports as wrong, after a right look.

    `kinds`: of BROKEN. All if there are none.
    """
    reader = reader_of(wanted.platform)
    assert reader is not None
    right = reader.parse(given)
    whole = Subject(expected=wanted, observed=right, before=right)
    was = {each.check: each for each in run(catalogue(), whole, reader)}
    for kind in kinds or BROKEN:
        answer = BROKEN[kind]
        broken = {name: own for name, own in given.items() if name != key}
        look = reader.parse(broken if answer is None else {**broken, key: answer})
        subject = Subject(expected=wanted, observed=look, before=right)
        for result in run(catalogue(), subject, reader):
            now, old = result.outcome, was[result.check].outcome
            bad = now in BAD and old not in BAD
            if bad or (now is Outcome.NOT_APPLICABLE and old is Outcome.PASSED):
                words = [each.sentence for each in result.findings] or [result.reason]
                yield f"{kind}: {now}: {result.check}: {words[0]}"
