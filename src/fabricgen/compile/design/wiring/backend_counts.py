"""The counts of a backend: its units, leafs, spines and superspines.

More rails share a leaf in a unit that is not full, so it needs fewer leafs. The intent names it by
its number, so no other unit moves. A full unit gets its other leafs: the cables of some rails move
to them, and no name, address or ASN depends on sharing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import Faceplate
from fabricgen.compile.design.wiring.rail_servers import Servers
from fabricgen.compile.design.wiring.tiers import Tier
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend, SharedUnits


@record(kw_only=True)
class BackendSize:
    """All counts of a backend. `spines` are per plane, or per plane and pod with three tiers.

    shared: rails on a leaf of the units, by number from 1, in which they are not the usual ones.
    per_rail: leafs of the same place in their units have spines of their own.
    A design with fewer tiers leaves fields at their defaults.
    """

    servers: Servers
    per_unit: int
    units: int
    units_per_pod: int = 1
    pods: int = 1
    leaf: Faceplate
    uplinks: int = 0
    spines: Tier | None = None
    spine_uplinks: int = 0
    superspines: Tier | None = None
    shared: Mapping[int, int] = field(default_factory=dict)
    per_rail: bool = False

    @property
    def blocks(self) -> int:
        """How many sets of spines a plane has: one for each pod, or for the rails of each leaf."""
        return self.groups(1) // self.servers.leafs_per_nic if self.per_rail else self.pods

    def seat(self, unit: int, leaf: int) -> tuple[int, int]:
        """Return the set of spines of a leaf and its place under them, all counted from 0."""
        if self.per_rail:
            rail, twin = divmod(leaf, self.servers.leafs_per_nic)
            return rail, unit * self.servers.leafs_per_nic + twin
        pod, place = divmod(unit, self.units_per_pod)
        return pod, place * self.servers.reserved_groups + leaf

    def rails_per_leaf(self, unit: int) -> int:
        """Return how many rails share a leaf of a unit, from 1."""
        return min(self.shared.get(unit, self.servers.rails_per_leaf), self.servers.rails)

    def groups(self, unit: int) -> int:
        """Return how many leafs a unit has in one plane."""
        return ceil(self.servers.rails / self.rails_per_leaf(unit)) * self.servers.leafs_per_nic

    def room(self, unit: int) -> int:
        """Return how many servers the ports of a rail are kept for on a leaf of a unit."""
        if unit not in self.shared:
            return self.per_unit
        ports = self.rails_per_leaf(unit) * self.servers.ports_per_leaf
        return min(self.per_unit, len(self.leaf.down) // ports)


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
