"""Computes numbers by formulas: a base and the step of each coordinate."""

from collections.abc import Callable, Mapping

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Link, Nic, Role, Switch

Place = Callable[[str], int]
"""The coordinates of one object, by word, all from 1; a missing coordinate is 1."""


@record()
class Formula:
    """A base and the step of each coordinate; negative steps count down.

    `said`: its place in the intent; empty for a formula of the design.
    """

    base: int
    steps: tuple[tuple[str, int], ...] = ()
    said: IntentPath = ()

    def at(self, place: Place) -> int:
        """Return the number for these coordinates."""
        number = self.base
        for word, step in self.steps:
            number += step * (place(word) - 1)
        return number

    def terms(self, place: Place, spelled: Callable[[int], str]) -> str:
        """Return the sum as text: `10.64.0.1 + 1 x (number 3 - 1)`."""
        signs = (("-" if step < 0 else "+", abs(step), word) for word, step in self.steps)
        terms = (f" {sign} {step} x ({word} {place(word)} - 1)" for sign, step, word in signs)
        return spelled(self.base) + "".join(terms)

    def step(self, word: str) -> int:
        """Return the step of a coordinate."""
        return dict(self.steps).get(word, 0)


@record()
class Plan:
    """Formulas of the intent by kind of number and role; the hash is their count."""

    every: Mapping[tuple[str, str], Formula]

    def get(self, kind: str, role: str = "") -> Formula | None:
        """Return the formula of a kind of number."""
        return self.every.get((kind, role))

    def __hash__(self) -> int:
        """Return the number of formulas, which equal plans share."""
        return len(self.every)


NO_PLAN = Plan({})


def seat_of(switch: Switch, *, shared: bool = False) -> Place:
    """Return the coordinates of a switch. `shared`: as the first of its MLAG pair."""
    number = (switch.shared if shared else switch.ordinal) + 1

    def place(word: str) -> int:
        if word == "number" or (word == "index" and shared and switch.domain is not None):
            return number
        if word == "rail":
            return switch.rails[0] if switch.rails else 1
        own: int = getattr(switch, word)
        return max(1, own)

    return place


def run_of(link: Link) -> Place:
    """Return the coordinates of a cable between switches: of its lower end, and its own.

    `slot`: its index in the fabric by design. `link`: its index among the cables of the two
    switches.
    """

    def place(word: str) -> int:
        if word == "slot":
            return link.slot + 1
        if word == "link":
            return link.place
        if word == "upper":
            return link.upper.index
        assert isinstance(link.lower, Switch)
        return seat_of(link.lower)(word)

    return place


def berth_of(link: Link) -> Place:
    """Return the coordinates of a server port; `server`: in its unit, number: in its block."""
    nic = link.lower_port
    assert isinstance(nic, Nic)

    def place(word: str) -> int:
        if word == "number":
            return link.slot + 1
        if word == "server":
            return link.place
        own: int = getattr(nic if word in ("rail", "port") else link.upper, word)
        return max(1, own)

    return place


_APART = {Role.SPINE: {"index", "number", "rail"}, Role.SUPERSPINE: {"index", "number", "unit"}}


def shares(formula: Formula, role: Role) -> bool:
    """Return whether a formula gives a tier one ASN: the spines of a pod, all superspines."""
    return role in _APART and not any(formula.step(word) for word in _APART[role])
