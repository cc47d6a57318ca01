"""Run the catalogue on two equal looks at a written switch."""

from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import Observed
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Outcome, Result, Subject
from fabricgen.prove.runs import Expected

BAD = (Outcome.FAILED, Outcome.NOT_YET)


def checked(wanted: Expected, look: Observed) -> tuple[Result, ...]:
    """The results of two equal looks."""
    reader = reader_of(wanted.platform)
    assert reader is not None
    return run(catalogue(), Subject(expected=wanted, observed=look, before=look), reader)


def sentences(results: tuple[Result, ...], *kinds: Outcome) -> list[str]:
    return [
        f"{each.check}: {finding.sentence}"
        for each in results
        for finding in each.findings
        if finding.outcome in kinds
    ]


def passed(results: tuple[Result, ...]) -> set[str]:
    return {each.check for each in results if each.outcome is Outcome.PASSED}
