"""Defines the running jobs of a site: servers, networks, and placement on rails."""

from collections import Counter

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record(eq=False, kw_only=True)
class JobPlan:
    """One job. `gpus`: of each server. `fabric`, `rails`, `storage`: its networks, empty for none.

    `units`: on rails, the scalable unit of each server. `ratio`: bandwidth of servers to uplinks of
    the leafs in these units, 0 without uplinks.
    """

    name: str
    pool: str
    fabric: str
    rails: str
    storage: str
    servers: tuple[str, ...]
    gpus: int
    units: tuple[int, ...]
    ratio: float
    because: Provenance

    @property
    def spread(self) -> tuple[int, ...]:
        """Return its units, each once."""
        return tuple(sorted(set(self.units)))

    @property
    def leaving(self) -> float:
        """Return the part of its all-to-all traffic between servers that leaves a unit."""
        count = len(self.units)
        inside = sum(size * (size - 1) for size in Counter(self.units).values())
        return 1 - inside / (count * (count - 1)) if count > 1 else 0.0
