"""A rule, whether it holds, and its arithmetic in one line: a broken rule is a value."""

from fabricgen.core.record import record


@record()
class Verdict:
    """The outcome of one rule."""

    rule: str
    holds: bool
    arithmetic: str
