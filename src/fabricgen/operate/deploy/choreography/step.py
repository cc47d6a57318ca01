"""One step of a change that has two ends: which one it is, what it does, what it keeps."""

from collections.abc import Mapping

from fabricgen.core.record import record
from fabricgen.model.fabric.transition import Transition

STEPS = 3
"""Of every such change: let both be, change, let the old one go."""


@record(kw_only=True)
class Step:
    """What is to be done next. number: from 1, of how many. said: in a sentence. waits: for whom.

    kept: what switches keep beside their design in it; one that is not there keeps nothing.
    """

    number: int
    said: str
    kept: Mapping[str, Transition]
    waits: tuple[str, ...] = ()
    of: int = STEPS

    @property
    def left(self) -> int:
        """How many steps come after it."""
        return self.of - self.number


@record()
class Course:
    """How it goes to the design: by which step next, if by any; bound: why something cannot."""

    step: Step | None = None
    bound: tuple[str, ...] = ()

    @property
    def idle(self) -> frozenset[str]:
        """Return the switches that are drained in it."""
        kept = self.step.kept.items() if self.step is not None else ()
        return frozenset(name for name, own in kept if own.drained)
