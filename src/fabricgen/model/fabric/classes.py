"""Defines the DSCP marks that a leaf sets on packets of a server by the class of its tenant."""

from collections import Counter
from collections.abc import Iterator, Mapping

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record(eq=False, kw_only=True)
class Mark:
    """The DSCP that a port writes into packets, and its traffic class."""

    dscp: int
    number: int
    because: Provenance


@record(eq=False)
class Marks:
    """Marks of one port: `rest` for all packets, except another mark for some VLANs.

    `kept`: DSCPs of RoCE, which stay unchanged.
    """

    rest: Mark
    tagged: tuple[tuple[int, Mark], ...]
    kept: tuple[int, ...]

    def __iter__(self) -> Iterator[Mark]:
        """Yield every mark of the port."""
        return iter((self.rest, *(mark for _, mark in self.tagged)))

    @property
    def facts(self) -> tuple[str, ...]:
        """Return the facts that are read back from a port: one DSCP, and the marks of VLANs."""
        return tuple(sorted((str(self.rest.dscp), *(f"{v}:{m.dscp}" for v, m in self.tagged))))


def together(
    untagged: int | None, marks: Mapping[int, Mark], kept: tuple[int, ...]
) -> Marks | None:
    """Return the marking of a port from its VLANs; None if the port trusts DSCPs.

    `rest` is the mark of the untagged VLAN, else the most frequent one, so that few VLANs are
    listed.
    """
    if not marks:
        return None
    if untagged is not None:
        rest = marks[untagged]
    else:
        times = Counter(mark.dscp for mark in marks.values())
        rest = min(marks.values(), key=lambda mark: (-times[mark.dscp], mark.dscp))
    others = sorted(marks.items())
    tagged = ((vlan, mark) for vlan, mark in others if mark.dscp != rest.dscp)
    return Marks(rest, tuple(tagged), kept)
