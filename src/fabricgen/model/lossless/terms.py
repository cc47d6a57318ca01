"""Defines the terms of a derivation and the verdict on its result."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil

from fabricgen.core.record import record
from fabricgen.core.units import Bytes


@record()
class Verdict:
    """The outcome of one rule."""

    rule: str
    holds: bool
    arithmetic: str


KIB = 1024
NOTHING = Bytes(0)


@record()
class Term:
    """One term of a result, and the source of its figure."""

    name: str
    value: Bytes
    source: str


@record()
class Part:
    """A term before rounding: an exact fraction of bytes."""

    name: str
    value: Fraction
    source: str


def exact_sum(parts: Iterable[Part]) -> Fraction:
    """Return the sum before rounding."""
    return sum((part.value for part in parts), Fraction(0))


def rounded_up(value: Fraction | int, unit: int) -> Bytes:
    """Return the smallest multiple of `unit` that is at least `value`."""
    return Bytes(ceil(Fraction(value) / unit) * unit)


def whole(parts: Iterable[Part], unit: int, unit_source: str) -> tuple[Bytes, tuple[Term, ...]]:
    """Return the sum rounded up to `unit`, and terms in whole bytes that add up to it exactly.

    A term is the difference of two running sums, each rounded up to a byte, so no term is off by a
    byte or more and the sum is exact. The last term is the rounding to `unit`.
    """
    terms, exact, counted = [], Fraction(0), 0
    for part in parts:
        exact += part.value
        terms.append(Term(part.name, Bytes(ceil(exact) - counted), part.source))
        counted = ceil(exact)
    total = rounded_up(exact, unit)
    terms.append(Term(f"rounded up to {unit} bytes", Bytes(total - counted), unit_source))
    return total, tuple(terms)
