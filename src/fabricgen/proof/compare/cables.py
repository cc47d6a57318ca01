"""LLDP neighbours: every cable between switches goes where the model says; nobody else talks."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.fabric.observed import Part
from fabricgen.proof.compare.difference import Differences, Kind, Sides

if TYPE_CHECKING:
    from fabricgen.fabric.facts import Neighbour


def cables(sides: Sides) -> Differences:
    """Yield every cable that is not heard, goes elsewhere, or is not in the model."""
    if not sides.read(Part.LLDP):
        return
    heard: dict[str, list[Neighbour]] = defaultdict(list)
    for one in sides.observed.neighbours:
        heard[one.port].append(one)
    for wanted in sides.expected.neighbours:
        found = heard.pop(wanted.port, [])
        if not found and wanted.required:
            says = f"{wanted.port} has not heard {_far(wanted)} by LLDP"
            yield sides.differs(
                Kind.NOT_YET, f"cable of {wanted.port}", _far(wanted), "silence", says
            )
        for one in found:
            if not wanted.is_met_by(one):
                yield sides.wrong(
                    f"cable of {wanted.port}",
                    f"{wanted.port} is cabled to",
                    _far(wanted),
                    _far(one),
                )
    for port, found in heard.items():
        if port not in sides.expected.unknown:
            for one in found:
                yield sides.unknown(f"cable of {port}", f"{port} is cabled to {_far(one)}")


def _far(one: Neighbour) -> str:
    return " ".join((one.name or "a nameless neighbour", *one.ports[:1]))
