"""Count the servers, the units and the switches of a backend.

In a unit that is not full, more rails share a leaf, so it needs fewer leafs. The intent names it by
its number, so no other unit moves. A full unit gets its other leafs: the cables of some rails move
to them, and no name, address or ASN depends on sharing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import Faceplate
from fabricgen.compile.design.wiring.tiers import UpperTiers, reserved
from fabricgen.core.diagnostics import Code, IntentPath, Stop
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend, SharedUnits


@record(kw_only=True)
class Servers:
    """Counts of servers, rails and planes; `reserved_` includes growth."""

    count: int
    rails: int
    planes: int
    rails_per_leaf: int
    ports_per_plane: int
    leafs_per_nic: int
    reserved: int
    reserved_rails: int
    reserved_planes: int

    @property
    def ports_per_leaf(self) -> int:
        """Return the ports of one NIC on one leaf."""
        return self.ports_per_plane // self.leafs_per_nic

    @property
    def reserved_groups(self) -> int:
        """Return the leafs of one unit in one plane, with the reserved rails."""
        return ceil(self.reserved_rails / self.rails_per_leaf) * self.leafs_per_nic


def counted_servers(intent: Backend, findings: Findings) -> Servers:
    """Count them, or stop where NICs, rails and planes do not go together."""
    asked = intent.servers
    nics = asked.nics or asked.gpus
    rails = intent.rails or nics
    if rails != nics:
        findings.error(
            Code.BAD_VALUE,
            f"{nics} NICs per server do not match {rails} rails: NIC k is rail k, so there are as "
            "many rails as NICs",
            intent.at("rails"),
        )
    ports = findings.attempt(lambda: ports_per_plane(intent, findings))
    have = {"servers": asked.count, "rails": rails, "planes": intent.planes}
    kept = {
        name: max(reserved(intent, name, count, findings) or count, count)
        for name, count in have.items()
    }
    if intent.sites is not None and len(intent.sites) > 1:
        findings.error(
            Code.BACKEND_SPANS_SITES,
            f"the backend names {len(intent.sites)} sites, but lossless Ethernet ends at the site "
            "because headroom grows with distance",
            intent.at("sites"),
            "give each site its own backend",
        )
    if intent.rails not in (None, nics) or ports is None:
        raise Stop
    return Servers(
        count=asked.count,
        rails=rails,
        planes=intent.planes,
        rails_per_leaf=intent.rails_per_leaf,
        ports_per_plane=ports,
        leafs_per_nic=intent.leafs_per_nic,
        reserved=kept["servers"],
        reserved_rails=kept["rails"],
        reserved_planes=kept["planes"],
    )


def ports_per_plane(intent: Backend, findings: Findings) -> int:
    """Return the ports of a NIC in one plane; stop where they cannot be on its planes and leafs."""
    nic_ports, leafs = intent.servers.nic_ports, intent.leafs_per_nic
    path = intent.at("leafs_per_nic")
    if nic_ports % intent.planes:
        raise findings.stop(
            Code.BAD_VALUE,
            f"{nic_ports} ports per NIC cannot be divided over {intent.planes} planes",
            intent.at("servers", "nic_ports"),
            f"give each NIC {intent.planes} ports, one per plane",
        )
    ports = nic_ports // intent.planes
    if ports % leafs:
        raise findings.stop(
            Code.BAD_VALUE,
            f"{ports} port(s) of a NIC in one plane cannot be divided over {leafs} leafs",
            path,
            f"give each NIC {leafs * intent.planes} ports",
        )
    if leafs > 1 and intent.nic_addressing.mode == "subnet":
        raise findings.stop(
            Code.BAD_VALUE,
            f"{leafs} leafs would be the gateway of one subnet, which belongs to one rail and unit",
            path,
            "use `nic_addressing: {mode: p2p}`",
        )
    return ports


@record(kw_only=True)
class BackendSize(UpperTiers):
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
    spine_uplinks: int = 0
    shared: Mapping[int, int] = field(default_factory=dict)
    per_rail: bool = False

    @property
    def blocks(self) -> tuple[tuple[int, int, int], ...]:
        """Return the number, pod and rails of each set of spines of a plane, all counted from 0.

        A pod has one set, or one for the rails of each leaf. Reserved rails keep their numbers.
        """
        twins = self.servers.leafs_per_nic
        each = self.servers.reserved_groups // twins if self.per_rail else 1
        sets = range(self.groups(1) // twins if self.per_rail else 1)
        return tuple((pod * each + rail, pod, rail) for pod in range(self.pods) for rail in sets)

    def seat(self, unit: int, leaf: int) -> tuple[int, int]:
        """Return the set of spines of a leaf and its place under them, all counted from 0."""
        pod, place = divmod(unit, self.units_per_pod)
        every, twins = self.servers.reserved_groups, self.servers.leafs_per_nic
        if self.per_rail:
            rail, twin = divmod(leaf, twins)
            return pod * (every // twins) + rail, place * twins + twin
        return pod, place * every + leaf

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

    Reports a unit that is unknown, named twice, or has more servers than ports.
    """
    shared: dict[int, int] = {}
    for unit, words, path in _named(intent):
        before = len(findings.items)
        if unit in shared:
            findings.spoil(Code.DUPLICATE_ID, f"unit {unit} is named twice", (*path, "units"))
        elif unit > size.units:
            sentence = f"the {intent.name} has {size.units} units, but no unit {unit}"
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
            f"unit {unit} has {servers} servers, but with {rails} rails on a leaf of {ports} "
            f"ports there is room for {room}",
            path,
            f"this fits: `rails_per_leaf: {fits}`"
            if fits > counted.rails_per_leaf
            else f"remove unit {unit}, which now has enough servers for the usual leafs",
        )
