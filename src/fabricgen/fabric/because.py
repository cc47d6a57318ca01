"""Why something is there: the intent it follows from, and the rule in one sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Because:
    """The reason of one block of the model. `paths` are dotted intent paths, main one first."""

    paths: tuple[str, ...]
    rule: str
