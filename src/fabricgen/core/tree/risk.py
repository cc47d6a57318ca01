"""Defines the risk classes, the risk rules of each kind of file and the rated changes."""

import re
from collections.abc import Callable
from enum import Enum, IntEnum, auto

from fabricgen.core.record import record
from fabricgen.core.tree.settings import Path, Settings

When = Callable[[Path, Settings, Settings], bool]


class Risk(IntEnum):
    """What a change does to traffic, from nothing to everything; the order is that of the harm."""

    HITLESS = auto()
    SESSION_RESET = auto()
    LOSSLESS_DISRUPTIVE = auto()
    REBOOT = auto()

    @property
    def word(self) -> str:
        """Return its name as people write it: session-reset."""
        return self.name.lower().replace("_", "-")


def named(word: str) -> Risk:
    """Return the class that people write so."""
    return next(risk for risk in Risk if risk.word == word)


MEANING: dict[Risk, str] = {
    Risk.HITLESS: (
        "links, sessions and queues that stand go on; traffic may take another path, and what has "
        "no traffic yet may appear"
    ),
    Risk.SESSION_RESET: (
        "a link, a session or a route goes away, for a moment or for good: its traffic moves to "
        "what is left or is lost until it comes back"
    ),
    Risk.LOSSLESS_DISRUPTIVE: (
        "queues, buffers or pause of ports in use are rebuilt: packets that RDMA counts on may be "
        "dropped, so jobs must be drained first"
    ),
    Risk.REBOOT: (
        "the switch reloads, or its whole forwarding plane does: every port of it goes down"
    ),
}


USE = "what the setting is for"
"""The source of a rule that follows from what a setting means."""
CAUTION = "cautious: no document found"
"""The source of a class that is the worse of what can be thought of."""


class Kind(Enum):
    """What happened to a setting."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


ANY = frozenset(Kind)
ADDED, REMOVED, CHANGED = (frozenset({kind}) for kind in Kind)


@record()
class Rule:
    """One row of a table, written as a row, without keywords.

    The first row of a dialect that fits a change judges it.
    where: a pattern for the whole path of the setting, its levels joined by ` > `; the group
    `value` is what may change in place. when: a condition on the two states, beside the pattern.
    """

    where: str
    risk: Risk
    why: str
    source: str
    kinds: frozenset[Kind] = ANY
    when: When | None = None


def grows(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether a setting ends with a number, and with none smaller than it was."""
    stem = path[-1].rpartition(" ")[0]
    old = [
        before[item] or item[-1]
        for item in before
        if item == path or (stem and item[:-1] == path[:-1] and item[-1].rpartition(" ")[0] == stem)
    ]
    numbers = [text.rpartition(" ")[2] for text in (after.get(path) or path[-1], *old)]
    return all(word.isdecimal() for word in numbers) and int(numbers[0]) >= max(map(int, numbers))


def raised(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether a limit stood before and is no smaller; a limit of 0 is none."""
    stem = path[-1].rpartition(" ")[0]
    stood = [
        item[-1].rpartition(" ")[2]
        for item in before
        if item[:-1] == path[:-1] and item[-1].rpartition(" ")[0] == stem
    ]
    return bool(stood) and "0" not in stood and grows(path, before, after)


@record(kw_only=True)
class Dialect:
    """How one kind of file is read and judged. unknown: what no rule knows is judged as."""

    file: re.Pattern[str]
    read: Callable[[str], Settings]
    rules: tuple[Rule, ...]
    unknown: Rule


@record(kw_only=True)
class Change:
    """One judged difference. known: a rule judged it, not the caution for what no rule knows."""

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
