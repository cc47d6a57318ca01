"""Run the steps that the designs of several kinds of fabrics share."""

from collections.abc import Callable
from typing import TypeVar

from fabricgen.compile.design.addressing import judge_pools
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.lossless import Sort
from fabricgen.compile.design.qos import judge_classes
from fabricgen.compile.design.roce_profiles import adopted
from fabricgen.compile.design.unused import say_unused
from fabricgen.compile.design.wiring.naming import judge_patterns
from fabricgen.compile.design.wiring.tiers import UpperTiers
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import LosslessFabric
from fabricgen.intent.model.qos import Roce
from fabricgen.intent.model.routed import Routed

One = TypeVar("One", Backend, Frontend, Routed)
W = TypeVar("W", bound=LosslessFabric)


def adopt_profile(words: One, findings: Findings) -> One:
    """Return the words with the numbers of their RoCE profile."""
    made = findings.attempt(lambda: words.model_copy(update={"roce": _adopted(words.roce)}))
    return words if made is None else made


def _adopted(roce: Roce | None) -> Roce | None:
    return adopted(roce) if roce is not None else None


def judge_words(words: W, findings: Findings, *more: Callable[[W, Findings], None]) -> None:
    """Report errors of the words before anything is counted."""
    judges: list[Callable[[W, Findings], None]] = [say_unused, judge_patterns, judge_pools]
    for judge in (*judges, judge_classes, *more):
        with findings.going_on():
            judge(words, findings)


def sort_uppers(words: Backend | Frontend, size: UpperTiers) -> list[Sort]:
    """Return the sorts of the switches above the leafs."""
    return [
        Sort(role=role, model=getattr(words, role).model, path=words.at(role), face=tier.face)
        for role, tier in size.tiers.items()
    ]
