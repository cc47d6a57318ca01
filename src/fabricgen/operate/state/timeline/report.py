"""Describe the changes of switches since a moment in sentences, with their causes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key, Value, attribute_word, spelled, subject_of
from fabricgen.operate.state.timeline.causes import Cause, CauseKind
from fabricgen.operate.state.timeline.changes import Event, Net
from fabricgen.operate.state.timeline.records import Past
from fabricgen.operate.state.timeline.snapshot import FINDING, UNREAD


class Sort(StrEnum):
    """Kind of a change."""

    FACT = "changed"
    BEGAN = "finding began"
    ENDED = "finding ended"
    UNREAD = "unread"
    READ = "read again"


_SHORT = 60
_LISTED = 3
"""Objects that are named in a sentence about several."""


@record(kw_only=True)
class Altered:
    """One value that differs from the earlier state, with the cause of its last change.

    `since`, `at`: window of the last change. Both are 0 if it is no longer stored.
    """

    switch: str
    sort: Sort
    key: Key
    attribute: str
    old: Value | None
    new: Value | None
    since: float
    at: float
    cause: Cause

    @property
    def sentence(self) -> str:
        """Return the change as a sentence without the name of the switch."""
        return sentence(self.sort, [self])


@record(kw_only=True)
class Report:
    """Changes since a moment.

    Attributes:
        since: Text of the moment, as `baseline before-upgrade`.
        time: Its time.
        altered: The values that differ, by switch.
        returned: By switch, the number of changes that came back, at least.
        later: Switches whose first look is later, with its time.
        unknown: Switches without a stored look.
        incomplete: Switches with too many changes for a complete history.
    """

    since: str
    time: float
    altered: tuple[Altered, ...]
    returned: dict[str, int]
    later: dict[str, float]
    unknown: tuple[str, ...]
    incomplete: tuple[str, ...]


CauseOf = Callable[[str, tuple[float, float], tuple[str, ...]], Cause]


def report(
    since: str, time: float, pasts: Iterable[Past], cause: CauseOf, unknown: Iterable[str] = ()
) -> Report:
    """Return the report about the changes of switches.

    Args:
        since: Text of the moment.
        time: The time of the moment.
        pasts: The changes by switch.
        cause: Returns the cause of a change.
        unknown: Switches without a stored look.
    """
    every = list(pasts)
    altered: list[Altered] = []
    returned: dict[str, int] = {}
    for past in every:
        stays = {spot: net for spot, net in past.sums.items() if not _is_same(spot[0], net)}
        altered += [
            _altered(past.switch, *spot, net, cause)
            for spot, net in sorted(stays.items(), key=_order)
        ]
        if past.returned:
            returned[past.switch] = past.returned
    return Report(
        since=since,
        time=time,
        altered=tuple(altered),
        returned=returned,
        later={past.switch: past.first for past in every if past.first > time},
        unknown=tuple(unknown),
        incomplete=tuple(past.switch for past in every if past.incomplete),
    )


def _order(spot: tuple[tuple[Key, str], Net]) -> tuple[bool, tuple[Key, str]]:
    """Return the place of a change: facts before findings."""
    return spot[0][0][0] in (FINDING, UNREAD), spot[0]


def _is_same(key: Key, net: Net) -> bool:
    """Return whether nothing differs. A finding with another sentence is still the same one."""
    both = net.old is not None and net.new is not None
    return net.old == net.new or (key[0] in (FINDING, UNREAD) and both)


def _altered(switch: str, key: Key, attribute: str, net: Net, cause: CauseOf) -> Altered:
    return Altered(
        switch=switch,
        sort=_sort(key, net.new),
        key=key,
        attribute=attribute,
        old=net.old,
        new=net.new,
        since=net.since,
        at=net.at,
        cause=cause(switch, (net.since, net.at), net.sessions),
    )


def altered_by(event: Event) -> list[Altered]:
    """Return the changes of one event, without their cause."""
    unnamed = Cause(kind=CauseKind.UNKNOWN, sentence="")
    return [
        _altered(
            "", *each.spot, Net(each.old, each.new, event.since, event.at, ()), lambda *_: unnamed
        )
        for each in event.changes
        if not _is_same(each.key, Net(each.old, each.new, 0, 0, ()))
    ]


def _sort(key: Key, new: Value | None) -> Sort:
    if key[0] == FINDING:
        return Sort.ENDED if new is None else Sort.BEGAN
    if key[0] == UNREAD:
        return Sort.READ if new is None else Sort.UNREAD
    return Sort.FACT


def grouped(altered: Iterable[Altered]) -> Iterator[list[Altered]]:
    """Yield changes that share one sentence: equal changes of objects of one kind, new objects."""
    groups: dict[tuple[object, ...], list[Altered]] = defaultdict(list)
    for each in altered:
        shared: tuple[object, ...] = (each.key[0], each.attribute, each.old, each.new)
        if each.sort is not Sort.FACT:
            shared = (each.key, each.attribute)
        elif each.old is None or each.new is None:
            shared = (each.key, each.old is None)
        groups[each.switch, each.sort, each.cause.sentence, each.at, *shared].append(each)
    yield from groups.values()


def sentence(sort: Sort, group: Sequence[Altered]) -> str:
    """Return one sentence about a group of changes, without the name of the switch."""
    first = group[0]
    if sort is Sort.BEGAN or sort is Sort.ENDED:
        return f"{sort}: {spelled(first.old if sort is Sort.ENDED else first.new)}"
    if sort is Sort.UNREAD or sort is Sort.READ:
        reason = f": {spelled(first.new)}" if sort is Sort.UNREAD else ""
        word = "could not be read" if sort is Sort.UNREAD else "is read again"
        return f"{' '.join(first.key[1:])} {word}{reason}"
    if (
        first.key == ("identity",)
        and first.attribute == "serial"
        and None not in (first.old, first.new)
    ):
        return f"switch replaced: serial was {spelled(first.old)}, is {spelled(first.new)}"
    if first.old is None or first.new is None:
        return _appeared(group)
    return f"{_subjects(group)} was {_short(first.old)}, is {_short(first.new)}"


def _appeared(group: Sequence[Altered]) -> str:
    """Return a sentence about values that an object did not have, or no longer has."""
    is_new = group[0].old is None
    values = "; ".join(
        " ".join(
            filter(
                None,
                (
                    attribute_word(each.key[0], each.attribute),
                    _short(each.new if each.new is not None else each.old),
                ),
            )
        )
        for each in group
    )
    return f"{subject_of(group[0].key)} {'is new' if is_new else 'is gone'}: {values}"


def _subjects(group: Sequence[Altered]) -> str:
    first = group[0]
    word = attribute_word(first.key[0], first.attribute)
    if len(group) <= 1:
        return f"{subject_of(first.key)}: {word}"
    names = [" ".join(each.key[1:]) for each in group]
    shown = ", ".join(names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{first.key[0].replace('-', ' ')} {shown}{more}: {word}"


def _short(value: Value | None) -> str:
    text = spelled(value)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
