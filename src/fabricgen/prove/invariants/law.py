"""Defines a law over read facts and compares the members of a group."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key, Topic
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch


@record(eq=False)
class Spot:
    """A fact in the files of a switch: an object, and the attributes that may locate its line."""

    switch: Switch
    key: Key
    attributes: tuple[str, ...] = ()


@record(eq=False, kw_only=True)
class Breach:
    """A broken law.

    Attributes:
        said: A sentence that names both sides.
        spots: The facts that contradict the law, the main one first.
        severity: A warning if the network may still forward packets.
    """

    said: str
    spots: tuple[Spot, ...]
    severity: Severity = Severity.ERROR


@record(eq=False, kw_only=True)
class Law:
    """One law.

    Attributes:
        name: The requirement, as a noun phrase.
        code: The diagnostic of a breach.
        source: The document that makes it a law.
        needs: Facts of which a grammar must know one; without it the law cannot be checked.
        breaches: Finds the breaches in a network.
        alone: One switch suffices to check it.
        closed: It requires a peer, which may be outside of a site.
    """

    name: str
    code: Code
    source: str
    needs: frozenset[Topic]
    breaches: Callable[[AnyNetwork], Iterator[Breach]]
    alone: bool = False
    closed: bool = False

    @property
    def is_of_lines(self) -> bool:
        """Return whether the facts of one switch suffice, without the reader of its queues."""
        return self.alone and bool(self.needs)


def breach(said: str, *spots: Spot, severity: Severity = Severity.ERROR) -> Breach:
    """Return a breach."""
    return Breach(said=said, spots=spots, severity=severity)


K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
SURE = 3
"""Minimum members that must agree for a fault, if each value may be right."""


class Member(NamedTuple):
    """One of several objects that a sound network configures equally.

    Attributes:
        name: The object in a sentence.
        value: The compared value.
        spot: The place of the value.
    """

    name: str
    value: str | int
    spot: Spot


def at_port(switch: Switch, port: str, value: str, *attributes: str) -> Member:
    """Return the port of a switch as a member, with the attributes that may locate its line."""
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
    """Yield items without the usual value, an item that has it, and the number of those.

    Args:
        items: The group; of two equally frequent values the first one is usual.
        value: Reads the compared value.
        sure: If given, only one item may differ, and at least this many must agree.
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
        sure: As in `odd`.
        severity: Severity of a breach.
    """
    for each, usual, many in odd(members, lambda member: member.value, sure):
        count = f" ({many} of {len(members)} have it)" if len(members) > 2 else ""
        mine, theirs = (member.value or "none" for member in (each, usual))
        said = f"{each.name} has {what} {mine}, but {usual.name} of {group} has {theirs}{count}"
        yield breach(said, each.spot, usual.spot, severity=severity)


def sharing(members: Iterable[Member]) -> Iterator[list[Member]]:
    """Yield members that share a value which must be unique; no value does not count."""
    held = grouped((each.value, each) for each in members if each.value)
    yield from (group for group in held.values() if len(group) > 1)
