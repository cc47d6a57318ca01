"""Tells whether a switch or link of the design runs and carries traffic."""

from enum import StrEnum

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


class State(StrEnum):
    """Where a switch or link is in its life."""

    PLANNED = "planned"  # not there yet
    ACTIVE = "active"
    DRAINED = "drained"  # it runs, and traffic goes by others
    DEAD = "dead"  # not there any more, and nothing stands in its place yet


@record(kw_only=True)
class Standing:
    """The state of one switch or link, and where the intent has it."""

    state: State
    because: Provenance

    @property
    def runs(self) -> bool:
        """Tell whether anybody is to find it there."""
        return self.state in (State.ACTIVE, State.DRAINED)


LONGER = 3
"""ASNs that are put before a path. A way over three tiers has four ASNs at most; so has five."""


@record()
class Detour:
    """ASNs, with spaces between, that make every way over a drained switch or link the longer."""

    path: str
    because: Provenance
