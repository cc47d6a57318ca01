"""Define the refusal of a switch: a kind that the operator's side recognizes, and a sentence."""

from __future__ import annotations

BUSY = "busy"
NO_CHECKPOINT = "no checkpoint"
CANDIDATE = "candidate"
RELOAD = "reload"
"""The candidate is right, and the switch takes it by its second path alone."""
COMMIT = "commit"


class Refusal(Exception):  # noqa: N818 - an answer, not a fault
    """Nothing was changed by what was asked."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class StepError(Exception):
    """A step of a commit that did not succeed; the text is why, without a secret."""
