"""A rule beside the rendered lines that it rests on: it holds, or not, or is not configured."""

from __future__ import annotations

from enum import StrEnum

from fabricgen.record import record


class State(StrEnum):
    """What can be said of a rule."""

    HOLDS = "holds"
    BROKEN = "BROKEN"
    NOT_CONFIGURED = "not configured"


@record(kw_only=True)
class Claim:
    """One rule of one switch. lines: those whose numbers the arithmetic has.

    Where a number is not in the files, the arithmetic says what applies instead.
    """

    rule: str
    state: State
    arithmetic: str
    lines: tuple[str, ...]
