"""Define a measurement that is compared with the model: claim, verdict and sentence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """Result of a measurement."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_ASKED = "not asked"  # impossible in this lab or site; the sentence has the reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One line of the report. faults: a sentence for each wrong pair, port or DSCP.

    figures: measured values for programs; the verdict never depends on a clock.
    """

    name: str
    verdict: Verdict
    sentence: str
    faults: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return {
            "name": self.name,
            "verdict": str(self.verdict),
            "sentence": self.sentence,
            "faults": list(self.faults),
            "figures": dict(self.figures),
        }


def judged(name: str, sentence: str, faults: Iterable[str], **figures: Any) -> Proof:
    """Return a proof that holds without faults."""
    every = tuple(faults)
    return Proof(
        name=name,
        verdict=Verdict.FAILS if every else Verdict.HOLDS,
        sentence=sentence,
        faults=every,
        figures=figures,
    )


def not_asked(name: str, why: str) -> Proof:
    """Return a proof that is impossible in this lab, with the reason."""
    return Proof(name=name, verdict=Verdict.NOT_ASKED, sentence=why)
