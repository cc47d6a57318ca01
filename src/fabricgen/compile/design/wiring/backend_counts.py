"""The counts of a backend: its units, leafs, spines and superspines."""

from collections.abc import Mapping
from dataclasses import field
from math import ceil

from fabricgen.compile.design.wiring.faceplate import Faceplate
from fabricgen.compile.design.wiring.rail_servers import Servers
from fabricgen.compile.design.wiring.tiers import Tier
from fabricgen.core.record import record


@record(kw_only=True)
class BackendSize:
    """All counts of a backend. `spines` are per plane, or per plane and pod with three tiers.

    shared: rails on a leaf of the units, by number from 1, in which they are not the usual ones.
    per_rail: leafs of the same place in their units have spines of their own.
    What has a default is what a design with fewer tiers does not have.
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
