"""Defines the risk classes, the risk rules of each kind of file and the rated changes."""

import re
from collections.abc import Callable
from enum import Enum, IntEnum, auto

from fabricgen.core.record import record
from fabricgen.core.tree.settings import Path, Settings

When = Callable[[Path, Settings, Settings], bool]


class Risk(IntEnum):
    """Effect of a change on traffic, in the order of harm."""

    HITLESS = auto()
    SESSION_RESET = auto()
    LOSSLESS_DISRUPTIVE = auto()
    REBOOT = auto()

    @property
    def word(self) -> str:
        """Return its name as users write it: session-reset."""
        return self.name.lower().replace("_", "-")


def named(word: str) -> Risk:
    """Return the class of a name."""
    return next(risk for risk in Risk if risk.word == word)


MEANING: dict[Risk, str] = {
    Risk.HITLESS: (
        "existing links, sessions and queues continue; traffic may move to another path, and "
        "unused resources may be added"
    ),
    Risk.SESSION_RESET: (
        "a link, a session or a route goes down, briefly or permanently: its traffic moves to "
        "other paths or is lost until it returns"
    ),
    Risk.LOSSLESS_DISRUPTIVE: (
        "queues, buffers or pause of ports in use are rebuilt: packets that RDMA depends on may "
        "be dropped, so drain jobs first"
    ),
    Risk.REBOOT: ("the switch or its whole forwarding plane reloads: all its ports go down"),
}


USE = "purpose of the setting"
"""Source of a rule that follows from the meaning of a setting."""
CAUTION = "cautious: no document found"
"""Source of a class that assumes the worst case."""


class Kind(Enum):
    """Type of change of a setting."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


ANY = frozenset(Kind)
ADDED, REMOVED, CHANGED = (frozenset({kind}) for kind in Kind)


@record()
class Rule:
    """One row of a table, written as a row, without keywords.

    The first row of a dialect that fits a change classifies it. `where`: a pattern for the whole
    path of the setting, its levels joined by ` > `; the group `value` is the part that may change
    in place. `when`: a condition on the two states, in addition to the pattern.
    """

    where: str
    risk: Risk
    why: str
    source: str
    kinds: frozenset[Kind] = ANY
    when: When | None = None


def grows(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a setting ends with a number that is at least its former value."""
    stem = path[-1].rpartition(" ")[0]
    old = [
        before[item] or item[-1]
        for item in before
        if item == path or (stem and item[:-1] == path[:-1] and item[-1].rpartition(" ")[0] == stem)
    ]
    numbers = [text.rpartition(" ")[2] for text in (after.get(path) or path[-1], *old)]
    return all(word.isdecimal() for word in numbers) and int(numbers[0]) >= max(map(int, numbers))


def raised(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a limit existed before and is no smaller; 0 means no limit."""
    stem = path[-1].rpartition(" ")[0]
    stood = [
        item[-1].rpartition(" ")[2]
        for item in before
        if item[:-1] == path[:-1] and item[-1].rpartition(" ")[0] == stem
    ]
    return bool(stood) and "0" not in stood and grows(path, before, after)


@record(kw_only=True)
class Dialect:
    """Reader and risk rules of one kind of file. `unknown`: class of unclassified changes."""

    file: re.Pattern[str]
    read: Callable[[str], Settings]
    rules: tuple[Rule, ...]
    unknown: Rule


@record(kw_only=True)
class Change:
    """One classified difference. `known`: classified by a rule, not by the default."""

    file: str
    where: tuple[str, ...]
    kind: Kind
    rule: Rule
    known: bool
    before: str = ""
    after: str = ""

    @property
    def risk(self) -> Risk:
        """Return its class."""
        return self.rule.risk
