"""Compare the members of a group: find a value that is unlike the others, or that two share."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from fabricgen.core.diagnostics import Severity
from fabricgen.prove.invariants.law import Breach, Spot, breach
from fabricgen.prove.invariants.switch import Switch

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
SURE = 3
"""Members that must agree before another one is called a fault, where each might be right."""


class Member(NamedTuple):
    """One of several objects that a sound network configures alike.

    Attributes:
        name: The object in a sentence.
        value: The compared value.
        spot: The place of the value.
    """

    name: str
    value: str | int
    spot: Spot


def at_port(switch: Switch, port: str, value: str, *attributes: str) -> Member:
    """Return the port of a switch as a member, with the attributes that may name its line."""
    return Member(f"{switch.name}:{port}", value, Spot(switch, ("interface", port), attributes))


def grouped(items: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return the items of each key."""
    found: dict[K, list[T]] = {}
    for key, item in items:
        found.setdefault(key, []).append(item)
    return found


def odd(
    items: Sequence[T], value: Callable[[T], Hashable], sure: int = 0
) -> Iterator[tuple[T, T, int]]:
    """Yield items without the usual value, an item that has it, and how many have it.

    Args:
        items: The group; of two values that are equally frequent the first one is usual.
        value: Reads the compared value.
        sure: If given, only one item may differ, and at least so many must agree.
    """
    values = [value(each) for each in items]
    usual, many = Counter(values).most_common(1)[0] if values else ("", 0)
    if sure and not sure <= many == len(values) - 1:
        return
    for each, own in zip(items, values, strict=True):
        if own != usual:
            yield each, items[values.index(usual)], many


def unlike(
    what: str,
    group: str,
    members: Sequence[Member],
    *,
    sure: int = 0,
    severity: Severity = Severity.ERROR,
) -> Iterator[Breach]:
    """Yield the members without the usual value of their group.

    Args:
        what: Name of the value.
        group: Name of the group, after `of`.
        members: The group.
        sure: As of `odd`.
        severity: Severity of a breach.
    """
    for each, usual, many in odd(members, lambda member: member.value, sure):
        count = f" ({many} of {len(members)} have it)" if len(members) > 2 else ""
        mine, theirs = (member.value or "none" for member in (each, usual))
        said = f"{each.name} has {what} {mine}, and {usual.name} of {group} has {theirs}{count}"
        yield breach(said, each.spot, usual.spot, severity=severity)


def sharing(members: Iterable[Member]) -> Iterator[list[Member]]:
    """Yield members that have one value, where each must have its own; no value is none."""
    held = grouped((each.value, each) for each in members if each.value)
    yield from (group for group in held.values() if len(group) > 1)
