"""Counts the configuration lines that a walk uses, and those that it ignores, by reason."""

from fabricgen.prove.filed import Filed
from fabricgen.prove.share import Fact, factless, is_about_queues
from fabricgen.prove.walk.effective import DEMANDED
from fabricgen.prove.walk.understood import unused

_QUEUES = "queues, marking and time: they affect only load"


def ignored(switch: Filed, row: str, facts: list[Fact]) -> str:
    """Return why a walk does not use a line; empty for a used line."""
    del switch
    if not facts:
        return _QUEUES if is_about_queues(row) else factless(row)
    reasons = ["" if key in DEMANDED else unused(key[0], attribute) for key, attribute in facts]
    return "" if "" in reasons else reasons[0]
