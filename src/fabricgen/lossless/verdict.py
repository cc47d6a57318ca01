"""A rule, whether it holds, and its arithmetic in one line: a broken rule is a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one rule."""

    rule: str
    holds: bool
    arithmetic: str
