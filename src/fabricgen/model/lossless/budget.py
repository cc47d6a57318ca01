"""Buffer budget of one switch: its memory and its ports in; what is left to share, or missing."""

from collections.abc import Iterable

from fabricgen.core.record import record
from fabricgen.core.units import Bytes
from fabricgen.model.lossless.alpha import Alpha, pause_threshold
from fabricgen.model.lossless.memory import Memory, PortGroup, ShippedPool
from fabricgen.model.lossless.remedies import Remedy, remedies
from fabricgen.model.lossless.spending import Contribution, spend
from fabricgen.model.lossless.terms import Term


@record(kw_only=True)
class Budget:
    """terms (reservations, headroom, shared) add up to the memory's total.

    headroom: all of it that is set aside, private and pooled. shared is negative when even that
    does not fit; missing is what lacks then. pause_at: occupancy of one
    lossless group at which pause is sent when all of them are congested; None where nothing is
    shared or nothing is lossless.
    """

    memory: Memory
    terms: tuple[Term, ...]
    contributions: tuple[Contribution, ...]
    headroom: Bytes
    shared: Bytes
    missing: Bytes
    alpha: Alpha
    pause_at: Bytes | None
    remedies: tuple[Remedy, ...]

    @property
    def fits(self) -> bool:
        """Tell whether the memory holds what is set aside."""
        return self.missing == 0


def budget(
    memory: Memory, groups: Iterable[PortGroup], alpha: Alpha, pool: ShippedPool | None = None
) -> Budget:
    """Add up the budget; without a pool that the model ships, headroom is reserved in full.

    A shipped pool is what it is: no cable and no port changes it, so no remedy does.
    """
    ports = tuple(groups)

    def fits(changed: tuple[PortGroup, ...]) -> bool:
        return spend(memory, changed, pool).shared >= 0

    spent = spend(memory, ports, pool)
    missing = Bytes(max(0, -spent.shared))
    congested = sum(group.lossless_groups for group in ports)
    may_pause = spent.shared > 0 and congested > 0
    return Budget(
        memory=memory,
        terms=spent.terms,
        contributions=spent.contributions,
        headroom=spent.headroom,
        shared=spent.shared,
        missing=missing,
        alpha=alpha,
        pause_at=pause_threshold(spent.shared, alpha, congested, 1) if may_pause else None,
        remedies=remedies(ports, fits) if missing and pool is None else (),
    )
