"""The words of a backend and its sizes in; the units in which more rails share a leaf out.

A unit that is not full needs fewer leafs so. It is named by its number, so no other one moves; when
it fills up and is named no more, its further leafs come to those that are there, and only cables
of the rails that move there are plugged anew: no name, address or ASN follows from sharing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, IntentPath

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.compile.design.wiring.backend_counts import BackendSize
    from fabricgen.intent.model.backend import Backend, SharedUnits


def shared_units(intent: Backend, size: BackendSize, findings: Findings) -> Mapping[int, int]:
    """Return how many rails share a leaf, by the number of the unit, from 1; the others are usual.

    Says what does not fit: a unit that is not there, named twice, or with more servers than ports.
    """
    shared: dict[int, int] = {}
    for unit, words, path in _named(intent):
        before = len(findings.items)
        if unit in shared:
            findings.spoil(Code.DUPLICATE_ID, f"unit {unit} is named twice", (*path, "units"))
        elif unit > size.units:
            sentence = f"no unit {unit} in the {intent.name}; it has {size.units}"
            findings.error(Code.UNKNOWN_REFERENCE, sentence, (*path, "units"))
        _judge_rails(unit, words.rails_per_leaf, (*path, "rails_per_leaf"), size, findings)
        if len(findings.items) == before:
            shared[unit] = words.rails_per_leaf
    return shared


def _named(intent: Backend) -> Iterator[tuple[int, SharedUnits, IntentPath]]:
    unit = intent.scalable_unit
    for place, words in enumerate(unit.shared if unit else ()):
        path: IntentPath = (*intent.at("scalable_unit", "shared"), place)
        yield from ((number, words, path) for number in words.units)


def _judge_rails(
    unit: int, rails: int, path: IntentPath, size: BackendSize, findings: Findings
) -> None:
    counted = size.servers
    if rails <= counted.rails_per_leaf:
        findings.spoil(
            Code.BAD_VALUE,
            f"unit {unit} has fewer leafs with more than {counted.rails_per_leaf} rails on each",
            path,
        )
        return
    servers = min(size.per_unit, counted.count - (unit - 1) * size.per_unit)
    ports = len(size.leaf.down)
    room = ports // (min(rails, counted.rails) * counted.ports_per_leaf)
    if servers > room:
        fits = ports // (servers * counted.ports_per_leaf)
        findings.spoil(
            Code.PORTS_EXHAUSTED,
            f"unit {unit} has {servers} servers; with {rails} rails on a leaf of {ports} ports "
            f"there is room for {room}",
            path,
            f"this fits: `rails_per_leaf: {fits}`"
            if fits > counted.rails_per_leaf
            else f"name unit {unit} no more: it is full enough for its own leafs",
        )
