"""Define the refusal of a switch: a kind that the operator's side recognizes, and a sentence."""

from __future__ import annotations

BUSY = "busy"
NO_CHECKPOINT = "no checkpoint"
CANDIDATE = "candidate"
RELOAD = "reload"
"""The candidate is valid, but only the second method of the switch accepts it."""
COMMIT = "commit"


class Refusal(Exception):  # noqa: N818 - an answer, not a fault
    """The operation was refused and changed nothing."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class StepError(Exception):
    """A failed step of a commit; the text is the reason, without secrets."""
