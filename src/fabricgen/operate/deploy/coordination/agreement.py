"""Decide whether two ends of a change work together and name one step of the change."""

from collections.abc import Mapping
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Value
from fabricgen.model.fabric.transition import ANY_ASN, Transition
from fabricgen.operate.deploy.coordination.terms import ADDRESS, ASN, VNI

STEPS = 3
"""Steps of each such change: allow both values, change, remove the old value."""


@record(kw_only=True)
class Step:
    """The next step.

    Attributes:
        number: From 1.
        said: Description.
        kept: Retained settings by switch; other switches retain none.
        waits: Switches that the step waits for.
        of: Number of steps.
    """

    number: int
    said: str
    kept: Mapping[str, Transition]
    waits: tuple[str, ...] = ()
    of: int = STEPS

    @property
    def left(self) -> int:
        """Return the number of steps after this one."""
        return self.of - self.number


@record()
class Course:
    """The path to the design: the next step, if any. bound: reasons against steps."""

    step: Step | None = None
    bound: tuple[str, ...] = ()

    @property
    def idle(self) -> frozenset[str]:
        """Return the switches that the step drains."""
        kept = self.step.kept.items() if self.step is not None else ()
        return frozenset(name for name, own in kept if own.drained)


@record(kw_only=True)
class End:
    """The value on one switch: `was` before its batch, `will` after it.

    outside: the switch is not in the plan; its value is assumed to match the other end now.
    """

    switch: str
    was: Value | None
    will: Value | None
    outside: bool = False


@record(kw_only=True)
class Term:
    """A setting that must match at its ends. of: owner of an ASN or address; a VLAN or VRF.

    If one end has the value and the other expects it, the first end is the owner.
    """

    fabric: str
    kind: str
    word: str
    of: str
    ends: tuple[End, ...]


def agree(word: str, one: Value | None, other: Value | None) -> bool:
    """Check whether two ends work together."""
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
    """Check whether one side imports a route target that the other exports."""
    return not {*(one[1] or ())}.isdisjoint(other[2] or ())
