"""Checks whether a switch or link of the design runs and carries traffic."""

from enum import StrEnum

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


class State(StrEnum):
    """Lifecycle state of a switch or link."""

    PLANNED = "planned"  # not installed yet
    ACTIVE = "active"
    DRAINED = "drained"  # runs, and traffic uses others
    DEAD = "dead"  # absent until it is replaced


@record(kw_only=True)
class Standing:
    """The state of one switch or link, and its place in the intent."""

    state: State
    because: Provenance

    @property
    def runs(self) -> bool:
        """Return whether the switch or link is present."""
        return self.state in (State.ACTIVE, State.DRAINED)


LONGER = 3
"""Prepended ASNs. A path over three tiers has at most four ASNs; five more exceed it."""


@record()
class Detour:
    """ASNs, separated by spaces, that lengthen every path over a drained switch or link."""

    path: str
    because: Provenance
