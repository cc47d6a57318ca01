"""Compares the members of a group, and names those whose value is not the usual one."""

from collections import Counter
from collections.abc import Iterator, Sequence

from fabricgen.diagnostics import Severity
from fabricgen.invariants.law import Breach, Spot, breach
from fabricgen.record import record

SURE = 3
"""Members that must agree before one that differs is named."""


@record(eq=False, kw_only=True)
class Member:
    """One of a group.

    Attributes:
        name: The switch, and the port or session.
        value: What is compared; empty for none.
    """

    spot: Spot
    name: str
    value: str


@record(eq=False, kw_only=True)
class Group:
    """Members whose values should be alike.

    Attributes:
        what: The value, as a noun.
        least: Members that must agree; the one other member is then named.
    """

    what: str
    members: Sequence[Member]
    least: int = SURE


def minority(members: Sequence[Member]) -> Iterator[tuple[Member, Member, int]]:
    """Yield each member with an unusual value, a usual member, and the number of those."""
    count = Counter(each.value for each in members)
    if len(count) > 1:
        most, many = count.most_common(1)[0]
        usual = next(each for each in members if each.value == most)
        yield from ((each, usual, many) for each in members if each.value != most)


def odd_one(group: Group) -> Iterator[Breach]:
    """Yield the one member of a group that is unlike all others, if enough of these agree."""
    found = list(minority(group.members))
    for each, usual, many in found:
        if len(found) == 1 and many >= group.least:
            said = (
                f"{each.name} has {group.what} {each.value or 'none'}; "
                f"{many} like it have {usual.value or 'none'}"
            )
            yield breach(said, each.spot, usual.spot, severity=Severity.NOTE)
