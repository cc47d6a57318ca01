"""Needs in; switches, optics and watts for each GPU of every Ethernet design, size by size, out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from fabricgen.core.record import record
from fabricgen.plan.sizing.candidates import candidate
from fabricgen.plan.sizing.designs import DESIGNS
from fabricgen.plan.sizing.needs import Needs

FIRST, LAST = 64, 100_000
"""GPUs, the fewest and the most that are drawn unless said."""


@record(kw_only=True)
class Point:
    """One design at one size. watts: None where those of a model are not known."""

    design: str
    gpus: int
    switches: int
    optics: int
    watts: float | None


def sizes(most: int = LAST) -> list[int]:
    """Return numbers of GPUs: each twice the one before, and the last."""
    found = []
    gpus = FIRST
    while gpus < most:
        found.append(gpus)
        gpus *= 2
    return [*found, most]


def sweep(needs: Needs, gpus: Sequence[int]) -> list[Point]:
    """Design the backend of the needs at every size; a design ends where it no longer fits."""
    alone = replace(needs, frontend=None, storage=None, growth=1.0)
    found: list[Point] = []
    for design in DESIGNS:
        if not design.infiniband:
            found += _of(alone, design.name, gpus)
    return found


def _of(needs: Needs, name: str, gpus: Sequence[int]) -> Iterator[Point]:
    design = next(each for each in DESIGNS if each.name == name)
    for size in gpus:
        made = candidate(replace(needs, servers=ceil(size / needs.gpus)), design)
        if made.why_not:
            return
        parts = made.backend.parts
        yield Point(
            design=name,
            gpus=made.backend.gpus,
            switches=made.backend.switch_count,
            optics=sum(parts.optics.values()) + sum(parts.cables.values()),
            watts=made.backend.draw.typical,
        )
