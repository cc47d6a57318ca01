"""Decides whether two ends of a change work together and names one step of the change."""

from collections.abc import Mapping
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Value
from fabricgen.model.fabric.transition import ANY_ASN, Transition
from fabricgen.operate.deploy.coordination.terms import ADDRESS, ASN, VNI

STEPS = 3
"""Of every such change: let both be, change, let the old one go."""


@record(kw_only=True)
class Step:
    """The next step. number: from 1, of how many. said: a sentence. waits: for which switches.

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


@record(kw_only=True)
class End:
    """What one switch says: `was` until its batch, `will` from then on.

    outside: it is not in the plan; it is taken as agreeing with what the other end says now.
    """

    switch: str
    was: Value | None
    will: Value | None
    outside: bool = False


@record(kw_only=True)
class Term:
    """What its ends must agree on. of: whose ASN, address or session; a VLAN's id, a VRF's name.

    Of two ends where one is what the other expects, the first is the one that is it.
    """

    fabric: str
    kind: str
    word: str
    of: str
    ends: tuple[End, ...]


def agree(word: str, one: Value | None, other: Value | None) -> bool:
    """Tell whether two ends work together."""
    if word == ASN:
        return other in (one, ANY_ASN)
    if word == ADDRESS:
        if one is None or other is None:  # a link without addresses has a session by its port
            return one == other
        return str(other) in {str(each).partition("/")[0] for each in one}
    if word == VNI and isinstance(one, tuple) and isinstance(other, tuple):
        return one[0] == other[0] and _imports(one, other) and _imports(other, one)
    return one == other


def _imports(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Tell whether one side takes what the other exports: a route target in common is enough."""
    return not {*(one[1] or ())}.isdisjoint(other[2] or ())
