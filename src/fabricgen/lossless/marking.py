"""ECN marking points: speed, bandwidth-delay product and pause threshold in; Kmin, Kmax, Pmax out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.units import Bytes

if TYPE_CHECKING:
    from fabricgen.lossless.terms import Term
    from fabricgen.units import BitsPerSecond


@dataclass(frozen=True, slots=True)
class Policy:
    """How the points are chosen: Kmin = max(floor, bdps x BDP), Kmax = ratio x Kmin at most."""

    floor: Bytes
    bdps: Fraction
    ratio: int
    probability: int
    source: str


DEFAULT_POLICY = Policy(Bytes(150_000), Fraction(1), 4, 20, "")


@dataclass(frozen=True, slots=True)
class Limits:
    """What marking must stay clear of.

    pause_at: occupancy of one lossless priority group at which pause is sent (budget.pause_at).
    feeding: ingress ports that feed the queue at once; 1 is the worst case.
    resume_gap: bytes between pause and resume thresholds, if known.
    """

    mtu: Bytes
    pause_at: Bytes
    feeding: int = 1
    resume_gap: Bytes | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rule, whether it holds, and its arithmetic in one line."""

    rule: str
    holds: bool
    arithmetic: str


@dataclass(frozen=True, slots=True)
class Points:
    """Kmin and Kmax in bytes, Pmax in percent; `terms` say how Kmin and Kmax came about."""

    minimum: Bytes
    maximum: Bytes
    probability: int
    terms: tuple[Term, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def holds(self) -> bool:
        """Tell whether no rule is broken."""
        return all(verdict.holds for verdict in self.verdicts)


def marking_points(
    speed: BitsPerSecond, product: Bytes, limits: Limits, policy: Policy = DEFAULT_POLICY
) -> Points:
    """Derive the points of one speed and judge them."""
    raise NotImplementedError


def judge(
    minimum: Bytes, maximum: Bytes, probability: int, limits: Limits
) -> tuple[Verdict, ...]:
    """Judge any marking points, derived here or written by a person."""
    raise NotImplementedError


def mark_probability(queue: Bytes, minimum: Bytes, maximum: Bytes, probability: int) -> Fraction:
    """Return the part of packets marked at a queue of that many bytes."""
    raise NotImplementedError
