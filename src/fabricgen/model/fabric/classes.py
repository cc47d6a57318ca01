"""Defines the DSCP marks that a leaf sets on packets of a server by the class of its tenant."""

from collections import Counter
from collections.abc import Iterator, Mapping

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record(eq=False, kw_only=True)
class Mark:
    """The DSCP that packets get, whatever they had, and the traffic class that goes by it."""

    dscp: int
    number: int
    because: Provenance


@record(eq=False)
class Marks:
    """What one port writes: `rest` into all packets, but into those of some VLANs another mark.

    kept: DSCPs of RoCE, which stay.
    """

    rest: Mark
    tagged: tuple[tuple[int, Mark], ...]
    kept: tuple[int, ...]

    def __iter__(self) -> Iterator[Mark]:
        """Yield every mark that it writes."""
        return iter((self.rest, *(mark for _, mark in self.tagged)))

    @property
    def facts(self) -> tuple[str, ...]:
        """Spell it as what is read back of a port: a DSCP, and one by each such VLAN."""
        return tuple(sorted((str(self.rest.dscp), *(f"{v}:{m.dscp}" for v, m in self.tagged))))


def together(
    untagged: int | None, marks: Mapping[int, Mark], kept: tuple[int, ...]
) -> Marks | None:
    """Join the marks of a port's VLANs; None where there are none: what packets have is taken.

    `rest` is that of the untagged VLAN, else what most VLANs have, so that few are named.
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
