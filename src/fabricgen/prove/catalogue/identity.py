"""Check the release of a switch, and the laws of values that no design sets."""

from collections.abc import Iterator

from fabricgen.prove.catalogue.model import Deviation, InapplicableError, Outcome, Subject
from fabricgen.prove.differences import Kind


def release(subject: Subject) -> Iterator[Deviation]:
    """Yield that a switch runs another version than the release of the intent has.

    The first two numbers count, because the third one of FRR is `BUGFIX` (FRRouting/frr
    doc/developer/workflow.rst, Releases).
    """
    wanted, version = subject.expected.release
    runs = subject.observed.runs
    if not version:
        raise InapplicableError("the intent names no release")
    if not runs:
        yield Deviation(
            sentence=f"the version is unread; the intent has release {wanted} ({version})",
            expected=version,
            outcome=Outcome.UNREAD,
        )
    elif _train(version) != _train(runs):
        yield Deviation(
            sentence=f"runs {runs}, the intent has release {wanted} ({version})",
            expected=version,
            actual=runs,
        )


def _train(version: str) -> list[str]:
    return version.split(".")[:2]


def laws(subject: Subject) -> Iterator[Deviation]:
    """Yield broken laws. `compare` found them; they have an object, but no fact of the model."""
    for each in subject.differences or ():
        if each.topic is None and each.kind is Kind.WRONG:
            said = each.sentence.removeprefix(f"{subject.expected.switch}: ")
            yield Deviation(sentence=said, key=each.key)
