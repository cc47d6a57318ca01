"""Read since when the timeline has each finding."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from fabricgen.core.tree.facts import Key
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.redaction import name_of
from fabricgen.operate.state.timeline.snapshot import FINDING

Began = Mapping[tuple[str, Key], float]
"""Seconds since 1970 at which a look first showed a finding, by switch and its key."""


def finding_key(check: str, key: Key) -> Key:
    """Return the stored key of a finding about an object."""
    return (FINDING, check, *name_of(key or ("",)))


def begun(history: History, switches: Iterable[str], after: datetime) -> Began:
    """Return since when each present finding exists.

    A finding of the first look began at an unknown time before it, and so did one whose beginning
    is older than `after`. Neither is in the result.
    """
    found: dict[tuple[str, Key], float] = {}
    for switch in switches:
        there: dict[Key, dict[str, float]] = {}
        for moment in history.moments(switch, after):
            for each in moment.event.changes:
                if each.key[:1] != (FINDING,):
                    continue
                own = there.setdefault(each.key, {})
                if each.new is None:
                    own.pop(each.attribute, None)
                elif each.old is None:
                    own[each.attribute] = moment.event.at
        found |= {(switch, key): min(own.values()) for key, own in there.items() if own}
    return found
